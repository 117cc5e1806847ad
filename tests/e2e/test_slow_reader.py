"""A viewer that stops reading is left out until it reads again, or closed; whoever reads gets everything."""

import asyncio
import re
from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

import pytest
from raw_line import RawLine
from server_process import ServerProcess
from stranger import Stranger
from waiting import until
from wire_player import WirePlayer, first

from warroom_protocol import messages as wire
from warroom_protocol.codes import CLOSE_SLOW

PATIENCE_S = 60
BUSY = {"max_rounds": 1000}
SEATS = 5
SNAPSHOTS = 150
"""Of a room that nobody plays in: some hundred thousand bytes for whoever asks for so many."""
CROWD, ROOMS = 100, 8
UNDISTURBED = {"turn_ms": 60_000}
MOST_GROWTH_BYTES = 8_000_000


def _memory_bytes(pid: int) -> int:
    status = Path(f"/proc/{pid}/status").read_text()
    found = re.search(r"VmRSS:\s+(\d+) kB", status)
    assert found is not None
    return 1024 * int(found[1])


def _counted(server: ServerProcess, name: str) -> float:
    found = re.search(rf"^warroom_{name}_total (\S+)", server.metrics(), re.MULTILINE)
    assert found is not None, name
    return float(found[1])


@pytest.fixture
def idle_room(server: ServerProcess) -> int:
    """Return a room with a large view in which nothing happens."""
    players = [Stranger(server.url, name) for name in ("Ada", "Bob")]
    number: int = players[0].ask("create", "graph_battle", 2, {}, {"turn_ms": 3_600_000})[2]
    for player in players:
        player.ask("join", number, None, None, None)
        player.close()
    return number


def _hear_about(line: RawLine, room: int) -> list[Any]:
    """Read up to the next message about a room."""
    while True:
        message = line.hear()
        if message[1] == room and message[0] != "seats":
            return message


def _get_stuck(line: RawLine, idle_room: int) -> None:
    """Ask for more than the line holds, and read nothing of it."""
    line.say("watch", 2, idle_room, None)
    for ref in range(SNAPSHOTS):
        line.say("resync", ref, idle_room)


async def test_a_spectator_that_stops_reading_costs_the_others_nothing_and_gets_a_snapshot_later(
    server: ServerProcess, idle_room: int
) -> None:
    players = [WirePlayer(server.url, f"Player {number}", choose=first) for number in range(SEATS)]
    spectator = WirePlayer(server.url, "Eve")
    async with asyncio.timeout(PATIENCE_S):
        created = await players[0].create("graph_battle", SEATS, BUSY, UNDISTURBED)
        with RawLine(server.port, is_narrow=True) as stuck:
            stuck.greet("Sloth")
            stuck.say("watch", 1, created.room, None)
            assert stuck.hear_of("snapshot")[3] == 0
            _get_stuck(stuck, idle_room)
            await until(lambda: _counted(server, "held_reads") > 0)
            before = _memory_bytes(server.pid)
            async with asyncio.TaskGroup() as group:
                group.create_task(spectator.watch(created.room))
                for player in players:
                    group.create_task(player.play(created.room))
            assert _memory_bytes(server.pid) - before < MOST_GROWTH_BYTES
            steps = [message.p for message in spectator.viewer.seen if isinstance(message, wire.Update)]
            assert steps == list(range(1, spectator.viewer.p + 1))
            assert all(player.viewer.p == spectator.viewer.p for player in players)
            assert _counted(server, "skipped_frames") > 0
            notice, snapshot, ended = (_hear_about(stuck, created.room) for _ in range(3))
            assert notice[:3] == ["notice", created.room, "viewer.slow"]
            assert (snapshot[0], snapshot[3]) == ("snapshot", spectator.viewer.p)
            assert ended[0] == "ended"


async def test_a_crowd_that_does_not_read_does_not_fill_the_servers_memory(
    server: ServerProcess, idle_room: int
) -> None:
    host = WirePlayer(server.url, "Host")
    async with asyncio.timeout(PATIENCE_S), AsyncExitStack() as lines:
        rooms = [await host.create("graph_battle", SEATS, BUSY, UNDISTURBED) for _ in range(ROOMS)]
        for _ in range(CROWD):
            stuck = lines.enter_context(RawLine(server.port, is_narrow=True))
            stuck.greet("Sloth")
            for number, created in enumerate(rooms):
                stuck.say("watch", number, created.room, None)
            _get_stuck(stuck, idle_room)
        await until(lambda: _counted(server, "held_reads") >= CROWD)
        before = _memory_bytes(server.pid)
        for created in rooms:
            players = [WirePlayer(server.url, f"Player {number}", choose=first) for number in range(SEATS)]
            async with asyncio.TaskGroup() as group:
                for player in players:
                    group.create_task(player.play(created.room))
        assert _counted(server, "skipped_frames") > CROWD * ROOMS
        assert _memory_bytes(server.pid) - before < MOST_GROWTH_BYTES


@pytest.mark.long
async def test_a_spectator_that_does_not_catch_up_is_closed(server: ServerProcess, idle_room: int) -> None:
    players = [WirePlayer(server.url, f"Player {number}", choose=first) for number in range(SEATS)]
    async with asyncio.timeout(PATIENCE_S):
        created = await players[0].create("graph_battle", SEATS, BUSY, UNDISTURBED)
        with RawLine(server.port, is_narrow=True) as stuck:
            stuck.greet("Sloth")
            stuck.say("watch", 1, created.room, None)
            _get_stuck(stuck, idle_room)
            await until(lambda: _counted(server, "held_reads") > 0)
            async with asyncio.TaskGroup() as group:
                for player in players:
                    group.create_task(player.play(created.room))
            await until(lambda: "too slow" in server.log, within_s=PATIENCE_S)
            assert stuck.close_code() == CLOSE_SLOW
