"""A child process that is started again when it ends: soon after a long life, ever later after short ones."""

import asyncio
import logging
import os
from asyncio.subprocess import Process
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from typing import Final, TypeAlias

from warroom_server.loop.tasks import bug_of, end
from warroom_server.ports.store import UnavailableError

logger = logging.getLogger(__name__)

STEADY_S: Final = 10.0
"""After a life of this length the next pause is the shortest again."""
PAUSES_S: Final = (0.2, 0.5, 1.0, 2.0, 5.0, 15.0, 60.0)
"""The pauses before the next start, by the number of short lives in a row."""


WARROOM: Final = ("-P", "-c", "from warroom_server.cli import main; raise SystemExit(main())")
"""Runs a command of ours; without -P, a file in the working directory could pass for a module of ours."""


Launch: TypeAlias = Callable[[], Awaitable[Process]]
"""Returns a process that is ready, or raises OSError, `LaunchError` or `UnavailableError`."""
Ended: TypeAlias = Callable[[str, int, float], None]
"""Is given the outcome of a life, the number of short lives in a row, and the pause before the next start."""


class LaunchError(Exception):
    """A child process did not start; says why."""


class KeptChild:
    """Runs one process after the other.

    *ended* is called after each life. The pauses before the next start are by the number of short lives in a row.
    """

    def __init__(self, name: str, launch: Launch, ended: Ended, pauses_s: Sequence[float] | None = None) -> None:
        self.process: Process | None = None
        self._name = name
        self._launch = launch
        self._ended = ended
        self._pauses_s = pauses_s or PAUSES_S
        self._keeper: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Launch the first process, return once it is ready, and keep it running."""
        self.process = await self._launch()
        self.keep_running()

    def keep_running(self) -> None:
        """Launch a process if none runs, and another whenever it ends. Nothing waits for it."""
        self._keeper = asyncio.get_running_loop().create_task(self._keep_running(), name=self._name)
        self._keeper.add_done_callback(self._report)

    async def release(self) -> Process | None:
        """Launch no more; return the process that runs, if any."""
        await end(self._keeper)
        process, self.process = self.process, None
        return process

    async def _keep_running(self) -> None:
        loop = asyncio.get_running_loop()
        short_lives = 0
        while True:
            began_s = loop.time()
            outcome = await self._live()
            short_lives = 0 if loop.time() - began_s >= STEADY_S else short_lives + 1
            pause_s = self._pauses_s[min(max(short_lives, 1), len(self._pauses_s)) - 1]
            self._ended(outcome, short_lives, pause_s)
            await asyncio.sleep(pause_s)

    async def _live(self) -> str:
        """Wait for the end of a process, launched here unless one runs; return the outcome."""
        try:
            process = self.process = self.process or await self._launch()
        except (OSError, LaunchError, UnavailableError) as error:
            return f"cannot start reason={getattr(error, 'strerror', None) or error}"
        code = await process.wait()
        self.process = None
        return f"ended code={code}"

    def _report(self, keeper: asyncio.Task[None]) -> None:
        """Log a bug: from then on nothing is started again."""
        if (bug := bug_of(keeper)) is not None:
            logger.error("%s is not kept running any more", self._name, exc_info=bug)


def plain_environment() -> dict[str, str]:
    """Return the environment without the settings of the server."""
    return {name: value for name, value in os.environ.items() if not name.startswith("WARROOM_")}


async def ended(process: Process, *, within_s: float) -> bool:
    """Wait for the end of a process that was asked to end; return False if it had to be killed."""
    try:
        async with asyncio.timeout(within_s):
            await process.wait()
    except TimeoutError:
        with suppress(ProcessLookupError):  # it may have ended just now
            process.kill()
        await process.wait()
        return False
    return True
