"""docs/rules/graph_battle.md, section 5: reinforcements."""

from collections import defaultdict
from fractions import Fraction
from typing import Literal

import pytest
from graph_positions import position, shown
from scripted_rng import Chance, outcomes

from warroom_games.api import IllegalActionError
from warroom_games.graph_battle.actions import EndTurn
from warroom_games.graph_battle.events import Reinforced, TurnBegan, TurnEnded
from warroom_games.graph_battle.options import Options
from warroom_games.graph_battle.reinforcement import Gain, at_capital, border_even, largest_territories
from warroom_games.graph_battle.rules import GAME


def shares(picture: str) -> dict[tuple[tuple[int, int], ...], Fraction]:
    """The exact probability of each way in which red may be reinforced: pairs of node and strength."""
    table = position(picture).table

    def reinforce(chance: Chance) -> tuple[Gain, ...]:
        gains, _ = border_even(table, None, chance)  # type: ignore[arg-type]  # draws like Rng
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


class TestCapital:
    """§5.6"""

    OPTIONS = Options(reinforcement="capital")

    @pytest.mark.parametrize(
        ("picture", "capital", "after"),
        [
            pytest.param("G2 R1 R1 R1 G2", 1, "G2 R4 R1 R1 G2", id="§5.6 all to the named node"),
            pytest.param("G2 R1 R1 R1 G2", 3, "G2 R1 R1 R4 G2", id="§5.6 or to another one"),
            pytest.param("G2 R1 R2 R3 G2", None, "G2 R1 R2 R6 G2", id="§5.6 without a name to the strongest"),
            pytest.param("G2 R2 R9 R2 G2", None, "G2 R5 R9 R2 G2", id="§5.6 of the border, the lowest id among equals"),
            pytest.param("R9 G2 R1 R1 R1 G2", None, "R9 G2 R4 R1 R1 G2", id="§5.6 of the largest territory alone"),
            pytest.param("R1 R1 G2 R1 R1 G2", 1, "R1 R3 G2 R1 R1 G2", id="§5.6 in one of two largest"),
            pytest.param("R1 R1 G2 R1 R1 G2", 4, "R1 R1 G2 R1 R3 G2", id="§5.6 or in the other"),
        ],
    )
    def test_one_node_takes_everything(self, picture: str, capital: int | None, after: str) -> None:
        state = position(picture, options=self.OPTIONS)
        assert EndTurn(capital) in GAME.legal_actions(state, 0)
        step = GAME.apply(state, 0, EndTurn(capital))
        assert shown(step.state.table) == after
        told = step.events[1].public
        assert isinstance(told, Reinforced)
        assert len(told.gains) == 1

    def test_the_capital_may_be_drawn_with_its_territory(self) -> None:
        """§5.6"""
        table = position("R1 R2 G1 R1 R1", options=self.OPTIONS).table

        def reinforce(chance: Chance) -> tuple[Gain, ...]:
            return at_capital(table, None, chance)[0]  # type: ignore[arg-type]  # draws like Rng

        half = Fraction(1, 2)
        assert {gains: share for share, gains in outcomes(reinforce)} == {(Gain(1, 2),): half, (Gain(3, 2),): half}

    def test_the_end_of_the_turn_is_listed_with_each_capital(self) -> None:
        """§5.6"""
        state = position("G1 R1 R1 R1 G1 R1", options=self.OPTIONS)
        assert list(GAME.legal_actions(state, 0)) == [EndTurn(), EndTurn(1), EndTurn(3)]
        assert GAME.default_action(state, 0) == EndTurn()

    @pytest.mark.parametrize(
        ("capital", "says"),
        [
            pytest.param(2, r"node 2 cannot be the capital; choose one of \[1, 3\]", id="§5.6 not on the border"),
            pytest.param(5, "node 5 cannot be", id="§5.6 in a small territory"),
            pytest.param(0, "node 0 cannot be", id="§5.6 an enemy node"),
            pytest.param(900, "node 900 cannot be", id="§5.6 no node at all"),
        ],
    )
    def test_other_nodes_are_refused(self, capital: int, says: str) -> None:
        state = position("G1 R1 R1 R1 G1 R1", options=self.OPTIONS)
        with pytest.raises(IllegalActionError, match=says) as refused:
            GAME.check(state, 0, EndTurn(capital))
        assert refused.value.code == "capital.not_border"

    @pytest.mark.parametrize("rule", ["border_even", "none"])
    def test_a_capital_is_refused_where_there_is_none(self, rule: Literal["border_even", "none"]) -> None:
        """§5.6"""
        state = position("R2 G1", options=Options(reinforcement=rule))
        with pytest.raises(IllegalActionError, match=f"node 0 was named, but reinforcements are {rule}") as refused:
            GAME.check(state, 0, EndTurn(0))
        assert refused.value.code == "capital.not_used"


class TestNone:
    """§5.7"""

    def test_nobody_receives_anything(self) -> None:
        """§5.7"""
        step = GAME.apply(position("R2 R2 G2", options=Options(reinforcement="none")), 0, EndTurn())
        assert shown(step.state.table) == "R2 R2 G2"
        assert [event.public for event in step.events] == [
            TurnEnded(seat=0, turn=1, reason="declined"),
            TurnBegan(seat=1, turn=2, round=1),
        ]
