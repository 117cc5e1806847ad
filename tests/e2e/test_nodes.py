"""Several nodes on one store: whoever is connected to any of them plays in any room, whatever happens to a node."""

import asyncio
import json
import os
import re
import signal
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager

import pytest
from independent_client import Stranger
from redis_server import redis_server
from replay_log import assert_each_once, time_outs
from sdk_bots import Table
from server_process import WARROOM, ServerProcess
from wait_until import until

from warroom_bots.runner import Think
from warroom_client import Ended
from warroom_games.registry import load_games
from warroom_games.replay import verify

PATIENCE_S = 90
TURN_MS = 20_000
UNHURRIED = Think(5, 15)
THOUGHTFUL = Think(40, 120)
"""So slow that some match is always on its way."""
ROUNDS = {"max_rounds": 8}

NewCluster = Callable[..., list[ServerProcess]]


@pytest.fixture
def come() -> Iterator[Callable[..., Stranger]]:
    """Return what connects people; all hang up after the test."""
    with ExitStack() as lines:

        def connect(server: ServerProcess, name: str, token: str | None = None) -> Stranger:
            return lines.enter_context(closing(Stranger(server.url, name, token)))

        yield connect


@pytest.fixture(scope="module")
def pair(tmp_path_factory: pytest.TempPathFactory) -> Iterator[list[ServerProcess]]:
    """Return two nodes for tests that leave them as they are."""
    with redis_server() as redis:
        nodes = [ServerProcess(tmp_path_factory.mktemp("node"), "--redis", redis.url) for _ in range(2)]
        try:
            for node in nodes:
                node.start()
            yield nodes
        finally:
            for node in nodes:
                node.close()


def test_people_on_two_nodes_play_in_one_room(pair: list[ServerProcess], come: Callable[..., Stranger]) -> None:
    here, there = pair
    ada, bob, eve = come(here, "Ada"), come(there, "Bob"), come(there, "Eve")
    room = ada.ask("create", "graph_battle", 2, {}, {"seating": "as_joined"})[2]
    for player in (ada, bob):
        assert player.ask("join", room, None, None, None)[0] == "joined"
    assert eve.ask("watch", room, None)[0] == "joined"
    prompt = ada.await_message("prompt")
    assert ada.act(room, 1, prompt[3], {"type": "end_turn"})[3] is None
    prompt = bob.await_message("prompt")
    assert bob.act(room, 2, prompt[3], {"type": "end_turn"})[3] is None
    assert bob.act(room, 3, prompt[3], {"type": "end_turn"})[3] == "act.stale"
    assert bob.ask("say", room, "hello")[0] == "done"
    assert ada.await_message("said")[6] == "hello"
    assert eve.ask("leave", room)[0] == "done"
    assert eve.ask("leave", room)[2] in ("room.unknown", "room.not_here")


def test_lists_and_quick_matches_are_the_same_on_every_node(
    pair: list[ServerProcess], come: Callable[..., Stranger]
) -> None:
    here, there = pair
    ada, bob = come(here, "Ada"), come(there, "Bob")
    created, also = (person.ask("quick", "graph_battle", 2, {}, {}) for person in (ada, bob))
    assert created[2:] == also[2:]
    assert ada.ask("join", created[2], None, None, None)[0] == "joined"
    for node in (here, there):
        deadline_s = time.monotonic() + PATIENCE_S
        while [(room["code"], room["taken"]) for room in _listed(node)] != [(created[3], 1)]:
            assert time.monotonic() < deadline_s, f"listed as {_listed(node)}"
            time.sleep(0.05)
    assert _listed(here) == _listed(there)


def _listed(node: ServerProcess) -> list[dict[str, object]]:
    rooms: list[dict[str, object]] = json.loads(node.get("/api/rooms?open=true"))
    return rooms


def test_a_process_that_stood_still_judges_and_writes_nothing_for_rooms_that_others_took(
    pair: list[ServerProcess], come: Callable[..., Stranger]
) -> None:
    sleeper, other = pair
    ada, bob = come(sleeper, "Ada"), come(other, "Bob")
    room, code = ada.ask("create", "graph_battle", 2, {}, {"seating": "as_joined", "turn_ms": 600_000})[2:4]
    for player in (ada, bob):
        assert player.ask("join", room, None, None, None)[0] == "joined"
    turn = ada.await_message("prompt")[3]
    written = _appends(sleeper)
    with _standing_still(sleeper):
        _await_log([other], f"room adopted room={code} ")
        again = come(other, "Ada", ada.token)
        assert again.ask("join", room, None, None, None)[0] == "joined"
        assert again.act(room, 1, turn, {"type": "end_turn"})[3] is None
        # Legal for all that the sleeper knows: it is the first that it hears when it wakes.
        ada.send("act", room, 2, turn, {"type": "end_turn"})
    while ada.await_message("notice")[2] != "room.moved":
        pass
    assert ada.ask("join", room, None, None, None)[0] == "joined"
    assert ada.act(room, 2, turn, {"type": "end_turn"})[3] == "act.stale"
    _await_log([sleeper], "lease held again")
    assert _appends(sleeper) == written


def _appends(node: ServerProcess) -> int:
    """Return how often a node has written to rooms."""
    (count,) = re.findall(r"^warroom_append_seconds_count (\d+)", node.metrics(), re.MULTILINE)
    return int(count)


@contextmanager
def _standing_still(node: ServerProcess) -> Iterator[None]:
    """Stop a process for the length of a block."""
    os.kill(node.pid, signal.SIGSTOP)
    try:
        yield
    finally:
        os.kill(node.pid, signal.SIGCONT)


async def _play_on(
    nodes: list[ServerProcess],
    disturb: Callable[[], object],
    *,
    game: str = "graph_battle",
    seats: int = 3,
    after: int = 9,
) -> Table:
    """Let bots on all nodes play, disturb them on the way, and check that nothing is lost or done twice."""
    urls = [node.url for node in nodes]
    seated = Table(urls, game, seats, turn_ms=TURN_MS, options=ROUNDS, think=UNHURRIED)
    async with asyncio.timeout(PATIENCE_S), seated as table:
        match = asyncio.create_task(table.play())
        await until(lambda: match.done() or len(table.accepted) >= after)
        await asyncio.to_thread(disturb)
        before = len(table.accepted)
        ended = await match
    assert len(table.accepted) > before
    living = nodes[-1]
    replay = await asyncio.to_thread(living.await_replay, table.created.code)
    assert verify(replay, load_games(["sealed_bids:GAME"])).chain.hex() == ended.chain
    assert_each_once(replay, table.accepted)
    assert time_outs(replay) == []
    return table


async def test_a_killed_node_costs_nobody_anything(new_cluster: NewCluster) -> None:
    nodes = new_cluster(3)
    await _play_on(nodes, nodes[0].kill)


async def test_a_drained_node_hands_its_rooms_over(new_cluster: NewCluster) -> None:
    nodes = new_cluster(3)
    table = await _play_on(nodes, nodes[0].stop)
    assert "rooms handed over rooms=1" in nodes[0].log
    at_it, *elsewhere = (bot.breaks for bot in table.bots)
    assert at_it >= 1
    assert elsewhere == [0, 0]


@pytest.mark.long
async def test_a_stopped_process_finds_its_rooms_taken_when_it_wakes(new_cluster: NewCluster) -> None:
    nodes = new_cluster(3)

    def stop_and_go() -> None:
        with _standing_still(nodes[0]):
            _await_log(nodes[1:], "room adopted")

    await _play_on(nodes, stop_and_go)


def _await_log(nodes: list[ServerProcess], text: str) -> None:
    deadline_s = time.monotonic() + PATIENCE_S
    while not any(text in node.log for node in nodes):
        assert time.monotonic() < deadline_s, f"nobody logged {text!r}"
        time.sleep(0.02)


async def test_a_rolling_restart_under_load_aborts_no_match_and_loses_no_turn(
    new_cluster: NewCluster, come: Callable[..., Stranger]
) -> None:
    nodes = new_cluster(3)
    urls = [node.url for node in nodes]
    played: list[tuple[Table, Ended]] = []
    is_restarted = asyncio.Event()

    async def keep_playing(first: int) -> None:
        around = [*urls[first:], *urls[:first]]
        while not is_restarted.is_set():
            seated = Table(around, "graph_battle", 3, turn_ms=TURN_MS, options={"max_rounds": 4}, think=THOUGHTFUL)
            async with seated as table:
                played.append((table, await table.play()))

    async with asyncio.timeout(2 * PATIENCE_S), asyncio.TaskGroup() as group:
        for first in (0, 1, 2, 0):
            group.create_task(keep_playing(first))
        for node in nodes:
            await asyncio.to_thread(node.await_running_room)
            await asyncio.to_thread(_begin_endless_match, node, come)
            assert await asyncio.to_thread(node.stop) == 0
            await asyncio.to_thread(node.start)
        is_restarted.set()
    assert len(played) >= 4
    for table, ended in played:
        replay = await asyncio.to_thread(nodes[0].await_replay, table.created.code)
        assert verify(replay, load_games()).chain.hex() == ended.chain
        assert_each_once(replay, table.accepted)
        assert time_outs(replay) == []
        assert ended.reason != "void"
    assert all(re.search(r"rooms handed over rooms=\d", node.log) for node in nodes)


def _begin_endless_match(node: ServerProcess, come: Callable[..., Stranger]) -> None:
    """Let two people sit before a board and think, so that a node has a room to hand over whenever it stops."""
    people = [come(node, name) for name in ("Ada", "Bob")]
    room = people[0].ask("create", "graph_battle", 2, {}, {"turn_ms": 600_000, "seating": "as_joined"})[2]
    for person in people:
        assert person.ask("join", room, None, None, None)[0] == "joined"
    people[0].await_message("prompt")


async def test_top_shows_every_room_once_and_with_its_owner_also_after_a_node_has_died(
    new_cluster: NewCluster, come: Callable[..., Stranger]
) -> None:
    dying, *others = new_cluster(3)
    codes = {
        come(node, "Ada").ask("create", "sealed_bids", 2, {}, {})[3] for node in (dying, *others) for _ in range(3)
    }
    command = [str(WARROOM), "top", "--json"]
    for node in others:
        command += ["--admin", f"http://127.0.0.1:{node.admin_port}"]
    dying.kill()

    def is_told() -> bool:
        status = json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)
        rooms_of = {node["node"]: node["rooms"] for node in status["nodes"]}
        owners = [room["node"] for room in status["rooms"]]
        is_whole = sorted(room["code"] for room in status["rooms"]) == sorted(codes)
        return len(rooms_of) == len(others) and is_whole and rooms_of == {node: owners.count(node) for node in rooms_of}

    await until(is_told, within_s=PATIENCE_S)
