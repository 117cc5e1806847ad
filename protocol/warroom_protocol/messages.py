"""Every message of the wire as a typed Struct.

On the wire a message is a MessagePack array: its name first, then the fields in the order below. docs/PROTOCOL.md
is the contract for people who write a client; a test holds the two together.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated, Final, TypeAlias, get_args

from msgspec import Meta, Raw, Struct

Ref: TypeAlias = Annotated[int, Meta(ge=0, lt=2**53, description="chosen by the client, echoed by the one reply")]
ActionId: TypeAlias = Annotated[int, Meta(ge=0, lt=2**53, description="53 random bits, one per action")]
RoomNumber: TypeAlias = Annotated[int, Meta(ge=0, lt=2**32, description="the room, the same on every connection")]
Counter: TypeAlias = Annotated[int, Meta(ge=0, lt=2**53)]
SeatNumber: TypeAlias = Annotated[int, Meta(ge=0, lt=64)]
Name: TypeAlias = Annotated[str, Meta(max_length=64)]
GameId: TypeAlias = Annotated[str, Meta(max_length=64)]
Token: TypeAlias = Annotated[str, Meta(max_length=256)]
Reason: TypeAlias = Annotated[str, Meta(max_length=64)]
View: TypeAlias = object
Patch: TypeAlias = object
Options: TypeAlias = dict[str, object]


class Position(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """How far a viewer has come in a room: its life, the public number and the private number."""

    life: Counter
    p: Counter
    q: Counter


class Clock(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """Room time in milliseconds, the game's turn, and when that turn runs out (nil: no turn is running)."""

    at: Counter
    turn: Counter
    deadline: Counter | None


class _Message(Struct, frozen=True, array_like=True, forbid_unknown_fields=True, tag_field="type", tag=str.lower):
    """The base of all messages: its class name in lower case is the first element of the array."""


# --- from clients ---------------------------------------------------------------------------------------------


class Hello(_Message, frozen=True):
    """Open a connection: the protocol versions spoken, a name, and the identity token of an earlier visit."""

    ref: Ref
    versions: Annotated[tuple[Annotated[int, Meta(ge=0, lt=2**16)], ...], Meta(min_length=1, max_length=8)]
    name: Name
    token: Token | None = None
    agent: Name = ""


class Games(_Message, frozen=True):
    """Ask which games the server hosts."""

    ref: Ref


class Rooms(_Message, frozen=True):
    """Ask for the listed rooms, of one game or of all."""

    ref: Ref
    game: GameId | None = None


class Create(_Message, frozen=True):
    """Create a room. The same ref from the same player names the same room, however often it is sent."""

    ref: Ref
    game: GameId
    seats: SeatNumber | None = None
    options: Options = {}
    room_options: Options = {}


class Join(_Message, frozen=True):
    """Take a seat, or come back to one; *position* asks for what was missed since."""

    ref: Ref
    room: RoomNumber
    seat: SeatNumber | None = None
    seat_token: Token | None = None
    position: Position | None = None


class Watch(_Message, frozen=True):
    """Follow a room without a seat."""

    ref: Ref
    room: RoomNumber
    position: Position | None = None


class Leave(_Message, frozen=True):
    """Stop following a room; before the match has started this also frees the seat."""

    ref: Ref
    room: RoomNumber


class Start(_Message, frozen=True):
    """Start the match with the seats taken so far (host only)."""

    ref: Ref
    room: RoomNumber


class Act(_Message, frozen=True):
    """Play an action for the decision that *turn* names."""

    room: RoomNumber
    id: ActionId
    turn: Counter
    action: Raw


class Legal(_Message, frozen=True):
    """Ask what the own seat may do now."""

    ref: Ref
    room: RoomNumber


class Resync(_Message, frozen=True):
    """Ask for a snapshot, because the own copy of the view went wrong or fell behind."""

    ref: Ref
    room: RoomNumber
    reason: Reason = ""


class Resign(_Message, frozen=True):
    """Give the match up."""

    ref: Ref
    room: RoomNumber


class Ping(_Message, frozen=True):
    """Ask for a pong, to measure the line."""

    ref: Ref


ClientMessage: TypeAlias = (
    Hello | Games | Rooms | Create | Join | Watch | Leave | Start | Act | Legal | Resync | Resign | Ping
)


# --- from the server ------------------------------------------------------------------------------------------


class Welcome(_Message, frozen=True):
    """The connection is open: the version chosen, who the player is, and the token that proves it next time."""

    ref: Ref
    version: int
    player: str
    token: Token
    name: Name
    server: str


class GameListing(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """One game: its seats, its usual turn, and JSON schemas of its options and actions."""

    game: GameId
    name: str
    summary: str
    rules_version: int
    min_seats: SeatNumber
    max_seats: SeatNumber
    usual_seats: SeatNumber
    turn_ms: Counter
    complete: bool
    options: Options
    actions: Options


class GameList(_Message, frozen=True, tag="games"):
    """The games this server hosts, and the JSON schema of the options that every room has."""

    ref: Ref
    games: tuple[GameListing, ...]
    room_options: Options


class RoomListing(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """One room as an anonymous spectator may know it."""

    room: RoomNumber
    code: str
    game: GameId
    phase: str
    seats: SeatNumber
    taken: SeatNumber
    watching: Counter
    turn_ms: Counter


class RoomList(_Message, frozen=True, tag="rooms"):
    """The listed rooms, the newest first."""

    ref: Ref
    rooms: tuple[RoomListing, ...]


class Created(_Message, frozen=True):
    """The room exists; join or watch it by its number."""

    ref: Ref
    room: RoomNumber
    code: str


class About(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """What never changes about a room: game, options, and the SHA-256 (hex) that the seed was committed to with."""

    game: GameId
    rules_version: int
    seats: SeatNumber
    options: Options
    room_options: Options
    commitment: str


class Joined(_Message, frozen=True):
    """The viewer is in, as player (*seat*) or spectator (nil); a snapshot follows."""

    ref: Ref
    room: RoomNumber
    code: str
    life: Counter
    seat: SeatNumber | None
    seat_token: Token | None
    about: About


class Resumed(_Message, frozen=True):
    """The viewer is back in; every frame it missed follows, and nothing else of the numbered streams."""

    ref: Ref
    room: RoomNumber
    code: str
    life: Counter
    seat: SeatNumber | None
    seat_token: Token | None
    about: About


class Snapshot(_Message, frozen=True):
    """The whole of what the viewer may know, at public number *p* and private number *q*."""

    room: RoomNumber
    life: Counter
    p: Counter
    q: Counter
    public: View
    private: View
    clock: Clock
    public_sum: Counter
    private_sum: Counter


class Update(_Message, frozen=True):
    """The next step of the public stream."""

    room: RoomNumber
    p: Counter
    patch: Patch
    events: tuple[View, ...]
    clock: Clock
    sum: Counter | None


class Private(_Message, frozen=True):
    """The next step of the own seat's stream; with *joint* it belongs to update *p*, which follows."""

    room: RoomNumber
    q: Counter
    p: Counter
    joint: bool
    patch: Patch
    events: tuple[View, ...]
    sum: Counter | None


class Prompt(_Message, frozen=True):
    """The seat is asked to act: *turn* is the token its action must carry; *at* is the room time of this message."""

    room: RoomNumber
    seat: SeatNumber
    turn: Counter
    at: Counter
    deadline: Counter


class Receipt(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """How a deadline was judged, in room time: *arrived* is nil where nothing arrived at all."""

    deadline: Counter
    credit: Counter
    arrived: Counter | None
    judged: Counter


class Verdict(_Message, frozen=True):
    """The one answer to an action: accepted (*code* nil) or refused; *p* and *q* are where the seat's streams stand."""

    room: RoomNumber
    id: ActionId
    code: str | None
    detail: str | None
    p: Counter
    q: Counter
    receipt: Receipt | None


class Expired(_Message, frozen=True):
    """The seat ran out of time for decision *turn*, and the clock acted for it."""

    room: RoomNumber
    seat: SeatNumber
    turn: Counter
    receipt: Receipt


class LegalList(_Message, frozen=True, tag="legal"):
    """What the seat may do at decision *turn*; *complete* says that nothing else is legal."""

    ref: Ref
    room: RoomNumber
    turn: Counter
    complete: bool
    actions: tuple[View, ...]


class SeatState(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """One seat: who sits there (nil: open), whether a connection holds it, whether the player has left the match."""

    seat: SeatNumber
    player: str | None
    name: Name
    connected: bool
    out: bool


class Seats(_Message, frozen=True):
    """Who sits where; *phase* is `lobby`, `playing` or `ended`. The latest one holds."""

    room: RoomNumber
    phase: str
    host: str | None
    seats: tuple[SeatState, ...]
    watching: Counter


class Paused(_Message, frozen=True):
    """The room's clock stands still for *reason*; nil says that it runs again."""

    room: RoomNumber
    at: Counter
    reason: str | None


class Ended(_Message, frozen=True):
    """The match is over: rank per seat (1 is best), why, and what proves that nobody changed it afterwards."""

    room: RoomNumber
    ranks: tuple[int, ...]
    reason: str
    seed: str
    chain: str


class Done(_Message, frozen=True):
    """What the request asked for is done."""

    ref: Ref


class Notice(_Message, frozen=True):
    """Something the viewer should know, of one room or (nil) of the whole connection."""

    room: RoomNumber | None
    code: str
    detail: str


class Pong(_Message, frozen=True):
    """The answer to a ping."""

    ref: Ref


class Error(_Message, frozen=True):
    """A request was refused (*ref*), or the connection did something wrong (nil)."""

    ref: Ref | None
    code: str
    detail: str


ServerMessage: TypeAlias = (
    Welcome | GameList | RoomList | Created | Joined | Resumed | Snapshot | Update | Private | Prompt | Verdict
    | Expired | LegalList | Seats | Paused | Ended | Done | Notice | Pong | Error
)  # fmt: skip


# --- by name --------------------------------------------------------------------------------------------------


def _by_name(messages: object) -> Mapping[str, type[Struct]]:
    return MappingProxyType({str(kind.__struct_config__.tag): kind for kind in get_args(messages)})


CLIENT_MESSAGES: Final = _by_name(ClientMessage)
SERVER_MESSAGES: Final = _by_name(ServerMessage)
PARTS: Final = (Position, Clock, GameListing, RoomListing, About, Receipt, SeatState)
"""Arrays without a name of their own, which stand inside messages."""
