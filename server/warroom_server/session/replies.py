"""Encoded replies: errors, refusals in the form that the request expects, and notices."""

from warroom_protocol import codes
from warroom_protocol.codec import encode
from warroom_protocol.messages import Error, Notice, Verdict
from warroom_server.room import commands


def error(ref: int | None, code: str, detail: str = "") -> bytes:
    """Return an encoded error; the default *detail* explains the code."""
    return encode(Error(ref=ref, code=code, detail=detail or codes.REFUSALS[code]))


def refuse(room: int, request: commands.Request, code: str, detail: str = "") -> bytes:
    """Return the encoded refusal of *request*, in the form that the request expects."""
    if not isinstance(request, commands.Act):
        return error(request.ref, code, detail)
    said = detail or codes.REFUSALS[code]
    return encode(Verdict(room=room, id=request.id, code=code, detail=said, p=0, q=0, receipt=None))


def notice(room: int | None, code: str) -> bytes:
    """Return an encoded notice about a room, or about the whole node."""
    return encode(Notice(room=room, code=code, detail=codes.NOTICES[code]))
