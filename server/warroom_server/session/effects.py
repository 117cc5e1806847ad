"""What a session asks its node to do, in order. A payload is one encoded message."""

from typing import TypeAlias

from msgspec import Struct

from warroom_protocol.messages import Create, Games, Hello, Join, Matches, Older, Quick, Ranking, Replay, Rooms, Work
from warroom_server.room.commands import Request
from warroom_server.session.signer import Identity

ErrandRequest: TypeAlias = Games | Rooms | Older | Create | Quick | Matches | Replay | Ranking | Work
"""Requests that no room answers."""


class Reply(Struct, frozen=True):
    """Send to the session's own connection."""

    payload: bytes


class Confirm(Struct, frozen=True):
    """Check whether a token is of its player's latest generation, and answer with `Session.confirmed`.

    A `hello` that rotates also starts the next generation, which voids all other tokens of the player.
    """

    identity: Identity
    of: Hello | Join


class ToRoom(Struct, frozen=True):
    """Send a command to a room; if it does not exist, answer with `replies.refuse`."""

    room: int
    command: Request


class Errand(Struct, frozen=True):
    """Answer a request of *player* that no room answers, once; *has_key*: it shows the key of the room it names."""

    request: ErrandRequest
    player: str
    has_key: bool = False


class Wait(Struct, frozen=True):
    """Read nothing more from the connection for *ms* milliseconds."""

    ms: int


class Close(Struct, frozen=True):
    """Close the connection and ignore what arrives later."""

    code: int
    reason: str


SessionEffect: TypeAlias = Reply | Confirm | ToRoom | Errand | Wait | Close
