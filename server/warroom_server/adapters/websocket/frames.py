"""Builds the server's frames: whole, binary, unmasked, so that one frame serves all viewers."""

from typing import Final

from warroom_protocol.codec import encode
from warroom_protocol.codes import MESSAGE_TOO_LARGE, REFUSALS
from warroom_protocol.messages import Error

_HEAD: Final = 0x82
"""The last fragment of a binary message."""

_SHORT: Final = tuple(bytes((_HEAD, size)) for size in range(126))


def build_frame(payload: bytes) -> bytes:
    """Return the frame of one binary message."""
    size = len(payload)
    if size < 126:
        return _SHORT[size] + payload
    if size < 1 << 16:
        return b"%c%c%b%b" % (_HEAD, 126, size.to_bytes(2, "big"), payload)
    return b"%c%c%b%b" % (_HEAD, 127, size.to_bytes(8, "big"), payload)


TOO_LARGE: Final = build_frame(encode(Error(None, MESSAGE_TOO_LARGE, REFUSALS[MESSAGE_TOO_LARGE])))
"""The last frame before a close with 1009. Such a message is not read, so its ref is unknown."""
