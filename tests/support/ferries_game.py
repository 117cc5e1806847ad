"""Ferries: a small game for tests only, with everything that the board for any game can draw and ask for.

1.1 A ferry lies at the first of five islands, with nothing in it. Seat 0 is the captain; the others look on.
2.1 The captain sails to a neighbour of the island where the ferry lies,
2.2 or loads crates for an island: one more than its number at most,
2.3 or asks for any fare that ends with 0; only that of 10 is listed.
3.1 At the last island the captain has won.
"""

from collections.abc import Iterator
from typing import Annotated, Any, TypeAlias

import msgspec
from msgspec import Meta, Struct

from warroom_games.api import Event, GameInfo, IllegalActionError, Result, Seat, Step, View
from warroom_games.codec import check_seats
from warroom_games.hints import costs, graph
from warroom_games.rng import Rng

ROUTES = ((1, 2), (0, 2, 3), (0, 1), (1, 4), (3,))
PLACES = ((0, 0), (0, 2), (1, 1), (1, 3), (2, 2))
HARBOUR = len(ROUTES) - 1
CAPTAIN: Seat = 0

IslandNumber: TypeAlias = Annotated[int, Meta(ge=0, le=HARBOUR)]


class Sail(Struct, frozen=True, tag_field="type", tag="sail", forbid_unknown_fields=True):
    """Take the ferry from where it lies to a neighbour."""

    source: IslandNumber
    target: IslandNumber


class Load(Struct, frozen=True, tag_field="type", tag="load", forbid_unknown_fields=True):
    """Load crates for an island."""

    island: IslandNumber
    crates: Annotated[int, Meta(ge=1, le=HARBOUR + 1)]


class Charge(Struct, frozen=True, tag_field="type", tag="charge", forbid_unknown_fields=True):
    """Ask for a fare that ends with 0."""

    fare: Annotated[int, Meta(ge=0, le=1000)]


Action: TypeAlias = Sail | Load | Charge


class Options(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """There is nothing to choose."""


class Island(Struct, frozen=True):
    """Who lies there, and how many crates are on their way to it."""

    seat: Seat | None
    label: int


class State(Struct, frozen=True):
    """All that is true, and what everybody sees."""

    fare: int
    islands: Annotated[
        tuple[Island, ...],
        graph(edges=["routes"], positions=["places"], fields=["source", "target"]),
    ]
    routes: tuple[tuple[int, ...], ...] = ROUTES
    places: tuple[tuple[int, int], ...] = PLACES
    fees: Annotated[tuple[int, ...], costs("island", unit="coins")] = (0, 2, 3, 4, 5)
    left: Seat | None = None

    @property
    def ferry(self) -> int:
        """Where it lies."""
        return next(number for number, island in enumerate(self.islands) if island.seat is not None)


class Ferries:
    """The rules of ferries, in contract order."""

    info = GameInfo(
        id="ferries",
        name="Ferries",
        summary="Bring the ferry to the last island",
        rules_version=1,
        min_seats=2,
        max_seats=2,
        usual_seats=2,
        turn_ms=60_000,
        complete=False,
    )
    state_type = State
    action_type: Any = Action
    options_type = Options
    view_type = State

    def setup(self, seats: int, options: Options, rng: Rng) -> State:
        """Moor the empty ferry."""  # §1.1
        check_seats(self, seats)
        return State(10, tuple(Island(CAPTAIN if number == 0 else None, 0) for number in range(len(ROUTES))))

    def to_act(self, state: State) -> frozenset[Seat]:
        """Return the captain."""
        return frozenset() if _is_over(state) else frozenset((CAPTAIN,))

    def turn(self, state: State) -> int:
        """Return the number of the only turn."""
        return 1

    def legal_actions(self, state: State, seat: Seat) -> Iterator[Action]:
        """Yield every way, every load, and one fare."""
        if seat not in self.to_act(state):
            return
        yield from (Sail(state.ferry, target) for target in ROUTES[state.ferry])
        yield from (Load(island, crates) for island in range(len(ROUTES)) for crates in range(1, island + 2))
        yield Charge(10)

    def check(self, state: State, seat: Seat, action: Action) -> None:
        """Refuse what the captain cannot do."""
        if seat not in self.to_act(state):
            raise IllegalActionError("turn.not_yours", "only the captain acts, and only until the ferry has come")
        match action:
            case Sail(source, target) if source != state.ferry or target not in ROUTES[source]:
                raise IllegalActionError("sail.far", "no route leads there")  # §2.1
            case Load(island, crates) if crates > island + 1:
                raise IllegalActionError("load.full", f"island {island} takes no more than {island + 1}")  # §2.2
            case Charge(fare) if fare % 10:
                raise IllegalActionError("charge.odd", "a fare ends with 0")  # §2.3

    def apply(self, state: State, seat: Seat, action: Action) -> Step:
        """Do it."""
        match action:
            case Sail(source, target):
                moved = _with(_with(state, source, seat=None), target, seat=seat)
                return Step(moved, (Event({"type": "sailed", "seat": seat, "to": target}),))
            case Load(island, crates):
                loaded = _with(state, island, label=state.islands[island].label + crates)
                return Step(loaded, (Event({"type": "loaded", "seat": seat, "island": island, "crates": crates}),))
            case Charge(fare):
                charged = msgspec.structs.replace(state, fare=fare)
                return Step(charged, (Event({"type": "charged", "seat": seat, "fare": fare}),))

    def default_action(self, state: State, seat: Seat) -> Action:
        """Return the fare of 10."""
        return Charge(10)

    def remove(self, state: State, seat: Seat) -> Step:
        """End the match."""
        return Step(state if _is_over(state) else msgspec.structs.replace(state, left=seat))

    def result(self, state: State) -> Result | None:
        """Let the captain win who has come."""  # §3.1
        if not _is_over(state):
            return None
        return Result((2, 1) if state.left == CAPTAIN else (1, 2), "victory")

    def public(self, state: State) -> View:
        """Return everything."""
        return state

    def private(self, state: State, seat: Seat) -> View | None:
        """Return None: nothing is hidden."""
        return None

    def imagine(self, public: View, private: View | None, seat: Seat | None, rng: Rng) -> State:
        """Return the state that was shown."""
        return msgspec.convert(public, State)

    def draw(self, public: View, private: View | None) -> str:
        """Return where the ferry is."""
        return f"the ferry lies at island {msgspec.convert(public, State).ferry}"


def _is_over(state: State) -> bool:
    return state.left is not None or state.ferry == HARBOUR


def _with(state: State, number: int, **changes: Any) -> State:
    island = msgspec.structs.replace(state.islands[number], **changes)
    islands = (*state.islands[:number], island, *state.islands[number + 1 :])
    return msgspec.structs.replace(state, islands=islands)


GAME = Ferries()
