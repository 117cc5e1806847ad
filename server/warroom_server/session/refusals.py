"""The one answer to a request that cannot be done, in the form that its sender waits for."""

from warroom_protocol import codes
from warroom_protocol.codec import encode
from warroom_protocol.messages import Error, Verdict
from warroom_server.room import commands


def error(ref: int | None, code: str, detail: str = "") -> bytes:
    """Return an encoded error; without *detail* it says what the code means."""
    return encode(Error(ref=ref, code=code, detail=detail or codes.REFUSALS[code]))


def refuse(room: int, request: commands.Request, code: str, detail: str = "") -> bytes:
    """Return the encoded refusal of *request*, in the form that its sender waits for."""
    if not isinstance(request, commands.Act):
        return error(request.ref, code, detail)
    said = detail or codes.REFUSALS[code]
    return encode(Verdict(room=room, id=request.id, code=code, detail=said, p=0, q=0, receipt=None))
