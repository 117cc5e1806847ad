"""A node as a child process: kept running, drained on request, ended with its parent."""

import asyncio
import logging
import os
import signal
import socket
import sys
from asyncio.subprocess import Process
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

import msgspec

from warroom_server.adapters.process.kept_child import WARROOM, KeptChild, LaunchError, ended, plain_environment
from warroom_server.adapters.process.own_address import Address

logger = logging.getLogger(__name__)

READY_S: Final = 60.0
DRAIN_S: Final = 30.0
"""How long a node may take to hand its rooms over and stop."""


@dataclass(eq=False)
class NodeProcess:
    """One of several nodes, run by one process after the other.

    *variables* are its settings, given where it listens; *listen* returns a socket that listens on the shared port.
    """

    number: int
    _variables: Callable[[Address | None], Mapping[str, str]]
    _listen: Callable[[], socket.socket]

    def __post_init__(self) -> None:
        self.address: Address | None = None
        """Where the first process listens, besides the shared port; later ones use the same ports."""
        self._child = KeptChild(f"node {self.number}", self._launch, self._ended)

    async def start(self) -> None:
        """Start the node, return once it is ready, and keep it running; raise `LaunchError` if it gives up."""
        await self._child.start()

    async def drain(self) -> None:
        """Let the node hand its rooms over and stop, and start no other."""
        process = await self._child.release()
        if process is None:
            return
        _signal(process, signal.SIGTERM)
        if not await ended(process, within_s=DRAIN_S):
            logger.error("node killed because it did not stop node=%d", self.number)

    def kill(self) -> None:
        """End the node at once."""
        if self._child.process is not None:
            _signal(self._child.process, signal.SIGKILL)

    async def _launch(self) -> Process:
        listening = self._listen()
        own = {**self._variables(self.address), "WARROOM_SHARED_FD": str(listening.fileno())}
        try:
            process = await asyncio.create_subprocess_exec(
                sys.executable, *WARROOM, "serve",
                stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, pass_fds=[listening.fileno()],
                env=plain_environment() | own,
                # A Ctrl-C at the terminal is for the parent, which drains its nodes one by one.
                start_new_session=True,
            )  # fmt: skip
        except OSError as error:
            raise LaunchError(f"node {self.number} cannot be started: {error}") from error
        finally:
            listening.close()  # the child has it from here on; what it does not accept, another node does
        try:
            await self._await_ready(process)
        except BaseException:
            await ended(process, within_s=0)
            raise
        return process

    async def _await_ready(self, process: Process) -> None:
        """Read the node's address, which it prints when it is ready."""
        assert process.stdout is not None
        line = b""
        with suppress(TimeoutError):
            async with asyncio.timeout(READY_S):
                line = await process.stdout.readline()
        if not line:
            raise LaunchError(f"node {self.number} did not start")
        self.address = msgspec.json.decode(line, type=Address)

    def _ended(self, outcome: str, short_lives: int, pause_s: float) -> None:
        logger.error("node %s node=%d next_in_s=%g", outcome, self.number, pause_s)


def _signal(process: Process, number: signal.Signals) -> None:
    with suppress(ProcessLookupError):
        os.kill(process.pid, number)
