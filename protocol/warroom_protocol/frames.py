"""Websocket frames (RFC 6455) of the one kind that nearly all messages have: binary, final, unfragmented."""

from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Final

_HEAD: Final = 0x82
"""The last fragment of a binary message."""

_TEXT: Final = b"\x81"
"""The same of a text message."""
_MASKED: Final = 0x80
_SIZE_IN_2: Final = 126
"""Says that the size is in the next 2 bytes; smaller numbers are sizes."""
_SIZE_IN_8: Final = 127

_SHORT: Final = tuple(bytes((_HEAD, size)) for size in range(_SIZE_IN_2))


def unframe(data: bytes, /) -> bytes | None:
    """Return the message of a client if *data* is exactly one whole frame with it; None for everything else.

    Everything else is for a full parser: fragments, control frames, text, several frames or a part of one, messages
    above 65,535 bytes, and whatever breaks the protocol.
    """
    if len(data) < 6 or data[0] != _HEAD:
        return None
    if data[1] < _MASKED | _SIZE_IN_2:
        size, start = data[1] - _MASKED, 6
    elif data[1] == _MASKED | _SIZE_IN_2:
        size, start = int.from_bytes(data[2:4], "big"), 8
        if size < _SIZE_IN_2:  # must be in the short form
            return None
    else:
        return None
    if size != len(data) - start:  # also if the frame is not masked, for then the size is negative
        return None
    mask = data[start - 4 : start] * (size // 4 + 1)
    unmasked = int.from_bytes(data[start:], "big") ^ int.from_bytes(mask[:size], "big")
    return unmasked.to_bytes(size, "big")


def frame(payload: bytes, /) -> bytes:
    """Return the frame in which a server sends one message."""
    size = len(payload)
    if size < _SIZE_IN_2:
        return _SHORT[size] + payload
    if size < 1 << 16:
        return b"%c%c%b%b" % (_HEAD, _SIZE_IN_2, size.to_bytes(2, "big"), payload)
    return b"%c%c%b%b" % (_HEAD, _SIZE_IN_8, size.to_bytes(8, "big"), payload)


def frames(payloads: Iterable[bytes], /) -> bytes:
    """Return the frames of several messages, joined for one write."""
    return b"".join(map(frame, payloads))


def as_text(data: bytes, show: Callable[[bytes], bytes]) -> bytes:
    """Return a server's frame of a message as a frame of the text that *show* makes of it, other bytes as they are."""
    if data[:1] != _SHORT[0][:1]:
        return data
    start = {_SIZE_IN_2: 4, _SIZE_IN_8: 10}.get(data[1], 2)
    return _TEXT + frame(show(data[start:]))[1:]


python_unframe, python_frame, python_frames = unframe, frame, frames

with suppress(ImportError):  # not built without a compiler
    from warroom_protocol.speedups import frame, frames, unframe
