"""Strata, by docs/rules/strata.md; the section marks in this package point there."""

from collections.abc import Iterable, Mapping, Sequence
from typing import assert_never

import msgspec
from msgspec.structs import replace

from warroom_games.api import Event, GameInfo, IllegalActionError, Result, Seat, Step, View
from warroom_games.bounds import Bounds
from warroom_games.codec import check_seats
from warroom_games.rng import Rng
from warroom_games.strata.actions import Action, Attack, EndTurn, Infuse, Move, Place, TimeOut
from warroom_games.strata.board import INDEX, VERTICES
from warroom_games.strata.bounds import BOUNDS
from warroom_games.strata.combat import attack
from warroom_games.strata.conservation import changes, quantities
from warroom_games.strata.deeds import infuse, move, place
from warroom_games.strata.drawing import draw_state
from warroom_games.strata.evaluation import evaluate
from warroom_games.strata.events import Eliminated, GameEvent
from warroom_games.strata.listing import list_actions
from warroom_games.strata.notes import note_on
from warroom_games.strata.options import Options
from warroom_games.strata.refusals import check_action
from warroom_games.strata.sentences import SENTENCES
from warroom_games.strata.state import Pool, State
from warroom_games.strata.turns import ACCRUAL, end_match, end_turn, settle_attack, time_out
from warroom_games.strata.victory import rank

_NOBODY: frozenset[Seat] = frozenset()
_ASKED = (frozenset({0}), frozenset({1}))


class Strata:
    """The rules of Strata, in contract order."""

    info = GameInfo(
        id="strata",
        name="Strata",
        summary="Stack pieces and energy on five layers, and drive the rival off the board",
        rules_version=2,
        min_seats=2,
        max_seats=2,
        usual_seats=2,
        turn_ms=30_000,
        complete=True,
        has_draws=True,
        clock_action="time_out",
    )
    state_type = State
    view_type = State
    private_view_type = None
    event_type = GameEvent
    action_type = Action
    options_type = Options
    sentences = SENTENCES

    def setup(self, seats: int, options: Options, rng: Rng) -> State:
        """Return the empty board at the start of the first player's turn. Nothing is random."""
        check_seats(self, seats)
        return State(
            options=options,
            vertices=(None,) * len(VERTICES),
            pools=(Pool(ACCRUAL, ACCRUAL), Pool(0, 0)),  # §3.1
        )

    def to_act(self, state: State) -> frozenset[Seat]:
        """Return the seat whose turn it is."""
        return _NOBODY if state.ended else _ASKED[state.seat]

    def turn(self, state: State) -> int:
        """Return the number of the turn."""
        return state.turn

    def legal_actions(self, state: State, seat: Seat) -> Iterable[Action]:
        """Return placements, infusions, moves and attacks by vertex, then the end of the turn."""
        return [] if seat != state.seat or state.ended else list_actions(state)

    def check(self, state: State, seat: Seat, action: Action) -> None:
        """Refuse an action out of turn, and one that sections 3 to 6 forbid."""
        if state.ended:
            raise IllegalActionError("match.over", "the match is over")  # §7.5
        if seat != state.seat:
            raise IllegalActionError("turn.not_yours", f"it is seat {state.seat}'s turn, not seat {seat}'s")  # §3.1
        check_action(state, action)

    def apply(self, state: State, seat: Seat, action: Action) -> Step:
        """Play the action. An attack and a time-out also end the turn."""
        events: list[Event] = []
        match action:
            case Place():
                state = place(state, INDEX[action.vertex], events)
            case Infuse():
                state = infuse(state, INDEX[action.vertex], events)
            case Move():
                state = move(state, INDEX[action.source], INDEX[action.target], events)
            case Attack():
                state = settle_attack(attack(state, INDEX[action.source], INDEX[action.target], events), events)
            case EndTurn():
                state = end_turn(state, "ended", events)
            case TimeOut():
                state = time_out(state, events)
            case _:
                assert_never(action)
        return Step(state, tuple(events))

    def default_action(self, state: State, seat: Seat) -> Action:
        """Return the time-out action, which does the remaining duties and ends the turn."""  # §6.5
        return TimeOut()

    def remove(self, state: State, seat: Seat) -> Step:
        """Declare the other player the winner; the board does not change."""  # §8.1
        if state.ended:
            return Step(state)
        events = [Event(Eliminated(seat, None))]
        return Step(end_match(replace(state, out=(seat,)), "victory", events), tuple(events))

    def result(self, state: State) -> Result | None:
        """Return the ranking once the match has ended."""
        return rank(state, state.ended) if state.ended else None

    def public(self, state: State) -> View:
        """Return the state: nothing is hidden."""
        return state

    def private(self, state: State, seat: Seat) -> View | None:
        """Return None: nothing is hidden."""
        return None

    def imagine(self, public: View, private: View | None, seat: Seat | None, rng: Rng) -> State:
        """Return the state that the view shows."""
        return msgspec.convert(public, State)

    def evaluate(self, public: View, private: View | None, seat: Seat) -> int:
        """Return by how much the seat's stacks are worth more than the rival's."""
        return evaluate(msgspec.convert(public, State), seat)

    def draw(self, public: View, private: View | None) -> str:
        """Return the five layers side by side, and the standings."""
        return self.draw_for(public, private, ())

    def draw_for(self, public: View, private: View | None, names: Sequence[str]) -> str:
        """Return the same picture with names."""
        return draw_state(msgspec.convert(public, State), names)

    def notes(self, public: View, private: View | None, actions: Sequence[View]) -> Sequence[str]:
        """Return the forces and the outcome of each attack."""  # §5.7
        state = msgspec.convert(public, State)
        return [note_on(state, action) for action in msgspec.convert(actions, list[Action])]

    def conserved(self, state: State) -> Mapping[str, int]:
        """Return all pieces and energy."""
        return quantities(state)

    def sources(self, state: State, events: tuple[Event, ...]) -> Mapping[str, int]:
        """Return the changes that these events report."""
        return changes(events)

    def bounds(self, seats: int, options: Options) -> Bounds:
        """Return the bounds of a match for programs that learn."""
        return BOUNDS


GAME = Strata()
