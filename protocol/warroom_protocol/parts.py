"""The types of fields, the arrays that stand inside messages, and the base of all messages.

The text under a field is its meaning in docs/PROTOCOL_REFERENCE.md, which is generated from these classes. A field
without one has the description of its type.
"""

from typing import Annotated, Final, Literal, TypeAlias

from msgspec import Meta, Struct

Ref: TypeAlias = Annotated[int, Meta(ge=0, lt=2**53, description="names the request; its reply has the same")]
ActionId: TypeAlias = Annotated[int, Meta(ge=0, lt=2**53, description="53 random bits, new for each action")]
RoomNumber: TypeAlias = Annotated[int, Meta(ge=0, lt=2**32, description="the room")]
Counter: TypeAlias = Annotated[int, Meta(ge=0, lt=2**53)]
SeatNumber: TypeAlias = Annotated[int, Meta(ge=0, lt=64, description="the seat")]
Name: TypeAlias = Annotated[str, Meta(max_length=64)]
GameId: TypeAlias = Annotated[str, Meta(max_length=64, description="the game's id")]
Token: TypeAlias = Annotated[str, Meta(max_length=256)]
Reason: TypeAlias = Annotated[str, Meta(max_length=64)]
BotName: TypeAlias = Annotated[str, Meta(max_length=64)]
PlayerId: TypeAlias = Annotated[str, Meta(max_length=64, description="the player's id")]
Line: TypeAlias = Annotated[str, Meta(max_length=500)]
OfferName: TypeAlias = Literal["draw", "pause", "resume", "rematch"]
ReplayView: TypeAlias = Literal["all", "public", "own"]
View: TypeAlias = Annotated[object, Meta(title="view")]
Patch: TypeAlias = Annotated[object, Meta(title="patch")]
Options: TypeAlias = dict[str, object]


class Message(
    Struct, frozen=True, gc=False, array_like=True, forbid_unknown_fields=True, tag_field="type", tag=str.lower
):
    """The base of all messages: its class name in lower case is the first element of the array."""


class Position(Struct, frozen=True, gc=False, array_like=True, forbid_unknown_fields=True):
    """How far a viewer has come in a room."""

    life: Counter
    """the room's life"""
    p: Counter
    """the last `update` that was applied"""
    q: Counter
    """the last `private` that was applied; 0 for a spectator"""


class Clock(Struct, frozen=True, gc=False, array_like=True, forbid_unknown_fields=True):
    """The clock of a room after a step."""

    at: Counter
    """room time of this step, in milliseconds"""
    turn: Counter
    """the game's count of turns, the same for everyone (not a turn token); 0 before the match"""
    deadline: Counter | None
    """room time at which the turn runs out; nil: no turn is running"""
    banks: tuple[Counter, ...] = ()
    """by seat: milliseconds it may use beyond deadlines, as the turn began; empty: the room has no banks"""


class Plays(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """A game that a bot worker plays."""

    game: GameId
    bots: Annotated[tuple[BotName, ...], Meta(min_length=1, max_length=16)]
    """the names of its bots, best first"""


class GameListing(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """A game that the server hosts."""

    game: GameId
    name: str
    """its name, for people"""
    summary: str
    """one line about it, for people"""
    rules_version: int
    """rises when the rules change"""
    min_seats: SeatNumber
    """the smallest number of seats"""
    max_seats: SeatNumber
    """the largest number of seats"""
    usual_seats: SeatNumber
    """the number of seats of a room that does not say"""
    turn_ms: Counter
    """the time for a turn in a room that does not say"""
    complete: bool
    """whether `legal` lists every legal action"""
    options: Options
    """a JSON schema of the game's options"""
    actions: Options
    """a JSON schema of the game's actions"""
    has_draws: bool = False
    """whether players may agree on a draw"""
    bots: tuple[BotName, ...] = ()
    """the bots that workers can bring now; empty: no seat can be filled"""


class ListedPlayer(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """A player in a list of rooms or matches."""

    player: PlayerId
    name: Name
    """the name, for people"""
    bot: BotName | None
    """which bot it is; nil: a person"""


class RoomListing(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """A room as an anonymous spectator knows it."""

    room: RoomNumber
    code: str
    """its code, for people"""
    game: GameId
    phase: str
    """`lobby` (not started) or `playing`; ended rooms are not listed"""
    seats: SeatNumber
    """how many seats there are"""
    taken: SeatNumber
    """how many of them are taken"""
    watching: Counter
    """how many spectators there are"""
    turn_ms: Counter
    """the time for a turn"""
    players: tuple[ListedPlayer, ...] = ()
    """the players, in the order of their seats"""
    watch: str = "public"
    """what spectators see: the room's option `watch`"""
    delay: Counter = 0
    """how many turns spectators are behind; this listing is then as late as they are"""
    rated: bool = True
    """whether the result will count for ratings"""


class About(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """What never changes about a room."""

    game: GameId
    rules_version: int
    """the version of the rules that this room plays by"""
    seats: SeatNumber
    """how many seats the room was created with"""
    options: Options
    """all options of the game, defaults included"""
    room_options: Options
    """all options of the room, defaults included"""
    commitment: str
    """the SHA-256 of the seed, in hex; `ended` shows the seed"""
    follows: RoomNumber | None = None
    """the room whose rematch this is"""


class Receipt(Struct, frozen=True, gc=False, array_like=True, forbid_unknown_fields=True):
    """How a deadline was judged, in room time."""

    deadline: Counter
    """the deadline of the decision"""
    credit: Counter
    """milliseconds granted on top, for a slow connection"""
    arrived: Counter | None
    """when the action arrived; nil: none did"""
    judged: Counter
    """when it was judged"""


class SeatState(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """A seat of a room."""

    seat: SeatNumber
    player: str | None
    """the id of the player who has the seat; nil: it is open"""
    name: Name
    """the player's name, for people; empty if the seat is open"""
    connected: bool
    """whether any connection holds the seat now"""
    out: bool
    """whether the player is out of the match for good"""
    bot: BotName | None = None
    """the bot that sits here or, with `stood_in`, plays for the player; nil: a person plays"""
    stood_in: bool = False
    """whether a bot stands in; the player may `reclaim` the seat"""
    grace: Counter | None = None
    """for a disconnected player: room time after which a bot may stand in or, before the match, the seat is freed"""
    kept: PlayerId | None = None
    """the player that an open seat is reserved for; nil: anyone may take it"""
    hired: bool = False
    """whether a bot of the server sits here, brought by a worker"""


class MatchSummary(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """A finished match."""

    room: RoomNumber
    """the room it was played in; `replay` takes this number"""
    code: str
    """the room's code, for people"""
    game: GameId
    rules_version: int
    """the version of the rules"""
    players: tuple[ListedPlayer, ...]
    """the players by seat; if `detail` is `rules.changed`, by the place that each took before the match"""
    ranks: tuple[int, ...]
    """the rank of each seat, as in `ended`"""
    reason: str
    """why it ended, as in `ended`"""
    ended_ms: Counter
    """when it ended, in milliseconds since 1970: the only time of day in the protocol"""
    turns: Counter
    """how many turns it lasted"""
    rated: bool
    """whether it counted for ratings"""
    left: tuple[SeatNumber, ...] = ()
    """the seats that bots held at the end, as in `ended`"""
    detail: str = ""
    """why a match is void, as in `ended`"""


class Rated(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """A player in a ranking. The three estimates are in thousandths."""

    place: Counter
    """the place in the ranking; the first is 1"""
    player: PlayerId
    """the id of the player, or of the player who brings the bot; `bot` for a bot of the operator"""
    name: Name
    """the name, as of the last rated match"""
    bot: BotName | None
    """which bot it is; nil: a person"""
    score: int
    """what the ranking sorts by: `skill` minus three times `uncertainty`"""
    skill: int
    """the estimate of the player's strength"""
    uncertainty: int
    """one standard deviation of that estimate"""
    matches: Counter
    """how many rated matches it rests on"""


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
