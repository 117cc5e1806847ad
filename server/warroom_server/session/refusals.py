"""The one answer to a request that cannot be done, in the form that its sender waits for."""

from warroom_protocol import codes
from warroom_protocol.codec import encode
from warroom_protocol.messages import Error, Verdict
from warroom_server.room import commands


def error(ref: int | None, code: str, detail: str = "") -> bytes:
    """Return an encoded error; without *detail* it says what the code means."""
    return encode(Error(ref=ref, code=code, detail=detail or codes.REFUSALS[code]))


def refuse(room: int, command: commands.Command, code: str, detail: str = "") -> tuple[int, bytes] | None:
    """Return who waits for an answer to *command*, and a refusal for it; None if nobody does."""
    match command:
        case commands.Act():
            said = detail or codes.REFUSALS[code]
            verdict = Verdict(room=room, id=command.id, code=code, detail=said, p=0, q=0, receipt=None)
            return command.connection, encode(verdict)
        case _ if isinstance(command, commands.Request):
            return command.connection, error(command.ref, code, detail)
        case _:
            return None
