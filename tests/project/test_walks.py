"""The walks in ARCHITECTURE.md are true: each is compared with the calls of a running server."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from statistics import median
from types import CodeType

import pytest
from raw_websocket import RawLine
from redis_server import redis_server
from server_process import SEALED_BIDS, ServerProcess
from traced_server import CallRecorder, TracedServers, module_of, name_of, traced_servers
from walks import documented_walks, first_missing

from warroom_server.config import Settings

WALKS = documented_walks()
ACTIONS = 50
MOST_CALLS = 600
"""Python calls per action in a room of five, with those of the rules and of libraries."""
MOST_MODULES = 45
"""Modules of the server that an action passes through."""

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

    def test_it_passes_few_functions_and_modules(self, servers: TracedServers, greet: Greet) -> None:
        port = servers.start(node(game="benchmarks.tiles49:GAME")).address.port
        lines = [greet(port, f"Player {number}") for number in range(5)]
        room = join_all(lines, "tiles49")
        calls, modules = list[int](), list[int]()
        with servers.recording() as recorder:
            for number in range(1, ACTIONS + 1):
                recorder.take()
                codes = _play(lines, room, number, recorder)
                calls.append(len(codes))
                modules.append(len({module for code in codes if (module := module_of(code)) is not None}))
        assert median(calls) <= MOST_CALLS
        assert median(modules) <= MOST_MODULES


def _play(lines: Sequence[RawLine], room: int, number: int, recorder: CallRecorder) -> list[CodeType]:
    """Let the first player pass, and return the calls until everybody knows."""
    lines[0].say("act", room, number, number, {"type": "pass"})
    for line in lines:
        line.hear_of("update")
    assert lines[0].hear_of("verdict")[3] is None
    return recorder.take()


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
