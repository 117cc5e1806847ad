"""Supervises the tasks that a server cannot run without: if one fails, the server stops."""

import asyncio
import logging

logger = logging.getLogger(__name__)


class Supervisor:
    """Watches tasks that must not fail."""

    def __init__(self) -> None:
        self._failure = asyncio.Event()

    @property
    def has_failed(self) -> bool:
        """Whether a task has failed."""
        return self._failure.is_set()

    def watch(self, task: asyncio.Task[None]) -> None:
        """Note when *task* fails; it may be cancelled or end normally."""
        task.add_done_callback(self._ended)

    async def run_until(self, stopping: asyncio.Event) -> None:
        """Wait for *stopping*, or for a task to fail."""
        waits = [asyncio.ensure_future(event.wait()) for event in (stopping, self._failure)]
        try:
            await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for wait in waits:
                wait.cancel()

    def _ended(self, task: asyncio.Task[None]) -> None:
        bug = None if task.cancelled() else task.exception()
        if bug is not None:
            logger.critical("task failed task=%s", task.get_name(), exc_info=bug)
            self._failure.set()
