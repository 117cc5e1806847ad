"""docs/rules/strata.md, section 3: turns, pools, Place and Infuse."""

import pytest
from strata_positions import at, pools, position, shown

from warroom_games.api import IllegalActionError
from warroom_games.rng import Rng
from warroom_games.strata.actions import Action, EndTurn, Infuse, Place
from warroom_games.strata.board import Vertex
from warroom_games.strata.events import Infused, Placed, TurnBegan
from warroom_games.strata.options import Options
from warroom_games.strata.rules import GAME
from warroom_games.strata.state import State

HOME, OTHER = at(0, 0, 0), at(0, 2, 2)


def refused(state: State, action: Action, says: str, seat: int = 0) -> str:
    with pytest.raises(IllegalActionError, match=says) as no:
        GAME.check(state, seat, action)
    assert action not in GAME.legal_actions(state, seat)
    return no.value.code


class TestTurns:
    """§3.1, §3.2"""

    def test_the_first_player_begins_with_a_piece_and_an_energy_point(self) -> None:
        """§3.1"""
        state = GAME.setup(2, Options(), Rng(bytes(16)))
        assert (GAME.to_act(state), GAME.turn(state), pools(state)) == (frozenset({0}), 1, "A1*1 B0*0")

    def test_each_turn_brings_a_piece_and_an_energy_point(self) -> None:
        """§3.1"""
        step = GAME.apply(position({}, turn=6, seat=1, placed=True, infused=True, moved=True), 1, EndTurn())
        assert (GAME.to_act(step.state), GAME.turn(step.state), pools(step.state)) == (frozenset({0}), 7, "A1*1 B0*0")
        assert (step.state.placed, step.state.infused, step.state.moved) == (False, False, False)
        assert step.events[-1].public == TurnBegan(seat=0, turn=7, pieces=1, energy=1)

    def test_what_is_left_stays_in_the_pool(self) -> None:
        """§3.2"""
        state = position({}, pools="A3*2 B5*7", placed=True, infused=True)
        assert pools(GAME.apply(state, 0, EndTurn()).state) == "A3*2 B6*8"

    def test_only_the_player_whose_turn_it_is_may_act(self) -> None:
        """§3.1"""
        state = GAME.setup(2, Options(), Rng(bytes(16)))
        assert refused(state, Place(at(4, 0, 0)), "it is seat 0's turn, not seat 1's", seat=1) == "turn.not_yours"
        assert list(GAME.legal_actions(state, 1)) == []


class TestPlace:
    """§3.3, §3.5"""

    @pytest.mark.parametrize("home", [HOME, OTHER])
    def test_a_piece_goes_to_a_home_corner(self, home: Vertex) -> None:
        """§3.3"""
        step = GAME.apply(position({}, pools="A2*1 B0*0"), 0, Place(home))
        assert (shown(step.state), pools(step.state), step.state.placed) == ({home: "A1*0"}, "A1*1 B0*0", True)
        assert [event.public for event in step.events] == [Placed(seat=0, vertex=home, pieces=1, force="0")]

    def test_the_second_player_has_corners_of_its_own(self) -> None:
        """§3.3"""
        state = position({}, pools="A0*0 B1*1", seat=1, turn=2)
        assert list(GAME.legal_actions(state, 1)) == [Place(at(4, 0, 0)), Place(at(4, 2, 2))]
        assert pools(GAME.apply(state, 1, Place(at(4, 2, 2))).state) == "A0*0 B0*1"

    def test_it_may_be_repeated_while_pieces_last(self) -> None:
        """§3.3"""
        state = GAME.apply(position({}, pools="A2*0 B0*0"), 0, Place(HOME)).state
        assert Place(HOME) in GAME.legal_actions(state, 0)
        state = GAME.apply(state, 0, Place(HOME)).state
        assert shown(state) == {HOME: "A2*0"}
        assert refused(state, Place(HOME), "your pool has no pieces left") == "place.no_pieces"

    def test_other_vertices_are_refused(self) -> None:
        """§3.3"""
        says = r"\(4; 0, 0\) is not your home corner; yours are \(0; 0, 0\) and \(0; 2, 2\)"
        assert refused(position({}, pools="A1*1 B0*0"), Place(at(4, 0, 0)), says) == "place.not_home"

    def test_a_corner_that_the_enemy_holds_is_refused(self) -> None:
        """§3.3"""
        state = position({HOME: "B1*0"}, pools="A1*1 B0*0")
        says = r"the enemy holds \(0; 0, 0\); you may place on \(0; 2, 2\)"
        assert refused(state, Place(HOME), says) == "place.enemy_held"
        assert list(GAME.legal_actions(state, 0)) == [Place(OTHER)]

    def test_both_corners_may_be_held(self) -> None:
        """§3.3"""
        state = position({HOME: "B1*0", OTHER: "B1*0"}, pools="A1*1 B0*0")
        assert refused(state, Place(HOME), "you may place on neither, while it holds both") == "place.enemy_held"

    def test_placing_may_push_a_stack_over_the_cap(self) -> None:
        """§3.5"""
        step = GAME.apply(position({HOME: "A5*2"}, pools="A1*0 B0*0"), 0, Place(HOME))
        assert shown(step.state) == {HOME: "A6*2"}
        assert [event.public for event in step.events] == [Placed(seat=0, vertex=HOME, pieces=6, force="10")]


class TestInfuse:
    """§3.4"""

    def test_an_energy_point_goes_to_a_stack(self) -> None:
        """§3.4"""
        state = position({HOME: "A2*1", at(2, 3, 3): "A3*6"}, pools="A0*2 B0*0")
        step = GAME.apply(state, 0, Infuse(at(2, 3, 3)))
        assert shown(step.state) == {HOME: "A2*1", at(2, 3, 3): "A3*7"}
        assert (pools(step.state), step.state.infused) == ("A0*1 B0*0", True)
        assert [event.public for event in step.events] == [
            Infused(seat=0, vertex=at(2, 3, 3), energy=7, force="7")
        ]  # fmt: skip
        assert Infuse(HOME) in GAME.legal_actions(step.state, 0)

    @pytest.mark.parametrize(
        ("vertex", "stack", "would_be"),
        [
            pytest.param(at(0, 1, 1), "A2*4", None, id="§3.4 exactly 10 is fine"),
            pytest.param(at(0, 1, 1), "A3*3", "3 x 4 / 1", id="§3.4 12 is too much"),
            pytest.param(at(1, 1, 1), "A4*4", None, id="§3.4 exactly 10 by gravity 2"),
            pytest.param(at(1, 1, 1), "A3*6", "3 x 7 / 2", id="§3.4 21/2 is too much"),
            pytest.param(at(2, 1, 1), "A5*5", None, id="§3.4 exactly 10 by gravity 3"),
            pytest.param(at(2, 1, 1), "A1*30", "1 x 31 / 3", id="§3.4 31/3 is too much"),
            pytest.param(at(4, 1, 1), "A11*0", "11 x 1 / 1", id="§3.4 too many pieces for any energy"),
        ],
    )
    def test_the_force_may_not_exceed_the_cap(self, vertex: Vertex, stack: str, would_be: str | None) -> None:
        state = position({vertex: stack}, pools="A0*1 B0*0")
        if would_be is None:
            assert Infuse(vertex) in GAME.legal_actions(state, 0)
        else:
            assert refused(state, Infuse(vertex), f"would be {would_be}, above the limit of 10") == "infuse.over_cap"

    @pytest.mark.parametrize(
        ("stacks", "says"),
        [
            pytest.param({}, r"\(0; 0, 0\) is empty; it must hold a stack of yours", id="§3.4 nobody there"),
            pytest.param({HOME: "B1*0"}, r"\(0; 0, 0\) is the enemy's", id="§3.4 the enemy there"),
        ],
    )
    def test_only_own_stacks_take_energy(self, stacks: dict[Vertex, str], says: str) -> None:
        assert refused(position(stacks, pools="A0*1 B0*0"), Infuse(HOME), says) == "infuse.not_yours"

    def test_an_empty_pool_gives_no_energy(self) -> None:
        """§3.4"""
        state = position({HOME: "A1*0"}, pools="A1*0 B0*9")
        assert refused(state, Infuse(HOME), "your pool has no energy left") == "infuse.no_energy"
