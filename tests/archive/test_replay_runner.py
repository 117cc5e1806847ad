"""Views are made in small pieces, by turns, a few at a time, and only as long as somebody waits for them."""

import asyncio
import json
from collections import Counter
from hashlib import sha256

import pytest
import sealed_bids
from manual_time import ManualTime
from replays import secret_match, short_match, stood_in_match
from wait_until import until

from warroom_games.codec import encode
from warroom_games.graph_battle.rules import GAME as GRAPH_BATTLE
from warroom_games.registry import Registry, RegistryError
from warroom_games.replay import entries, steps
from warroom_protocol.view_replay import read_view
from warroom_server.archive import replay_runner
from warroom_server.archive.replay_runner import ReplayViews

REGISTRY = Registry([GRAPH_BATTLE, sealed_bids.GAME])


class SlowTime(ManualTime):
    """Time that goes on by a millisecond whenever somebody looks; notes in which turn of the loop that was."""

    def __init__(self) -> None:
        super().__init__()
        self.turn = 0
        self.looks: Counter[int] = Counter()

    def now(self) -> int:
        self.advance(1)
        self.looks[self.turn] += 1
        return super().now()

    async def count_turns(self) -> None:
        while True:
            self.turn += 1
            await asyncio.sleep(0)


async def test_a_match_runs_for_a_moment_and_then_lets_others_run() -> None:
    time = SlowTime()
    counting = asyncio.ensure_future(time.count_turns())
    made = ReplayViews(REGISTRY, time)
    replay = short_match().replay
    views = await asyncio.gather(*(made.view(room, replay, None) for room in range(replay_runner.RUNS)))
    counting.cancel()
    assert len(set(views)) == 1
    assert len(entries(replay)) > 8
    slices = [looks for turn, looks in sorted(time.looks.items()) if turn > 0]
    assert len(slices) > 2 * replay_runner.RUNS
    # Each look is a millisecond. In one turn of the loop only one match is run; the other looks are for finished views.
    assert max(slices) <= replay_runner.SLICE_MS + 1 + replay_runner.RUNS


async def test_those_who_wait_for_the_same_view_wait_for_one_run() -> None:
    made = ReplayViews(REGISTRY, ManualTime())
    replay = secret_match().replay
    waiting = [asyncio.ensure_future(made.view(1, replay, None)) for _ in range(20)]
    await asyncio.sleep(0)  # all of them have asked
    assert len(made) == 1
    first, *others = await asyncio.gather(*waiting)
    assert first is not None
    assert all(view is first for view in others)
    assert read_view(first).seat is None
    assert await made.view(1, b"not even looked at", None) is first
    assert len(made) == 0


async def test_only_so_many_are_made_at_a_time() -> None:
    made = ReplayViews(REGISTRY, ManualTime())
    replay = secret_match().replay
    running = [asyncio.ensure_future(made.view(room, replay, None)) for room in range(replay_runner.RUNS)]
    await asyncio.sleep(0)  # all of them have asked
    assert len(made) == replay_runner.RUNS
    assert await made.view(99, replay, None) is None
    assert None not in await asyncio.gather(*running)
    assert await made.view(99, replay, None) is not None


async def test_a_view_that_nobody_waits_for_any_more_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replay_runner, "PAUSE_S", 3600.0)
    made = ReplayViews(REGISTRY, ManualTime())
    replay = secret_match().replay
    waiting = [asyncio.ensure_future(made.view(1, replay, None)) for _ in range(2)]
    await until(lambda: len(made) == 1)
    for left, task in ((1, waiting[0]), (0, waiting[1])):
        task.cancel()
        await asyncio.wait([task])
        assert len(made) == left
    monkeypatch.setattr(replay_runner, "PAUSE_S", 0.0)
    assert await made.view(1, replay, None) is not None


async def test_a_game_that_is_not_there_is_told_to_all_who_wait() -> None:
    made = ReplayViews(Registry([GRAPH_BATTLE]), ManualTime())
    replay = secret_match().replay
    failures = await asyncio.gather(*(made.view(1, replay, None) for _ in range(2)), return_exceptions=True)
    assert [type(failure) for failure in failures] == [RegistryError] * 2
    assert len(made) == 0


async def test_a_check_names_the_states_that_the_chain_covers() -> None:
    replay = stood_in_match()
    states = [step.state for step in steps(replay, REGISTRY)]
    first, second, last = (sha256(encode(states[step])).hexdigest() for step in (0, 3, 5))
    verdict = await ReplayViews(REGISTRY, ManualTime()).verdict(1, replay)
    assert verdict is not None
    assert json.loads(verdict)["states"] == ["", "", "", first, "", "", second, "", last]


async def test_a_check_of_a_broken_match_names_no_states() -> None:
    replay = stood_in_match()
    verdict = await ReplayViews(REGISTRY, ManualTime()).verdict(1, replay[:-1] + bytes([replay[-1] ^ 1]))
    assert verdict is not None
    found = json.loads(verdict)
    assert found == {"accepted": False, "why": found["why"]}
    assert found["why"].startswith("entry 9: the hash chain is broken")
