"""The environment of one seat: bots play the others."""

from typing import Any

import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from learned_games import LIARS_DICE, SEALED_BIDS

import warroom_rl
from warroom_bots.api import Action, BotKind, Decision
from warroom_bots.registry import find_bot
from warroom_bots.simulation import simulate
from warroom_games.registry import load_games
from warroom_rl import SetupError, StepError
from warroom_rl.seat_env import bot_kinds

pytestmark = [
    # Gymnasium's checker knows neither masks nor what a game may look like at most.
    pytest.mark.filterwarnings("ignore:.*A Box observation space (min|max)imum value is:UserWarning"),
    pytest.mark.filterwarnings("ignore:.*not having recommended:UserWarning"),
]


def played(env: Any, seed: int) -> tuple[list[Any], float, dict[str, Any]]:
    """Play the first listed action always; return all observations, the last reward and the last info."""
    observed, info = env.reset(seed=seed)
    observations, is_over, reward = [observed["observation"]], False, 0.0
    while not is_over:
        assert reward == 0
        observed, reward, terminated, truncated, info = env.step(env.legal_actions()[0])
        observations.append(observed["observation"])
        is_over = terminated or truncated
    return observations, reward, info


@pytest.mark.parametrize(
    "game", [SEALED_BIDS, LIARS_DICE, "graph_battle", "tile_blitz"], ids=["bids", "dice", "graph", "tiles"]
)
def test_the_api_is_as_gymnasium_wants_it(game: Any) -> None:
    check_env(warroom_rl.seat_env(game, ["random"]), skip_render_check=True)


@pytest.mark.parametrize("game", [SEALED_BIDS, LIARS_DICE], ids=["bids", "dice"])
def test_equal_seeds_play_equal_matches_also_by_the_bots(game: Any) -> None:
    first, second = (played(warroom_rl.seat_env(game, ["random"]), 5) for _ in range(2))
    assert all(np.array_equal(one, two) for one, two in zip(first[0], second[0], strict=True))
    assert first[1:] == second[1:]


def test_the_seat_is_given_or_comes_with_the_seed() -> None:
    given = warroom_rl.seat_env(LIARS_DICE, ["random"], seat=2, seats=3)
    assert given.reset(seed=1)[1] == {"seat": 2}
    env = warroom_rl.seat_env(LIARS_DICE, ["random"], seats=3)
    assert {env.reset(seed=seed)[1]["seat"] for seed in range(20)} == {0, 1, 2}


def test_only_the_own_decisions_are_asked_for() -> None:
    env = warroom_rl.seat_env("graph_battle", ["greedy", "random"], seats=3, seat=1)
    observed, _ = env.reset(seed=1)
    flags = observed["observation"][:6]
    assert flags.tolist() == [0, 1, 0, 0, 1, 0]
    assert np.array_equal(env.action_masks(), observed["action_mask"].astype(bool))


def test_a_good_bot_beats_random_actions() -> None:
    env = warroom_rl.seat_env("graph_battle", ["greedy"], seats=2)
    rng, rewards = np.random.default_rng(1), []
    for seed in range(6):
        env.reset(seed=seed)
        is_over = False
        while not is_over:
            _, reward, terminated, truncated, _ = env.step(rng.choice(env.legal_actions()))
            is_over = terminated or truncated
        rewards.append(reward)
    assert sum(rewards) < 0


@pytest.mark.parametrize("game", [SEALED_BIDS, LIARS_DICE], ids=["bids", "dice"])
def test_bots_made_for_a_game_play_one_that_is_not_installed(game: Any) -> None:
    (kind,) = bot_kinds(game, ["search"])
    assert (kind.name, kind.game) == ("search", game.info.id)


@pytest.mark.parametrize("wants_notes", [True, False])
def test_only_bots_that_want_notes_get_them(*, wants_notes: bool) -> None:
    heard: list[tuple[str, ...]] = []

    class Reader:
        def choose(self, decision: Decision) -> Action:
            heard.append(decision.notes)
            return decision.legal[0]

    kind = BotKind(name="reader", game=None, summary="reads", make=lambda rng: Reader(), wants_notes=wants_notes)
    warroom_rl.seat_env("graph_battle", [kind], seats=2, seat=1).reset(seed=1)
    assert any(note.endswith(" %") for note in heard[0]) is wants_notes
    assert bool(heard[0]) is wants_notes


def test_the_end_says_the_rank() -> None:
    _, reward, info = played(warroom_rl.seat_env(SEALED_BIDS, ["random"], seats=2, seat=0), 3)
    assert (info["rank"], reward) in [(1, 1), (2, -1), (1, 0)]


def test_pictures_are_those_of_the_seat(capsys: pytest.CaptureFixture[str]) -> None:
    env = warroom_rl.seat_env(SEALED_BIDS, ["random"], render_mode="ansi")
    env.reset(seed=1)
    assert "hand " in env.render()
    warroom_rl.seat_env(SEALED_BIDS, ["random"], render_mode="human").reset(seed=1)
    assert capsys.readouterr().out.count("hand ") == 1


@pytest.mark.parametrize(
    ("bots", "settings", "said"),
    [
        (["nobody"], {}, "unknown bot 'nobody' for strata"),
        ([], {}, "bots is a list of at least one bot"),
        ("random", {}, "bots is a list of at least one bot, not 'random'"),
        (["random"], {"seat": 2}, "seat is from 0 to 1, not 2"),
        (["random"], {"seats": 4}, "strata is played by 2 seats, not 4"),
        (["random"], {"render_mode": "rgb_array"}, "render_mode is None or one of ansi, human"),
    ],
)
def test_what_does_not_fit_gets_one_clear_line(bots: Any, settings: dict[str, Any], said: str) -> None:
    with pytest.raises(SetupError, match=said):
        warroom_rl.seat_env("strata", bots, **settings)


def test_a_match_must_begin_first() -> None:
    with pytest.raises(StepError, match=r"call reset\(\) first"):
        warroom_rl.seat_env(LIARS_DICE, ["random"]).step(0)


def test_the_bots_play_as_in_the_simulator() -> None:
    options = {"max_turns": 30}
    env = warroom_rl.seat_env("strata", ["greedy"], seat=0, options=options)
    env.reset(seed=8)
    match = simulate(load_games().get("strata"), [find_bot("strata", "greedy")] * 2, seed="8", options=options)
    outcomes = [env.step(env.setting.actions.encode(move)) for seat, move in match.moves if seat == 0]
    *_, is_over, is_cut, infos = outcomes[-1]
    assert (is_over or is_cut, infos["rank"]) == (True, match.result.ranks[0])
    assert not any(outcome[2] or outcome[3] for outcome in outcomes[:-1])
