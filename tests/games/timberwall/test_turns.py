"""docs/rules/timberwall.md, section 3: turns."""

from typing import Any

import pytest
from timberwall_positions import act, after, position, refused, told, unit

from warroom_games.timberwall.actions import (
    Attack,
    BuildWall,
    Convert,
    ConvertAll,
    Deploy,
    HitWall,
    Merge,
    Move,
    Pass,
    RemoveWall,
)
from warroom_games.timberwall.events import Income, TurnBegan, TurnEnded
from warroom_games.timberwall.rules import GAME
from warroom_games.timberwall.state import State


def busy(**fields: Any) -> State:
    """A position in which everything can be done."""
    return position(
        {(5, 5): 1, (5, 4): 2, (4, 5): 25},
        {(6, 6): 1, (0, 9): 1},
        walls={(5, 5, "east"): (0, 100), (4, 5, "south"): (1, 100)},
        wood=(50, 50),
        reserves=(5, 5),
        **fields,
    )


PREPARING = [
    Deploy(2, 2, 5),
    Convert(),
    ConvertAll(),
    BuildWall(5, 4, "east"),
    RemoveWall(5, 5, "east"),
]
ENDING = [Move(5, 4, "n"), Attack(4, 5, "e"), Merge(5, 4, "s"), HitWall(4, 5, "s"), Pass()]


class TestOrder:
    """§3.1"""

    @pytest.mark.parametrize("action", [*PREPARING, *ENDING], ids=lambda action: type(action).__name__)
    def test_only_the_player_whose_turn_it_is_may_act(self, action: object) -> None:
        assert refused(busy(), action, seat=1) == ("turn.not_yours", "it is green's turn")
        assert list(GAME.legal_actions(busy(), 1)) == []

    def test_the_players_take_turns_and_a_round_is_one_of_each(self) -> None:
        state, seen = position({(5, 5): 1}, {(9, 9): 1}, seat=1), []
        for _ in range(4):
            seen.append((state.table.seat, GAME.turn(state), state.table.round))
            assert GAME.to_act(state) == {state.table.seat}
            state = after(state, Pass())
        assert seen == [(1, 1, 1), (0, 2, 1), (1, 3, 2), (0, 4, 2)]


class TestActions:
    """§3.2, §3.3, §3.4"""

    @pytest.mark.parametrize("action", PREPARING, ids=lambda action: type(action).__name__)
    def test_the_turn_goes_on_after_what_does_not_end_it(self, action: object) -> None:
        """§3.2"""
        state = after(busy(), action)
        assert (state.table.turn, state.table.seat) == (1, 0)

    def test_any_number_of_them_goes_into_one_turn(self) -> None:
        """§3.2"""
        state = after(busy(), Convert(), Deploy(2, 2, 1), Deploy(2, 3, 1), BuildWall(5, 4, "east"), Convert())
        assert (state.table.turn, state.board.holdings[0].wood, state.board.holdings[0].reserves) == (1, 0, 5)

    @pytest.mark.parametrize(
        "action",
        [Move(5, 4, "n"), Merge(5, 4, "s"), HitWall(4, 5, "s"), Pass()],
        ids=lambda action: type(action).__name__,
    )
    def test_an_ending_action_ends_it(self, action: object) -> None:
        """§3.3"""
        state = after(busy(), action)
        assert (state.table.turn, state.table.seat) == (2, 1)

    def test_an_attack_ends_it_too(self) -> None:
        """§3.3"""
        state = after(position({(5, 5): 1}, {(6, 6): 1}, rolls=[50, 0]), Attack(5, 5, "se"))
        assert (state.table.turn, state.table.seat) == (2, 1)

    def test_the_clock_passes(self) -> None:
        """§3.4"""
        assert GAME.default_action(busy(), 0) == Pass()


class TestEnd:
    """§3.5"""

    def test_the_end_of_a_turn_has_its_order(self) -> None:
        state = position({(9, 0): unit(5, still=2, forest=2)}, {(0, 9): 1})
        step = act(state, Pass())
        assert told(step.events, 0) == [
            Income(seat=0, wood=2, reserves=1),
            TurnEnded(seat=0, turn=1, held=1, streak=1),
            TurnBegan(seat=1, turn=2, round=1),
        ]
        own = step.state.board.holdings[0]
        assert (own.wood, own.reserves, own.units[0].forest) == (2, 1, 3)

    def test_the_winner_of_the_last_turn_has_its_income_too(self) -> None:
        state = after(position({(7, 8): 25}, hp=(100, 25)), Attack(7, 8, "e"))
        assert state.table.ended == "base"
        assert state.board.holdings[0].reserves == 1
        assert (state.table.seat, state.table.turn) == (0, 1)

    def test_the_other_player_gets_nothing_and_ages_nothing(self) -> None:
        state = after(position({(5, 5): 1}, {(9, 9): unit(5, still=1)}, wood=(0, 7), reserves=(0, 3)), Pass())
        rival = state.board.holdings[1]
        assert (rival.wood, rival.reserves, rival.units[0].still) == (7, 3, 1)
