"""The log of a room: its entries, their canonical bytes, and the hash chain that links them.

Entry n of a room is revision n. Every entry is linked to all entries before it: with H = SHA-256 and `+` for joining
bytes,

    chain[0] = 32 zero bytes
    chain[n] = H(chain[n - 1] + entry n)
    chain[n] = H(chain[n - 1] + entry n + H(state n))    at a new turn, at the end, and where 16 divides n

Entries and states are canonical MessagePack (`warroom_games.codec`). The state is the one after the entry. It is left
out before the match starts, and at an end for which the state is unknown.
"""

from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from typing import Annotated, Final, Literal, TypeAlias

import msgspec
from msgspec import Meta, Struct

from warroom_games.codec import encode
from warroom_games.rng import KEY_BYTES
from warroom_protocol.codes import RULES_CHANGED

FIRST_LINK = bytes(32)
"""The chain before the first entry."""
FIRST_LIFE = 1
"""The life of a room whose history was never rolled back."""

Moment: TypeAlias = Annotated[int, Meta(ge=0, lt=2**53, description="room time in milliseconds")]
_SeatNumber: TypeAlias = Annotated[int, Meta(ge=0, lt=64)]


class LogError(ValueError):
    """An entry does not follow from the log before it, or is not an entry at all."""


# --- room options ---------------------------------------------------------------------------------------------


_LONGEST_MS = 86_400_000


class RoomOptions(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The options of a room, independent of its game."""

    turn_ms: Annotated[int, Meta(ge=200, le=_LONGEST_MS, description="time for one turn, in milliseconds")] | None = (
        None
    )
    bank_ms: Annotated[
        int, Meta(ge=0, le=_LONGEST_MS, description="time that each seat may use beyond its turns, in the whole match")
    ] = 0
    increment_ms: Annotated[
        int, Meta(ge=0, le=_LONGEST_MS, description="time that each turn in which a seat acted adds to its bank")
    ] = 0
    seating: Annotated[
        Literal["random", "as_joined"], Meta(description="whether seats are dealt at random when the match starts")
    ] = "random"
    private: Annotated[
        bool, Meta(description="whether the room is left out of every list, and entered only with its full code")
    ] = False
    rated: Annotated[
        bool,
        Meta(
            description="whether the result counts for ratings; in a private room, or where spectators see all hands, "
            "it never does"
        ),
    ] = True
    watch: Annotated[
        Literal["public", "nobody", "all"],
        Meta(description="what spectators see: what is public, nothing, or all hands (which needs a delay)"),
    ] = "public"
    delay: Annotated[int, Meta(ge=0, le=50, description="how many turns spectators are behind")] = 0
    chat: Annotated[bool, Meta(description="whether people may talk in the room")] = True
    bot: Annotated[str, Meta(max_length=64, description="which bot fills seats and sits in (empty: any)")] = ""
    fill_after_ms: (
        Annotated[
            int, Meta(ge=0, le=3_600_000, description="how long open seats wait for people before bots fill them")
        ]
        | None
    ) = None
    timeouts: Annotated[
        int, Meta(ge=0, le=100, description="missed turns in a row after which a bot sits in (0: it never does)")
    ] = 3
    grace_ms: (
        Annotated[
            int,
            Meta(
                ge=1000,
                le=3_600_000,
                description="how long a player may be disconnected before the place is freed or a bot sits in",
            ),
        ]
        | None
    ) = 30_000
    pause_ms: Annotated[
        int, Meta(ge=0, le=3_600_000, description="the longest pause that the players can agree on (0: none)")
    ] = 300_000
    rematch: Annotated[Literal["rotate", "same"], Meta(description="whether the seats of a rematch move on by one")] = (
        "rotate"
    )
    reveal_s: Annotated[
        int, Meta(ge=0, le=2_592_000, description="how long after the end only one's own view can be replayed")
    ] = 0


# --- entries: entry n of a room is revision n -----------------------------------------------------------------


class _Entry(
    Struct, frozen=True, gc=False, array_like=True, forbid_unknown_fields=True, tag_field="type", tag=str.lower
):
    """The base of all entries: an array that begins with the entry's name."""


class Opened(_Entry, frozen=True):
    """Revision 1: everything that the match depends on, including the seed."""

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
    reserved: tuple[str | None, ...] = ()
    """By place, the player that it is reserved for; empty if no place is reserved."""
    follows: Annotated[int, Meta(ge=0, lt=2**32)] | None = None
    """The room whose rematch this is."""
    bots: tuple[str | None, ...] = ()
    """By place, the bot that shall sit there from the beginning (empty text: any); empty if no place wants one."""


class Sat(_Entry, frozen=True):
    """A player took a place before the match started; *bot* names the bot that plays it.

    A *hired* bot was brought by a worker of the operator. Any other bot belongs to a player.
    """

    place: _SeatNumber
    player: str
    name: str
    bot: str | None = None
    hired: bool = False


class Left(_Entry, frozen=True):
    """A player freed a place before the match started."""

    place: _SeatNumber


class Kicked(_Entry, frozen=True):
    """The host freed a place before the match started. Its player may not sit down again."""

    place: _SeatNumber


class Wished(_Entry, frozen=True):
    """The host wants bots at open places, named by place as in *bots* of the opening."""

    bots: tuple[str | None, ...]


class Started(_Entry, frozen=True):
    """The match began: places become seats (dealt by the generator if so chosen), and open places are removed."""

    at: Moment


class Acted(_Entry, frozen=True):
    """A seat acted. *at* is the room time of the judgement, *arrived* is when the bytes were read.

    An action that arrived after the deadline has *credit* for the measured lag of its connection, from a bounded quota.
    An action that the owner sent before a bot stood in also counts, and is marked as *owners*.
    """

    at: Moment
    seat: _SeatNumber
    id: Annotated[int, Meta(ge=0, lt=2**53)]
    action: bytes
    """In canonical MessagePack."""
    arrived: Moment
    credit: Moment = 0
    owners: bool = False


class TimedOut(_Entry, frozen=True):
    """The clock acted for a seat whose deadline (plus credit) had passed."""

    at: Moment
    seat: _SeatNumber
    action: bytes
    deadline: Moment
    credit: Moment


class Resigned(_Entry, frozen=True):
    """A seat resigned."""

    at: Moment
    seat: _SeatNumber


class StoodIn(_Entry, frozen=True):
    """A bot took the seat of an absent player, who still owns it."""

    at: Moment
    seat: _SeatNumber
    player: str
    name: str
    bot: str


class Reclaimed(_Entry, frozen=True):
    """A player wants the seat back from the bot that stands in, and gets it when the running turn is over.

    If the seat takes no part in the running turn, the player gets it at once.
    """

    at: Moment
    seat: _SeatNumber


class Agreed(_Entry, frozen=True):
    """All players in the match agreed to a draw, a pause, or to resume; a pause that times out also ends with this."""

    at: Moment
    what: Literal["draw", "pause", "resume"]


class Voided(_Entry, frozen=True):
    """The match, or a room whose match never started, ended without a result."""

    at: Moment
    reason: str


class RolledBack(_Entry, frozen=True):
    """The store lost the entries after the previous one. The room continues from there, and is not rated.

    *life* is larger than in any earlier history of the room.
    """

    at: Moment
    life: Annotated[int, Meta(gt=FIRST_LIFE, lt=2**53)]


Entry: TypeAlias = (
    Opened
    | Sat
    | Left
    | Kicked
    | Wished
    | Started
    | Acted
    | TimedOut
    | Resigned
    | StoodIn
    | Reclaimed
    | Agreed
    | Voided
    | RolledBack
)

_entries: msgspec.msgpack.Decoder[Entry] = msgspec.msgpack.Decoder(Entry)
_deeds: msgspec.msgpack.Decoder[Acted | StoodIn] = msgspec.msgpack.Decoder(Acted | StoodIn)
_DEEDS: Final = tuple(encode(kind.__struct_config__.tag) for kind in (Acted, StoodIn))


def encode_entry(entry: Entry) -> bytes:
    """Return the canonical bytes of an entry."""
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


def opening_of(log: Sequence[Entry]) -> Opened:
    """Return the first entry of a log; raise `LogError` if it does not open a room."""
    if not log or not isinstance(log[0], Opened):
        raise LogError("a log must start with the opening of its room")
    return log[0]


def deeds(entries: Iterable[bytes]) -> Iterator[Acted | StoodIn]:
    """Return the actions and stand-ins of a verified log, without decoding the other entries."""
    for entry in entries:
        if entry.startswith(_DEEDS, 1):  # after the one byte that begins the array
            yield _deeds.decode(entry)


def is_outdated(entry: Entry) -> bool:
    """Whether an entry ends a match because its rules changed."""
    return isinstance(entry, Voided) and entry.reason == RULES_CHANGED


def commitment(seed: bytes) -> bytes:
    """Return the commitment to a seed, which is published before the match: its SHA-256."""
    return sha256(seed).digest()


def hash_state(state: object) -> bytes:
    """Return the hash of a game's state, for the chain."""
    return sha256(encode(state)).digest()


def link(previous: bytes, entry: bytes, state_hash: bytes = b"") -> bytes:
    """Return the chain after an entry, from the chain before it and, where the chain covers it, the state."""
    return sha256(previous + entry + state_hash).digest()
