"""docs/rules/strata.md, section 4: moves."""

import pytest
from strata_positions import at, position, shown

from warroom_games.api import IllegalActionError
from warroom_games.strata.actions import EndTurn, Move
from warroom_games.strata.board import Vertex
from warroom_games.strata.events import Moved
from warroom_games.strata.rules import GAME
from warroom_games.strata.state import State

HERE = at(0, 1, 1)


def moves(state: State) -> set[Vertex]:
    return {action.target for action in GAME.legal_actions(state, 0) if isinstance(action, Move)}


class TestPermission:
    """§4.1"""

    @pytest.mark.parametrize(
        ("move", "code", "says"),
        [
            pytest.param(
                Move(at(0, 2, 2), at(0, 2, 1)), "move.not_yours", r"\(0; 2, 2\) is empty", id="§4.1 nothing to move"
            ),
            pytest.param(
                Move(at(0, 0, 1), at(0, 0, 0)), "move.not_yours", r"\(0; 0, 1\) is the enemy's", id="§4.1 the enemy's"
            ),
            pytest.param(
                Move(HERE, at(0, 2, 2)),
                "move.not_adjacent",
                r"\(0; 2, 2\) is not adjacent to \(0; 1, 1\); these are: \(0; 0, 1\), \(0; 1, 0\)",
                id="§4.1 diagonally",
            ),
            pytest.param(Move(HERE, HERE), "move.not_adjacent", "is not adjacent to", id="§4.1 to itself"),
            pytest.param(Move(HERE, at(0, 1, 0)), "move.not_empty", "is not empty", id="§4.1 onto an own stack"),
            pytest.param(Move(HERE, at(0, 0, 1)), "move.not_empty", "is not empty", id="§4.1 onto an enemy stack"),
            pytest.param(
                Move(HERE, at(1, 2, 2)),
                "move.too_weak",
                r"\(0; 1, 1\) has force 3; layer 1 requires 4",
                id="§4.2 too weak for the layer",
            ),
        ],
    )
    def test_a_move_that_is_not_allowed_is_refused(self, move: Move, code: str, says: str) -> None:
        state = position({HERE: "A1*3", at(0, 1, 0): "A1*1", at(0, 0, 1): "B1*1"})
        with pytest.raises(IllegalActionError, match=says) as refused:
            GAME.check(state, 0, move)
        assert refused.value.code == code
        assert move not in GAME.legal_actions(state, 0)

    def test_one_move_a_turn_is_allowed(self) -> None:
        """§4.1"""
        state = GAME.apply(position({HERE: "A1*1", at(0, 0, 0): "A1*1"}), 0, Move(HERE, at(0, 1, 2))).state
        assert state.moved
        assert moves(state) == set()
        with pytest.raises(IllegalActionError, match="you already moved this turn") as refused:
            GAME.check(state, 0, Move(at(0, 0, 0), at(0, 0, 1)))
        assert refused.value.code == "move.again"

    def test_the_next_turn_has_a_move_again(self) -> None:
        """§4.1"""
        state = position({HERE: "A1*1", at(4, 1, 1): "B1*1"}, pools="A0*0 B0*0", moved=True)
        state = GAME.apply(state, 0, EndTurn()).state
        assert any(isinstance(action, Move) for action in GAME.legal_actions(state, 1))


class TestRequirement:
    """§4.2"""

    FLAT = frozenset({at(1, 1, 2), at(1, 3, 2), at(1, 2, 1), at(1, 2, 3)})
    UP, DOWN = at(0, 1, 1), at(2, 3, 3)

    @pytest.mark.parametrize(
        ("stack", "targets"),
        [
            pytest.param("A5*0", set(), id="§4.2 without energy nowhere"),
            pytest.param("A1*1", set(), id="§4.2 1/2 is less than 1"),
            pytest.param("A1*2", {UP}, id="§4.2 the source's gravity counts, not the target's"),
            pytest.param("A1*7", {UP}, id="§4.2 7/2 is less than 4"),
            pytest.param("A2*4", {UP, *FLAT}, id="§4.2 4 is enough for 5x5"),
            pytest.param("A1*17", {UP, *FLAT}, id="§4.2 17/2 is less than 9"),
            pytest.param("A3*6", {UP, *FLAT, DOWN}, id="§4.2 9 is enough for 7x7"),
            pytest.param("A30*6", {UP, *FLAT, DOWN}, id="§4.2 more than the cap is enough"),
        ],
    )
    def test_the_source_meets_the_requirement_of_the_target(self, stack: str, targets: set[Vertex]) -> None:
        assert moves(position({at(1, 2, 2): stack})) == targets

    def test_a_stack_may_move_where_it_will_not_occupy(self) -> None:
        """§4.2"""
        state = position({at(1, 2, 2): "A3*6"})
        step = GAME.apply(state, 0, Move(at(1, 2, 2), at(2, 3, 3)))
        assert [event.public for event in step.events] == [
            Moved(seat=0, source=at(1, 2, 2), target=at(2, 3, 3), pieces=3, energy=6, force="6")
        ]
        assert moves(position({at(2, 3, 3): "A3*6"})) == {at(1, 2, 2), at(3, 2, 2)}


class TestTransfer:
    """§4.3"""

    def test_the_whole_stack_goes_with_its_energy(self) -> None:
        """§4.3"""
        state = position({HERE: "A4*3", at(0, 0, 0): "A1*1"}, pools="A2*2 B1*1")
        step = GAME.apply(state, 0, Move(HERE, at(1, 2, 2)))
        assert shown(step.state) == {at(1, 2, 2): "A4*3", at(0, 0, 0): "A1*1"}
        assert step.state.pools == state.pools
        assert [event.public for event in step.events] == [
            Moved(seat=0, source=HERE, target=at(1, 2, 2), pieces=4, energy=3, force="6")
        ]

    def test_nothing_is_left_behind(self) -> None:
        """§4.3"""
        before = position({HERE: "A4*3"})
        after = GAME.apply(before, 0, Move(HERE, at(0, 1, 2))).state
        changed = [n for n, (old, new) in enumerate(zip(before.vertices, after.vertices, strict=True)) if old != new]
        assert len(changed) == 2
        assert after.vertices[changed[0]] is None
        assert after.vertices[changed[1]] is before.vertices[changed[0]]
