"""What the server sends."""

from typing import TypeAlias

from warroom_protocol.parts import (
    About,
    ActionId,
    BotName,
    Clock,
    Counter,
    GameId,
    GameListing,
    Line,
    MatchSummary,
    Message,
    Name,
    OfferName,
    Options,
    Patch,
    PlayerId,
    Rated,
    Receipt,
    Ref,
    RoomListing,
    RoomNumber,
    SeatNumber,
    SeatState,
    Token,
    View,
)


class Welcome(Message, frozen=True):
    """The connection is open: the version chosen, who the player is, and the token that proves it next time."""

    ref: Ref
    version: int
    player: str
    token: Token
    name: Name
    server: str


class GameList(Message, frozen=True, tag="games"):
    """The games this server hosts, and the JSON schema of the options that every room has."""

    ref: Ref
    games: tuple[GameListing, ...]
    room_options: Options


class RoomList(Message, frozen=True, tag="rooms"):
    """The listed rooms, the newest first."""

    ref: Ref
    rooms: tuple[RoomListing, ...]


class Listed(Message, frozen=True):
    """What changed in the rooms that were asked for *live*: rooms as they are now, and numbers of rooms that went."""

    rooms: tuple[RoomListing, ...]
    gone: tuple[RoomNumber, ...]


class Created(Message, frozen=True):
    """The room exists; join or watch it by its number, and by its *key* if it is private. *code* is for people."""

    ref: Ref
    room: RoomNumber
    code: str
    key: Token | None = None


class Joined(Message, frozen=True):
    """The viewer is in, as player (*seat*) or spectator (nil); a snapshot follows."""

    ref: Ref
    room: RoomNumber
    code: str
    life: Counter
    seat: SeatNumber | None
    seat_token: Token | None
    about: About


class Resumed(Message, frozen=True):
    """The viewer is back in; every frame it missed follows, and nothing else of the numbered streams."""

    ref: Ref
    room: RoomNumber
    code: str
    life: Counter
    seat: SeatNumber | None
    seat_token: Token | None
    about: About


class Snapshot(Message, frozen=True):
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


class Update(Message, frozen=True):
    """The next step of the public stream."""

    room: RoomNumber
    p: Counter
    patch: Patch
    events: tuple[View, ...]
    clock: Clock
    sum: Counter | None


class Private(Message, frozen=True):
    """The next step of the own seat's stream; with *joint* it belongs to update *p*, which follows."""

    room: RoomNumber
    q: Counter
    p: Counter
    joint: bool
    patch: Patch
    events: tuple[View, ...]
    sum: Counter | None


class Prompt(Message, frozen=True):
    """The seat is asked to act: *turn* is the token its action must carry; *at* is the room time of this message."""

    room: RoomNumber
    seat: SeatNumber
    turn: Counter
    at: Counter
    deadline: Counter


class Verdict(Message, frozen=True):
    """The one answer to an action: accepted (*code* nil) or refused; *p* and *q* are where the seat's streams stand."""

    room: RoomNumber
    id: ActionId
    code: str | None
    detail: str | None
    p: Counter
    q: Counter
    receipt: Receipt | None


class Expired(Message, frozen=True):
    """The seat ran out of time for decision *turn*, and the clock acted for it.

    *acted* says that the seat had acted in this turn, so that it is no missed turn. After a missed one *left* says how
    many more in a row bring a bot; nil: none comes for that.
    """

    room: RoomNumber
    seat: SeatNumber
    turn: Counter
    receipt: Receipt
    acted: bool = False
    left: Counter | None = None


class LegalList(Message, frozen=True, tag="legal"):
    """What the seat may do at decision *turn*; *complete* says that nothing else is legal.

    *notes* has a text for each action, which may be empty; it is nil unless it was asked for.
    """

    ref: Ref
    room: RoomNumber
    turn: Counter
    complete: bool
    actions: tuple[View, ...]
    notes: tuple[str, ...] | None = None


class Seats(Message, frozen=True):
    """Who sits where; *phase* is `lobby`, `playing` or `ended`. The latest one holds."""

    room: RoomNumber
    phase: str
    host: str | None
    seats: tuple[SeatState, ...]
    watching: Counter


class Paused(Message, frozen=True):
    """The room's clock stands still for *reason*; nil says that it runs again. It does so by itself in *left_ms*.

    *at* is nil where the sender does not know the room time, or must not tell: the clock goes on from where it was.
    """

    room: RoomNumber
    at: Counter | None
    reason: str | None
    left_ms: Counter | None = None


class Offers(Message, frozen=True):
    """What is offered now, and by which seats. The latest one holds."""

    room: RoomNumber
    offers: tuple[tuple[OfferName, tuple[SeatNumber, ...]], ...]


class Said(Message, frozen=True):
    """Somebody said something: a player at room time *at*, or (*at* and *seat* nil) a spectator."""

    room: RoomNumber
    at: Counter | None
    player: PlayerId
    name: Name
    seat: SeatNumber | None
    text: Line


class Moved(Message, frozen=True):
    """The match goes into another round: the room *to* is its rematch, where seats are kept for the players."""

    room: RoomNumber
    to: RoomNumber
    code: str
    key: Token | None


class Ended(Message, frozen=True):
    """The match is over: rank per seat (1 is best), why, and what proves that nobody changed it afterwards.

    *seed* is empty until the room reveals it. *detail* says why a match is void; *rated* whether it will count. *left*
    names the seats that bots held at the end for players who had left: for ratings they are behind everyone who stayed.
    """

    room: RoomNumber
    ranks: tuple[int, ...]
    reason: str
    seed: str
    chain: str
    detail: str = ""
    rated: bool = False
    left: tuple[SeatNumber, ...] = ()


class MatchList(Message, frozen=True, tag="matches"):
    """Finished matches, the newest first."""

    ref: Ref
    matches: tuple[MatchSummary, ...]


class ReplayPart(Message, frozen=True, tag="replay"):
    """Part of a replay file: its bytes from *offset* on, of *size* in all."""

    ref: Ref
    room: RoomNumber
    offset: Counter
    size: Counter
    data: bytes


class RankingList(Message, frozen=True, tag="ranking"):
    """The best players of a game, the best first, out of *size*."""

    ref: Ref
    game: GameId
    size: Counter
    players: tuple[Rated, ...]


class Summon(Message, frozen=True):
    """A seat wants a bot: the first worker that claims *ticket* in time has it."""

    room: RoomNumber
    ticket: Counter
    game: GameId
    bot: BotName


class Done(Message, frozen=True):
    """What the request asked for is done."""

    ref: Ref


class Notice(Message, frozen=True):
    """Something the viewer should know, of one room or (nil) of the whole connection."""

    room: RoomNumber | None
    code: str
    detail: str


class Pong(Message, frozen=True):
    """The answer to a ping."""

    ref: Ref


class Error(Message, frozen=True):
    """A request was refused (*ref*), or the connection did something wrong (nil)."""

    ref: Ref | None
    code: str
    detail: str


ServerMessage: TypeAlias = (
    Welcome | GameList | RoomList | Listed | Created | Joined | Resumed | Snapshot | Update | Private | Prompt | Verdict
    | Expired | LegalList | Seats | Paused | Offers | Said | Moved | Ended | MatchList | ReplayPart | RankingList
    | Summon | Done | Notice | Pong | Error
)  # fmt: skip
