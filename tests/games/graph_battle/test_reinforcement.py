"""docs/rules/graph_battle.md, section 5: reinforcements."""

from collections import defaultdict
from fractions import Fraction

import pytest
from chance import Chance, outcomes
from graph_positions import position

from warroom_games.graph_battle.actions import EndTurn
from warroom_games.graph_battle.reinforcement import Gain, border_even, largest_territories
from warroom_games.graph_battle.rules import GAME


def shares(picture: str) -> dict[tuple[tuple[int, int], ...], Fraction]:
    """The exact probability of each way in which red may be reinforced: pairs of node and strength."""
    table = position(picture).table

    def reinforce(chance: Chance) -> tuple[Gain, ...]:
        gains, _ = border_even(table.board, table.nodes, "red", chance)  # type: ignore[arg-type]  # draws like Rng
        return gains

    found: dict[tuple[tuple[int, int], ...], Fraction] = defaultdict(Fraction)
    for share, gains in outcomes(reinforce):
        found[tuple((gain.node, gain.strength) for gain in gains)] += share
    return dict(found)


class TestTerritories:
    """§5.1, §5.2"""

    @pytest.mark.parametrize(
        ("picture", "largest"),
        [
            pytest.param("R1 G1", [[0]], id="§5.1 a single node"),
            pytest.param("R1 G1\nG1 R1", [[0, 3]], id="§5.1 joined by a corner"),
            pytest.param("R1 R1 G1 R1", [[0, 1]], id="§5.2 the larger one comes first"),
            pytest.param("R1 G1 R1 R1", [[2, 3]], id="§5.2 the larger one comes last"),
            pytest.param("R1 R1 G1 R1 R1 G1 R1", [[0, 1], [3, 4]], id="§5.2 two of the same size"),
        ],
    )
    def test_the_largest_ones_are_found(self, picture: str, largest: list[list[int]]) -> None:
        table = position(picture).table
        assert largest_territories(table.board, table.nodes, "red") == largest

    def test_equal_ones_are_chosen_with_equal_odds(self) -> None:
        """§5.2"""
        half = Fraction(1, 2)
        assert shares("R1 R1 G1 R1 R1") == {((1, 2),): half, ((2 + 1, 2),): half}


class TestDistribution:
    """§5.3, §5.4, §5.5"""

    @pytest.mark.parametrize(
        ("picture", "expected"),
        [
            pytest.param("R1 G1", {((0, 1),): 1}, id="§5.3 one node, one point"),
            pytest.param("R1 R1 R1 G1", {((2, 3),): 1}, id="§5.4 only the border receives"),
            pytest.param("R1 R1 G1 R1", {((1, 2),): 1}, id="§5.4 only the largest territory receives"),
            pytest.param("G1 R1 R1 R1 R1 G1", {((1, 2), (4, 2)): 1}, id="§5.5 evenly"),
            pytest.param(
                "G1 R1 R1 R1 G1",
                {((1, 2), (3, 1)): Fraction(1, 2), ((1, 1), (3, 2)): Fraction(1, 2)},
                id="§5.5 the remainder at random",
            ),
            pytest.param(
                ". G1 . G1 . G1\n. R1 R1 R1 R1 R1",
                {((3, 1), (4, 1), (5, 1), (6, 1), (7, 1)): 1},
                id="§5.5 as many points as borders",
            ),
            pytest.param(
                "G1 . . . . G1\n. R1 R1 R1 R1 .\n. . R1 R1 . .\n. . . G1 . .",
                {
                    ((2, 2), (5, 2), (6, 1), (7, 1)): Fraction(1, 6),
                    ((2, 2), (5, 1), (6, 2), (7, 1)): Fraction(1, 6),
                    ((2, 2), (5, 1), (6, 1), (7, 2)): Fraction(1, 6),
                    ((2, 1), (5, 2), (6, 2), (7, 1)): Fraction(1, 6),
                    ((2, 1), (5, 2), (6, 1), (7, 2)): Fraction(1, 6),
                    ((2, 1), (5, 1), (6, 2), (7, 2)): Fraction(1, 6),
                },
                id="§5.5 the remainder to different nodes",
            ),
        ],
    )
    def test_points_go_to_the_border(self, picture: str, expected: dict[object, Fraction]) -> None:
        assert shares(picture) == expected

    def test_the_points_arrive(self) -> None:
        nodes = GAME.apply(position("R1 R1 R2 G1"), 0, EndTurn()).state.table.nodes
        assert [node.strength for node in nodes[:3]] == [1, 1, 5]

    def test_nodes_of_players_who_left_are_enemies_still(self) -> None:
        """§7.1"""
        nodes = GAME.apply(position("G1 R1 R2 Y2", out=(1,)), 0, EndTurn()).state.table.nodes
        assert [node.strength for node in nodes] == [1, 2, 3, 2]
