"""Every message of the wire as a typed Struct.

On the wire a message is a MessagePack array: its name first, then the fields in the order below. docs/PROTOCOL.md
is the contract for people who write a client; a test holds the two together.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Annotated, Final, Literal, TypeAlias, get_args

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
BotName: TypeAlias = Annotated[str, Meta(max_length=64)]
PlayerId: TypeAlias = Annotated[str, Meta(max_length=64)]
Line: TypeAlias = Annotated[str, Meta(max_length=500)]
OfferName: TypeAlias = Literal["draw", "pause", "resume", "rematch"]
ReplayView: TypeAlias = Literal["all", "public", "own"]
View: TypeAlias = object
Patch: TypeAlias = object
Options: TypeAlias = dict[str, object]


class Position(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """How far a viewer has come in a room: its life, the public number and the private number."""

    life: Counter
    p: Counter
    q: Counter


class Clock(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """Room time in milliseconds, the game's turn, when that turn runs out (nil: no turn is running), and the time
    that each seat may use beyond it (empty: none has any)."""

    at: Counter
    turn: Counter
    deadline: Counter | None
    banks: tuple[Counter, ...] = ()


class _Message(Struct, frozen=True, array_like=True, forbid_unknown_fields=True, tag_field="type", tag=str.lower):
    """The base of all messages: its class name in lower case is the first element of the array."""


# --- from clients ---------------------------------------------------------------------------------------------


class Hello(_Message, frozen=True):
    """Open a connection: the protocol versions spoken, a name, and the identity token of an earlier visit.

    With *rotate* every token that the player was given before is void from now on. A program that plays says in
    *bot* which bot it is; only a worker of the operator has a *key*.
    """

    ref: Ref
    versions: Annotated[tuple[Annotated[int, Meta(ge=0, lt=2**16)], ...], Meta(min_length=1, max_length=8)]
    name: Name
    token: Token | None = None
    agent: Name = ""
    rotate: bool = False
    bot: BotName | None = None
    key: Token | None = None


class Games(_Message, frozen=True):
    """Ask which games the server hosts."""

    ref: Ref


class Rooms(_Message, frozen=True):
    """Ask for the listed rooms: of one game or of all, in one phase or in any, with a free seat, with one player.

    With *live* the changes follow as `listed`, until the next `rooms` of this connection.
    """

    ref: Ref
    game: GameId | None = None
    phase: Literal["lobby", "playing", "ended"] | None = None
    open: bool = False
    player: PlayerId | None = None
    live: bool = False


class Create(_Message, frozen=True):
    """Create a room. The same ref from the same player names the same room, however often it is sent."""

    ref: Ref
    game: GameId
    seats: SeatNumber | None = None
    options: Options = {}
    room_options: Options = {}


class Quick(_Message, frozen=True):
    """Ask for any room to play a game in: an open one of the same kind, or a new one that bots fill after a while.

    The same ref from the same player names the same room, however often it is sent.
    """

    ref: Ref
    game: GameId
    seats: SeatNumber | None = None
    options: Options = {}
    room_options: Options = {}


class Join(_Message, frozen=True):
    """Take a seat, or come back to one; *position* asks for what was missed since. A private room wants its *key*."""

    ref: Ref
    room: RoomNumber
    seat: SeatNumber | None = None
    seat_token: Token | None = None
    position: Position | None = None
    key: Token | None = None


class Watch(_Message, frozen=True):
    """Follow a room without a seat. A private room wants its *key*."""

    ref: Ref
    room: RoomNumber
    position: Position | None = None
    key: Token | None = None


class Leave(_Message, frozen=True):
    """Stop following a room; before the match has started this also frees the seat."""

    ref: Ref
    room: RoomNumber


class Start(_Message, frozen=True):
    """Start the match with the seats taken so far (host only)."""

    ref: Ref
    room: RoomNumber


class Fill(_Message, frozen=True):
    """Let a bot take one open seat, or (nil) each of them (host only, before the match has started)."""

    ref: Ref
    room: RoomNumber
    seat: SeatNumber | None = None
    bot: BotName | None = None


class Kick(_Message, frozen=True):
    """Send whoever sits at a place away for good (host only, before the match has started)."""

    ref: Ref
    room: RoomNumber
    seat: SeatNumber


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


class Reclaim(_Message, frozen=True):
    """Take the own seat back from the bot that stands in, as soon as the turn that it plays is over."""

    ref: Ref
    room: RoomNumber


class Offer(_Message, frozen=True):
    """Offer the others something, or agree to it; *on* false takes it back. It happens once all have offered it."""

    ref: Ref
    room: RoomNumber
    what: OfferName
    on: bool = True


class Say(_Message, frozen=True):
    """Say something: players to everybody, spectators to spectators."""

    ref: Ref
    room: RoomNumber
    text: Line


class Mute(_Message, frozen=True):
    """Hear a player no more in this room, or again; the host may silence one for *everybody*."""

    ref: Ref
    room: RoomNumber
    player: PlayerId
    on: bool = True
    everybody: bool = False


class Matches(_Message, frozen=True):
    """Ask for finished matches, the newest first: of one game, of one player, before the match of room *before*."""

    ref: Ref
    game: GameId | None = None
    player: PlayerId | None = None
    before: RoomNumber | None = None


class Replay(_Message, frozen=True):
    """Ask for a finished match, from byte *offset* on: all of it, or as the public or the own seat saw it."""

    ref: Ref
    room: RoomNumber
    view: ReplayView = "all"
    offset: Counter = 0
    key: Token | None = None


class Ranking(_Message, frozen=True):
    """Ask for the best players of a game, from place *offset* on."""

    ref: Ref
    game: GameId
    offset: Counter = 0


class Plays(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """One game that a worker plays, and the bots it has for it, its best one first."""

    game: GameId
    bots: Annotated[tuple[BotName, ...], Meta(min_length=1, max_length=16)]


class Work(_Message, frozen=True):
    """Offer to bring bots to seats (workers only): which ones, and how many seats at a time."""

    ref: Ref
    plays: Annotated[tuple[Plays, ...], Meta(max_length=64)]
    seats: Annotated[int, Meta(ge=1, le=100_000)]


class Claim(_Message, frozen=True):
    """Take the seat that a `summon` offered (workers only)."""

    ref: Ref
    room: RoomNumber
    ticket: Counter


class Ping(_Message, frozen=True):
    """Ask for a pong, to measure the line."""

    ref: Ref


ClientMessage: TypeAlias = (
    Hello | Games | Rooms | Create | Quick | Join | Watch | Leave | Start | Fill | Kick | Act | Legal | Resync | Resign
    | Reclaim | Offer | Say | Mute | Matches | Replay | Ranking | Work | Claim | Ping
)  # fmt: skip


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
    """One game: its seats, its usual turn, the bots that can fill seats, JSON schemas of its options and actions."""

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
    has_draws: bool = False
    bots: tuple[BotName, ...] = ()


class GameList(_Message, frozen=True, tag="games"):
    """The games this server hosts, and the JSON schema of the options that every room has."""

    ref: Ref
    games: tuple[GameListing, ...]
    room_options: Options


class ListedPlayer(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """One player of a listed room; *bot* names the bot that it is."""

    player: PlayerId
    name: Name
    bot: BotName | None


class RoomListing(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """One room as an anonymous spectator may know it; *watch* and *delay* are its options of those names."""

    room: RoomNumber
    code: str
    game: GameId
    phase: str
    seats: SeatNumber
    taken: SeatNumber
    watching: Counter
    turn_ms: Counter
    players: tuple[ListedPlayer, ...] = ()
    watch: str = "public"
    delay: Counter = 0
    rated: bool = True


class RoomList(_Message, frozen=True, tag="rooms"):
    """The listed rooms, the newest first."""

    ref: Ref
    rooms: tuple[RoomListing, ...]


class Listed(_Message, frozen=True):
    """What changed in the rooms that were asked for *live*: rooms as they are now, and numbers of rooms that went."""

    rooms: tuple[RoomListing, ...]
    gone: tuple[RoomNumber, ...]


class Created(_Message, frozen=True):
    """The room exists; join or watch it by its number, and by its *key* if it is private. *code* is for people."""

    ref: Ref
    room: RoomNumber
    code: str
    key: Token | None = None


class About(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """What never changes about a room: game, options, the SHA-256 (hex) that the seed was committed to with, and the
    room whose rematch it is."""

    game: GameId
    rules_version: int
    seats: SeatNumber
    options: Options
    room_options: Options
    commitment: str
    follows: RoomNumber | None = None


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
    """One seat: who sits there (nil: open), whether a connection holds it, whether the player has left the match.

    *bot* names the bot that sits there, or (with *stood_in*) that stands in for the player. A player who is not
    connected has until room time *grace*; *kept* names the player that an open seat is kept for.
    """

    seat: SeatNumber
    player: str | None
    name: Name
    connected: bool
    out: bool
    bot: BotName | None = None
    stood_in: bool = False
    grace: Counter | None = None
    kept: PlayerId | None = None


class Seats(_Message, frozen=True):
    """Who sits where; *phase* is `lobby`, `playing` or `ended`. The latest one holds."""

    room: RoomNumber
    phase: str
    host: str | None
    seats: tuple[SeatState, ...]
    watching: Counter


class Paused(_Message, frozen=True):
    """The room's clock stands still for *reason*; nil says that it runs again. It does so by itself in *left_ms*."""

    room: RoomNumber
    at: Counter
    reason: str | None
    left_ms: Counter | None = None


class Offers(_Message, frozen=True):
    """What is offered now, and by which seats. The latest one holds."""

    room: RoomNumber
    offers: tuple[tuple[OfferName, tuple[SeatNumber, ...]], ...]


class Said(_Message, frozen=True):
    """Somebody said something, at room time *at*; *seat* nil: a spectator."""

    room: RoomNumber
    at: Counter
    player: PlayerId
    name: Name
    seat: SeatNumber | None
    text: Line


class Moved(_Message, frozen=True):
    """The match goes into another round: the room *to* is its rematch, where seats are kept for the players."""

    room: RoomNumber
    to: RoomNumber
    code: str
    key: Token | None


class Ended(_Message, frozen=True):
    """The match is over: rank per seat (1 is best), why, and what proves that nobody changed it afterwards.

    *seed* is empty until the room reveals it. *detail* says why a match is void; *rated* whether it will count.
    """

    room: RoomNumber
    ranks: tuple[int, ...]
    reason: str
    seed: str
    chain: str
    detail: str = ""
    rated: bool = False


class MatchSummary(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """One finished match: players by seat with their ranks, when it ended (milliseconds since 1970), how, how long."""

    room: RoomNumber
    code: str
    game: GameId
    rules_version: int
    players: tuple[ListedPlayer, ...]
    ranks: tuple[int, ...]
    reason: str
    ended_ms: Counter
    turns: Counter
    rated: bool


class MatchList(_Message, frozen=True, tag="matches"):
    """Finished matches, the newest first."""

    ref: Ref
    matches: tuple[MatchSummary, ...]


class ReplayPart(_Message, frozen=True, tag="replay"):
    """Part of a replay file: its bytes from *offset* on, of *size* in all."""

    ref: Ref
    room: RoomNumber
    offset: Counter
    size: Counter
    data: bytes


class Rated(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """One player in a ranking: *score* is the skill that is all but certain, all three in thousandths."""

    place: Counter
    player: PlayerId
    name: Name
    bot: BotName | None
    score: int
    skill: int
    uncertainty: int
    matches: Counter


class RankingList(_Message, frozen=True, tag="ranking"):
    """The best players of a game, the best first, out of *size*."""

    ref: Ref
    game: GameId
    size: Counter
    players: tuple[Rated, ...]


class Summon(_Message, frozen=True):
    """A seat wants a bot: the first worker that claims *ticket* in time has it."""

    room: RoomNumber
    ticket: Counter
    game: GameId
    bot: BotName


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
    Welcome | GameList | RoomList | Listed | Created | Joined | Resumed | Snapshot | Update | Private | Prompt | Verdict
    | Expired | LegalList | Seats | Paused | Offers | Said | Moved | Ended | MatchList | ReplayPart | RankingList
    | Summon | Done | Notice | Pong | Error
)  # fmt: skip


# --- by name --------------------------------------------------------------------------------------------------


def _by_name(messages: object) -> Mapping[str, type[Struct]]:
    return MappingProxyType({str(kind.__struct_config__.tag): kind for kind in get_args(messages)})


CLIENT_MESSAGES: Final = _by_name(ClientMessage)
SERVER_MESSAGES: Final = _by_name(ServerMessage)
PARTS: Final = (
    Position,
    Clock,
    Plays,
    GameListing,
    ListedPlayer,
    RoomListing,
    About,
    Receipt,
    SeatState,
    MatchSummary,
    Rated,
)
"""Arrays without a name of their own, which stand inside messages."""
