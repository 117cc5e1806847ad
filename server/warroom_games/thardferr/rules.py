"""Thardferr, by docs/rules/thardferr.md; the section marks in this package point there."""

from collections.abc import Iterable, Mapping, Sequence

import msgspec
from msgspec.structs import replace

from warroom_games.api import Calculation, Event, GameInfo, IllegalActionError, Result, Seat, Step, View
from warroom_games.bounds import Bounds
from warroom_games.codec import check_seats
from warroom_games.rng import Rng
from warroom_games.thardferr.actions import Action, EndTurn, PickRace
from warroom_games.thardferr.bounds import bounds_of
from warroom_games.thardferr.calculator import calculate
from warroom_games.thardferr.conduct import check_action, perform
from warroom_games.thardferr.drawing import draw_views
from warroom_games.thardferr.evaluation import evaluate
from warroom_games.thardferr.events import GameEvent, Picked, Resigned
from warroom_games.thardferr.founding import START_LAND, fixed_races, usual_race
from warroom_games.thardferr.imagining import imagine_state
from warroom_games.thardferr.notes import note_on
from warroom_games.thardferr.options import Options
from warroom_games.thardferr.selection import offered
from warroom_games.thardferr.sentences import SENTENCES
from warroom_games.thardferr.state import State
from warroom_games.thardferr.turns import settle
from warroom_games.thardferr.units import RACES
from warroom_games.thardferr.victory import rank
from warroom_games.thardferr.views import Secret, Table, private_view, public_view


class Thardferr:
    """The rules of Thardferr, in contract order."""

    info = GameInfo(
        id="thardferr",
        name="Thardferr",
        summary="Six races, hidden ledgers: build a kingdom and take the land of others",
        rules_version=3,
        min_seats=2,
        max_seats=6,
        usual_seats=4,
        turn_ms=60_000,
        complete=False,
    )
    state_type = State
    view_type = Table
    private_view_type = Secret
    event_type = GameEvent
    action_type = Action
    options_type = Options
    sentences = SENTENCES
    calculations: Mapping[str, Calculation] = {"battle": calculate}

    def setup(self, seats: int, options: Options, rng: Rng) -> State:
        """Ask for the races, or found the kingdoms if the options name them all."""
        check_seats(self, seats)  # §8.1
        state = State(
            options=options, picks=fixed_races(options, seats), records=((),) * seats, courses=(None,) * seats
        )
        return settle(state, [])

    def to_act(self, state: State) -> frozenset[Seat]:
        """Return the seat whose turn it is, or all seats that still have to pick a race."""
        if state.ended:
            return frozenset()
        if state.seat is None:
            return frozenset(seat for seat in state.seats_in_play if state.picks[seat] is None)  # §8.2
        return frozenset((state.seat,))

    def turn(self, state: State) -> int:
        """Return the number of the turn, 0 while races are picked."""
        return state.turn

    def legal_actions(self, state: State, seat: Seat) -> Iterable[Action]:
        """Return the selection of section 21.3."""
        if seat not in self.to_act(state):
            return []
        if state.seat is None:
            return map(PickRace, RACES)
        return offered(state, seat)

    def check(self, state: State, seat: Seat, action: Action) -> None:
        """Refuse an action out of turn, and one that sections 10 to 16 forbid."""
        if state.ended:
            raise IllegalActionError("match.over", "the match is over")  # §17.4
        if state.seat is None:
            self._check_pick(state, seat, action)
        elif seat != state.seat:
            raise IllegalActionError("turn.not_yours", f"it is seat {state.seat}'s turn")  # §9.1
        else:
            check_action(state, seat, action)

    def _check_pick(self, state: State, seat: Seat, action: Action) -> None:
        if seat not in self.to_act(state):
            raise IllegalActionError("pick.done", "you already picked your race; others are still picking")  # §8.2
        if not isinstance(action, PickRace):
            raise IllegalActionError("pick.first", "pick your race first")  # §8.2

    def apply(self, state: State, seat: Seat, action: Action) -> Step:
        """Pick a race, or play an action of the turn."""
        events: list[Event] = []
        if isinstance(action, PickRace):
            events.append(Event(Picked(seat, None), ((seat, Picked(seat, action.race)),)))
            picks = (*state.picks[:seat], action.race, *state.picks[seat + 1 :])
            state = settle(replace(state, picks=picks), events)
        else:
            state = perform(state, seat, action, events)
        return Step(state, tuple(events))

    def default_action(self, state: State, seat: Seat) -> Action:
        """Return the seat's default race while races are picked, and then the end of the turn."""  # §9.5
        return PickRace(usual_race(seat)) if state.seat is None else EndTurn()

    def remove(self, state: State, seat: Seat) -> Step:
        """Leave the seat's kingdom in the match: it takes no turn and defends itself."""  # §17.5
        if state.ended or seat in state.out:
            return Step(state)
        events = [Event(Resigned(seat))]
        state = settle(replace(state, out=(*state.out, seat)), events)
        return Step(state, tuple(events))

    def result(self, state: State) -> Result | None:
        """Return the ranking once the match has ended."""
        return rank(state, state.ended) if state.ended else None

    def public(self, state: State) -> View:
        """Return the standings of the kingdoms."""  # §15.1
        return public_view(state)

    def private(self, state: State, seat: Seat) -> View | None:
        """Return the seat's own ledger, its battles, and what it scouted."""  # §15.2
        return private_view(state, seat)

    def imagine(self, public: View, private: View | None, seat: Seat | None, rng: Rng) -> State:
        """Return a match with any ledgers that fit the public strengths."""
        secret = None if private is None else msgspec.convert(private, Secret)
        return imagine_state(msgspec.convert(public, Table), secret, seat, rng)

    def evaluate(self, public: View, private: View | None, seat: Seat) -> int:
        """Return how the seat's strength, land and stores compare with those of the others."""
        return evaluate(msgspec.convert(public, Table), msgspec.convert(private, Secret), seat)

    def draw(self, public: View, private: View | None) -> str:
        """Return the standings of the kingdoms, and the viewer's own ledger."""
        return self.draw_for(public, private, ())

    def draw_for(self, public: View, private: View | None, names: Sequence[str]) -> str:
        """Return the same picture with names."""
        secret = None if private is None else msgspec.convert(private, Secret)
        return draw_views(msgspec.convert(public, Table), secret, names)

    def notes(self, public: View, private: View | None, actions: Sequence[View]) -> Sequence[str]:
        """Return the cost or gain of each action."""
        secret = None if private is None else msgspec.convert(private, Secret)
        if secret is None or secret.kingdom is None:
            return [""] * len(actions)
        race = secret.kingdom.race
        return [note_on(action, race) for action in msgspec.convert(actions, list[Action])]

    def conserved(self, state: State) -> Mapping[str, int]:
        """Return the only conserved quantity: the total land."""  # §16.8
        land = sum(kingdom.land for kingdom in state.kingdoms)
        return {"land": land if state.kingdoms else START_LAND * state.seats}

    def bounds(self, seats: int, options: Options) -> Bounds:
        """Return the bounds of a match for programs that learn."""
        return bounds_of(seats)


GAME = Thardferr()
