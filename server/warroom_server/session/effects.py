"""What a session asks its node to do, in this order. A payload is one encoded message."""

from typing import TypeAlias

from msgspec import Struct

from warroom_server.rooms.commands import Command


class _Effect(Struct, frozen=True):
    """The base of all effects."""


class Reply(_Effect, frozen=True):
    """Send to the session's own connection."""

    payload: bytes


class Welcomed(_Effect, frozen=True):
    """The player is known from here on: the connection need no longer be cut for staying silent."""


class ToRoom(_Effect, frozen=True):
    """Tell a room; if there is none with that number, answer with `refusals.refuse`."""

    room: int
    command: Command


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


class ListRooms(_Effect, frozen=True):
    """Answer *ref* with the listed rooms, of one game or of all."""

    ref: int
    game: str | None


class Wait(_Effect, frozen=True):
    """Read nothing more from the connection for *ms* milliseconds."""

    ms: int


class Close(_Effect, frozen=True):
    """Close the connection; nothing that arrives later is looked at."""

    code: int
    reason: str


SessionEffect: TypeAlias = Reply | Welcomed | ToRoom | CreateRoom | ListGames | ListRooms | Wait | Close
