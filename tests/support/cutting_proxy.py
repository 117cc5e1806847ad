"""A TCP proxy that cuts a connection after so many bytes, or holds the answers back."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

from wait_until import until


class CuttingProxy:
    """Stand between a client and a server on loopback; does nothing until it is told to."""

    def __init__(self, target_port: int) -> None:
        self._target_port = target_port
        self._budgets: dict[str, list[int]] = {"requests": [], "replies": []}
        self._flowing = asyncio.Event()
        self._flowing.set()
        self.connections = 0
        self.ended = 0
        self.held_bytes = 0

    def cut_requests(self, after_bytes: int, *, times: int = 1) -> None:
        """Let so many bytes through to the server, then cut; each of the *times* counts anew."""
        self._budgets["requests"] += [after_bytes] * times

    def cut_replies(self, after_bytes: int, *, times: int = 1) -> None:
        """Let so many bytes of the answers through, then cut; each of the *times* counts anew."""
        self._budgets["replies"] += [after_bytes] * times

    def hold_replies(self) -> None:
        """Keep what the server answers until `release_replies`."""
        self._flowing.clear()

    def release_replies(self) -> None:
        """Let the answers through again."""
        self._flowing.set()

    async def until_held(self) -> None:
        """Return once the server has answered something that is being held."""
        await until(lambda: self.held_bytes > 0)

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Relay one connection until either side ends it or a cut is due."""
        self.connections += 1
        from_server, to_server = await asyncio.open_connection("127.0.0.1", self._target_port)
        ways = [
            asyncio.create_task(self._relay(reader, to_server, "requests")),
            asyncio.create_task(self._relay(from_server, writer, "replies")),
        ]
        await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        for way in ways:
            way.cancel()
        await asyncio.wait(ways)
        for line in (writer, to_server):
            line.close()
            with suppress(OSError):
                await line.wait_closed()
        self.ended += 1

    async def until_idle(self) -> None:
        """Return once every connection has ended."""
        await until(lambda: self.ended == self.connections)

    async def _relay(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, way: str) -> None:
        budgets = self._budgets[way]
        with suppress(OSError):
            while chunk := await reader.read(65_536):
                if way == "replies":
                    await self._hold(chunk)
                writer.write(chunk[: budgets[0]] if budgets else chunk)
                await writer.drain()
                if budgets and len(chunk) >= budgets[0]:
                    budgets.pop(0)
                    return
                if budgets:
                    budgets[0] -= len(chunk)

    async def _hold(self, chunk: bytes) -> None:
        if not self._flowing.is_set():
            self.held_bytes += len(chunk)
            await self._flowing.wait()


@asynccontextmanager
async def cutting_proxy(target_port: int) -> AsyncIterator[tuple[CuttingProxy, int]]:
    """Run a proxy for the length of a block, by the end of which its clients have hung up; return it and its port."""
    proxy = CuttingProxy(target_port)
    server = await asyncio.start_server(proxy.serve, "127.0.0.1", 0)
    async with server:
        yield proxy, server.sockets[0].getsockname()[1]
        proxy.release_replies()
        await proxy.until_idle()
