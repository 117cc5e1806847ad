"""Every registered game, and the one that hides everything, keeps every law."""

from collections.abc import Callable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from warroom_games.api import AnyGame
from warroom_games.conformance import LAWS, a_removed_seat_never_acts
from warroom_games.playthrough import Playthrough
from warroom_games.registry import load_games
from warroom_games.trials import Table, hold_to, tables

GAMES = load_games(["sealed_bids:GAME", "connect_four.rules:GAME", "liars_dice.rules:GAME"])

# Each example is a whole match, looked at from every seat: a few of them weigh as much as many small ones.
MATCHES = {50: 4, 100: 6, 1000: 20}[settings().max_examples]

DEEP_CASES = 10_000
"""So many times a law is held against a match of each game in the long run."""

HALVES = 2
SHARDS = 10
"""The matches of a game are divided among so many tests, so that more than one processor has something to do."""


def every_law(match: Playthrough) -> None:
    """Hold one match to all laws: much of the time that a single law takes goes into playing it a match."""
    for law in LAWS:
        law(match)


@pytest.mark.parametrize("half", range(HALVES))
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.info.id)
@settings(max_examples=-(-MATCHES // HALVES))
@given(data=st.data())
def test_a_game_keeps_every_law(game: AnyGame, half: int, data: st.DataObject) -> None:
    hold_to(every_law, game, data.draw(tables(game), label=f"table of half {half}"))


@pytest.mark.long
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.info.id)
@settings(max_examples=50)
@given(data=st.data())
def test_whichever_seat_is_removed_it_never_acts(game: AnyGame, data: st.DataObject) -> None:
    def every_seat(match: Playthrough) -> None:
        for state in match.sample(3)[:-1]:
            for seat in range(match.seats):
                a_removed_seat_never_acts(match, state, seat)

    hold_to(every_seat, game, data.draw(tables(game), label="table"))


@pytest.mark.long
@pytest.mark.parametrize("shard", range(SHARDS))
@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.info.id)
def test_a_game_keeps_all_laws_in_many_matches(
    game: AnyGame, shard: int, record_property: Callable[[str, object], None]
) -> None:
    kept: list[Table] = []

    @settings(max_examples=-(-DEEP_CASES // (len(LAWS) * SHARDS)))
    @given(tables(game))
    def keeps_all_laws(table: Table) -> None:
        hold_to(every_law, game, table)
        kept.append(table)

    keeps_all_laws()
    cases = len(kept) * len(LAWS)
    record_property(f"law cases of {game.info.id}", cases)
    assert cases * SHARDS >= DEEP_CASES
