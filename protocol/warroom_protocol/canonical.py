"""The canonical bytes of a view, and the checksum that compares two copies of it."""

from typing import Any, Final
from zlib import crc32

from msgspec.msgpack import Decoder, Encoder

_encode: Final = Encoder(order="sorted").encode
_decode: Final = Decoder().decode


def canonical(view: object) -> bytes:
    """Return the canonical MessagePack of a view: shortest forms, map keys in the order of their UTF-8 bytes."""
    return _encode(view)


def checksum(view: object) -> int:
    """Return the CRC-32 (as of zlib) of a view's canonical bytes."""
    return crc32(_encode(view))


def plain(view: object) -> Any:
    """Return the view as a client holds it: Structs become maps, tuples become lists."""
    return _decode(_encode(view))
