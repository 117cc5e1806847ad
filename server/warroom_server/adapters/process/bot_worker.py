"""The bot worker that a server starts beside itself: kept running, and ended with the server however that ends."""

import asyncio
import logging
import os
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import Final

from warroom_server.adapters.process.restart_delay import Restarts

logger = logging.getLogger(__name__)

KEY_VARIABLE: Final = "WARROOM_BOT_KEY"
"""Where the worker finds its key: the arguments of a process can be read by everybody on the machine."""
END_S: Final = 3.0
"""How long a worker may take to end before it is made to."""
EXPECTED_AFTER: Final = 1
"""After more short lives than this in a row nobody should wait for the next worker."""
_COMMAND: Final = (
    "-P",  # otherwise a file in the server's working directory could pass for a module of ours
    "-c",
    "from warroom_server.cli import main; raise SystemExit(main())",
    "worker",
    "--until-stdin-ends",
)


class BotWorker:
    """One child process. Its standard input is a pipe that nobody writes to: it ends when that ends.

    It works for the nodes at all *urls*. Nothing that becomes of it stops the server, which can do without bots.
    *expect* is called when one is on its way.
    """

    def __init__(
        self, *, urls: Sequence[str], key: str, think: str, expect: Callable[[], None], program: str = sys.executable
    ) -> None:
        self._arguments = (*_COMMAND, *(word for url in urls for word in ("--url", url)), "--think", think)
        self._key = key
        self._expect = expect
        self._program = program
        self._process: asyncio.subprocess.Process | None = None
        self._keeper: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Start the worker, and again whenever it ends. Nothing waits for it."""
        self._expect()
        self._keeper = asyncio.get_running_loop().create_task(self._keep_running(), name="bot worker")
        self._keeper.add_done_callback(_report)

    async def stop(self) -> None:
        """End the worker, and wait until it is gone."""
        if self._keeper is not None:
            self._keeper.cancel()
            await asyncio.wait([self._keeper])
            self._keeper = None
        if self._process is not None:
            await _end(self._process)
            self._process = None

    async def _keep_running(self) -> None:
        loop = asyncio.get_running_loop()
        restarts = Restarts()
        while True:
            began_s = loop.time()
            outcome = await self._live()
            pause_s = restarts.pause_s(loop.time() - began_s)
            if restarts.short_lives <= EXPECTED_AFTER:
                self._expect()
            logger.warning("bot worker %s next_in_s=%g", outcome, pause_s)
            await asyncio.sleep(pause_s)

    async def _live(self) -> str:
        """Start the worker and wait for its end; return what became of it."""
        try:
            self._process = await self._spawn()
        except OSError as error:  # no memory, no process or file left, no such program
            return f"cannot start reason={error.strerror or error}"
        return f"ended code={await self._process.wait()}"

    async def _spawn(self) -> asyncio.subprocess.Process:
        return await asyncio.create_subprocess_exec(
            self._program, *self._arguments,
            stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.DEVNULL,
            env={**_environment(), KEY_VARIABLE: self._key},
            # A Ctrl-C at the terminal is for the server, which ends its worker itself.
            start_new_session=True,
        )  # fmt: skip


def _report(keeper: asyncio.Task[None]) -> None:
    """Log a bug: from then on the server goes without a worker of its own."""
    bug = None if keeper.cancelled() else keeper.exception()
    if bug is not None:
        logger.error("bot worker is not kept running any more", exc_info=bug)


def _environment() -> dict[str, str]:
    """Return the environment without the server's own settings, which a client has no use for."""
    return {name: value for name, value in os.environ.items() if not name.startswith("WARROOM_")}


async def _end(process: asyncio.subprocess.Process) -> None:
    if process.stdin is not None:
        process.stdin.close()
    try:
        async with asyncio.timeout(END_S):
            await process.wait()
    except TimeoutError:
        with suppress(ProcessLookupError):  # it may have ended just now
            process.kill()
        await process.wait()
