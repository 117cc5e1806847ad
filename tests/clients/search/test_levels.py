"""The levels 1 to 5 of every game."""

import pytest

from warroom_bots.api import BotKind
from warroom_bots.registry import UnknownBotError, best_first, bots_for, find_bot
from warroom_bots.simulation import simulate
from warroom_games.api import AnyGame
from warroom_games.registry import load_games
from warroom_protocol.canonical import plain
from warroom_protocol.messages import Plays

GAMES = load_games()
LEVELS = tuple(f"level:{level}" for level in range(1, 6))


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.info.id)
def test_every_game_has_five_levels_and_the_search(game: AnyGame, caplog: pytest.LogCaptureFixture) -> None:
    assert {*LEVELS, "search"} <= bots_for(game.info.id).keys()
    assert not caplog.messages


@pytest.mark.parametrize("name", ["level:0", "level:6", "level:", "level:one"])
def test_other_levels_are_unknown(name: str) -> None:
    with pytest.raises(UnknownBotError, match="unknown bot"):
        find_bot("strata", name)


def test_levels_have_names_that_workers_can_offer() -> None:
    offered = best_first(bots_for("strata"))
    assert plain(Plays("strata", offered)) == ["strata", [*offered]]


@pytest.mark.parametrize(
    ("name", "slow"),
    [
        pytest.param("strata", [False, False, False, True, True], id="search above the quick bot"),
        pytest.param("thardferr", [False] * 5, id="the quick bot on top"),
    ],
)
def test_only_searching_levels_are_slow(name: str, slow: list[bool]) -> None:
    assert [find_bot(name, level).is_slow for level in LEVELS] == slow


def test_where_the_search_is_no_stronger_the_highest_level_plays_like_the_quick_bot() -> None:
    game, (top, quick) = GAMES.get("thardferr"), (find_bot("thardferr", name) for name in ("level:5", "greedy"))
    moves = [simulate(game, [bot, bot], seed="top").moves for bot in (top, quick)]
    assert moves[0] == moves[1]


@pytest.mark.parametrize("level", LEVELS[:3])
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.info.id)
def test_quick_levels_play_whole_matches(game: AnyGame, level: str) -> None:
    bot = find_bot(game.info.id, level)
    assert simulate(game, [bot] * game.info.min_seats, seed="levels").match.is_over


def wins(game: AnyGame, bots: tuple[BotKind, BotKind], matches: int) -> int:
    """Return how many matches the first bot wins, with the seats taken in turn."""
    won = 0
    for number in range(matches):
        first = number % 2
        seated = [bots[first], bots[1 - first]]
        result = simulate(game, seated, seed=f"{number // 2}").match.result
        assert result is not None
        won += result.ranks[first] < result.ranks[1 - first]
    return won


@pytest.mark.parametrize(("weaker", "stronger"), [("level:1", "level:2"), ("level:2", "level:3")])
@pytest.mark.parametrize("name", ["strata", "tile_blitz"])
def test_quick_levels_are_stronger_than_those_below(name: str, weaker: str, stronger: str) -> None:
    game = GAMES.get(name)
    assert wins(game, (find_bot(name, stronger), find_bot(name, weaker)), 12) >= 9
