"""Requests that wait for a reply."""

import asyncio
import secrets
from typing import Any, Final

from msgspec import Struct

from warroom_client.errors import ClientError
from warroom_protocol import messages as wire

MAX_REQUESTS: Final = 64
"""Limit of a program's concurrent requests; the client's own requests come on top."""


class _Request(Struct, frozen=True):
    """A request without a reply, and its future."""

    message: wire.ClientMessage
    reply: asyncio.Future[wire.ServerMessage]
    survives: bool
    is_repair: bool


class Requests:
    """Requests by ref. One that *survives* keeps waiting when the connection breaks."""

    def __init__(self) -> None:
        self._waiting: dict[int, _Request] = {}

    def add(
        self, ref: int, message: wire.ClientMessage, *, survives: bool, is_repair: bool
    ) -> asyncio.Future[wire.ServerMessage]:
        """Return the future of a reply; raise `ClientError` if too many requests are pending."""
        if not is_repair and sum(not request.is_repair for request in self._waiting.values()) >= MAX_REQUESTS:
            raise ClientError(f"{MAX_REQUESTS} requests are still unanswered")
        reply: asyncio.Future[wire.ServerMessage] = asyncio.get_running_loop().create_future()
        self._waiting[ref] = _Request(message, reply, survives, is_repair)
        return reply

    def remove(self, ref: int) -> None:
        """Forget a request that was answered or abandoned."""
        self._waiting.pop(ref, None)

    def surviving(self) -> list[wire.ClientMessage]:
        """Return the requests to send again on a new connection, oldest first."""
        return [request.message for request in self._waiting.values() if request.survives]

    def answer(self, ref: int, reply: wire.ServerMessage) -> None:
        """Deliver a reply."""
        request = self._waiting.get(ref)
        if request is not None and not request.reply.done():
            request.reply.set_result(reply)

    def refuse(self, ref: int | None, error: ClientError) -> bool:
        """Deliver an error; return False if no request waits for it."""
        request = None if ref is None else self._waiting.get(ref)
        if request is None:
            return False
        fail(request.reply, error)
        return True

    def fail(self, error: ClientError, *, survivors_too: bool) -> None:
        """Fail all requests, or only those that do not survive a break."""
        for request in self._waiting.values():
            if survivors_too or not request.survives:
                fail(request.reply, error)

    def fail_in(self, room: int, error: ClientError, *, repairs_too: bool) -> None:
        """Fail the requests inside *room* or to enter it; with *repairs_too*, also the client's own."""
        for request in self._waiting.values():
            is_there = room in (room_inside(request.message), _room_entered(request.message))
            if is_there and (repairs_too or not request.is_repair):
                fail(request.reply, error)


def fail(future: asyncio.Future[Any], error: ClientError) -> None:
    """Fail what is not answered yet."""
    if not future.done():
        future.set_exception(error)
        future.exception()  # counts as seen: the program may wait for it no longer, and asyncio would print a traceback


def room_inside(message: wire.ClientMessage) -> int | None:
    """Return the room that must be entered before a message is sent; None if it needs none."""
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
    """Return a random unique number for a request or action."""
    return secrets.randbits(53)
