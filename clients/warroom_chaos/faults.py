"""Does what the plan says to a cluster, and puts it right again."""

import asyncio
import signal
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from typing import Final

from msgspec import Struct

from warroom_chaos.cluster import Cluster, Member
from warroom_chaos.gates import Gate
from warroom_chaos.plan import Fault
from warroom_chaos.weather import Weather

FREEZES: Final = 1
"""The amount of a cut that lets nothing through without breaking any line, as a network does."""


LINKED_S: Final = 3.0
"""How long a fault of links waits for one that it can hit, after another fault."""


class Inflicted(Struct):
    """A fault that was done, and when, in seconds since the run began."""

    fault: Fault
    began_s: float
    ended_s: float | None = None


class Injector:
    """Goes through a plan."""

    def __init__(self, cluster: Cluster, plan: tuple[Fault, ...], now_s: Callable[[], float]) -> None:
        self.done: list[Inflicted] = []
        self._cluster = cluster
        self._plan = plan
        self._now_s = now_s
        self._nodes = [asyncio.Lock() for _ in cluster.members]
        """One fault at a time may stop or start a node."""

    @property
    def current(self) -> list[Fault]:
        """What is wrong right now."""
        return [each.fault for each in self.done if each.ended_s is None]

    async def run(self) -> None:
        """Begin every fault at its time, counted from now; return when all is well again."""
        began_s = self._now_s()
        try:
            async with asyncio.TaskGroup() as group:
                for fault in self._plan:
                    await asyncio.sleep(max(0.0, began_s + fault.at_ms / 1000 - self._now_s()))
                    group.create_task(self._inflict(fault))
        except ExceptionGroup as failures:
            raise failures.exceptions[0] from failures

    async def _inflict(self, fault: Fault) -> None:
        inflicted = Inflicted(fault, self._now_s())
        self.done.append(inflicted)
        if fault.node is None:
            await self._on_all(fault)
        else:
            async with self._nodes[fault.node]:
                inflicted.began_s = self._now_s()
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
                self._cluster.witness.duplicates = True
                await asyncio.sleep(lasts_s)
                self._cluster.witness.duplicates = False
            case _:
                raise AssertionError(f"{fault.kind} hits one node")

    async def _on_node(self, fault: Fault, member: Member) -> None:
        match fault.kind:
            case "kill" | "pause" | "drain":
                await self._stop(fault, member)
            case "cut_store":
                await self._break(fault, [(member.store_gate, member.store)])
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
                await self._break(fault, [(member.link_gate, member.links) for member in members])
            case "delay_links":
                await _delay(fault, [member.links for member in members])
            case _:
                for member in members:
                    member.link_gate.lose(fault.amount)

    async def _break(self, fault: Fault, gates: Sequence[tuple[Gate, Weather]]) -> None:
        """Let nothing through for a while: held as if on the way, or with every line cut."""
        for gate, weather in gates:
            if fault.amount == FREEZES:
                weather.is_frozen = True
            else:
                weather.refuses = True
                gate.cut()
        await asyncio.sleep(fault.lasts_ms / 1000)
        for gate, weather in gates:
            weather.is_frozen = weather.refuses = False
            gate.stir()

    async def _slow_down(self, fault: Fault) -> None:
        lines = self._cluster.front.some(fault.node, fault.amount)
        for line in lines:
            line.inward.is_stalled = True
            line.flush()
        await asyncio.sleep(fault.lasts_ms / 1000)
        for line in lines:
            line.inward.is_stalled = False
            line.flush()


async def _delay(fault: Fault, weathers: Iterable[Weather]) -> None:
    with ExitStack() as stack:
        for weather in weathers:
            stack.enter_context(weather.delayed(fault.amount))
        await asyncio.sleep(fault.lasts_ms / 1000)
