"""Games on trial: the same matches again for the same number, and the smallest table for a breach."""

from collections.abc import Iterator
from typing import Annotated

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec import Meta, Struct
from sealed_bids import GAME, Action, Options, SealedBids, State

from warroom_games.api import AnyGame, OptionsError
from warroom_games.conformance import LAWS, Law
from warroom_games.law import LawBrokenError
from warroom_games.rng import KEY_BYTES, Rng
from warroom_games.trials import Table, Verdict, tables, try_law

LAW = {law.__name__: law for law in LAWS}


def tried(name: str, game: AnyGame, *, matches: int = 5, number: int = 1) -> Verdict:
    return try_law(LAW[name], game, matches=matches, number=number, told=lambda count: None)


class Mute(SealedBids):
    def draw(self, public: object, private: object | None) -> str:
        return ""


class Failing(SealedBids):
    """Fails in the second round."""

    def legal_actions(self, state: State, seat: int) -> Iterator[Action]:
        if state.table.round == 2:
            raise IndexError("no such card")
        return super().legal_actions(state, seat)


class Forgetful(SealedBids):
    """Deals otherwise each time."""

    dealt = 0

    def setup(self, seats: int, options: Options, rng: Rng) -> State:
        Forgetful.dealt += 1
        return super().setup(seats, options, Rng(rng.key, 1000 * Forgetful.dealt))


class Interrupted(SealedBids):
    def setup(self, seats: int, options: Options, rng: Rng) -> State:
        raise KeyboardInterrupt


class Unbounded(SealedBids):
    class Names(Struct, frozen=True):
        name: Annotated[str, Meta(description="any text")] = ""

    options_type = Names  # type: ignore[assignment]


def test_a_game_that_keeps_a_law_is_tried_as_often_as_asked() -> None:
    told: list[int] = []
    verdict = try_law(LAWS[0], GAME, matches=7, number=1, told=told.append)
    assert verdict.breach is None
    assert verdict.matches == 7
    assert told == list(range(len(told)))


def test_a_breach_comes_with_the_smallest_table() -> None:
    breach = tried("views_can_be_drawn", Mute()).breach
    assert breach is not None
    assert breach.table == Table(2, Options(rounds=1, cards=1, peeks=0), bytes(KEY_BYTES))
    assert isinstance(breach.error, LawBrokenError)


def test_whatever_a_game_raises_is_a_breach() -> None:
    breach = tried("views_are_plain", Failing()).breach
    assert breach is not None
    assert isinstance(breach.error, IndexError)
    assert breach.table.options.rounds == 2


def test_a_game_that_plays_otherwise_each_time_breaks_the_law_it_breaks() -> None:
    breach = tried("equal_inputs_make_equal_matches", Forgetful()).breach
    assert breach is not None
    assert isinstance(breach.error, LawBrokenError)


def test_an_interruption_is_none() -> None:
    with pytest.raises(KeyboardInterrupt):
        tried("views_are_plain", Interrupted())


def test_options_that_cannot_be_drawn_are_named() -> None:
    with pytest.raises(OptionsError, match="option 'name' must be a bool, an int with a range or a Literal"):
        tables(Unbounded())


@given(data=st.data())
def test_tables_are_those_that_the_game_describes(data: st.DataObject) -> None:
    table = data.draw(tables(GAME))
    assert 2 <= table.seats <= 4
    assert 1 <= table.options.rounds <= 10
    assert len(table.key) == KEY_BYTES


def test_the_same_number_tries_the_same_matches() -> None:
    seen: list[list[bytes]] = []

    def law_of(keys: list[bytes]) -> Law:
        return lambda match: keys.append(match.key)

    for number in (4, 4, 5):
        seen.append([])
        try_law(law_of(seen[-1]), GAME, matches=5, number=number, told=lambda count: None)
    assert seen[0] == seen[1] != seen[2]


def test_tables_that_the_options_refuse_do_not_count() -> None:
    held: list[Options] = []
    verdict = try_law(lambda match: held.append(match.options), GAME, matches=20, number=1, told=lambda count: None)
    assert verdict.breach is None
    assert verdict.matches == len(held) == 20
    assert all(options.rounds <= options.cards for options in held)
