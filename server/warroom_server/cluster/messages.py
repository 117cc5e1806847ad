"""What nodes say to each other over a link. It is no public protocol: both ends are nodes of one cluster.

An *entry* is one connection of an edge in one room of the other node. Its number is the edge's choice and never used
again, not even when the same connection enters the same room anew: what was sent to an earlier number is out of date.
"""

from enum import Enum
from typing import Annotated, Final, TypeAlias

from msgspec import Meta, Struct
from msgspec.msgpack import Decoder, Encoder

from warroom_protocol.limits import MAX_SERVER_BYTES
from warroom_server.ports.peers import Codec
from warroom_server.room import commands

VERSION: Final = 10
"""Raised with every change that an older node would not understand; nodes link up only with those of their own."""
MAX_BYTES: Final = 4 * MAX_SERVER_BYTES
"""A batch that is full, and one frame of a room more."""
MAX_ENTRIES: Final = 65_536
"""Entries that one message may name."""
MAX_ROOMS: Final = 4_096
"""Rooms that one message may name."""

Number: TypeAlias = Annotated[int, Meta(ge=0)]
Entries: TypeAlias = Annotated[tuple[Number, ...], Meta(max_length=MAX_ENTRIES)]
Epochs: TypeAlias = Annotated[tuple[tuple[Number, Number], ...], Meta(max_length=MAX_ROOMS)]
"""Rooms by number, and the epoch of each."""


class LinkError(ValueError):
    """The other end of a link broke the rules, or is none of this cluster: says how."""


class _Message(Struct, frozen=True, array_like=True, forbid_unknown_fields=True, tag=str.lower):
    """The base of all messages of a link."""


# --- from an edge to the owner of a room --------------------------------------------------------------------------


class Enter(_Message, frozen=True):
    """A client of the edge wants to enter *room*, which the edge believes to be owned under *epoch* at least."""

    entry: Number
    room: Number
    epoch: Number
    command: commands.Entering


class Ask(_Message, frozen=True):
    """A client asks for something; what it asks was with the edge for *held_ms* before it was sent."""

    entry: Number
    held_ms: Number
    command: commands.Request


class Tell(_Message, frozen=True):
    """Something became of a client's connection: it can take a snapshot now, or its line was measured."""

    entry: Number
    command: commands.Refresh | commands.Lag


class Part(_Message, frozen=True):
    """Clients are gone."""

    entries: Entries


# --- from the owner of a room to an edge --------------------------------------------------------------------------


class Mark(Enum):
    """What became of an entry."""

    ALONE = 0
    """The client is in the room, and what is for it names its entry."""
    TOGETHER = 1
    """It is in the room, and what is for all spectators of the edge is for it, too."""
    OUT = 2
    """It is not in the room."""
    LOST = 3
    """It is not in the room, or the room is not here any more: it goes on, and may be entered again."""


class Item(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """Something for clients of an edge in one room, or a mark of what became of them."""

    room: Number
    epoch: Number
    entries: Entries | None
    """Whom it is for. None: all spectators together; with a mark: everybody."""
    payload: Number | None = None
    """Which payload of the batch it is."""
    ref: int | None = None
    """The ref of the request that it answers."""
    is_shown: bool = False
    """Whether a client that is too slow may miss it, because a snapshot makes up for it."""
    mark: Mark | None = None


class Batch(_Message, frozen=True):
    """Everything for one edge in one turn of the loop, in order; each payload is there once."""

    payloads: tuple[bytes, ...]
    items: tuple[Item, ...]


# --- between all nodes --------------------------------------------------------------------------------------------


class Owns(_Message, frozen=True):
    """These rooms are here from now on, each under its epoch."""

    rooms: Epochs


class Offer(_Message, frozen=True):
    """These rooms are to be taken over now: their owner gave them up under these epochs."""

    rooms: Epochs


class Vacant(_Message, frozen=True):
    """A seat of this node wants a bot; the worker that brings it shows *ticket*."""

    room: Number
    game: str
    ticket: Number
    bot: str | None
    creator: str


Message: TypeAlias = Enter | Ask | Tell | Part | Batch | Owns | Offer | Vacant
"""What a link carries."""

_decoder: Final[Decoder[Message]] = Decoder(Message)
encode: Final = Encoder().encode
"""Return the bytes of a message."""


def decode(payload: bytes) -> Message:
    """Return the message that the other end sent; raise `LinkError` if it is none."""
    try:
        return _decoder.decode(payload)
    except (ValueError, TypeError, RecursionError) as error:  # bad data and bad text, keys that cannot be hashed, depth
        raise LinkError(f"what came over the link is no message: {error}") from error


CODEC: Final = Codec[Message](VERSION, MAX_BYTES, encode, decode)
"""How links carry messages."""
