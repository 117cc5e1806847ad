"""What a session asks its node to do, in this order. A payload is one encoded message."""

from typing import TypeAlias

from msgspec import Struct

from warroom_protocol.messages import Hello, Join, Matches, Older, Ranking, Replay, Rooms, Work
from warroom_server.room.commands import Request
from warroom_server.session.identity import Identity


class _Effect(Struct, frozen=True):
    """The base of all effects."""


class Reply(_Effect, frozen=True):
    """Send to the session's own connection."""

    payload: bytes


class Welcomed(_Effect, frozen=True):
    """The player is known from here on: the connection need no longer be cut for staying silent."""


class Confirm(_Effect, frozen=True):
    """Find out whether a token is of its player's latest generation, and answer with `Session.confirmed`.

    A `hello` that rotates also begins the next generation, which makes every other token of the player void.
    """

    identity: Identity
    of: Hello | Join


class ToRoom(_Effect, frozen=True):
    """Tell a room; if there is none with that number, answer with `replies.refuse`."""

    room: int
    command: Request


class CreateRoom(_Effect, frozen=True):
    """Create a room, or find the one that the same *player* and *ref* created before; answer *ref* once."""

    ref: int
    player: str
    game: str
    seats: int | None
    options: dict[str, object]
    room_options: dict[str, object]


class ListGames(_Effect, frozen=True):
    """Answer *ref* with the games."""

    ref: int


class FindRoom(_Effect, frozen=True):
    """Find a room in which *player* can play at once, or make one; answer *ref* once, with the same room if it can."""

    wish: CreateRoom


class ListRooms(_Effect, frozen=True):
    """Answer with the rooms that *wanted* describes and, if it says so, with what changes in them."""

    wanted: Rooms | Older


class ListMatches(_Effect, frozen=True):
    """Answer with finished matches."""

    wanted: Matches


class FetchReplay(_Effect, frozen=True):
    """Answer with a part of a replay, as far as *player*, who has shown the room's key or not, may see it."""

    wanted: Replay
    player: str
    has_key: bool


class ShowRanking(_Effect, frozen=True):
    """Answer with the best players of a game."""

    wanted: Ranking


class Employ(_Effect, frozen=True):
    """The connection is that of *player*, a worker that brings bots to seats."""

    work: Work
    player: str


class Wait(_Effect, frozen=True):
    """Read nothing more from the connection for *ms* milliseconds."""

    ms: int


class Close(_Effect, frozen=True):
    """Close the connection; nothing that arrives later is looked at."""

    code: int
    reason: str


Errand: TypeAlias = CreateRoom | FindRoom | ListGames | ListRooms | ListMatches | FetchReplay | ShowRanking | Employ
"""What the node does itself; each is answered once."""

SessionEffect: TypeAlias = Reply | Welcomed | Confirm | ToRoom | Errand | Wait | Close


def ref_of(errand: Errand) -> int:
    """Return the ref that the answer to an errand echoes."""
    match errand:
        case CreateRoom() | ListGames():
            return errand.ref
        case FindRoom():
            return errand.wish.ref
        case Employ():
            return errand.work.ref
        case _:
            return errand.wanted.ref
