"""The two loads: many small rooms at play, and one room with a crowd of spectators."""

import asyncio
from collections.abc import Callable
from dataclasses import asdict, dataclass

from benchmarks.crowd import SEATS, Tally, open_tables, watch
from benchmarks.processes import Server, running_server

Say = Callable[[str], None]


@dataclass(frozen=True)
class Measured:
    """One load: what went through, and what that cost the server."""

    load: str
    seconds: float
    connections: int
    actions: int
    actions_per_s: float
    updates_delivered: int
    cpu_share: float
    cpu_us_per_action: float
    cpu_us_per_update: float
    store_cpu_us_per_action: float
    bytes_per_update: float
    memory_kb_per_connection: float
    refused: int
    matches_ended: int

    def as_dict(self) -> dict[str, object]:
        """Return the figures by name, rounded to what they are worth."""
        return {name: round(value, 2) if isinstance(value, float) else value for name, value in asdict(self).items()}


async def rooms_at_play(rooms: int, seconds: float, *, think_s: float, say: Say) -> Measured:
    """Measure *rooms* rooms of five players who act *think_s* seconds after they are asked (0: at once)."""
    with running_server() as server:
        idle = server.cost()
        tally = Tally()
        name = f"{rooms} rooms of {SEATS}, " + (f"thinking {think_s:g} s" if think_s else "saturated")
        say(f"{name}: filling")
        tables = await open_tables(server.port, rooms, tally, think_s=think_s)
        full = server.cost()
        say(f"{name}: measuring for {seconds:g} s")
        measured = await _measure(name, server, tally, seconds, rooms * SEATS, full.memory_bytes - idle.memory_bytes)
        for table in tables:
            table.stop()
            for person in table.people:
                person.client.close()
    return measured


async def room_with_crowd(viewers: int, seconds: float, *, think_s: float, say: Say) -> Measured:
    """Measure one room of five players before *viewers* spectators."""
    with running_server() as server:
        idle = server.cost()
        tally = Tally()
        name = f"1 room of {SEATS}, {viewers} spectators"
        say(f"{name}: filling")
        (table,) = await open_tables(server.port, 1, tally, think_s=think_s)
        crowd = await watch(server.port, table.room, viewers, tally)
        full = server.cost()
        say(f"{name}: measuring for {seconds:g} s")
        measured = await _measure(name, server, tally, seconds, viewers + SEATS, full.memory_bytes - idle.memory_bytes)
        table.stop()
        for person in (*table.people, *crowd):
            person.client.close()
    return measured


async def _measure(
    name: str, server: Server, tally: Tally, seconds: float, connections: int, memory_bytes: int
) -> Measured:
    loop = asyncio.get_running_loop()
    await asyncio.sleep(1)  # the first seconds differ: caches fill and the last joins are answered
    accepted, updates, size = tally.accepted, tally.updates, tally.update_bytes
    cpu, store, began = server.cost().cpu_s, server.store_cost().cpu_s, loop.time()
    await asyncio.sleep(seconds)
    cpu, store, took = server.cost().cpu_s - cpu, server.store_cost().cpu_s - store, loop.time() - began
    accepted, updates, size = tally.accepted - accepted, tally.updates - updates, tally.update_bytes - size
    if not accepted or not updates:
        raise RuntimeError(f"{name}: nothing was played")
    return Measured(
        load=name,
        seconds=took,
        connections=connections,
        actions=accepted,
        actions_per_s=accepted / took,
        updates_delivered=updates,
        cpu_share=cpu / took,
        cpu_us_per_action=cpu * 1e6 / accepted,
        cpu_us_per_update=cpu * 1e6 / updates,
        store_cpu_us_per_action=store * 1e6 / accepted,
        bytes_per_update=size / updates,
        memory_kb_per_connection=memory_bytes / connections / 1024,
        refused=tally.refused.total(),
        matches_ended=tally.ended,
    )
