"""The events of a match, with everything that a client needs to animate them; all of them are public.

Each event is a map whose `type` names it. Forces are text: whole numbers or fractions such as `9/2`.
"""

from typing import Literal, TypeAlias

from msgspec import Struct

from warroom_games.api import Seat
from warroom_games.strata.board import Vertex


class Placed(Struct, frozen=True, gc=False, tag_field="type", tag="place"):
    """A piece went from the pool to a home corner, where there are *pieces* now."""

    seat: Seat
    vertex: Vertex
    pieces: int
    force: str


class Infused(Struct, frozen=True, gc=False, tag_field="type", tag="infuse"):
    """An energy point went from the pool to a stack, which has *energy* now."""

    seat: Seat
    vertex: Vertex
    energy: int
    force: str


class Moved(Struct, frozen=True, gc=False, tag_field="type", tag="move"):
    """A stack went to another vertex; its force there is *force*."""

    seat: Seat
    source: Vertex
    target: Vertex
    pieces: int
    energy: int
    force: str


class Fighter(Struct, frozen=True, gc=False):
    """One side of a combat before it, and the force that it exerted."""

    seat: Seat
    pieces: int
    energy: int
    force: str


class Attacked(Struct, frozen=True, gc=False, tag_field="type", tag="attack"):
    """A combat: both sides, the winner, and what the winner has left and where."""

    seat: Seat
    source: Vertex
    target: Vertex
    attacker: Fighter
    defender: Fighter
    winner: Seat
    pieces: int
    energy: int


class Eliminated(Struct, frozen=True, gc=False, tag_field="type", tag="elimination"):
    """A seat lost its last piece, in a combat with *by*, or resigned (nil)."""

    seat: Seat
    by: Seat | None


class TurnEnded(Struct, frozen=True, gc=False, tag_field="type", tag="turn_end"):
    """A seat's turn is over, and its occupied vertices added *gain* to its dominion."""

    seat: Seat
    turn: int
    reason: Literal["ended", "attacked", "timed_out"]
    gain: int
    dominion: int


class TurnBegan(Struct, frozen=True, gc=False, tag_field="type", tag="turn"):
    """The next seat's turn began; its pool includes the new piece and energy point."""

    seat: Seat
    turn: int
    pieces: int
    energy: int


class Ended(Struct, frozen=True, gc=False, tag_field="type", tag="end"):
    """The match is over: the rank of each seat, and whether the victory rule or the length limit ended it."""

    ranks: tuple[int, ...]
    reason: str


GameEvent: TypeAlias = Placed | Infused | Moved | Attacked | Eliminated | TurnEnded | TurnBegan | Ended
"""All events, in their public and private forms."""
