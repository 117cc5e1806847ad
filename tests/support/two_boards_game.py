"""Two Boards: a game for tests only, whose actions name places of two drawings, and more than places.

2.1 The captain of Ferries moves crates from the first own place to either of the others,
2.2 or flags an own place, or asks the other player.
3.1 After nine actions the captain has won.
"""

from collections.abc import Iterator
from typing import Annotated, Any, TypeAlias

import msgspec
from ferries_game import CAPTAIN, Ferries
from msgspec import Meta, Struct
from msgspec.structs import astuple, replace

from warroom_games.api import Event, IllegalActionError, Result, Seat, Step, View
from warroom_games.hints import SEAT, grid
from warroom_games.rng import Rng
from warroom_games.sentences import sentence

TURNS = 9

Number: TypeAlias = Annotated[int, Meta(ge=0, le=1)]


class Move(Struct, frozen=True, tag_field="type", tag="move", forbid_unknown_fields=True):
    """Move crates."""

    source: Number
    target: Number
    crates: Annotated[int, Meta(ge=1, le=3)]


class Flag(Struct, frozen=True, tag_field="type", tag="flag", forbid_unknown_fields=True):
    """Flag an own place."""

    source: Number


class Ask(Struct, frozen=True, tag_field="type", tag="ask", forbid_unknown_fields=True):
    """Ask a player."""

    whom: Annotated[Seat, Meta(ge=0, le=1), SEAT]


class State(Struct, frozen=True):
    """All that is true."""

    own: Annotated[tuple[str, ...], grid(columns=2, fields=["source"])] = ("a", "b")
    other: Annotated[tuple[str, ...], grid(columns=1, fields=["target"])] = ("c", "d")
    actions: int = 0


class TwoBoards(Ferries):
    """The rules, where they differ from those of Ferries."""

    info = replace(Ferries.info, id="two_boards", name="Two Boards", complete=True)
    state_type: Any = State
    view_type: Any = State
    action_type: Any = Move | Flag | Ask
    sentences = (sentence("done", "Done: {what}"),)

    def setup(self, seats: int, options: Any, rng: Rng) -> Any:
        """Return the beginning."""
        return State()

    def to_act(self, state: Any) -> frozenset[Seat]:
        """Return the captain."""
        return frozenset((CAPTAIN,)) if state.actions < TURNS else frozenset()

    def turn(self, state: Any) -> int:
        """Return the number of the turn: every action is one."""
        return int(state.actions) + 1

    def legal_actions(self, state: Any, seat: Seat) -> Iterator[Any]:
        """Yield the same actions each time."""
        if seat in self.to_act(state):
            yield from (Move(0, target, crates) for target in range(2) for crates in range(1, 4))
            yield from map(Flag, range(2))
            yield Ask(1)

    def check(self, state: Any, seat: Seat, action: Any) -> None:
        """Refuse everything else."""
        if action not in self.legal_actions(state, seat):
            raise IllegalActionError("move.other", "that is not listed")

    def apply(self, state: Any, seat: Seat, action: Any) -> Step:
        """Count the action."""
        told = {"type": "done", "what": " ".join(map(str, astuple(action)))}
        return Step(replace(state, actions=state.actions + 1), (Event(told),))

    def default_action(self, state: Any, seat: Seat) -> Any:
        """Return the question."""
        return Ask(1)

    def remove(self, state: Any, seat: Seat) -> Step:
        """End the match."""
        return Step(replace(state, actions=TURNS))

    def result(self, state: Any) -> Result | None:
        """Let the captain win."""
        return None if self.to_act(state) else Result((1, 2), "victory")

    def imagine(self, public: View, private: View | None, seat: Seat | None, rng: Rng) -> Any:
        """Return the state that was shown."""
        return msgspec.convert(public, State)

    def draw(self, public: View, private: View | None) -> str:
        """Return how many actions there were."""
        return f"{self.turn(msgspec.convert(public, State)) - 1} actions"


GAME = TwoBoards()
