"""A TCP proxy that changes what a server says, for what no server of today says any more."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress


class RewritingProxy:
    """Stand between a client and a server on loopback, and replace some bytes in replies by as many others."""

    def __init__(self, target_port: int) -> None:
        self._target_port = target_port
        self.before = self.after = b""
        self._tasks: set[asyncio.Task[None]] = set()

    def say(self, before: bytes, after: bytes) -> None:
        """Say *after* wherever the server says *before* from now on."""
        assert len(before) == len(after), "lengths are part of replies"
        self.before, self.after = before, after

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Relay one connection until either side ends it."""
        from_server, to_server = await asyncio.open_connection("127.0.0.1", self._target_port)
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        with suppress(OSError):
            async with asyncio.TaskGroup() as ways:
                ways.create_task(self._relay(reader, to_server, changes=False))
                ways.create_task(self._relay(from_server, writer, changes=True))
        self._tasks.discard(task)

    async def _relay(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, *, changes: bool) -> None:
        with suppress(OSError):
            while chunk := await reader.read(65_536):
                writer.write(chunk.replace(self.before, self.after) if changes and self.before else chunk)
                await writer.drain()
        writer.close()

    async def until_idle(self) -> None:
        """Return once every connection has ended."""
        if self._tasks:
            await asyncio.wait(self._tasks)


@asynccontextmanager
async def rewriting_proxy(target_port: int) -> AsyncIterator[tuple[RewritingProxy, int]]:
    """Run a proxy for the length of a block, by the end of which its clients have hung up; return it and its port."""
    proxy = RewritingProxy(target_port)
    server = await asyncio.start_server(proxy.serve, "127.0.0.1", 0)
    async with server:
        yield proxy, server.sockets[0].getsockname()[1]
        await proxy.until_idle()
