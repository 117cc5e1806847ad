"""The walks in ARCHITECTURE.md are true: each is compared with the calls of a running server."""

import json
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path

import pytest
from raw_websocket import RawLine
from redis_server import redis_server
from server_process import SEALED_BIDS, ServerProcess
from traced_server import CallRecorder, TracedServers, name_of, traced_servers
from walks import documented_walks, first_missing

from warroom_server.config import Settings

WALKS = documented_walks()
SUPPORT = Path(__file__).parents[1] / "support"
MOST = {"calls": 60, "modules": 15, "encodes": 6, "hashes": 1, "frames": 3, "bytes_out": 400, "operations": 5}
"""What a move in a room of five may cost: see `action_costs`."""

Greet = Callable[[int, str], RawLine]


@pytest.fixture
def servers() -> Iterator[TracedServers]:
    with traced_servers() as running:
        yield running


@pytest.fixture
def greet() -> Iterator[Greet]:
    """Return what connects a player to the server on a port."""
    with ExitStack() as lines:

        def connect(port: int, name: str) -> RawLine:
            line = lines.enter_context(RawLine(port))
            line.greet(name)
            return line

        yield connect


def node(redis: str = "memory://", *, game: str = "sealed_bids:GAME", bots: bool = False) -> Settings:
    return Settings(port=0, admin_port=0, redis=redis, games=(game,), bots=bots, bot_think="0")


def join_all(lines: Sequence[RawLine], game: str) -> int:
    """Let the first player make a room, and all of them sit down in it; return its number."""
    lines[0].say("create", 1, game, len(lines), {}, {})
    room: int = lines[0].hear_of("created")[2]
    for line in lines:
        line.say("join", 2, room)
        line.hear_of("joined")
    for line in lines:
        line.hear_of("prompt")
    return room


def assert_walked(title: str, recorder: CallRecorder) -> None:
    trace = [name for code in recorder.take() if (name := name_of(code)) is not None]
    missing = first_missing(WALKS[title], trace)
    assert missing is None, f"{missing} was not called in its place in {title!r}:\n" + "\n".join(trace)


def measure_costs() -> dict[str, float]:
    """Return what an action costs, as the median of many."""
    found = subprocess.run(
        [sys.executable, SUPPORT / "action_costs.py"], capture_output=True, text=True, timeout=100, check=True
    )
    costs: dict[str, float] = json.loads(found.stdout)
    return costs


def test_the_document_shows_four_walks() -> None:
    assert list(WALKS) == ["An action", "A join on another node", "A take-over", "A quick match with bots"]


def test_a_walk_that_is_out_of_order_is_noticed() -> None:
    assert first_missing(["a", "c"], ["a", "b", "c"]) is None
    assert first_missing(["c", "a"], ["a", "b", "c"]) == "a"


class TestAction:
    def test_it_goes_the_way_of_the_document(self, servers: TracedServers, greet: Greet) -> None:
        port = servers.start(node()).address.port
        lines = [greet(port, name) for name in ("Ada", "Bob")]
        room = join_all(lines, "sealed_bids")
        lines[0].say("legal", 3, room)
        action = lines[0].hear_of("legal")[5][0]
        with servers.recording() as recorder:
            lines[0].say("act", room, 1, 1, action)
            assert lines[0].hear_of("verdict")[3] is None
            assert_walked("An action", recorder)

    def test_it_costs_few_calls_and_bytes(self) -> None:
        # On a busy machine more time passes during an action, and timers add calls: the next run may be quieter.
        for _ in range(3):
            costs = measure_costs()
            assert costs.keys() == MOST.keys()
            excess = {name: cost for name, cost in costs.items() if cost > MOST[name]}
            if not excess:
                return
        assert excess == {}


def test_a_join_on_another_node(servers: TracedServers, greet: Greet) -> None:
    with redis_server() as redis:
        owner, edge = (servers.start(node(redis.url)).address.port for _ in range(2))
        ada, bob = greet(owner, "Ada"), greet(edge, "Bob")
        ada.say("create", 1, "sealed_bids", 2, {}, {})
        room = ada.hear_of("created")[2]
        with servers.recording() as recorder:
            bob.say("join", 2, room)
            assert bob.hear_of("joined", "error")[0] == "joined"
            assert_walked("A join on another node", recorder)


def test_a_take_over(servers: TracedServers, greet: Greet, tmp_path: Path) -> None:
    with redis_server() as redis:
        dying = ServerProcess(tmp_path / "dying", *SEALED_BIDS, redis=redis.url)
        try:
            dying.start()
            heir = servers.start(node(redis.url)).address.port
            lines = [greet(dying.port, "Ada"), greet(heir, "Bob")]
            room = join_all(lines, "sealed_bids")
            with servers.recording() as recorder:
                dying.kill()
                while lines[1].hear_of("notice")[2] != "room.moved":
                    pass
                lines[1].say("join", 3, room, None, None, [1, 0, 0])
                lines[1].hear_of("resumed", "joined")
                assert_walked("A take-over", recorder)
        finally:
            dying.close()


def test_a_quick_match_with_bots(servers: TracedServers, greet: Greet) -> None:
    port = servers.start(node(bots=True)).address.port
    ada = greet(port, "Ada")
    with servers.recording() as recorder:
        ada.say("quick", 1, "graph_battle", 2, {}, {"fill_after_ms": 0})
        room = ada.hear_of("created")[2]
        ada.say("join", 2, room)
        ada.hear_of("prompt", "update")
        assert_walked("A quick match with bots", recorder)
