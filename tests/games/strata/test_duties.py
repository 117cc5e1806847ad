"""docs/rules/strata.md, section 6: what must be done in a turn, and what the clock does."""

from collections.abc import Mapping
from typing import Any

import pytest
from strata_positions import at, pools, position, shown

from warroom_games.api import IllegalActionError
from warroom_games.strata.actions import Action, Attack, EndTurn, Infuse, Move, Place, TimeOut
from warroom_games.strata.board import Vertex
from warroom_games.strata.events import Infused, Placed, TurnBegan, TurnEnded
from warroom_games.strata.options import Options
from warroom_games.strata.rules import GAME
from warroom_games.strata.state import State

HOME, OTHER = at(0, 0, 0), at(0, 2, 2)
ATTACK = Attack(at(0, 1, 1), at(0, 1, 2))
MOVE = Move(at(0, 1, 1), at(0, 0, 1))
FRONT = {at(0, 1, 1): "A2*2", at(0, 1, 2): "B1*1", at(4, 1, 1): "B1*1"}

LOST_HOMES = {HOME: "B1*1", OTHER: "B1*1"}


def at_work(stacks: Mapping[Vertex, str], pools: str, done: str) -> State:
    """Return a position in whose turn these duties are *done*."""
    duties: dict[str, Any] = dict.fromkeys(done.split(), True)
    return position(stacks, pools=pools, **duties)


def answer(state: State, action: Action) -> str:
    """Return `legal`, or the code of the refusal; the listing must agree."""
    is_listed = action in GAME.legal_actions(state, state.seat)
    try:
        GAME.check(state, state.seat, action)
    except IllegalActionError as error:
        assert not is_listed
        return error.code
    assert is_listed
    return "legal"


class TestOrder:
    """§6.1 to §6.3"""

    @pytest.mark.parametrize(
        ("done", "attack", "end"),
        [
            pytest.param("", "duty.place", "duty.place", id="§6.1 nothing is done"),
            pytest.param("placed", "duty.infuse", "duty.infuse", id="§6.2 placed alone"),
            pytest.param("infused", "duty.place", "duty.place", id="§6.2 infused alone"),
            pytest.param("moved", "duty.place", "duty.place", id="§6.2 moved alone"),
            pytest.param("placed infused", "legal", "duty.move", id="§6.3 an attack needs no move, the end does"),
            pytest.param("placed moved", "duty.infuse", "duty.infuse", id="§6.2 no energy infused"),
            pytest.param("infused moved", "duty.place", "duty.place", id="§6.2 no piece placed"),
            pytest.param("placed infused moved", "legal", "legal", id="§6.3 all is done"),
        ],
    )
    def test_duties_come_before_an_attack_and_the_end(self, done: str, attack: str, end: str) -> None:
        state = at_work(FRONT, "A1*1 B0*0", done)
        assert (answer(state, ATTACK), answer(state, EndTurn())) == (attack, end)

    @pytest.mark.parametrize(
        ("action", "done", "says"),
        [
            pytest.param(
                ATTACK, "", r"before attacking you must place a piece on \(0; 0, 0\) or \(0; 2, 2\)", id="§6.2 place"
            ),
            pytest.param(
                ATTACK, "placed", r"before attacking you must infuse energy into \(0; 1, 1\)", id="§6.2 infuse"
            ),
            pytest.param(
                EndTurn(), "", "before ending the turn you must place a piece", id="§6.2 place before the end"
            ),
            pytest.param(
                EndTurn(), "placed infused", r"you must move, for example from \(0; 1, 1\) to \(0; 0, 1\)", id="§6.3"
            ),
            pytest.param(EndTurn(), "", "; still to do: place, infuse, move$", id="§6.1 all that is open"),
            pytest.param(EndTurn(), "placed", "; still to do: infuse, move$", id="§6.1 what is left"),
            pytest.param(ATTACK, "", "; still to do: place, infuse$", id="§6.3 an attack needs no move"),
            pytest.param(ATTACK, "placed", r"into \(0; 1, 1\)$", id="§6.2 one duty is named once"),
            pytest.param(ATTACK, "moved", "; still to do: place, infuse$", id="§6.1 not what is done"),
            pytest.param(
                MOVE, "moved", "you already moved this turn; still to do: place, infuse$", id="§4.1 a second move"
            ),
            pytest.param(MOVE, "placed infused moved", "; you may end the turn$", id="§4.1 nothing is open"),
        ],
    )
    def test_a_refusal_says_what_is_owed(self, action: Action, done: str, says: str) -> None:
        state = at_work(FRONT, "A1*1 B0*0", done)
        with pytest.raises(IllegalActionError, match=says):
            GAME.check(state, 0, action)

    def test_they_come_in_any_order(self) -> None:
        """§6.1"""
        state = position(FRONT, pools="A1*1 B0*0")
        for action in (Move(at(0, 1, 1), at(0, 2, 1)), Infuse(at(0, 2, 1)), Place(OTHER), EndTurn()):
            GAME.check(state, 0, action)
            state = GAME.apply(state, 0, action).state
        assert state.seat == 1
        assert shown(state) == {OTHER: "A1*0", at(0, 2, 1): "A2*3", at(0, 1, 2): "B1*1", at(4, 1, 1): "B1*1"}

    def test_a_move_may_be_left_to_the_player(self) -> None:
        """§6.1"""
        state = position(FRONT, placed=True, infused=True, options=Options(mandatory_move=False))
        assert answer(state, EndTurn()) == "legal"
        assert answer(state, Move(at(0, 1, 1), at(0, 2, 1))) == "legal"
        assert answer(position(FRONT, pools="A1*1 B0*0", options=Options(mandatory_move=False)), EndTurn()) == (
            "duty.place"
        )


class TestWaivers:
    """§6.4"""

    @pytest.mark.parametrize(
        ("stacks", "pool", "attack", "end"),
        [
            pytest.param(FRONT, "A0*0", "legal", "duty.move", id="§6.4 empty pools"),
            pytest.param({**FRONT, **LOST_HOMES}, "A3*0", "legal", "duty.move", id="§6.4 no open corner"),
            pytest.param({**FRONT, at(0, 1, 1): "A5*2"}, "A0*4", "legal", "duty.move", id="§6.4 no stack takes energy"),
            pytest.param({**FRONT, HOME: "B1*1"}, "A1*0", "duty.place", "duty.place", id="§6.4 one open corner is one"),
            pytest.param({**FRONT, HOME: "A1*9"}, "A0*1", "duty.infuse", "duty.infuse", id="§6.4 one taker is one"),
        ],
    )
    def test_what_cannot_be_done_need_not_be(self, stacks: dict[Vertex, str], pool: str, attack: str, end: str) -> None:
        state = position(stacks, pools=f"{pool} B0*0")
        assert (answer(state, ATTACK), answer(state, EndTurn())) == (attack, end)

    @pytest.mark.parametrize(
        "stacks",
        [
            pytest.param({}, id="§6.4 no stack at all"),
            pytest.param({HOME: "A3*0"}, id="§6.4 no stack with energy"),
            pytest.param(
                {
                    HOME: "A1*1", at(0, 1, 0): "B1*1", at(0, 2, 0): "B1*1", at(0, 0, 1): "B1*1", at(0, 0, 2): "B1*1",
                },
                id="§6.4 hemmed in, and too weak for the next layer",
            ),
        ],
    )  # fmt: skip
    def test_a_move_that_cannot_be_made_need_not_be(self, stacks: dict[Vertex, str]) -> None:
        assert answer(position(stacks), EndTurn()) == "legal"

    def test_the_moment_of_the_end_counts(self) -> None:
        """§6.4"""
        state = position({}, pools="A1*1 B0*0")
        assert answer(state, EndTurn()) == "duty.place"
        state = GAME.apply(state, 0, Place(HOME)).state
        assert answer(state, EndTurn()) == "duty.infuse"
        state = GAME.apply(state, 0, Infuse(HOME)).state
        assert answer(state, EndTurn()) == "duty.move"


class TestTimeOut:
    """§6.5"""

    @pytest.mark.parametrize(
        ("stacks", "pool", "done", "after", "left"),
        [
            pytest.param({}, "A1*1", "", {HOME: "A1*1"}, "A0*0", id="§6.5 place on the first corner, infuse it"),
            pytest.param({HOME: "B1*1"}, "A1*1", "", {HOME: "B1*1", OTHER: "A1*1"}, "A0*0", id="§6.5 the open corner"),
            pytest.param(
                {HOME: "B1*1", OTHER: "B1*1"},
                "A1*1",
                "",
                {HOME: "B1*1", OTHER: "B1*1"},
                "A1*1",
                id="§6.5 nothing to do",
            ),
            pytest.param({OTHER: "A1*1"}, "A3*3", "", {HOME: "A1*0", OTHER: "A1*2"}, "A2*2", id="§6.5 each but once"),
            pytest.param({OTHER: "A1*1"}, "A3*3", "placed", {OTHER: "A1*2"}, "A3*2", id="§6.5 placed already"),
            pytest.param(
                {OTHER: "A1*1"}, "A3*3", "infused", {HOME: "A1*0", OTHER: "A1*1"}, "A2*3", id="§6.5 infused already"
            ),
            pytest.param({OTHER: "A1*1"}, "A3*3", "placed infused", {OTHER: "A1*1"}, "A3*3", id="§6.5 all done"),
            pytest.param(
                {OTHER: "A1*1", at(2, 1, 1): "A2*6"},
                "A0*1",
                "",
                {OTHER: "A1*1", at(2, 1, 1): "A2*7"},
                "A0*0",
                id="§6.5 the highest raw force takes the energy, occupied or not",
            ),
            pytest.param(
                {OTHER: "A5*2", at(1, 2, 2): "A1*2", at(3, 2, 2): "A1*3"},
                "A0*1",
                "",
                {OTHER: "A5*2", at(1, 2, 2): "A1*2", at(3, 2, 2): "A1*4"},
                "A0*0",
                id="§6.5 of those that can take it",
            ),
            pytest.param(
                {at(4, 0, 1): "A1*2", at(1, 3, 0): "A1*4", at(1, 2, 4): "A2*2", at(1, 2, 3): "A4*1"},
                "A0*1",
                "",
                {at(4, 0, 1): "A1*2", at(1, 3, 0): "A1*4", at(1, 2, 4): "A2*2", at(1, 2, 3): "A4*2"},
                "A0*0",
                id="§6.5 among equals the lowest layer, x, y",
            ),
        ],
    )
    def test_the_clock_does_what_is_left(
        self, stacks: dict[Vertex, str], pool: str, done: str, after: dict[Vertex, str], left: str
    ) -> None:
        state = at_work(stacks, f"{pool} B0*0", done)
        following = GAME.apply(state, 0, GAME.default_action(state, 0)).state
        assert (shown(following), pools(following)) == (after, f"{left} B1*1")
        assert (GAME.to_act(following), GAME.turn(following)) == (frozenset({1}), 2)

    def test_it_tells_what_it_did(self) -> None:
        """§6.5"""
        step = GAME.apply(position({}, pools="A1*1 B0*0"), 0, TimeOut())
        assert [event.public for event in step.events] == [
            Placed(seat=0, vertex=HOME, pieces=1, force="0"),
            Infused(seat=0, vertex=HOME, energy=1, force="1"),
            TurnEnded(seat=0, turn=1, reason="timed_out", gain=1, dominion=1),
            TurnBegan(seat=1, turn=2, pieces=1, energy=1),
        ]

    def test_it_passes_whenever_somebody_is_to_act_and_is_offered_to_nobody(self) -> None:
        """§6.5"""
        for state in (position({}, pools="A1*1 B0*0"), position(FRONT), position(FRONT, seat=1)):
            default = GAME.default_action(state, state.seat)
            GAME.check(state, state.seat, default)
            assert default not in GAME.legal_actions(state, state.seat)
