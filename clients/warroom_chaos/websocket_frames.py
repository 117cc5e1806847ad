"""Splits a byte stream into websocket frames, as far as a proxy needs it."""

from typing import Final

_HEAD_END: Final = b"\r\n\r\n"
_SHORTEST: Final = 2
_LENGTH_BITS: Final = 0x7F
_MASKED: Final = 0x80
_TWO_BYTES, _EIGHT_BYTES = 126, 127
_MASK_BYTES: Final = 4
_FINAL, _BINARY = 0x80, 0x02


class FrameSplitter:
    """Splits one direction of a websocket into whole frames; the handshake is returned as one piece."""

    def __init__(self) -> None:
        self._rest = b""
        self._is_open = False

    def feed(self, data: bytes) -> list[bytes]:
        """Add bytes and return the frames that are now complete, exactly as they were sent."""
        self._rest = rest = self._rest + data if self._rest else data
        pieces: list[bytes] = []
        begin = 0
        if not self._is_open:
            end = rest.find(_HEAD_END)
            if end < 0:
                return pieces
            self._is_open = True
            begin = end + len(_HEAD_END)
            pieces.append(rest[:begin])
        while size := _frame_bytes(rest, begin):
            pieces.append(rest[begin : begin + size])
            begin += size
        self._rest = rest[begin:]
        return pieces


def payload_of(frame: bytes) -> bytes:
    """Return the unmasked payload of a whole frame."""
    begin = _payload_begin(frame, 0)
    payload = frame[begin:]
    if not frame[1] & _MASKED:
        return payload
    mask = frame[begin - _MASK_BYTES : begin]
    size = len(payload)
    key = (mask * (size // _MASK_BYTES + 1))[:size]
    return (int.from_bytes(payload, "big") ^ int.from_bytes(key, "big")).to_bytes(size, "big")


def is_binary(frame: bytes) -> bool:
    """Whether a piece is a whole binary message, not a handshake, ping or pong."""
    return frame[0] == _FINAL | _BINARY


def is_message(payload: bytes, name: bytes) -> bool:
    """Whether a payload is the message *name*: an array that begins with that text."""
    return payload[1 : 2 + len(name)] == bytes([0xA0 | len(name)]) + name


def _frame_bytes(data: bytes, at: int) -> int:
    """Return the length of the frame at offset *at*; 0 if it is incomplete."""
    if len(data) - at < _SHORTEST:
        return 0
    begin = _payload_begin(data, at)
    length = data[at + 1] & _LENGTH_BITS
    if length >= _TWO_BYTES:
        end = at + (4 if length == _TWO_BYTES else 10)
        if len(data) < end:
            return 0
        length = int.from_bytes(data[at + 2 : end], "big")
    size = begin - at + length
    return size if len(data) - at >= size else 0


def _payload_begin(data: bytes, at: int) -> int:
    length = data[at + 1] & _LENGTH_BITS
    more = {_TWO_BYTES: 2, _EIGHT_BYTES: 8}.get(length, 0)
    return at + 2 + more + (_MASK_BYTES if data[at + 1] & _MASKED else 0)
