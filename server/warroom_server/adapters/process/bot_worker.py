"""The bot worker as a child process of the server: kept running, and ended with the server."""

import asyncio
import logging
import sys
from collections.abc import Callable, Sequence
from typing import Final, TypeAlias

from warroom_server.adapters.process.kept_child import WARROOM, KeptChild, ended, plain_environment

logger = logging.getLogger(__name__)

KEY_VARIABLE: Final = "WARROOM_BOT_KEY"
"""The worker's key is in the environment: all users of a machine can read process arguments."""
END_S: Final = 3.0
"""How long a worker may take to end before it is killed."""
EXPECTED_AFTER: Final = 1
"""After more short lives than this in a row, seats do not wait for the next worker."""
_COMMAND: Final = (*WARROOM, "worker", "--until-stdin-ends")


Expect: TypeAlias = Callable[[], None]


class BotWorker:
    """One child process, which ends when its standard input does: a pipe that nobody writes to.

    It works for the nodes at all *urls*. Its failures do not stop the server. *expect* is called when a worker is
    about to start.
    """

    def __init__(
        self, *, urls: Sequence[str], key: str, think: str, expect: Expect, program: str = sys.executable
    ) -> None:
        self._arguments = (*_COMMAND, *(word for url in urls for word in ("--url", url)), "--think", think)
        self._key = key
        self._expect = expect
        self._program = program
        self._child = KeptChild("bot worker", self._spawn, self._ended)

    def start(self) -> None:
        """Start the worker, and again whenever it ends. Nothing waits for it."""
        self._expect()
        self._child.keep_running()

    async def stop(self) -> None:
        """End the worker, and wait until it is gone."""
        process = await self._child.release()
        if process is None:
            return
        if process.stdin is not None:
            process.stdin.close()
        await ended(process, within_s=END_S)

    def _ended(self, outcome: str, short_lives: int, pause_s: float) -> None:
        if short_lives <= EXPECTED_AFTER:
            self._expect()
        logger.warning("bot worker %s next_in_s=%g", outcome, pause_s)

    async def _spawn(self) -> asyncio.subprocess.Process:
        return await asyncio.create_subprocess_exec(
            self._program, *self._arguments,
            stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.DEVNULL,
            env={**plain_environment(), KEY_VARIABLE: self._key},
            # A Ctrl-C at the terminal is for the server, which ends its worker itself.
            start_new_session=True,
        )  # fmt: skip
