"""The cluster under test: one store, some nodes, and a proxy on every connection between them."""

import asyncio
from collections.abc import Callable
from contextlib import AsyncExitStack
from pathlib import Path
from types import TracebackType
from typing import Final, Self

from warroom_chaos.network_conditions import NetworkConditions
from warroom_chaos.ownership_log import OwnershipLog
from warroom_chaos.processes import NodeProcess, ProcessError, StoreProcess
from warroom_chaos.tcp_proxy import LOOPBACK, Dial, Proxy, Target
from warroom_chaos.wire_taps import PlayerTaps

ATTEMPTS: Final = 20
LOOK_S: Final = 0.02
PAUSE_S: Final = 0.5
"""Delay before a node that gave up is started again."""


class Member:
    """One node, and the proxies of its connections from clients, to the store and from other nodes."""

    def __init__(
        self, number: int, folder: Path, store: StoreProcess, ownership_log: OwnershipLog, *, is_alone: bool
    ) -> None:
        self._ownership_log = ownership_log
        self.process = NodeProcess(number, folder, lambda line: ownership_log.note(number, line))
        self.clients = NetworkConditions()
        self.store = NetworkConditions()
        self.links = NetworkConditions()
        self.store_proxy = Proxy(lambda: Target(number, _to_store(store), self.store))
        self.link_proxy = Proxy(
            lambda: Target(number, self.dial, self.links) if self.process.port else None, of_websockets=True
        )
        self._is_alone = is_alone

    async def dial(self, protocol: asyncio.Protocol) -> None:
        """Connect to the node itself."""
        await asyncio.get_running_loop().create_connection(lambda: protocol, LOOPBACK, self.process.port)

    async def start(self) -> None:
        """Start the node, or start it again."""
        settings = {"redis": f"redis://{LOOPBACK}:{self.store_proxy.port}"}
        if not self._is_alone:
            settings["advertise"] = f"ws://{LOOPBACK}:{self.link_proxy.port}/link"
        for attempt in range(1, ATTEMPTS + 1):
            self._ownership_log.begin(self.process.number)
            try:
                await self.process.start(**settings)
            except ProcessError:
                # A node exits if it cannot reach its store; in production a supervisor restarts it.
                if attempt == ATTEMPTS:
                    raise
                await asyncio.sleep(PAUSE_S)
            else:
                return


class Cluster:
    """All processes and proxies; `async with` starts and stops them."""

    def __init__(self, folder: Path, *, nodes: int, now_s: Callable[[], float]) -> None:
        self.ownership_log = OwnershipLog(now_s)
        self.player_taps = PlayerTaps(now_s)
        self.store = StoreProcess(folder)
        self.members = [
            Member(number, folder, self.store, self.ownership_log, is_alone=nodes == 1) for number in range(nodes)
        ]
        self.front = Proxy(self._next, self.player_taps.tap)
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
        """The address for clients, whichever node serves them."""
        return f"ws://{LOOPBACK}:{self.front.port}/ws"

    async def until_linked(self, within_s: float) -> None:
        """Wait until two nodes are linked, at most *within_s* seconds."""
        for _ in range(int(within_s / LOOK_S)):
            if any(member.link_proxy.connections for member in self.members):
                return
            await asyncio.sleep(LOOK_S)

    def linked_to(self, member: Member) -> list[Member]:
        """Return the members whose proxies carry the links of a node.

        The node with the smaller id dials, so all links of one node may go through the proxies of the others.
        """
        return [member] if member.link_proxy.connections else [each for each in self.members if each is not member]

    async def _start(self) -> None:
        self._stack.push_async_callback(self.store.kill)
        await self.store.start()
        for proxy in (self.front, *(proxy for each in self.members for proxy in (each.store_proxy, each.link_proxy))):
            self._stack.push_async_callback(proxy.close)
            await proxy.open()
        for member in self.members:
            self._stack.push_async_callback(member.process.kill)
        await asyncio.gather(*(member.start() for member in self.members))

    def _next(self) -> Target | None:
        """Return the next node that accepts connections, round robin."""
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
