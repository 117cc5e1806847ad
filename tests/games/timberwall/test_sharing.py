"""Views share what did not change with the state, so that updates are small and cheap to find."""

from itertools import pairwise
from statistics import mean
from typing import Any

import pytest
from timberwall_positions import KEY, after, position, unit

from warroom_games.playthrough import play
from warroom_games.timberwall.actions import Convert, Deploy, Move, Pass
from warroom_games.timberwall.options import Options
from warroom_games.timberwall.rules import GAME
from warroom_games.timberwall.state import dropped, knowledge
from warroom_protocol.canonical import canonical
from warroom_protocol.patches import diff, diff_visits

MOST_BYTES = {10: 150, 20: 170, 30: 190}
"""What the update of one view costs on average, by the size of the board, in random matches of dozens of units."""


@pytest.mark.parametrize("size", [10, 20, 30])
def test_an_update_costs_a_fraction_of_the_view(size: Any) -> None:
    match = play(GAME, 2, Options(size=size, max_turns=120), KEY)
    for seat in (0, 1):
        views = [GAME.private(state, seat) for state in match.states]
        patches = [diff(old, new) for old, new in pairwise(views)]
        assert mean(len(canonical(patch)) for patch in patches) < MOST_BYTES[size]
        assert mean(diff_visits(old, new)[1] for old, new in pairwise(views)) < 40


def test_the_public_update_of_a_turn_is_a_few_figures() -> None:
    match = play(GAME, 2, Options(max_turns=60), KEY)
    sizes = [len(canonical(diff(move.state.table, move.step.state.table))) for move in match.moves]
    assert max(sizes) < 80


def test_what_a_seat_does_unseen_touches_nothing_of_the_other() -> None:
    state = position({(5, 0): 1}, {(9, 9): 1}, wood=(20, 0), reserves=(1, 0))
    changed = after(state, Convert(), Deploy(2, 2, 1))
    assert changed.table is state.table
    assert changed.memories[1] is state.memories[1]
    assert changed.board.holdings[1] is state.board.holdings[1]


def test_settled_units_are_not_touched_by_the_end_of_a_turn() -> None:
    state = position({(5, 0): unit(1, 3), (9, 0): unit(1, 3, 3)}, {(0, 9): unit(1, 3)})
    assert after(state, Pass()).board.holdings[0].units is state.board.holdings[0].units


def test_rows_out_of_reach_of_a_move_stay_the_same_text() -> None:
    state = position({(2, 7): 1})
    moved = after(state, Move(2, 7, "e"))
    pairs = zip(knowledge(state, 0).tiles, knowledge(moved, 0).tiles, strict=True)
    assert [y for y, (old, new) in enumerate(pairs) if old is not new] == [5, 6, 7, 8, 9]


@pytest.mark.parametrize(("index", "left"), [(0, (3, 2)), (1, (1, 3)), (2, (1, 2))])
def test_the_last_item_takes_the_place_of_one_that_is_dropped(index: int, left: tuple[int, ...]) -> None:
    assert dropped((1, 2, 3), index) == left
