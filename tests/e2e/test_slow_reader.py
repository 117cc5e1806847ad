"""A viewer that stops reading is left out until it reads again, or closed; whoever reads gets everything."""

import asyncio
from collections.abc import Coroutine, Sequence
from contextlib import AsyncExitStack
from typing import Any

import msgpack
import pytest
from process_metrics import counted, memory_bytes
from raw_websocket import RawLine
from reconnecting_player import WirePlayer, first
from server_process import ServerProcess
from wait_until import until
from websocket_peer import BINARY, frame

from warroom_protocol import messages as wire
from warroom_protocol.codes import CLOSE_SLOW

PATIENCE_S = 180
SEATS = 5
GAMES = ("games", 1)
FILLING_BYTES = 300_000
"""More than the systems on both ends hold, and less than a client is closed for."""
CROWD, ROOMS = 100, 8
UNDISTURBED = {"turn_ms": 60_000}
MOST_GROWTH_BYTES = 8_000_000
"""A fraction of what the crowd would have been sent, had it read."""


def _hear_about(line: RawLine, room: int) -> list[Any]:
    """Read up to the next message about a room."""
    while True:
        message = line.hear()
        if message[1] == room and message[0] != "seats":
            return message


def _spectator(server: ServerProcess, rooms: Sequence[int]) -> RawLine:
    """Return a narrow line that watches some rooms."""
    line = RawLine(server.port, is_narrow=True)
    line.greet("Sloth")
    for room in rooms:
        line.say("watch", 1, room, None)
        line.hear_of("snapshot")
    return line


async def _get_stuck(server: ServerProcess, lines: Sequence[RawLine]) -> None:
    """Let each line ask for more than it holds, and read nothing of it; return when all of that is on its way."""
    with RawLine(server.port) as line:
        line.greet()
        line.say(*GAMES)
        answer = msgpack.packb(line.hear_of("games"))
    questions = FILLING_BYTES // len(answer) + 1
    goal = counted(server, "messages_in") + questions * len(lines)
    for line in lines:
        line.send(questions * frame(BINARY, msgpack.packb(GAMES)))
    await until(lambda: counted(server, "messages_in") >= goal)


async def _play(players: Sequence[WirePlayer], room: int, *others: Coroutine[None, None, object]) -> None:
    async with asyncio.TaskGroup() as group:
        for coroutine in (*others, *(player.play(room) for player in players)):
            group.create_task(coroutine)


def _players(server: ServerProcess) -> list[WirePlayer]:
    return [WirePlayer(server.url, f"Player {number}", choose=first) for number in range(SEATS)]


async def test_a_spectator_that_stops_reading_costs_the_others_nothing_and_gets_a_snapshot_later(
    server: ServerProcess,
) -> None:
    players, spectator = _players(server), WirePlayer(server.url, "Eve")
    async with asyncio.timeout(PATIENCE_S):
        room = (await players[0].create("graph_battle", SEATS, {}, UNDISTURBED)).room
        with _spectator(server, [room]) as stuck:
            await _get_stuck(server, [stuck])
            await _play(players, room, spectator.watch(room))
            steps = [message.p for message in spectator.viewer.seen if isinstance(message, wire.Update)]
            assert steps == list(range(1, spectator.viewer.p + 1))
            assert all(player.viewer.p == spectator.viewer.p for player in players)
            assert counted(server, "skipped_frames") > 0
            notice, snapshot, ended = (_hear_about(stuck, room) for _ in range(3))
            assert notice[:3] == ["notice", room, "viewer.slow"]
            assert (snapshot[0], snapshot[3]) == ("snapshot", spectator.viewer.p)
            assert ended[0] == "ended"


@pytest.mark.long
async def test_a_crowd_that_does_not_read_does_not_fill_the_servers_memory(server: ServerProcess) -> None:
    host = WirePlayer(server.url, "Host")
    async with asyncio.timeout(PATIENCE_S), AsyncExitStack() as lines:
        rooms = [(await host.create("graph_battle", SEATS, {}, UNDISTURBED)).room for _ in range(ROOMS)]
        crowd = [lines.enter_context(_spectator(server, rooms)) for _ in range(CROWD)]
        await _get_stuck(server, crowd)
        before = memory_bytes(server.pid)
        for room in rooms:
            await _play(_players(server), room)
        assert counted(server, "skipped_frames") > CROWD * ROOMS
        assert memory_bytes(server.pid) - before < MOST_GROWTH_BYTES


@pytest.mark.long
async def test_a_spectator_that_does_not_catch_up_is_closed(server: ServerProcess) -> None:
    players = _players(server)
    async with asyncio.timeout(PATIENCE_S):
        room = (await players[0].create("graph_battle", SEATS, {}, UNDISTURBED)).room
        with _spectator(server, [room]) as stuck:
            await _get_stuck(server, [stuck])
            await _play(players, room)
            await until(lambda: "too slow" in server.log, within_s=PATIENCE_S)
            assert stuck.close_code() == CLOSE_SLOW
