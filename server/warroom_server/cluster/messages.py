"""What nodes say to each other over a link. It is no public protocol: both ends are nodes of one cluster.

A *guest* is one connection of an edge in one room of the other node. Its number is the edge's choice and never used
again, not even when the same connection enters the same room anew: what was sent to an earlier number is out of date.
"""

from typing import Annotated, Final, TypeAlias

from msgspec import Meta, Struct
from msgspec.msgpack import Decoder, Encoder

from warroom_protocol.limits import MAX_SERVER_BYTES
from warroom_server.ports.peers import Codec
from warroom_server.room import commands

VERSION: Final = 9
"""Raised with every change that an older node would not understand; nodes link up only with those of their own."""
MAX_BYTES: Final = 2 * MAX_SERVER_BYTES
"""One frame of a room, and the guests that it is for."""
MAX_GUESTS: Final = 65_536
"""Guests that one message may name."""
MAX_ROOMS: Final = 4_096
"""Rooms that one message may name."""

Number: TypeAlias = Annotated[int, Meta(ge=0)]
Guests: TypeAlias = Annotated[tuple[Number, ...], Meta(max_length=MAX_GUESTS)]
Epochs: TypeAlias = Annotated[tuple[tuple[Number, Number], ...], Meta(max_length=MAX_ROOMS)]
"""Rooms by number, and the epoch of each."""


class LinkError(ValueError):
    """The other end of a link broke the rules, or is none of this cluster: says how."""


class _Message(Struct, frozen=True, array_like=True, forbid_unknown_fields=True, tag=str.lower):
    """The base of all messages of a link."""


# --- from an edge to the owner of a room --------------------------------------------------------------------------


class Enter(_Message, frozen=True):
    """A guest comes to *room*, which the edge believes to be owned under *epoch* at least."""

    guest: Number
    room: Number
    epoch: Number
    command: commands.Entering


class Ask(_Message, frozen=True):
    """A guest asks for something; what it asks was with the edge for *held_ms* before it was sent."""

    guest: Number
    held_ms: Number
    command: commands.Request


class Tell(_Message, frozen=True):
    """Something became of a guest's connection: it can take a snapshot now, its line was measured, or
    so many look on behind it.
    """

    guest: Number
    command: commands.Refresh | commands.Lag | commands.Crowd


class Part(_Message, frozen=True):
    """Guests are gone."""

    guests: Guests


# --- from the owner of a room to an edge --------------------------------------------------------------------------


class Frame(_Message, frozen=True):
    """One encoded message for some guests of one room, who get it in the order in which it comes."""

    guests: Guests
    payload: bytes


class Away(_Message, frozen=True):
    """The room of these guests is not here, or no longer: look for it."""

    guests: Guests


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


Message: TypeAlias = Enter | Ask | Tell | Part | Frame | Away | Owns | Offer | Vacant
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
