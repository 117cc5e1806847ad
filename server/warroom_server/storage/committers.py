"""One committer for each primary of the store, so that the trouble of one is not that of rooms elsewhere."""

import asyncio
from collections.abc import Callable
from functools import partial

from warroom_server.ports.store import AppendRequest
from warroom_server.storage.committer import Answered, Appender, Committer


class Committers:
    """Append to as many primaries as there are: one batch in flight for each, and requests of one room in order.

    *primary_of* names what has a room now. *on_away* and *on_back* are called with such a name; rooms may move
    meanwhile, so whoever is told remembers whom it concerned.
    """

    def __init__(
        self,
        store: Appender,
        answered: Answered,
        *,
        primary_of: Callable[[int], str],
        on_away: Callable[[str], None],
        on_back: Callable[[str], None],
    ) -> None:
        self._store = store
        self._answered = answered
        self._primary_of = primary_of
        self._on_away = on_away
        self._on_back = on_back
        self._committers: dict[str, Committer] = {}
        self._group: asyncio.TaskGroup | None = None
        self._closing = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    @property
    def backlog(self) -> int:
        """How many requests have no answer yet."""
        return sum(committer.backlog for committer in self._committers.values())

    def start(self) -> asyncio.Task[None]:
        """Begin to serve, and return the task, which ends only by `close` or by a bug; needs a running loop."""
        self._task = asyncio.get_running_loop().create_task(self._run(), name="committers")
        return self._task

    def submit(self, request: AppendRequest) -> None:
        """Queue an entry for the next batch of its primary; never blocks."""
        primary = self._primary_of(request.room)
        committer = self._committers.get(primary)
        if committer is None:
            committer = self._committers[primary] = Committer(
                self._store,
                self._answered,
                on_away=lambda _: self._on_away(primary),
                on_back=partial(self._on_back, primary),
            )
            self._begin(committer)
        committer.submit(request)

    async def close(self, *, drain_s: float = 5.0) -> list[AppendRequest]:
        """Stop: answer what is queued for up to *drain_s* seconds, then give up and return what has no answer."""
        closing = (committer.close(drain_s=drain_s) for committer in self._committers.values())
        abandoned = [request for left in await asyncio.gather(*closing) for request in left]
        self._closing.set()
        if self._task is not None:
            await asyncio.wait([self._task])
        return abandoned

    async def _run(self) -> None:
        async with asyncio.TaskGroup() as self._group:
            for committer in self._committers.values():
                self._begin(committer)
            await self._closing.wait()

    def _begin(self, committer: Committer) -> None:
        if self._group is not None:
            self._group.create_task(_watched(committer.start()))


async def _watched(task: asyncio.Task[None]) -> None:
    """Wait for a committer, which is nobody's to cancel but its own; raise what it failed with."""
    await asyncio.wait([task])
    if not task.cancelled():
        task.result()
