"""Check the bytes of a long message before decoding it."""

from typing import Final

from warroom_protocol.errors import DecodeError
from warroom_protocol.limits import MAX_DEPTH, MAX_VALUES


def _size(code: int) -> int:
    """Return the size of a value whose first byte determines it, else 0."""
    if code < 0x80 or code >= 0xE0 or code in (0xC0, 0xC2, 0xC3):  # small integers, nil, booleans
        return 1
    if 0xCC <= code <= 0xD3:  # integers of 1, 2, 4 and 8 bytes
        return 1 + (1 << (code & 3))
    return 1 + (code & 0x1F) if 0xA0 <= code < 0xC0 else 0  # short text


_SIZES: Final = tuple(_size(code) for code in range(256))
_TEXT: Final = {0xD9: 1, 0xDA: 2, 0xDB: 4}
_ARRAYS: Final = {0xDC: 2, 0xDD: 4}
_MAPS: Final = {0xDE: 2, 0xDF: 4}


def scan(frame: bytes) -> None:
    """Raise `DecodeError` if a message is too deep, has too many values, or a type that clients may not send.

    Other mistakes pass: the decoder finds them.
    """
    position, total, left = 0, 1, 1
    around: list[int] = []  # for each container around the position, how many of its values are still to come
    while position < len(frame):
        while not left:
            if not around:
                return
            left = around.pop()
        left -= 1
        if size := _SIZES[frame[position]]:
            position += size
            continue
        size, count = _header(frame, position)
        position += size
        if count:
            total += count
            around.append(left)
            left = count
            _check(total, len(around))


def _check(total: int, depth: int) -> None:
    if total > MAX_VALUES:
        raise DecodeError(f"a message has at most {MAX_VALUES} values")
    if depth > MAX_DEPTH:
        raise DecodeError(f"a message is at most {MAX_DEPTH} containers deep")


def _header(frame: bytes, position: int) -> tuple[int, int]:
    """Return how many bytes to skip, and how many values the container that begins here holds."""
    code = frame[position]
    if 0x80 <= code < 0xA0:
        count = code & 0x0F
        return 1, count if code >= 0x90 else 2 * count
    for widths, values in ((_TEXT, 0), (_ARRAYS, 1), (_MAPS, 2)):
        if width := widths.get(code):
            length = int.from_bytes(frame[position + 1 : position + 1 + width], "big")
            return (1 + width, values * length) if values else (1 + width + length, 0)
    raise DecodeError(f"a message holds no floats, binary data or extension types (0x{code:02x} at byte {position})")
