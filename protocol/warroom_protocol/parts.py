"""What stands inside messages: the kinds of fields, the parts that are arrays themselves, the shape of all messages."""

from typing import Annotated, Final, Literal, TypeAlias

from msgspec import Meta, Struct

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


class Message(Struct, frozen=True, array_like=True, forbid_unknown_fields=True, tag_field="type", tag=str.lower):
    """The base of all messages: its class name in lower case is the first element of the array."""


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


class Plays(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """One game that a worker plays, and the bots it has for it, its best one first."""

    game: GameId
    bots: Annotated[tuple[BotName, ...], Meta(min_length=1, max_length=16)]


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


class Receipt(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """How a deadline was judged, in room time: *arrived* is nil where nothing arrived at all."""

    deadline: Counter
    credit: Counter
    arrived: Counter | None
    judged: Counter


class SeatState(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """One seat: who sits there (nil: open), whether a connection holds it, whether the player has left the match.

    *bot* names the bot that sits there, or (with *stood_in*) that stands in for the player. A player who is not
    connected has until room time *grace*; *kept* names the player that an open seat is kept for. *hired* tells a bot of
    the server that sits there, which a worker brought, from one that came like anybody else.
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
    hired: bool = False


class MatchSummary(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """One finished match: players by seat with their ranks, when it ended (milliseconds since 1970), how, how long.

    *left* names the seats that bots held at the end, and *detail* says why there is no result, as in `ended`. If that
    is `rules.changed`, the players are in the order of the places that they took before the match.
    """

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
    left: tuple[SeatNumber, ...] = ()
    detail: str = ""


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
