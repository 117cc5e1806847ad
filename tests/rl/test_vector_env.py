"""Many matches at once: the same steps in any number of processes, and processes that end."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from learned_games import SEALED_BIDS
from wait_until import until

import warroom_rl
from warroom_rl import BoundError, SetupError, StepError, WorkerError

ROWS = 5
STEPS = 60


def first_legal(observed: Any) -> Any:
    """Return the first value that the mask allows, in each factor."""
    masks = observed["action_mask"]
    if isinstance(masks, tuple):
        return np.stack([mask.argmax(axis=1) for mask in masks], axis=1)
    return masks.argmax(axis=1)


def history(game: Any, processes: int, **settings: Any) -> Iterator[Any]:
    """Yield what the steps of some matches bring."""
    with closing(warroom_rl.vector_env(game, ROWS, processes=processes, **settings)) as envs:
        observed, infos = envs.reset(seed=9)
        yield observed["observation"], infos["seat"]
        for _ in range(STEPS):
            observed, *outcome, infos = envs.step(first_legal(observed))
            assert envs.observation_space.contains(observed)
            yield observed["observation"], *outcome, infos["seat"], infos["rewards"]


@pytest.mark.parametrize("game", ["learned_games:SEALED_BIDS", "tile_blitz", "strata"])
def test_any_number_of_processes_plays_the_same(game: Any) -> None:
    alone, *others = (list(history(game, processes)) for processes in (0, 1, 3))
    for other in others:
        for step, same in zip(alone, other, strict=True):
            assert all(np.array_equal(one, two) for one, two in zip(step, same, strict=True))


def test_each_row_is_an_environment_that_is_reset_when_it_is_done() -> None:
    env = warroom_rl.env(SEALED_BIDS)
    with closing(warroom_rl.vector_env(SEALED_BIDS, 2, processes=0)) as envs:
        observed, infos = envs.reset(seed=[4, 5])
        env.reset(seed=5)
        ended = 0
        for _ in range(STEPS):
            agent = env.agent_selection
            assert agent == f"seat_{infos['seat'][1]}"
            assert np.array_equal(env.observe(agent)["observation"], observed["observation"][1])
            env.step(first_legal(observed)[1])
            observed, rewards, terminated, truncated, infos = envs.step(first_legal(observed))
            assert list(infos["rewards"][1]) == pytest.approx(list(env.rewards.values()))
            assert (terminated[1], truncated[1]) == (env.terminations[agent], env.truncations[agent])
            if terminated[1]:
                ended += 1
                assert rewards[1] == pytest.approx(env.rewards[agent])
                assert np.array_equal(infos["final_obs"][1]["observation"], env.observe(agent)["observation"])
                env.reset()
        assert ended > 1


def test_what_a_step_returned_does_not_change_later() -> None:
    with closing(warroom_rl.vector_env(SEALED_BIDS, 2, processes=1)) as envs:
        observed, _ = envs.reset(seed=1)
        before = observed["observation"].copy()
        envs.step(first_legal(observed))
        assert np.array_equal(observed["observation"], before)


@pytest.mark.parametrize(
    ("actions", "said"),
    [
        ([0], r"actions are whole numbers of the shape \(2,\), not \(1,\)"),
        ([0.5, 0.5], "actions are whole numbers"),
        ([3, 21], "21 is not an action of match 1"),
        ([-1, 3], "-1 is not an action of match 0"),
    ],
)
def test_actions_outside_the_space_are_refused_and_nothing_happens(actions: Any, said: str) -> None:
    with closing(warroom_rl.vector_env(SEALED_BIDS, 2, processes=1)) as envs:
        observed, _ = envs.reset(seed=1)
        with pytest.raises(StepError, match=said):
            envs.step(actions)
        envs.step(first_legal(observed))


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"num_envs": 0}, "num_envs is at least 1, not 0"),
        ({"num_envs": 1, "processes": -1}, "processes is at least 0, not -1"),
        ({"num_envs": 1, "context": "magic"}, "context is one of .*, not 'magic'"),
        ({"num_envs": 1, "seats": 9}, "not 9"),
        ({"num_envs": 1, "illegal": "forgive"}, "illegal is one of"),
    ],
)
def test_what_does_not_fit_is_refused_before_a_process_starts(settings: dict[str, Any], said: str) -> None:
    with pytest.raises(SetupError, match=said):
        warroom_rl.vector_env("strata", **settings)


def test_matches_must_begin_first_and_a_closed_environment_stays_closed() -> None:
    envs = warroom_rl.vector_env(SEALED_BIDS, 2, processes=0)
    with pytest.raises(StepError, match=r"call reset\(\) first"):
        envs.step([0, 0])
    with pytest.raises(SetupError, match="there are 2 matches, but 3 seeds"):
        envs.reset(seed=[1, 2, 3])
    envs.close()
    with pytest.raises(StepError, match="the environment is closed"):
        envs.reset()


def is_running(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False


def test_closing_ends_all_processes() -> None:
    envs = warroom_rl.vector_env(SEALED_BIDS, 4, processes=2)
    pids = envs.pids
    assert all(map(is_running, pids))
    envs.close()
    assert not any(map(is_running, pids))
    envs.close()


def test_a_process_that_was_killed_is_reported_and_the_others_end() -> None:
    envs = warroom_rl.vector_env(SEALED_BIDS, 4, processes=2)
    observed, _ = envs.reset(seed=1)
    pids = envs.pids
    os.kill(pids[1], signal.SIGKILL)
    with pytest.raises(WorkerError, match="has ended with exit code -9"):
        envs.step(first_legal(observed))
    assert not any(map(is_running, pids))
    with pytest.raises(StepError, match=r"call reset\(\) first"):
        envs.step(first_legal(observed))


@pytest.mark.parametrize("processes", [0, 1, 2])
def test_an_illegal_action_in_one_match_is_refused_and_nothing_happens(processes: int) -> None:
    with closing(warroom_rl.vector_env(SEALED_BIDS, 4, processes=processes, illegal="raise")) as envs:
        observed, infos = envs.reset(seed=1)
        legal, illegal = first_legal(observed), first_legal(observed)
        illegal[2] = observed["action_mask"][2].argmin()
        with pytest.raises(StepError, match="cannot play"):
            envs.step(illegal)
        after, *_, moved = envs.step(legal)
    with closing(warroom_rl.vector_env(SEALED_BIDS, 4, processes=0)) as others:
        others.reset(seed=1)
        expected, *_, same = others.step(legal)
    assert np.array_equal(after["observation"], expected["observation"])
    assert np.array_equal(moved["seat"], same["seat"])
    assert not np.array_equal(moved["seat"], infos["seat"])


@pytest.mark.parametrize("processes", [0, 2])
def test_a_match_that_fails_in_a_step_ends_all(processes: int) -> None:
    envs = warroom_rl.vector_env("learned_games:NARROW_BIDS", 4, processes=processes)
    observed, _ = envs.reset(seed=1)
    pids = envs.pids
    with pytest.raises(BoundError):  # noqa: PT012 - some step fails
        while True:
            observed, *_ = envs.step(first_legal(observed))
    assert envs.closed
    assert not any(map(is_running, pids))
    with pytest.raises(StepError, match=r"call reset\(\) first"):
        envs.step(first_legal(observed))


PARENT = """
import os, signal, warroom_rl
if __name__ == "__main__":
    envs = warroom_rl.vector_env("strata", 4, processes=3, context={context!r})
    envs.reset(seed=1)
    print(*envs.pids, flush=True)
    {end}
"""


def left_behind(script: Path, text: str) -> list[int]:
    """Run a parent until it is gone; return the ids of its processes."""
    script.write_text(text)
    parent = subprocess.run([sys.executable, script], capture_output=True, text=True, check=False)
    pids = list(map(int, parent.stdout.split()))
    assert len(pids) == 3, parent.stderr
    return pids


KILLED, LEFT, INTERRUPTED = (
    "os.kill(os.getpid(), signal.SIGKILL)",
    "raise SystemExit",
    "os.kill(os.getpid(), signal.SIGINT)",
)


@pytest.mark.parametrize(
    ("end", "context"),
    [
        pytest.param(KILLED, "fork", id="killed"),
        pytest.param(LEFT, "fork", id="without closing"),
        pytest.param(INTERRUPTED, "fork", id="interrupted"),
        pytest.param(KILLED, "spawn", id="killed after a spawn"),
        pytest.param(LEFT, "spawn", id="without closing after a spawn", marks=pytest.mark.long),
        pytest.param(INTERRUPTED, "spawn", id="interrupted after a spawn", marks=pytest.mark.long),
    ],
)
async def test_processes_end_with_their_parent(tmp_path: Path, end: str, context: str) -> None:
    pids = left_behind(tmp_path / "parent.py", PARENT.format(end=end, context=context))
    await until(lambda: not any(map(is_running, pids)))
