"""The requests that wait for their reply."""

import asyncio
import secrets
from typing import Final

from msgspec import Struct

from warroom_client.errors import ClientError
from warroom_protocol import messages as wire

MAX_REQUESTS: Final = 64
"""How much a program may ask for without waiting for replies; what the client asks by itself comes on top."""


class _Request(Struct, frozen=True):
    """A request without a reply, and who waits for it."""

    message: wire.ClientMessage
    reply: asyncio.Future[wire.ServerMessage]
    survives: bool
    is_repair: bool


class Requests:
    """Requests by their ref. One that *survives* goes on waiting when the line breaks."""

    def __init__(self) -> None:
        self._waiting: dict[int, _Request] = {}

    def add(
        self, ref: int, message: wire.ClientMessage, *, survives: bool, is_repair: bool
    ) -> asyncio.Future[wire.ServerMessage]:
        """Return what will hold the reply; raise `ClientError` if too many of the program's own wait already."""
        if not is_repair and sum(not request.is_repair for request in self._waiting.values()) >= MAX_REQUESTS:
            raise ClientError(f"{MAX_REQUESTS} requests are still unanswered")
        reply: asyncio.Future[wire.ServerMessage] = asyncio.get_running_loop().create_future()
        self._waiting[ref] = _Request(message, reply, survives, is_repair)
        return reply

    def remove(self, ref: int) -> None:
        """Forget a request that was answered or given up."""
        self._waiting.pop(ref, None)

    def surviving(self) -> list[wire.ClientMessage]:
        """Return what has to be sent again on a new line, oldest first."""
        return [request.message for request in self._waiting.values() if request.survives]

    def answer(self, ref: int, reply: wire.ServerMessage) -> None:
        """Hand a reply to whoever waits for it."""
        request = self._waiting.get(ref)
        if request is not None and not request.reply.done():
            request.reply.set_result(reply)

    def refuse(self, ref: int | None, error: ClientError) -> bool:
        """Hand an error to whoever waits; return False if nobody does."""
        request = None if ref is None else self._waiting.get(ref)
        if request is None:
            return False
        if not request.reply.done():
            request.reply.set_exception(error)
        return True

    def fail(self, error: ClientError, *, survivors_too: bool) -> None:
        """Hand an error to all that do not survive a break, or to all there are."""
        for request in self._waiting.values():
            if (survivors_too or not request.survives) and not request.reply.done():
                request.reply.set_exception(error)

    def fail_in(self, room: int, error: ClientError, *, repairs_too: bool) -> None:
        """Hand an error to all that were asked inside *room* or to enter it.

        *repairs_too* says whether those are meant as well that the client asks by itself.
        """
        for request in self._waiting.values():
            is_there = room in (room_inside(request.message), _room_entered(request.message))
            if is_there and (repairs_too or not request.is_repair) and not request.reply.done():
                request.reply.set_exception(error)


def room_inside(message: wire.ClientMessage) -> int | None:
    """Return the room that must have been entered before a message; None if it needs none."""
    match message:
        case (
            wire.Act() | wire.Legal() | wire.Resync() | wire.Start() | wire.Fill() | wire.Kick() | wire.Resign()
            | wire.Reclaim() | wire.Offer() | wire.Say() | wire.Mute() | wire.Leave()
        ):  # fmt: skip
            return message.room
        case _:
            return None


def _room_entered(message: wire.ClientMessage) -> int | None:
    return message.room if isinstance(message, wire.Join | wire.Watch | wire.Claim) else None


def new_ref() -> int:
    """Return a number for a request or an action that nobody else has."""
    return secrets.randbits(53)
