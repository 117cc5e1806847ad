"""One match as a pure fold over its log.

A `Match` is a value; `advance` returns the next one. Rooms put streams, clocks and connections around it; replays are
checked by folding the same entries again.
"""

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Struct

# --- what a room may be told besides the game's own options ---------------------------------------------------


class RoomOptions(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What every room may be told, whatever its game."""

    turn_ms: Annotated[int, Meta(ge=200, le=86_400_000, description="time for one turn, in milliseconds")] | None = None
    seating: Annotated[
        Literal["random", "as_joined"], Meta(description="whether seats are dealt at random when the match starts")
    ] = "random"


# --- the log: entry n of a room is revision n -----------------------------------------------------------------


class _Entry(Struct, frozen=True, array_like=True, forbid_unknown_fields=True, tag_field="type", tag=str.lower):
    """The base of all entries: an array that begins with the entry's name."""


class Opened(_Entry):
    """Revision 1: everything that the match depends on, seed included."""

    room: int
    game: str
    rules_version: int
    seats: int
    options: bytes
    """The game's options in canonical MessagePack."""
    room_options: RoomOptions
    creator: str
    ref: int
    seed: bytes
    """16 secret bytes; their SHA-256 is the commitment."""
    opened_ms: int
    """Wall-clock time, for people; no rule reads it."""


class Sat(_Entry):
    """A player took a place before the match started."""

    place: int
    player: str
    name: str


class Left(_Entry):
    """A player freed a place before the match started."""

    place: int


class Started(_Entry):
    """The match began: places become seats (dealt by the generator if so chosen), open places go."""

    at: int


class Acted(_Entry):
    """A seat acted: *at* is the room time at which it was considered, *arrived* when its bytes were read."""

    at: int
    seat: int
    id: int
    action: bytes
    """In canonical MessagePack."""
    arrived: int


class TimedOut(_Entry):
    """The clock acted for a seat whose deadline (plus credit) had passed."""

    at: int
    seat: int
    action: bytes
    deadline: int
    credit: int


class Resigned(_Entry):
    """A seat gave the match up."""

    at: int
    seat: int


class Voided(_Entry):
    """The match, or a room whose match never started, ended without a result."""

    at: int
    reason: str


Entry: TypeAlias = Opened | Sat | Left | Started | Acted | TimedOut | Resigned | Voided
