"""What clients send."""

from typing import Annotated, Literal, TypeAlias

from msgspec import Meta, Raw, field

from warroom_protocol.parts import (
    ActionId,
    BotName,
    Counter,
    GameId,
    Line,
    Message,
    Name,
    OfferName,
    Options,
    PlayerId,
    Plays,
    Position,
    Reason,
    Ref,
    ReplayView,
    RoomNumber,
    SeatNumber,
    Token,
)


class Hello(Message, frozen=True):
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


class Games(Message, frozen=True):
    """Ask which games the server hosts."""

    ref: Ref


class Rooms(Message, frozen=True):
    """Ask for the listed rooms: of one game or of all, in one phase or in any, with a free seat, with one player.

    With *live* the changes follow as `listed`, until the next `rooms` of this connection.
    """

    ref: Ref
    game: GameId | None = None
    phase: Literal["lobby", "playing"] | None = None
    open: bool = False
    player: PlayerId | None = None
    live: bool = False


class Older(Message, frozen=True):
    """Ask for the listed rooms that are older than room *before*, by the filters of `rooms`; a live list goes on."""

    ref: Ref
    before: RoomNumber
    game: GameId | None = None
    phase: Literal["lobby", "playing"] | None = None
    open: bool = False
    player: PlayerId | None = None


class Create(Message, frozen=True):
    """Create a room. The same ref from the same player names the same room, however often it is sent."""

    ref: Ref
    game: GameId
    seats: SeatNumber | None = None
    options: Options = field(default_factory=dict)
    room_options: Options = field(default_factory=dict)


class Quick(Message, frozen=True):
    """Ask for any room to play a game in: an open one of the same kind, or a new one that bots fill after a while.

    The same ref from the same player names the same room, however often it is sent.
    """

    ref: Ref
    game: GameId
    seats: SeatNumber | None = None
    options: Options = field(default_factory=dict)
    room_options: Options = field(default_factory=dict)


class Join(Message, frozen=True):
    """Take a seat, or come back to one; *position* asks for what was missed since. A private room wants its *key*."""

    ref: Ref
    room: RoomNumber
    seat: SeatNumber | None = None
    seat_token: Token | None = None
    position: Position | None = None
    key: Token | None = None


class Watch(Message, frozen=True):
    """Follow a room without a seat. A private room wants its *key*."""

    ref: Ref
    room: RoomNumber
    position: Position | None = None
    key: Token | None = None


class Leave(Message, frozen=True):
    """Stop following a room; before the match has started this also frees the seat."""

    ref: Ref
    room: RoomNumber


class Start(Message, frozen=True):
    """Start the match with the seats taken so far (host only)."""

    ref: Ref
    room: RoomNumber


class Fill(Message, frozen=True):
    """Let a bot take one open seat, or (nil) each of them (host only, before the match has started)."""

    ref: Ref
    room: RoomNumber
    seat: SeatNumber | None = None
    bot: BotName | None = None


class Kick(Message, frozen=True):
    """Send whoever sits at a place away for good (host only, before the match has started)."""

    ref: Ref
    room: RoomNumber
    seat: SeatNumber


class Act(Message, frozen=True):
    """Play an action for the decision that *turn* names."""

    room: RoomNumber
    id: ActionId
    turn: Counter
    action: Raw


class Legal(Message, frozen=True):
    """Ask what the own seat may do now; with *notes*, also what each action costs or brings."""

    ref: Ref
    room: RoomNumber
    notes: bool = False


class Resync(Message, frozen=True):
    """Ask for a snapshot, because the own copy of the view went wrong or fell behind."""

    ref: Ref
    room: RoomNumber
    reason: Reason = ""


class Resign(Message, frozen=True):
    """Give the match up."""

    ref: Ref
    room: RoomNumber


class Reclaim(Message, frozen=True):
    """Take the own seat back from the bot that stands in, as soon as the turn that it plays is over."""

    ref: Ref
    room: RoomNumber


class Offer(Message, frozen=True):
    """Offer the others something, or agree to it; *on* false takes it back. It happens once all have offered it."""

    ref: Ref
    room: RoomNumber
    what: OfferName
    on: bool = True


class Say(Message, frozen=True):
    """Say something: players to everybody, spectators to spectators."""

    ref: Ref
    room: RoomNumber
    text: Line


class Mute(Message, frozen=True):
    """Hear a player no more in this room, or again; the host may silence one for *everybody*."""

    ref: Ref
    room: RoomNumber
    player: PlayerId
    on: bool = True
    everybody: bool = False


class Matches(Message, frozen=True):
    """Ask for finished matches, the newest first: of one game, of one player, before the match of room *before*."""

    ref: Ref
    game: GameId | None = None
    player: PlayerId | None = None
    before: RoomNumber | None = None


class Replay(Message, frozen=True):
    """Ask for a finished match, from byte *offset* on: all of it, or as the public or the own seat saw it."""

    ref: Ref
    room: RoomNumber
    view: ReplayView = "all"
    offset: Counter = 0
    key: Token | None = None


class Ranking(Message, frozen=True):
    """Ask for the best players of a game, from place *offset* on."""

    ref: Ref
    game: GameId
    offset: Counter = 0


class Work(Message, frozen=True):
    """Offer to bring bots to seats (workers only): which ones, and how many seats at a time."""

    ref: Ref
    plays: Annotated[tuple[Plays, ...], Meta(max_length=64)]
    seats: Annotated[int, Meta(ge=1, le=100_000)]


class Claim(Message, frozen=True):
    """Take the seat that a `summon` offered (workers only)."""

    ref: Ref
    room: RoomNumber
    ticket: Counter


class Ping(Message, frozen=True):
    """Ask for a pong, to measure the line."""

    ref: Ref


ClientMessage: TypeAlias = (
    Hello | Games | Rooms | Older | Create | Quick | Join | Watch | Leave | Start | Fill | Kick | Act | Legal | Resync
    | Resign | Reclaim | Offer | Say | Mute | Matches | Replay | Ranking | Work | Claim | Ping
)  # fmt: skip
