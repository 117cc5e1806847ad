"""How late deadlines are judged while thousands of clocks run and nobody acts."""

import asyncio
import statistics
import time

import uvloop
from msgspec import Struct

from benchmarks.peers.contestants import serve_warroom
from benchmarks.peers.generator import LoadError
from benchmarks.players import Player, fill_rooms
from benchmarks.processes import Server
from benchmarks.tiles49 import SEATS, TURNS
from warroom_protocol.messages import Expired, Prompt, ServerMessage

TURN_MS = 5000
FILL_S = 120
"""How long opening the rooms may take."""


class Lateness(Struct, frozen=True):
    """What the receipts of the expired turns say; times in milliseconds after deadline and credit."""

    rooms: int
    expired: int
    expired_per_s: float
    p50_ms: float
    p99_ms: float
    longest_ms: float
    early: int
    seen_p50_ms: float
    """Until the player heard of it, by the player's own clock.

    It counts what room time leaves out, too: appends, and stalls of the server of more than 50 ms in the whole turn.
    """
    seen_p99_ms: float
    server_cpu_share: float


class _Watch:
    """Collects what players hear of their clocks."""

    def __init__(self) -> None:
        self.is_open = False
        self.late_ms: list[float] = []
        self.seen_ms: list[float] = []
        self._ends_ms: dict[tuple[int, int], float] = {}
        """By room and turn token: the deadline on this machine's clock."""

    def heard(self, player: Player, message: ServerMessage) -> None:
        now_ms = time.monotonic() * 1000
        if isinstance(message, Prompt):
            self._ends_ms[message.room, message.turn] = now_ms + message.deadline - message.at
        elif isinstance(message, Expired):
            end_ms = self._ends_ms.pop((message.room, message.turn), None)
            if self.is_open and end_ms is not None:
                receipt = message.receipt
                self.late_ms.append(receipt.judged - receipt.deadline - receipt.credit)
                self.seen_ms.append(now_ms - end_ms - receipt.credit)


async def _fill(server: Server, rooms: int, watch: _Watch) -> list[Player]:
    return await fill_rooms(server.port, rooms, TURNS.info.id, turn_ms=TURN_MS, seats=SEATS, heard=watch.heard)


async def _measure(server: Server, rooms: int, seconds: float) -> Lateness:
    watch = _Watch()
    try:
        people = await asyncio.wait_for(_fill(server, rooms, watch), FILL_S)
    except TimeoutError:
        raise LoadError(f"{rooms} rooms were not open after {FILL_S} s; the machine is too busy") from None
    await asyncio.sleep(TURN_MS / 1000)
    watch.is_open, cpu_s, began_s = True, server.cost().cpu_s, time.monotonic()
    await asyncio.sleep(seconds)
    watch.is_open, cpu_s, took_s = False, server.cost().cpu_s - cpu_s, time.monotonic() - began_s
    for person in people:
        person.close()
    late, seen = statistics.quantiles(watch.late_ms, n=100), statistics.quantiles(watch.seen_ms, n=100)
    return Lateness(
        rooms=rooms,
        expired=len(watch.late_ms),
        expired_per_s=len(watch.late_ms) / took_s,
        p50_ms=late[49],
        p99_ms=late[98],
        longest_ms=max(watch.late_ms),
        early=sum(late_ms < 0 for late_ms in watch.late_ms),
        seen_p50_ms=seen[49],
        seen_p99_ms=seen[98],
        server_cpu_share=cpu_s / took_s,
    )


def measure_deadlines(rooms: int, seconds: float) -> Lateness:
    """Run *rooms* five-second clocks for a while; the rooms open one after the other, so their turns do not align."""
    with serve_warroom("--game", "benchmarks.tiles49:TURNS") as server:
        return uvloop.run(_measure(server, rooms, seconds))
