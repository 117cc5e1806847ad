"""The messages that the server sends.

The text under a field is its meaning in docs/PROTOCOL_REFERENCE.md, which is generated from these classes.
"""

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
    """The connection is open: the answer to `hello`."""

    ref: Ref
    version: int
    """the protocol version that both sides speak from here on"""
    player: str
    """the player's id: public, and the same for as long as the token is used"""
    token: Token
    """the secret that proves who the player is; keep it for the next `hello`"""
    name: Name
    """the name as others see it"""
    server: str
    """the server's name and version, for people"""


class GameList(Message, frozen=True, tag="games"):
    """The games that the server hosts: the answer to `games`.

    The schemas are JSON Schema, draft 2020-12, without keywords of our own. Definitions stand under `$defs`, and the
    schema refers to them with `$ref` or, for several kinds of action, an `anyOf` of references, so a reader has to
    follow references. Where a field of an action names one of several choices, its own `$defs` may say what each choice
    does. The schemas of views are in `/api/games`; their keywords that begin with `x-` are hints for pages.
    """

    ref: Ref
    games: tuple[GameListing, ...]
    """the games"""
    room_options: Options
    """a JSON schema of the options that every room has"""


class RoomList(Message, frozen=True, tag="rooms"):
    """At most 100 rooms whose match is not over, newest first: the answer to `rooms` and `older`.

    The list is at most a second old. Private rooms are never listed. If there are 100, `older` asks for more.
    """

    ref: Ref
    rooms: tuple[RoomListing, ...]
    """the rooms"""


class Listed(Message, frozen=True):
    """What changed since the last `rooms` or `listed` of a live list, at most twice a second."""

    rooms: tuple[RoomListing, ...]
    """rooms that are new or have changed"""
    gone: tuple[RoomNumber, ...]
    """rooms that no longer fit the list"""


class Created(Message, frozen=True):
    """The room exists: the answer to `create` and `quick`. `join` or `watch` enters it."""

    ref: Ref
    room: RoomNumber
    code: str
    """its code for people; for a private room the invitation, key included"""
    key: Token | None = None
    """the key of a private room; nil: anyone may enter"""


class Joined(Message, frozen=True):
    """The connection is in the room: the answer to `join`, `watch` and `claim`.

    These follow, in this order: `snapshot`; a player's open `prompt`; `seats`; during a match `paused` with the current
    time (not for delayed spectators); `ended` if the match is over; the latest chat lines as `said`; for players of a
    match that has begun `offers`; `moved` if there is a rematch.
    """

    ref: Ref
    room: RoomNumber
    code: str
    """its code, for people"""
    life: Counter
    """the life of the room's numbers"""
    seat: SeatNumber | None
    """the client's seat; nil for a spectator. Seats may be shuffled at the start: find the player's id in `seats`"""
    seat_token: Token | None
    """a secret that lets another device take this seat; nil for a spectator"""
    about: About
    """what never changes about the room"""


class Resumed(Message, frozen=True):
    """The connection is back in the room: the answer to `join` and `watch` with a position that can be resumed.

    Every numbered frame after that position follows, in the original order; then the same as after `joined`. A player
    also gets the `verdict` on the seat's last action, after the prompt.
    """

    ref: Ref
    room: RoomNumber
    code: str
    """its code, for people"""
    life: Counter
    """as in the position"""
    seat: SeatNumber | None
    """the client's seat; nil for a spectator"""
    seat_token: Token | None
    """as in `joined`"""
    about: About
    """what never changes about the room"""


class Snapshot(Message, frozen=True):
    """Everything that the viewer may know. It replaces everything known before.

    It follows `joined`, answers `resync`, and comes unasked when a viewer was too slow or the room has a new life.
    """

    room: RoomNumber
    life: Counter
    """the life of the numbers"""
    p: Counter
    """the number of the public stream; 0 before the match"""
    q: Counter
    """the number of the private stream; 0 for a spectator"""
    public: View
    """the public view; nil before the match"""
    private: View
    """the private view of the client's seat; nil for a spectator and in games that hide nothing"""
    clock: Clock
    """the clock as of update `p`"""
    public_sum: Counter
    """the checksum of `public`"""
    private_sum: Counter
    """the checksum of `private`"""


class Update(Message, frozen=True):
    """The next step of the public stream: the same bytes for everyone in the room."""

    room: RoomNumber
    p: Counter
    """its number: one more than the last"""
    patch: Patch
    """how the public view changed"""
    events: tuple[View, ...]
    """what happened, in order, in the game's own words, for animation and logs; the patch alone keeps the view right"""
    clock: Clock | None
    """the clock after this step; nil: turn, deadline and banks are what they were, and time runs on"""
    sum: Counter | None
    """the checksum of the public view after the patch; nil: none this time"""


class Private(Message, frozen=True):
    """The next step of the private stream of a seat, sent only to the connections that hold the seat."""

    room: RoomNumber
    q: Counter
    """its number: one more than the last"""
    p: Counter
    """with `joint` the update that it belongs to, else the last update before it"""
    joint: bool
    """true: update `p` follows, and both are one change; hold this back and show them together"""
    patch: Patch
    """how the private view changed"""
    events: tuple[View, ...]
    """what happened, as only this seat may know it"""
    sum: Counter | None
    """the checksum of the private view after the patch; nil: none this time"""


class Prompt(Message, frozen=True):
    """The seat must decide. Its connections get it when the decision opens and again when they enter the room."""

    room: RoomNumber
    seat: SeatNumber
    """the client's seat"""
    turn: Counter
    """the turn token that the action must carry"""
    at: Counter
    """room time now"""
    deadline: Counter
    """room time until which an action must have arrived"""


class Verdict(Message, frozen=True):
    """The one answer to an `act`. The `private` and `update` of an accepted action come before it."""

    room: RoomNumber
    id: ActionId
    """the id of the action"""
    code: str | None
    """nil: accepted; else why it was refused"""
    detail: str | None
    """the refusal in words, for people; nil when accepted"""
    p: Counter
    """the number of the public stream when it was judged, its own update included; 0 for an action of long ago"""
    q: Counter
    """the number of the seat's private stream; 0 for an action of long ago"""
    receipt: Receipt | None
    """how the time was judged, for `act.late` and for actions accepted on credit; else nil"""


class Expired(Message, frozen=True):
    """The seat ran out of time, and the clock played the game's default action for it.

    It takes the place of a verdict: after the `private` and `update` of that action, on all connections of the seat. A
    turn in which the seat had already acted counts as played; any other is a missed turn.
    """

    room: RoomNumber
    seat: SeatNumber
    """the client's seat"""
    turn: Counter
    """the turn token of the decision that the clock made"""
    receipt: Receipt
    """how the time was judged"""
    acted: bool = False
    """whether the seat had acted in this turn, so that it missed none"""
    left: Counter | None = None
    """after a missed turn: how many more in a row bring a bot (0: it is coming); nil: no bot comes for that"""


class LegalList(Message, frozen=True, tag="legal"):
    """What the seat may do: the answer to `legal`.

    If nothing has changed since the connection got the list, `actions` is nil: keep the last list of each room.
    """

    ref: Ref
    room: RoomNumber
    turn: Counter
    """the turn token of the open decision; if the seat is not asked, of its last one"""
    complete: bool
    """true: nothing else is legal; false: a selection"""
    actions: tuple[View, ...] | None
    """actions that can be sent as they are, empty if the seat is not asked; nil: the list that the client has"""
    notes: tuple[str, ...] | None = None
    """if asked for: a line of at most 120 characters for each action, such as `5 → 1, loses 4`, or an empty text; nil
    if `actions` is nil"""


class Seats(Message, frozen=True):
    """Who sits where, sent on entering and when it changes (presence at most a few times a second).

    It has no number: the latest one holds.
    """

    room: RoomNumber
    phase: str
    """`lobby`, `playing` or `ended`"""
    host: str | None
    """the host's player id"""
    seats: tuple[SeatState, ...]
    """every seat, in order"""
    watching: Counter
    """how many spectators there are"""


class Paused(Message, frozen=True):
    """The room's time, and whether it stands still. It is sent when the room pauses, when it goes on, and on entering.

    It has no number: the latest one holds.
    """

    room: RoomNumber
    at: Counter | None
    """room time now; nil where the server does not know it or must not tell: the clock goes on from where it was"""
    reason: str | None
    """why time stands still; nil: it runs"""
    left_ms: Counter | None = None
    """for an agreed pause: milliseconds until it ends by itself; else nil"""


class Offers(Message, frozen=True):
    """What players offer each other now. Only players get it: when it changes, and on entering a match.

    It has no number: the latest one holds.
    """

    room: RoomNumber
    offers: tuple[tuple[OfferName, tuple[SeatNumber, ...]], ...]
    """for each thing offered, the seats that offer it; empty: nothing is offered"""


class Said(Message, frozen=True):
    """A chat line.

    On entering, and after the notice `viewer.slow`, the latest lines are sent again: the client starts its list anew.
    """

    room: RoomNumber
    at: Counter | None
    """room time at which a player said it; nil for a spectator"""
    player: PlayerId
    """the id of the speaker"""
    name: Name
    """the speaker's name, for people"""
    seat: SeatNumber | None
    """the seat of a player; nil: a spectator"""
    text: Line
    """the cleaned line"""


class Moved(Message, frozen=True):
    """There is a room for the rematch. Nobody is moved by it: a client that wants to go there sends `join` or `watch`.

    (The notice `room.moved` is something else: the room changed its server.)
    """

    room: RoomNumber
    """this room"""
    to: RoomNumber
    """the room of the rematch"""
    code: str
    """its code for people; for a private room the invitation"""
    key: Token | None
    """the key of a private room; nil: it is not private"""


class Ended(Message, frozen=True):
    """The match is over. It comes after the last update, and again to everyone who enters later."""

    room: RoomNumber
    ranks: tuple[int, ...]
    """the rank of each seat: 1 is best, ties share a rank; without meaning if the match is void"""
    reason: str
    """why it ended, or a word of the game's own"""
    seed: str
    """the 16 secret bytes behind all randomness of the match, in hex; `about.commitment` is their SHA-256. Empty in a
    room with `reveal_s`, whose replay has it after that time"""
    chain: str
    """the last link of the SHA-256 chain over the match's log, in hex"""
    detail: str = ""
    """why a match is void, for people; else empty"""
    rated: bool = False
    """whether the result will count for ratings"""
    left: tuple[SeatNumber, ...] = ()
    """the seats that bots held at the end for players who had left; ratings place them behind everyone who stayed"""


class MatchList(Message, frozen=True, tag="matches"):
    """At most 50 finished matches: the answer to `matches`."""

    ref: Ref
    matches: tuple[MatchSummary, ...]
    """the matches, newest first"""


class ReplayPart(Message, frozen=True, tag="replay"):
    """A part of a replay file, as much as fits one message: the answer to `replay`.

    There is more while *offset* plus the length of *data* is less than *size*.
    """

    ref: Ref
    room: RoomNumber
    offset: Counter
    """the place of the first byte of `data` in the file"""
    size: Counter
    """the length of the whole file"""
    data: bytes
    """the bytes"""


class RankingList(Message, frozen=True, tag="ranking"):
    """At most 50 players of a ranking: the answer to `ranking`."""

    ref: Ref
    game: GameId
    size: Counter
    """how many players have a rating"""
    players: tuple[Rated, ...]
    """some of them, best first"""
    bots: bool = False
    """whether this is the bots' ladder"""


class Summon(Message, frozen=True):
    """A seat wants a bot (bot workers only). A worker that cannot bring one need not answer."""

    room: RoomNumber
    ticket: Counter
    """what the `claim` must carry"""
    game: GameId
    bot: BotName
    """which of the worker's bots for this game is wanted"""


class Done(Message, frozen=True):
    """The request is done, and there is nothing to say about it."""

    ref: Ref


class Notice(Message, frozen=True):
    """Something that the viewer should know."""

    room: RoomNumber | None
    """the room; nil: the whole connection"""
    code: str
    """which notice"""
    detail: str
    """the same in words, for people"""


class Pong(Message, frozen=True):
    """The answer to `ping`."""

    ref: Ref


class Error(Message, frozen=True):
    """A request was refused and changed nothing, or the connection did something wrong."""

    ref: Ref | None
    """the request; nil: the connection, or a message whose ref cannot be read"""
    code: str
    """why"""
    detail: str
    """the same in words, for people and logs; it may change at any time"""


ServerMessage: TypeAlias = (
    Welcome | GameList | RoomList | Listed | Created | Joined | Resumed | Snapshot | Update | Private | Prompt | Verdict
    | Expired | LegalList | Seats | Paused | Offers | Said | Moved | Ended | MatchList | ReplayPart | RankingList
    | Summon | Done | Notice | Pong | Error
)  # fmt: skip
