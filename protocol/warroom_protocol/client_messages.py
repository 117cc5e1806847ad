"""The messages that clients send.

The text under a field is its meaning in docs/PROTOCOL_REFERENCE.md, which is generated from these classes.
"""

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
    """Open the conversation. It must be the first message, and it may be sent only once."""

    ref: Ref
    versions: Annotated[tuple[Annotated[int, Meta(ge=0, lt=2**16)], ...], Meta(min_length=1, max_length=8)]
    """the protocol versions that the client speaks"""
    name: Name
    """the player's name; `welcome` returns it cleaned and cut"""
    token: Token | None = None
    """the token of an earlier `welcome`, to be the same player again; nil: a new player"""
    agent: Name = ""
    """the client's own name and version, for the server's log"""
    rotate: bool = False
    """with a token: void this token and every other token of the player; `ref` must then be 53 random bits"""
    bot: BotName | None = None
    """the name of the bot, if a program plays; bots are shown as such, and rated among themselves. nil: a person"""
    key: Token | None = None
    """the key of the operator's bot workers; nil for everyone else"""


class Games(Message, frozen=True):
    """Ask which games the server hosts."""

    ref: Ref


class Rooms(Message, frozen=True):
    """Ask for the listed rooms. With *live*, changes follow as `listed` until the next `rooms` of this connection."""

    ref: Ref
    game: GameId | None = None
    """only rooms of this game; nil: all games"""
    phase: Literal["lobby", "playing"] | None = None
    """only rooms in this phase; nil: either"""
    open: bool = False
    """only rooms that have not started and have a free seat"""
    player: PlayerId | None = None
    """only rooms where this player sits"""
    live: bool = False
    """send `listed` whenever the answer changes"""


class Older(Message, frozen=True):
    """Ask for the next page of a list of rooms, with the filters of `rooms`. A live list stays live."""

    ref: Ref
    before: RoomNumber
    """the last room of the list so far; only older rooms are returned"""
    game: GameId | None = None
    """only rooms of this game; nil: all games"""
    phase: Literal["lobby", "playing"] | None = None
    """only rooms in this phase; nil: either"""
    open: bool = False
    """only rooms that have not started and have a free seat"""
    player: PlayerId | None = None
    """only rooms where this player sits"""


class Create(Message, frozen=True):
    """Create a room without entering it.

    A player's *ref* names one room for good: sent again, on any connection of the player, it returns the same room,
    whatever the other fields say.
    """

    ref: Ref
    """53 random bits"""
    game: GameId
    seats: SeatNumber | None = None
    """how many seats; nil: the game's usual number"""
    options: Options = field(default_factory=dict)
    """the game's options; missing ones have their default"""
    room_options: Options = field(default_factory=dict)
    """the room's options; missing ones have their default"""


class Quick(Message, frozen=True):
    """Ask for any room to play in: an open one of the same kind, or a new one. It does not enter the room.

    The same *ref* of the same player returns the same room for as long as that room exists.
    """

    ref: Ref
    """53 random bits"""
    game: GameId
    seats: SeatNumber | None = None
    """how many seats; nil: the game's usual number"""
    options: Options = field(default_factory=dict)
    """the game's options; missing ones have their default"""
    room_options: Options = field(default_factory=dict)
    """the room's options; a missing or null `fill_after_ms` is the time that the game sets"""


class Join(Message, frozen=True):
    """Enter a room as a player.

    A player who has a seat there gets that seat back, at any time and on any number of connections. Everyone else takes
    a free seat, which is possible only before the match starts. The match starts when the last seat is taken.
    """

    ref: Ref
    room: RoomNumber
    seat: SeatNumber | None = None
    """the free seat to take; nil: the first one. Ignored for a player who already has a seat"""
    seat_token: Token | None = None
    """the token of an earlier `joined`: act as its player in this room"""
    position: Position | None = None
    """how far the client has come in this room, to resume; nil: send a snapshot"""
    key: Token | None = None
    """the key of a private room; a player who sits there needs none"""


class Watch(Message, frozen=True):
    """Enter a room as a spectator, who sees the public view and no private one."""

    ref: Ref
    room: RoomNumber
    position: Position | None = None
    """how far the client has come in this room, to resume; nil: send a snapshot"""
    key: Token | None = None
    """the key of a private room"""


class Leave(Message, frozen=True):
    """Leave a room. Nothing of the room is sent after the answer.

    Before the match this frees the seat: the player's other connections become spectators or, where nobody may watch,
    are out with the notice `room.left`. During the match the seat stays the player's and its clock runs; `join` returns
    to it.
    """

    ref: Ref
    room: RoomNumber


class Start(Message, frozen=True):
    """Start the match with the seats that are taken; open seats are removed. Only the host may.

    The host is the creator, then the person who has sat longest. A host who loses the connection stays the host until
    the place is freed or a bot stands in.
    """

    ref: Ref
    room: RoomNumber


class Fill(Message, frozen=True):
    """Ask for bots on open seats. Only the host may, before the match starts.

    `done` says that such bots exist and were asked for; `seats` shows them when they arrive. A seat whose bot does not
    come asks for another one.
    """

    ref: Ref
    room: RoomNumber
    seat: SeatNumber | None = None
    """the open seat; nil: every open seat that is not kept for someone"""
    bot: BotName | None = None
    """one of the game's `bots`; nil: the room's option `bot`, else any"""


class Kick(Message, frozen=True):
    """Remove a person or bot from a seat. Only the host may, before the match starts.

    The player gets the notice `room.kicked`, stays as a spectator where spectators are allowed (workers' bots do not),
    and cannot sit down in this room again.
    """

    ref: Ref
    room: RoomNumber
    seat: SeatNumber


class Act(Message, frozen=True):
    """Play an action. It is the one request without a ref: its *id* names it."""

    room: RoomNumber
    id: ActionId
    turn: Counter
    """the turn token of the `prompt` that the action answers"""
    action: Raw
    """the action; its key `type` says which one, the game's schema says the rest"""


class Legal(Message, frozen=True):
    """Ask what the connection's seat may do now."""

    ref: Ref
    room: RoomNumber
    notes: bool = False
    """also say what each action costs or brings"""


class Resync(Message, frozen=True):
    """Ask for a snapshot, because the client's copy of a view is wrong or has a gap."""

    ref: Ref
    room: RoomNumber
    reason: Reason = ""
    """for the server's log: `view.drift`, `view.gap`, or empty"""


class Resign(Message, frozen=True):
    """Give up the match. The seat is out; the game's rules say what that means for the others."""

    ref: Ref
    room: RoomNumber


class Reclaim(Message, frozen=True):
    """Take the seat back from the bot that stands in.

    It takes effect at once if the seat has no part in the running turn, else when that turn is over, whether or not the
    bot has acted: that may be a secret. `seats` shows when the player has the seat again.
    """

    ref: Ref
    room: RoomNumber


class Offer(Message, frozen=True):
    """Offer something to the other players, agree to their offer, or withdraw one's own.

    It happens as soon as everyone who is asked has offered it.
    """

    ref: Ref
    room: RoomNumber
    what: OfferName
    """what to offer; `resume` ends an agreed pause"""
    on: bool = True
    """false: withdraw the offer"""


class Say(Message, frozen=True):
    """Say something: a player to everyone in the room, a spectator to the spectators."""

    ref: Ref
    room: RoomNumber
    text: Line
    """one line; it is cleaned like a name, and cut"""


class Mute(Message, frozen=True):
    """Stop hearing a player in this room.

    A spectator's mute holds for this connection until it leaves. A player's holds on all connections for as long as the
    player has the seat. The host may mute a player for *everybody*, whose lines are then refused with `chat.muted`.
    """

    ref: Ref
    room: RoomNumber
    player: PlayerId
    """the player to mute, as in `said` and `seats`"""
    on: bool = True
    """false: hear the player again"""
    everybody: bool = False
    """for everyone in the room (host only)"""


class Matches(Message, frozen=True):
    """Ask for finished matches of public rooms, newest first. For the next page, pass the last room as *before*."""

    ref: Ref
    game: GameId | None = None
    """only matches of this game; nil: all games"""
    player: PlayerId | None = None
    """only matches of this player"""
    before: RoomNumber | None = None
    """only matches that ended before the match of this room"""


class Replay(Message, frozen=True):
    """Ask for a finished match as a file, part by part."""

    ref: Ref
    room: RoomNumber
    view: ReplayView = "all"
    """the whole match, or what the public or the player's own seat saw"""
    offset: Counter = 0
    """the first byte to send"""
    key: Token | None = None
    """the key of a private room; its players need none"""


class Ranking(Message, frozen=True):
    """Ask for the best players of a game, or for its best bots."""

    ref: Ref
    game: GameId
    offset: Counter = 0
    """how many places to skip"""
    bots: bool = False
    """whether to list the bots' ladder, which counts matches between bots alone"""


class Work(Message, frozen=True):
    """Offer bots (bot workers only). A later `work` replaces an earlier one; closing the connection withdraws it."""

    ref: Ref
    plays: Annotated[tuple[Plays, ...], Meta(max_length=64)]
    """the games, and the bots for each"""
    seats: Annotated[int, Meta(ge=1, le=100_000)]
    """how many seats the worker can hold at a time"""


class Claim(Message, frozen=True):
    """Take the seat of a `summon`, on a connection of the bot's own (bot workers only)."""

    ref: Ref
    room: RoomNumber
    ticket: Counter
    """the ticket of the `summon`"""


class Ping(Message, frozen=True):
    """Ask for a `pong`, to measure the round trip. The server also sends and answers websocket pings."""

    ref: Ref


ClientMessage: TypeAlias = (
    Hello | Games | Rooms | Older | Create | Quick | Join | Watch | Leave | Start | Fill | Kick | Act | Legal | Resync
    | Resign | Reclaim | Offer | Say | Mute | Matches | Replay | Ranking | Work | Claim | Ping
)  # fmt: skip
