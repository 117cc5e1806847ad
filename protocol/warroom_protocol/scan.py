"""A look over the bytes of a long message before anything is built from it."""

from typing import Final

from warroom_protocol.errors import DecodeError
from warroom_protocol.limits import MAX_DEPTH, MAX_VALUES

_FIXED: Final = {
    **dict.fromkeys([*range(0x80), *range(0xE0, 0x100), 0xC0, 0xC2, 0xC3], 1),  # small integers, nil, booleans
    **{code: 1 + (1 << power) for power, code in enumerate(range(0xCC, 0xD0))},  # unsigned integers
    **{code: 1 + (1 << power) for power, code in enumerate(range(0xD0, 0xD4))},  # signed integers
    **{code: 1 + (code & 0x1F) for code in range(0xA0, 0xC0)},  # short text
}
"""How many bytes a value takes that says so in its first byte."""

_TEXT: Final = {0xD9: 1, 0xDA: 2, 0xDB: 4}
_ARRAYS: Final = {0xDC: 2, 0xDD: 4}
_MAPS: Final = {0xDE: 2, 0xDF: 4}


def scan(frame: bytes) -> None:
    """Raise `DecodeError` if a message is too deep, has too many values, or a type that clients may not send.

    What is wrong in other ways passes: the decoder finds it.
    """
    position, total = 0, 1
    pending = [1]  # values still to come, for the frame and each container around the position
    while pending and position < len(frame):
        if not pending[-1]:
            pending.pop()
            continue
        pending[-1] -= 1
        size, count = _header(frame, position)
        position += size
        if count:
            total += count
            if total > MAX_VALUES:
                raise DecodeError(f"a message has at most {MAX_VALUES} values")
            pending.append(count)
            if len(pending) > MAX_DEPTH + 1:
                raise DecodeError(f"a message is at most {MAX_DEPTH} containers deep")


def _header(frame: bytes, position: int) -> tuple[int, int]:
    """Return how many bytes to go on by, and how many values the container that begins here holds."""
    code = frame[position]
    if size := _FIXED.get(code):
        return size, 0
    if 0x80 <= code < 0xA0:
        return 1, code & 0x0F if code >= 0x90 else 2 * (code & 0x0F)
    for widths, values in ((_TEXT, 0), (_ARRAYS, 1), (_MAPS, 2)):
        if width := widths.get(code):
            length = int.from_bytes(frame[position + 1 : position + 1 + width], "big")
            return (1 + width, values * length) if values else (1 + width + length, 0)
    raise DecodeError(f"a message holds no floats, binary data or extension types (0x{code:02x} at byte {position})")
