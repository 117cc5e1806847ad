"""docs/rules/timberwall.md, section 8: forests and wood."""

import pytest
from timberwall_positions import after, position, unit, units

from warroom_games.timberwall.actions import Attack, Move, Pass
from warroom_games.timberwall.state import State

FORESTS = ((9, 0), (0, 9))


def rounds(state: State, count: int) -> list[tuple[int, int]]:
    """Pass for both, and return green's forest counter and wood after each own turn."""
    seen = []
    for _ in range(count):
        state = after(state, Pass())
        seen.append((units(state, 0)[9, 0].forest, state.board.holdings[0].wood))
        state = after(state, Pass())
    return seen


class TestOccupation:
    """§8.1, §8.2"""

    def test_wood_comes_from_the_third_turn_end_on(self) -> None:
        arrived = after(position({(8, 0): 1}), Move(8, 0, "e"))
        assert (units(arrived, 0)[9, 0].forest, arrived.board.holdings[0].wood) == (1, 0)
        assert rounds(after(arrived, Pass()), 4) == [(2, 0), (3, 2), (3, 4), (3, 6)]

    def test_every_forest_gives_its_own(self) -> None:
        """§8.2"""
        state = position({(9, 0): unit(1, 2, 2), (0, 9): unit(5, 3, 3), (5, 5): unit(25, 3)}, forests=FORESTS)
        assert after(state, Pass()).board.holdings[0].wood == 4

    def test_leaving_ends_the_count(self) -> None:
        """§8.1"""
        left = after(position({(9, 0): unit(1, 3, 3)}), Move(9, 0, "s"))
        assert units(left, 0)[9, 1].forest == 0
        assert left.board.holdings[0].wood == 0
        back = after(left, Pass(), Move(9, 1, "n"))
        assert units(back, 0)[9, 0].forest == 1

    def test_a_step_from_forest_to_forest_counts_anew(self) -> None:
        """§8.1"""
        moved = after(position({(9, 0): unit(1, 3, 3)}, forests=((9, 0), (9, 1))), Move(9, 0, "s"))
        assert units(moved, 0)[9, 1].forest == 1

    def test_hitting_from_a_forest_does_not_leave_it(self) -> None:
        """§8.1"""
        state = position({(7, 8): unit(5, 2, 2)}, forests=((7, 8),))
        assert after(state, Attack(7, 8, "e")).board.holdings[0].wood == 2


class TestHolding:
    """§8.3"""

    @pytest.mark.parametrize(
        ("green", "red", "held"),
        [
            pytest.param({(8, 0): 1}, {(5, 5): 1}, (1, 0), id="§8.3 at the end of the turn of arrival"),
            pytest.param({(8, 0): 1}, {(0, 9): 1}, (1, 1), id="§8.3 one each"),
            pytest.param({(8, 0): 1, (0, 9): 1}, {}, (2, 0), id="§8.3 both"),
        ],
    )
    def test_the_table_counts_the_forests_of_each_side(
        self, green: dict[tuple[int, int], int], red: dict[tuple[int, int], int], held: tuple[int, int]
    ) -> None:
        assert after(position(green, red, forests=FORESTS), Move(8, 0, "e")).table.held == held

    def test_a_forest_changes_hands_in_a_fight(self) -> None:
        state = position({(8, 0): 25}, {(9, 0): 1}, held=(0, 1), rolls=[50])
        assert after(state, Attack(8, 0, "e")).table.held == (1, 0)
