"""The cluster that is broken on purpose: one store, some nodes, and a gate on every line between them."""

import asyncio
from collections.abc import Callable
from contextlib import AsyncExitStack
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from warroom_chaos.gates import LOOPBACK, Dial, Gate, Target
from warroom_chaos.journal import Journal
from warroom_chaos.processes import NodeProcess, ProcessError, StoreProcess
from warroom_chaos.taps import Witness
from warroom_chaos.weather import Weather

ATTEMPTS: Final = 20
LOOK_S: Final = 0.02
PAUSE_S: Final = 0.5
"""How long to wait before a node that gave up is started again."""


class Member:
    """One node with the gates on its lines: from its clients, to its store, and from other nodes."""

    def __init__(self, number: int, folder: Path, store: StoreProcess, journal: Journal, *, is_alone: bool) -> None:
        self._journal = journal
        self.process = NodeProcess(number, folder, lambda line: journal.note(number, line))
        self.clients = Weather()
        self.store = Weather()
        self.links = Weather()
        self.store_gate = Gate(lambda: Target(number, _to_store(store), self.store))
        self.link_gate = Gate(
            lambda: Target(number, self.dial, self.links) if self.process.port else None, of_websockets=True
        )
        self._is_alone = is_alone

    async def dial(self, protocol: asyncio.Protocol) -> None:
        """Connect to the node itself."""
        await asyncio.get_running_loop().create_connection(lambda: protocol, LOOPBACK, self.process.port)

    async def start(self) -> None:
        """Start the node, or start it again."""
        settings = {"redis": f"redis://{LOOPBACK}:{self.store_gate.port}"}
        if not self._is_alone:
            settings["advertise"] = f"ws://{LOOPBACK}:{self.link_gate.port}/link"
        for attempt in range(1, ATTEMPTS + 1):
            self._journal.begin(self.process.number)
            try:
                await self.process.start(**settings)
            except ProcessError:
                # A node gives up if it cannot reach its store, and whoever runs it starts it again.
                if attempt == ATTEMPTS:
                    raise
                await asyncio.sleep(PAUSE_S)
            else:
                return


class Cluster:
    """Everything that runs; `async with` starts and ends it."""

    def __init__(self, folder: Path, *, nodes: int, now_s: Callable[[], float]) -> None:
        self.journal = Journal(now_s)
        self.witness = Witness(now_s)
        self.store = StoreProcess(folder)
        self.members = [
            Member(number, folder, self.store, self.journal, is_alone=nodes == 1) for number in range(nodes)
        ]
        self.front = Gate(self._next, self.witness.tap)
        self._turn = 0
        self._stack = AsyncExitStack()

    async def __aenter__(self) -> Self:
        try:
            await self._start()
        except BaseException:
            await self._stack.aclose()
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._stack.aclose()

    @property
    def url(self) -> str:
        """Where clients connect to, whichever node then serves them."""
        return f"ws://{LOOPBACK}:{self.front.port}/ws"

    async def until_linked(self, within_s: float) -> None:
        """Return once there is a link, or after so long without one."""
        for _ in range(int(within_s / LOOK_S)):
            if any(member.link_gate.lines for member in self.members):
                return
            await asyncio.sleep(LOOK_S)

    def linked_to(self, member: Member) -> list[Member]:
        """Return the members whose gates the links of a node lead through.

        The node with the smaller id dials, so the lines of one node may all lead through the gates of the others.
        """
        return [member] if member.link_gate.lines else [each for each in self.members if each is not member]

    async def _start(self) -> None:
        self._stack.push_async_callback(self.store.kill)
        await self.store.start()
        for gate in (self.front, *(gate for each in self.members for gate in (each.store_gate, each.link_gate))):
            self._stack.push_async_callback(gate.close)
            await gate.open()
        for member in self.members:
            self._stack.push_async_callback(member.process.kill)
        await asyncio.gather(*(member.start() for member in self.members))

    def _next(self) -> Target | None:
        """Return the next node that takes connections, by turns."""
        for _ in self.members:
            self._turn += 1
            member = self.members[self._turn % len(self.members)]
            if member.process.is_up:
                return Target(member.process.number, member.dial, member.clients)
        return None


def _to_store(store: StoreProcess) -> Dial:
    async def dial(protocol: asyncio.Protocol) -> None:
        await asyncio.get_running_loop().create_unix_connection(lambda: protocol, str(store.socket))

    return dial
