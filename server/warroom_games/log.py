"""The log of a room: what its entries are, their one byte form, and the chain that links them.

Entry n of a room is revision n. Every entry is linked to all before it: with H = SHA-256 and `+` for joining bytes,

    chain[0] = 32 zero bytes
    chain[n] = H(chain[n - 1] + H(entry n) + H(state n))

where an entry and a state stand for their canonical MessagePack (`warroom_games.codec`), and the state is the one after
the entry, or no bytes at all while the match has not started.
"""

from hashlib import sha256
from typing import Annotated, Literal, TypeAlias

import msgspec
from msgspec import Meta, Struct

from warroom_games.codec import encode
from warroom_games.rng import KEY_BYTES

FIRST_LINK = bytes(32)
"""The chain before the first entry."""

Moment: TypeAlias = Annotated[int, Meta(ge=0, lt=2**53, description="room time in milliseconds")]
_SeatNumber: TypeAlias = Annotated[int, Meta(ge=0, lt=64)]


class LogError(ValueError):
    """An entry does not follow from the log before it, or is no entry at all."""


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


class Opened(_Entry, frozen=True):
    """Revision 1: everything that the match depends on, seed included."""

    room: Annotated[int, Meta(ge=0, lt=2**32)]
    game: str
    rules_version: int
    seats: _SeatNumber
    options: bytes
    """The game's options in canonical MessagePack."""
    room_options: RoomOptions
    creator: str
    ref: int
    seed: Annotated[bytes, Meta(min_length=KEY_BYTES, max_length=KEY_BYTES)]
    """16 secret bytes; their SHA-256 is the commitment."""
    opened_ms: int
    """Wall-clock time, for people; no rule reads it."""


class Sat(_Entry, frozen=True):
    """A player took a place before the match started."""

    place: _SeatNumber
    player: str
    name: str


class Left(_Entry, frozen=True):
    """A player freed a place before the match started."""

    place: _SeatNumber


class Started(_Entry, frozen=True):
    """The match began: places become seats (dealt by the generator if so chosen), open places go."""

    at: Moment


class Acted(_Entry, frozen=True):
    """A seat acted: *at* is the room time at which it was considered, *arrived* when its bytes were read."""

    at: Moment
    seat: _SeatNumber
    id: Annotated[int, Meta(ge=0, lt=2**53)]
    action: bytes
    """In canonical MessagePack."""
    arrived: Moment


class TimedOut(_Entry, frozen=True):
    """The clock acted for a seat whose deadline (plus credit) had passed."""

    at: Moment
    seat: _SeatNumber
    action: bytes
    deadline: Moment
    credit: Moment


class Resigned(_Entry, frozen=True):
    """A seat gave the match up."""

    at: Moment
    seat: _SeatNumber


class Voided(_Entry, frozen=True):
    """The match, or a room whose match never started, ended without a result."""

    at: Moment
    reason: str


Entry: TypeAlias = Opened | Sat | Left | Started | Acted | TimedOut | Resigned | Voided

_entries: msgspec.msgpack.Decoder[Entry] = msgspec.msgpack.Decoder(Entry)


def encode_entry(entry: Entry) -> bytes:
    """Return the one byte form of an entry."""
    return encode(entry)


def decode_entry(data: bytes) -> Entry:
    """Return the entry in *data*; raise `LogError` unless the bytes are exactly what `encode_entry` writes."""
    try:
        entry = _entries.decode(data)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise LogError(f"not an entry: {error}") from error
    if encode(entry) != data:
        raise LogError("not in canonical form")
    return entry


def commitment(seed: bytes) -> bytes:
    """Return what is published of a seed before the match: its SHA-256."""
    return sha256(seed).digest()


def link(previous: bytes, entry: bytes, state: bytes) -> bytes:
    """Return the chain after an entry, from the chain before it and the state (no bytes: not started) after it."""
    return sha256(previous + sha256(entry).digest() + sha256(state).digest()).digest()
