"""A websocket server that follows a script, connection by connection."""

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import TypeAlias, TypeVar

from websockets.asyncio.server import ServerConnection, serve
from websockets.exceptions import ConnectionClosed

from warroom_protocol import messages as wire
from warroom_protocol.canonical import checksum
from warroom_protocol.codec import decode_client, encode

M = TypeVar("M", bound=wire.ClientMessage)

ABOUT = wire.About("bids", 1, 2, {}, {}, "00")
CLOCK = wire.Clock(0, 1, 30_000)


class Peer:
    """One accepted connection, with the client's messages as typed values."""

    def __init__(self, socket: ServerConnection) -> None:
        self.socket = socket

    async def hear(self) -> wire.ClientMessage:
        """Return the client's next message."""
        data = await self.socket.recv()
        assert isinstance(data, bytes)
        return decode_client(data)

    async def expect(self, kind: type[M]) -> M:
        """Return the client's next message, which must be of *kind*."""
        message = await self.hear()
        assert isinstance(message, kind), f"expected {kind.__name__}, got {message}"
        return message

    async def send(self, *messages: wire.ServerMessage) -> None:
        """Send messages one after the other."""
        for message in messages:
            await self.socket.send(encode(message))

    async def welcome(self) -> wire.Hello:
        """Accept the hello and welcome the client."""
        hello = await self.expect(wire.Hello)
        await self.send(wire.Welcome(hello.ref, 1, "ada", "token-of-ada", hello.name, "scripted"))
        return hello

    async def seat(self, view: object = None, *, p: int = 1) -> wire.Join:
        """Accept a join and answer it with a snapshot."""
        join = await self.expect(wire.Join)
        await self.send(wire.Joined(join.ref, join.room, "0000007", 1, 0, "seat", ABOUT), snapshot(join.room, view, p))
        return join

    async def resume(self, *missed: wire.ServerMessage) -> wire.Join:
        """Accept a join with a position, send what was missed, and answer the ping that follows."""
        join = await self.expect(wire.Join)
        await self.send(wire.Resumed(join.ref, join.room, "0000007", 1, 0, "seat", ABOUT), *missed)
        ping = await self.expect(wire.Ping)
        await self.send(wire.Pong(ping.ref))
        return join

    async def until_closed(self) -> None:
        """Wait until the client disconnects."""
        await self.socket.wait_closed()


Script: TypeAlias = Callable[[Peer], Awaitable[None]]


def snapshot(room: int, view: object, p: int = 1) -> wire.Snapshot:
    """Return a snapshot of a public view."""
    return wire.Snapshot(room, 1, p, 0, view, None, CLOCK, checksum(view), checksum(None))


@asynccontextmanager
async def scripted(*scripts: Script) -> AsyncIterator[str]:
    """Serve one script per connection, in order, and yield the address; errors of a script are raised."""
    waiting = iter(scripts)
    failures: list[BaseException] = []

    async def handle(socket: ServerConnection) -> None:
        script = next(waiting, None)
        if script is None:
            await socket.close(1013)
            return
        try:
            await script(Peer(socket))
        except ConnectionClosed:
            return
        except AssertionError as failure:
            failures.append(failure)
            raise

    async with serve(handle, "127.0.0.1", 0, compression=None) as server:
        port = next(iter(server.sockets)).getsockname()[1]
        async with asyncio.timeout(5):
            yield f"ws://127.0.0.1:{port}/ws"
    if failures:
        raise failures[0]
