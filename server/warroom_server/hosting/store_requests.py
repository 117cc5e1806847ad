"""Requests whose answers wait for the store: one task each, a limited number at a time."""

from asyncio import Task
from collections.abc import Awaitable, Callable

from warroom_protocol import codes
from warroom_server.hosting.connections import Connections
from warroom_server.loop.tasks import Tasks
from warroom_server.ports.store import UnavailableError
from warroom_server.session.replies import error


class RequestTasks:
    """Answers requests of connections, at most *limit* at a time."""

    def __init__(self, connections: Connections, limit: int) -> None:
        self._connections = connections
        self._limit = limit
        self._tasks = Tasks()

    def __len__(self) -> int:
        return len(self._tasks)

    async def close(self) -> None:
        """Cancel all tasks."""
        await self._tasks.close()

    def begin(self, connection: int, ref: int, find: Callable[[], Awaitable[bytes | None]]) -> Task[None] | None:
        """Start a task that sends what *find* returns, if anything; if too many wait, refuse and return None."""
        if len(self._tasks) >= self._limit:
            self._connections.answer(connection, error(ref, codes.STORE_UNAVAILABLE))
            return None
        return self._tasks.begin(
            self._answer(connection, ref, find),
            on_bug=lambda: self._connections.answer(connection, error(ref, codes.INTERNAL)),
        )

    async def _answer(self, connection: int, ref: int, find: Callable[[], Awaitable[bytes | None]]) -> None:
        try:
            answer = await find()
        except UnavailableError:
            answer = error(ref, codes.STORE_UNAVAILABLE)
        if answer is not None:
            self._connections.answer(connection, answer)
