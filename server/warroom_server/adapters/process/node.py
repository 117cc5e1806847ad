"""A node that runs as a child of this process: kept running, drained when it is asked to, ended with its parent."""

import asyncio
import logging
import os
import signal
import socket
import sys
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Final

import msgspec
from msgspec import Struct

from warroom_server.adapters.process.restart_delay import Restarts

logger = logging.getLogger(__name__)

READY_S: Final = 60.0
DRAIN_S: Final = 30.0
"""How long a node may take to hand its rooms over and stop."""
_COMMAND: Final = ("-P", "-c", "from warroom_server.cli import main; raise SystemExit(main())", "serve")


class NodeError(Exception):
    """A node did not start; it has said why in the log."""


class NodePorts(Struct, frozen=True):
    """Where a node can be reached besides the port that all share."""

    port: int
    admin_port: int


class NodeProcess:
    """One place among several nodes, held by one process after the other.

    *variables* are its settings, given where it listens; *listen* returns a socket that listens on the shared port.
    """

    def __init__(
        self,
        number: int,
        *,
        variables: Callable[[NodePorts | None], Mapping[str, str]],
        listen: Callable[[], socket.socket],
        program: str = sys.executable,
    ) -> None:
        self.number = number
        self.ports: NodePorts | None = None
        """Where it was first reached; those that come after it use the same ports."""
        self._variables = variables
        self._listen = listen
        self._program = program
        self._process: asyncio.subprocess.Process | None = None
        self._keeper: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Start the node, return once it is ready, and keep it running; raise `NodeError` if it gives up."""
        began_s = asyncio.get_running_loop().time()
        await self._launch()
        self._keeper = asyncio.create_task(self._keep_running(began_s), name=f"node {self.number}")

    async def drain(self) -> None:
        """Let the node hand its rooms over and stop, and start no other."""
        if self._keeper is not None:
            self._keeper.cancel()
            await asyncio.wait([self._keeper])
            self._keeper = None
        process, self._process = self._process, None
        if process is None:
            return
        _signal(process, signal.SIGTERM)
        try:
            async with asyncio.timeout(DRAIN_S):
                await process.wait()
        except TimeoutError:
            logger.error("node does not stop node=%d", self.number)  # noqa: TRY400
            self.kill(process)
            await process.wait()

    def kill(self, process: asyncio.subprocess.Process | None = None) -> None:
        """End the node at once."""
        if victim := process or self._process:
            _signal(victim, signal.SIGKILL)

    async def _launch(self) -> None:
        listening = self._listen()
        try:
            self._process = process = await asyncio.create_subprocess_exec(
                self._program, *_COMMAND,
                stdin=asyncio.subprocess.PIPE, stdout=asyncio.subprocess.PIPE, pass_fds=[listening.fileno()],
                env={**self._variables(self.ports), "WARROOM_SHARED_FD": str(listening.fileno())},
                # A Ctrl-C at the terminal is for the parent, which drains its nodes one by one.
                start_new_session=True,
            )  # fmt: skip
        except OSError as error:
            raise NodeError(f"node {self.number} cannot be started: {error}") from error
        finally:
            listening.close()  # it is the child's from here on: what it does not accept, another node does
        assert process.stdout is not None
        line = b""
        with suppress(TimeoutError):
            async with asyncio.timeout(READY_S):
                line = await process.stdout.readline()
        if not line:
            self.kill(process)
            await process.wait()
            raise NodeError(f"node {self.number} did not start")
        self.ports = msgspec.json.decode(line, type=NodePorts)

    async def _keep_running(self, began_s: float) -> None:
        loop = asyncio.get_running_loop()
        restarts = Restarts()
        while True:
            if self._process is not None:
                outcome = f"ended code={await self._process.wait()}"
                self._process = None
            pause_s = restarts.pause_s(loop.time() - began_s)
            logger.error("node %s node=%d next_in_s=%g", outcome, self.number, pause_s)
            await asyncio.sleep(pause_s)
            began_s = loop.time()
            try:
                await self._launch()
            except NodeError as error:
                outcome = f"fails reason={str(error)!r}"


def _signal(process: asyncio.subprocess.Process, number: signal.Signals) -> None:
    with suppress(ProcessLookupError):
        os.kill(process.pid, number)
