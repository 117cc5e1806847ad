"""Background tasks, most of which wait for the store, and the supervisor of those that a server cannot run without."""

import asyncio
import logging
from collections.abc import Callable, Coroutine
from typing import TypeVar

logger = logging.getLogger(__name__)

R = TypeVar("R")


async def undisturbed(question: Coroutine[None, None, R]) -> R:
    """Ask the store, shielded from cancellation: an interrupted question costs the connection to the store."""
    return await asyncio.shield(asyncio.get_running_loop().create_task(question))


async def end(task: asyncio.Task[None] | None, *, drain_s: float = 0.0) -> None:
    """Cancel a task, unless it ends by itself within *drain_s* seconds, and wait until it has ended."""
    if task is not None:
        await asyncio.wait([task], timeout=drain_s)
        task.cancel()
        await asyncio.wait([task])


def bug_of(task: asyncio.Future[R]) -> BaseException | None:
    """Return what a task that has ended raised; None if it was cancelled or ended normally."""
    return None if task.cancelled() else task.exception()


def _to_nobody() -> None:
    pass


class Tasks:
    """The background tasks of one part of the node. Bugs are logged, and reported through *on_bug*."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[None]] = set()

    def __len__(self) -> int:
        return len(self._tasks)

    def begin(self, work: Coroutine[None, None, None], on_bug: Callable[[], object] = _to_nobody) -> asyncio.Task[None]:
        """Run *work* in the background; *on_bug* is called if it fails."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(lambda done: self._finish(done, on_bug))
        return task

    async def close(self) -> None:
        """Cancel all tasks."""
        for task in self._tasks:
            task.cancel()
        if self._tasks:
            await asyncio.wait(self._tasks)

    def _finish(self, task: asyncio.Task[None], on_bug: Callable[[], object]) -> None:
        self._tasks.discard(task)
        if (bug := bug_of(task)) is not None:
            logger.error("request failed", exc_info=bug)
            on_bug()


class Supervisor:
    """Watches tasks that must not fail; if one does, *stopping* is set."""

    def __init__(self, stopping: asyncio.Event) -> None:
        self._stopping = stopping
        self.has_failed = False
        """Whether a task has failed."""

    def watch(self, task: asyncio.Task[None]) -> None:
        """Note when *task* fails; it may be cancelled or end normally."""
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        if (bug := bug_of(task)) is not None:
            logger.critical("task failed task=%s", task.get_name(), exc_info=bug)
            self.has_failed = True
            self._stopping.set()
