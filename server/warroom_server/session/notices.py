"""What clients are told that nobody asked for."""

from warroom_protocol import codes
from warroom_protocol.codec import encode
from warroom_protocol.messages import Notice


def notice(room: int | None, code: str) -> bytes:
    """Return an encoded notice about a room, or about the whole node, that says what its code means."""
    return encode(Notice(room=room, code=code, detail=codes.NOTICES[code]))
