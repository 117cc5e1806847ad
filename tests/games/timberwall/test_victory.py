"""docs/rules/timberwall.md, section 9: the end of a match."""

from typing import Any

import pytest
from timberwall_positions import act, after, position, refused, told, unit

from warroom_games.api import Result, Step
from warroom_games.timberwall.actions import Attack, Move, Pass
from warroom_games.timberwall.events import Ended, TurnEnded
from warroom_games.timberwall.rules import GAME

HELD: Any = {"forests": ((9, 0), (0, 9)), "held": (2, 0)}
HOLDERS: Any = {(9, 0): unit(1, 3, 3), (0, 9): unit(1, 3, 3)}


class TestBase:
    """§9.1, §9.5"""

    @pytest.mark.parametrize(("hp", "left"), [(30, 0), (10, 0), (31, 1)])
    def test_a_base_without_hp_is_lost(self, hp: int, left: int) -> None:
        step = act(position({(7, 7): 30}, {(0, 0): 1}, hp=(100, hp)), Attack(7, 7, "se"))
        assert step.state.table.bases[1].hp == left
        assert GAME.result(step.state) == (Result((1, 2), "victory") if not left else None)
        assert (Ended((1, 2), "base") in told(step.events)) == (not left)

    def test_red_wins_alike(self) -> None:
        state = after(position({}, {(2, 2): 30}, hp=(30, 100), seat=1), Attack(2, 2, "nw"))
        assert GAME.result(state) == Result((2, 1), "victory")

    def test_nobody_may_act_afterwards(self) -> None:
        """§9.5"""
        state = after(position({(7, 7): 30}, {(0, 0): 1}, hp=(100, 1)), Attack(7, 7, "se"))
        assert GAME.to_act(state) == frozenset()
        assert list(GAME.legal_actions(state, 0)) == []
        assert refused(state, Pass()) == ("match.over", "the match is over")


class TestForests:
    """§9.2"""

    @pytest.mark.parametrize(("streak", "is_won"), [(8, False), (9, True)])
    def test_ten_own_turn_ends_with_every_forest_win(self, streak: int, is_won: bool) -> None:
        step = act(position(HOLDERS, {(5, 5): 1}, streaks=(streak, 0), **HELD), Pass())
        assert step.state.table.streaks == (streak + 1, 0)
        assert TurnEnded(0, 1, held=2, streak=streak + 1) in told(step.events)
        assert GAME.result(step.state) == (Result((1, 2), "victory") if is_won else None)
        assert step.state.table.ended == ("forests" if is_won else None)

    def test_an_own_turn_end_without_one_of_them_breaks_the_row(self) -> None:
        state = after(position(HOLDERS, {(5, 5): 1}, streaks=(9, 0), **HELD), Move(9, 0, "s"))
        assert state.table.streaks == (0, 0)

    def test_the_other_players_turn_does_not_count(self) -> None:
        state = after(position(HOLDERS, {(5, 5): 1}, streaks=(5, 0), **HELD), Pass(), Pass())
        assert state.table.streaks == (6, 0)

    def test_a_forest_lost_and_won_back_in_time_keeps_the_row(self) -> None:
        state = position(
            {(0, 9): 1, (9, 1): 25, (9, 0): 1}, {(8, 0): 5}, streaks=(5, 0), seat=1, rolls=[50, 50], **HELD
        )
        lost = after(state, Attack(8, 0, "e"))
        assert (lost.table.held, lost.table.streaks) == ((1, 1), (5, 0))
        won_back = after(lost, Attack(9, 1, "n"))
        assert (won_back.table.held, won_back.table.streaks) == ((2, 0), (6, 0))

    def test_a_match_from_the_start_needs_ten_turns_of_ones_own(self) -> None:
        state = position(HOLDERS, {(5, 5): 1}, **HELD)
        while GAME.to_act(state):
            state = after(state, Pass())
        assert (state.table.ended, state.table.turn) == ("forests", 19)


class TestCap:
    """§9.3, §9.4"""

    @pytest.mark.parametrize(
        ("options", "last"),
        [
            pytest.param({}, 300, id="§9.3 thirty turns a row of the board"),
            pytest.param({"size": 20}, 600, id="§9.3 the middle board"),
            pytest.param({"size": 30}, 900, id="§9.3 the large board"),
            pytest.param({"max_turns": 7}, 7, id="§9.3 as the room chooses"),
        ],
    )
    def test_the_match_ends_after_its_last_turn(self, options: dict[str, Any], last: int) -> None:
        before = after(position({(5, 5): 1}, {(5, 9): 1}, turn=last - 1, **options), Pass())
        assert (before.table.ended, before.table.turn) == (None, last)
        step = act(before, Pass())
        assert (step.state.table.ended, step.state.table.turn) == ("cap", last)
        assert told(step.events)[-1] == Ended((1, 1), "cap")
        assert GAME.result(step.state) == Result((1, 1), "cap")

    @pytest.mark.parametrize(
        ("fields", "ranks"),
        [
            pytest.param({"hp": (60, 61), "reserves": (99, 0)}, (2, 1), id="§9.4 base HP first"),
            pytest.param({"hp": (61, 60)}, (1, 2), id="§9.4 base HP of green"),
            pytest.param({"green": {(5, 5): 10, (6, 6): 1}, "red": {(0, 9): 10}}, (1, 2), id="§9.4 then points"),
            pytest.param({"reserves": (0, 9), "green": {(5, 5): 7}}, (2, 1), id="§9.4 reserves count as points"),
            pytest.param({"reserves": (0, 1), "wood": (99, 0)}, (1, 1), id="§9.4 wood does not; equals draw"),
        ],
    )
    def test_then_the_stronger_one_wins(self, fields: dict[str, Any], ranks: tuple[int, int]) -> None:
        state = after(position(turn=300, **fields), Pass())
        assert GAME.result(state) == Result(ranks, "cap")

    def test_a_victory_in_the_last_turn_is_a_victory(self) -> None:
        """§9.1, §9.3"""
        state = after(position({(7, 7): 30}, hp=(100, 30), turn=300), Attack(7, 7, "se"))
        assert GAME.result(state) == Result((1, 2), "victory")


class TestLeaving:
    """§9.6"""

    @pytest.mark.parametrize("seat", [0, 1])
    def test_the_other_one_wins_and_the_board_stays(self, seat: int) -> None:
        state = position({(5, 5): 1}, {(0, 9): 1})
        step = GAME.remove(state, seat)
        ranks = (2, 1) if seat == 0 else (1, 2)
        assert GAME.result(step.state) == Result(ranks, "victory")
        assert told(step.events) == [Ended(ranks, "left")]
        assert step.state.board == state.board

    def test_leaving_after_the_end_changes_nothing(self) -> None:
        state = GAME.remove(position({(5, 5): 1}), 0).state
        assert GAME.remove(state, 1) == Step(state)
