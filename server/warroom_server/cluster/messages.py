"""The messages between nodes. This is no public protocol: both ends of a link are nodes of one cluster.

An *entry* is one connection of an edge in one room of the other node. The edge chooses its number and never uses it
again, not even when the same connection enters the same room again. So messages to an earlier entry find nobody.
"""

from enum import Enum
from typing import Annotated, Final, TypeAlias

from msgspec import Meta, Struct
from msgspec.msgpack import Decoder, Encoder

from warroom_protocol.limits import MAX_SERVER_BYTES
from warroom_server.hosting.wanted_bot import BotRequest
from warroom_server.ports.peers import Codec, Peers
from warroom_server.room import commands

VERSION: Final = 12
"""Raised with each change that older nodes would not understand. Only nodes of the same version link up."""
MAX_BYTES: Final = 4 * MAX_SERVER_BYTES
"""A full batch and one more frame of a room."""

Number: TypeAlias = Annotated[int, Meta(ge=0)]


class _Message(Struct, frozen=True, array_like=True, forbid_unknown_fields=True, tag=str.lower):
    """The base of all messages of a link."""


# --- from an edge to the owner of a room --------------------------------------------------------------------------


class Enter(_Message, frozen=True):
    """A client of the edge wants to enter *room*. The edge knows that *epoch* or a later one is current."""

    entry: Number
    room: Number
    epoch: Number
    command: commands.Entering


class Ask(_Message, frozen=True):
    """A command of a client that has entered. The edge held it for *held_ms* before it sent it.

    Besides requests: the connection was measured, is ready for a snapshot, or is gone.
    """

    entry: Number
    held_ms: Number
    command: commands.Request | commands.Refresh | commands.Lag | commands.Detach


# --- from the owner of a room to an edge --------------------------------------------------------------------------


class Mark(Enum):
    """The new state of an entry."""

    ALONE = 0
    """The client is in the room. Items for it name its entry."""
    TOGETHER = 1
    """The client is in the room. Items for all spectators of the edge are for it, too."""
    OUT = 2
    """The client is not in the room."""
    LOST = 3
    """The client is not in the room, or the room left this node. The client may enter again."""


class Item(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """A payload for clients of an edge in one room, or a new state of an entry."""

    room: Number
    epoch: Number
    entry: Number | None
    """The entry it is for. None: all spectators; with a mark: all clients."""
    payload: Number | None = None
    """The index of its payload in the batch."""
    ref: int | None = None
    """The ref of the request that it answers."""
    is_shown: bool = False
    """Whether it may be skipped for a slow client, who gets a snapshot later."""
    mark: Mark | None = None


class Batch(_Message, frozen=True):
    """Everything for one edge in one turn of the loop, in order. Each payload is contained once."""

    payloads: tuple[bytes, ...]
    items: tuple[Item, ...]


# --- between all nodes --------------------------------------------------------------------------------------------


class Owns(_Message, frozen=True):
    """The sender owns *room* from now on, under *epoch*."""

    room: Number
    epoch: Number


class Offer(_Message, frozen=True):
    """The sender released *room* under *epoch*. The receiver takes it over at once."""

    room: Number
    epoch: Number


class Vacant(_Message, frozen=True):
    """A seat on the sender's node needs a bot of a worker on the receiver's node."""

    request: BotRequest


Message: TypeAlias = Enter | Ask | Batch | Owns | Offer | Vacant
"""Everything that nodes send to each other."""

Links: TypeAlias = Peers[Message]
"""The links of a node to all other nodes."""

CODEC: Final = Codec[Message](VERSION, MAX_BYTES, Encoder().encode, Decoder[Message](Message).decode)
"""How links carry messages."""
