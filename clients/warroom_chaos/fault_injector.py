"""Injects the planned faults into a cluster, and ends them."""

import asyncio
import signal
from collections.abc import Callable, Iterable, Sequence
from contextlib import AsyncExitStack, ExitStack
from typing import Final

from msgspec import Struct

from warroom_chaos.cluster import Cluster, Member
from warroom_chaos.fault_plan import GRAVE, RECOVERY_MS, Fault
from warroom_chaos.network_conditions import NetworkConditions
from warroom_chaos.tcp_proxy import Proxy

FREEZES: Final = 1
"""The amount of a cut that holds all data back without closing connections, like a network partition."""
LINKED_S: Final = 3.0
"""Time limit for a link to appear, if an earlier fault left none to disturb."""
_GRAVE: Final = frozenset(sort.kind for sort in GRAVE)


class InjectedFault(Struct):
    """A fault with its actual times, in seconds since the start of the run."""

    fault: Fault
    began_s: float
    ended_s: float | None = None


class Injector:
    """Injects the faults of a plan."""

    def __init__(self, cluster: Cluster, plan: tuple[Fault, ...], now_s: Callable[[], float]) -> None:
        self.done: list[InjectedFault] = []
        self._cluster = cluster
        self._plan = plan
        self._now_s = now_s
        self._nodes = [asyncio.Lock() for _ in cluster.members]
        """Locks: only one fault at a time may stop or start a node."""
        self._grave = asyncio.Lock()
        """Held by a grave fault: they come one at a time, also if one had to wait for its node."""
        self._recovered_s = 0.0
        """When the nodes have recovered from the last grave fault."""

    @property
    def current(self) -> list[Fault]:
        """The active faults."""
        return [each.fault for each in self.done if each.ended_s is None]

    async def run(self) -> None:
        """Start every fault at its time, counted from now; return when the last one is over."""
        began_s = self._now_s()
        try:
            async with asyncio.TaskGroup() as group:
                for fault in self._plan:
                    await asyncio.sleep(max(0.0, began_s + fault.at_ms / 1000 - self._now_s()))
                    group.create_task(self._inflict(fault))
        except ExceptionGroup as failures:
            raise failures.exceptions[0] from failures

    async def _inflict(self, fault: Fault) -> None:
        inflicted = InjectedFault(fault, self._now_s())
        self.done.append(inflicted)
        async with AsyncExitStack() as turn:
            if fault.kind in _GRAVE:
                await turn.enter_async_context(self._grave)
                await asyncio.sleep(max(0.0, self._recovered_s - self._now_s()))
            if fault.node is not None:
                await turn.enter_async_context(self._nodes[fault.node])
            inflicted.began_s = self._now_s()
            if fault.kind in _GRAVE:
                self._recovered_s = inflicted.began_s + (fault.lasts_ms + RECOVERY_MS) / 1000
            if fault.node is None:
                await self._on_all(fault)
            else:
                await self._on_node(fault, self._cluster.members[fault.node])
        inflicted.ended_s = self._now_s()

    async def _on_all(self, fault: Fault) -> None:
        lasts_s = fault.lasts_ms / 1000
        match fault.kind:
            case "restart_store":
                await self._cluster.store.kill()
                await asyncio.sleep(lasts_s)
                await self._cluster.store.start()
            case "rewind_store":
                mark = self._cluster.store.mark()
                await asyncio.sleep(lasts_s)
                await self._cluster.store.kill()
                self._cluster.store.rewind(mark)
                await self._cluster.store.start()
            case "duplicate":
                self._cluster.player_taps.duplicates = True
                await asyncio.sleep(lasts_s)
                self._cluster.player_taps.duplicates = False
            case _:
                raise AssertionError(f"{fault.kind} hits one node")

    async def _on_node(self, fault: Fault, member: Member) -> None:
        match fault.kind:
            case "kill" | "pause" | "drain":
                await self._stop(fault, member)
            case "cut_store":
                await self._break(fault, [(member.store_proxy, member.store)])
            case "cut_links" | "delay_links" | "lose_message":
                await self._cluster.until_linked(LINKED_S)
                await self._disturb_links(fault, self._cluster.linked_to(member))
            case "cut_clients":
                self._cluster.front.cut(fault.node, fault.amount)
            case "slow_readers":
                await self._slow_down(fault)
            case "delay_clients":
                await _delay(fault, [member.clients])
            case "delay_store":
                await _delay(fault, [member.store])
            case "jump_clock":
                member.process.turn_clock(fault.amount)
            case _:
                raise AssertionError(f"{fault.kind} hits all nodes")

    async def _stop(self, fault: Fault, member: Member) -> None:
        match fault.kind:
            case "kill":
                await member.process.kill()
                await asyncio.sleep(fault.lasts_ms / 1000)
                await member.start()
            case "pause":
                member.process.signal(signal.SIGSTOP)
                await asyncio.sleep(fault.lasts_ms / 1000)
                member.process.signal(signal.SIGCONT)
            case _:
                await member.process.drain()
                await member.start()

    async def _disturb_links(self, fault: Fault, members: Sequence[Member]) -> None:
        match fault.kind:
            case "cut_links":
                await self._break(fault, [(member.link_proxy, member.links) for member in members])
            case "delay_links":
                await _delay(fault, [member.links for member in members])
            case _:
                for member in members:
                    member.link_proxy.lose(fault.amount)

    async def _break(self, fault: Fault, proxies: Sequence[tuple[Proxy, NetworkConditions]]) -> None:
        """Let no data through for a while: hold it back, or close every connection."""
        for proxy, conditions in proxies:
            if fault.amount == FREEZES:
                conditions.is_frozen = True
            else:
                conditions.refuses = True
                proxy.cut()
        await asyncio.sleep(fault.lasts_ms / 1000)
        for proxy, conditions in proxies:
            conditions.is_frozen = conditions.refuses = False
            proxy.apply_conditions()

    async def _slow_down(self, fault: Fault) -> None:
        lines = self._cluster.front.some(fault.node, fault.amount)
        for line in lines:
            line.inward.is_stalled = True
            line.flush()
        await asyncio.sleep(fault.lasts_ms / 1000)
        for line in lines:
            line.inward.is_stalled = False
            line.flush()


async def _delay(fault: Fault, conditions: Iterable[NetworkConditions]) -> None:
    with ExitStack() as stack:
        for each in conditions:
            stack.enter_context(each.delayed(fault.amount))
        await asyncio.sleep(fault.lasts_ms / 1000)
