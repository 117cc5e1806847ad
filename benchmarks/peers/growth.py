"""Whether an action costs more as a match gets longer, or as the server has more rooms."""

from collections.abc import Callable, Sequence

import uvloop

from benchmarks.peers.arena import Arena, Size, open_arena
from benchmarks.peers.contestants import warroom
from benchmarks.players import fill_rooms
from benchmarks.processes import Server
from benchmarks.tiles49 import GAME, SEATS, TURN_MS

PLAYING = 10
"""Rooms that play; the others only exist."""
WINDOW_S, STEP_S = 1.0, 0.5
Say = Callable[[str], None]


def cost_by_entries(lengths: Sequence[int], say: Say) -> dict[int, float]:
    """Return microseconds per action after so many entries in every room."""
    costs: dict[int, float] = {}
    with open_arena(warroom("warroom_memory", "--redis", "memory://"), Size(rooms=PLAYING, viewers=0)) as arena:
        for length in lengths:
            say(f"growth: playing {PLAYING} rooms to {length} entries")
            window = arena.rooms(STEP_S)
            while window.all_accepted < length * PLAYING:
                window = arena.rooms(STEP_S)
            costs[length] = arena.rooms(WINDOW_S).us_per_action
    return costs


def cost_by_rooms(counts: Sequence[int], say: Say) -> dict[int, float]:
    """Return microseconds per action with so many rooms on the server."""
    costs: dict[int, float] = {}
    with open_arena(warroom("warroom_memory", "--redis", "memory://"), Size(rooms=PLAYING, viewers=0)) as arena:
        arena.rooms(WINDOW_S)  # warm-up
        uvloop.run(_grow(arena, arena.server, counts, costs, say))
    return costs


async def _grow(arena: Arena, server: Server, counts: Sequence[int], costs: dict[int, float], say: Say) -> None:
    has = PLAYING
    for count in counts:
        if count > has:
            say(f"growth: opening {count - has} rooms")
            await fill_rooms(server.port, count - has, GAME.info.id, turn_ms=TURN_MS, seats=SEATS)
            has = count
        costs[count] = arena.rooms(WINDOW_S).us_per_action
