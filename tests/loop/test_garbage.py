"""Garbage collection: what the server leaves to it, and how it keeps the pauses short."""

import asyncio
import gc
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack
from types import CoroutineType, FrameType

import pytest
from raw_websocket import RawLine
from traced_server import TracedServers, traced_servers
from wait_until import until

from warroom_server.app import Server
from warroom_server.config import Settings

OURS = ("warroom_", "asyncio", "_asyncio", "uvloop", "websockets")
POLICY = """
import gc, weakref
from warroom_server.loop.garbage import ALL_EVERY, EVERY_S, collect_in_short_pauses

class Node:
    pass

def cycle():
    node = Node()
    node.own = node
    return node

class Loop:
    def call_later(self, delay_s, search, loop, number):
        assert delay_s == EVERY_S
        self.search, self.number = search, number

    def go_on(self, number=None):
        self.search(self, number or self.number)

loop = Loop()
collect_in_short_pauses(loop)
old, young = cycle(), weakref.ref(cycle())
others = [cycle() for _ in range(10_000)]
assert young() is not None
loop.go_on()
assert young() is None and gc.get_freeze_count() > 10_000
old = weakref.ref(old)
loop.go_on()
loop.go_on(ALL_EVERY - 1)
assert old() is not None
loop.go_on()
assert old() is None and gc.get_freeze_count() > 10_000
"""


def test_survivors_are_searched_only_when_all_objects_are() -> None:
    subprocess.run([sys.executable, "-c", POLICY], check=True)


@pytest.fixture
def servers() -> Iterator[TracedServers]:
    with traced_servers() as running:
        yield running


def play(server: Server, number: int) -> None:
    """Let five players make a room, act, and lose their connections; the room goes, too."""
    with ExitStack() as lines:
        players = [lines.enter_context(RawLine(server.address.port)) for _ in range(5)]
        for seat, player in enumerate(players):
            player.greet(f"Player {seat}")
        players[0].say("create", number, "tiles49", 5, {}, {"seating": "as_joined"})
        room = players[0].hear_of("created")[2]
        for player in players:
            player.say("join", 2, room)
            player.hear_of("joined")
        players[0].hear_of("prompt")
        for turn in range(1, 20):
            move = {"type": "move", "f": turn % 2, "t": 1 - turn % 2, "n": 1, "k": 1}
            players[0].say("act", room, turn, turn, move)
            players[0].hear_of("verdict")
    asyncio.run(until(lambda: not len(server.node.connections)))


def remove_rooms(server: Server) -> None:
    for hosted in server.node.room_host:
        server.node.room_host.remove(hosted)


def is_ours(garbage: object) -> bool:
    """Whether the server left this, and not the test."""
    return type(garbage).__module__.startswith(OURS) or isinstance(garbage, FrameType | CoroutineType | BaseException)


def test_neither_actions_nor_connections_nor_rooms_leave_cycles(servers: TracedServers) -> None:
    settings = Settings(port=0, admin_port=0, redis="memory://", games=("benchmarks.tiles49:GAME",), bots=False)
    server = servers.start(settings)
    play(server, 1)
    gc.collect()
    gc.set_debug(gc.DEBUG_SAVEALL)
    try:
        for number in (2, 3):
            play(server, number)
        servers.do(lambda: remove_rooms(server))
        gc.collect()
        assert [each for each in gc.garbage if is_ours(each)] == []
    finally:
        gc.set_debug(0)
        gc.garbage.clear()
