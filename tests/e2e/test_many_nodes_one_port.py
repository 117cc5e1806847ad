"""`warroom serve --workers`: several nodes behind one port, kept running, replaced and stopped in turn."""

import asyncio
import os
import re
import signal
import subprocess
import time
from collections.abc import Callable
from contextlib import AsyncExitStack, closing
from urllib.request import urlopen

import pytest
from independent_client import Stranger
from processes import await_end, commands_below, is_alive
from replay_log import assert_each_once, time_outs
from sdk_bots import Table
from server_process import WARROOM, ServerProcess
from wait_until import until
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from warroom_bots.runner import Think
from warroom_games.registry import load_games
from warroom_games.replay import verify

NODES = 2
PATIENCE_S = 30.0
MATCHES = 4
UNHURRIED = Think(80, 160)
"""Long enough for a match to outlast what is done to it."""


def _nodes(server: ServerProcess) -> set[int]:
    """Return the processes of the nodes."""
    return {pid for pid, command in commands_below(server.pid).items() if "serve" in command}


def _await_nodes(server: ServerProcess, *, but: set[int]) -> set[int]:
    """Return the nodes once there are all of them, and none of *but*."""
    deadline_s = time.monotonic() + PATIENCE_S
    while time.monotonic() < deadline_s:
        nodes = _nodes(server)
        if len(nodes) == NODES and not nodes & but:
            return nodes
        time.sleep(0.02)
    raise AssertionError(f"nodes {_nodes(server)}, without {but}:\n{server.log}")


def _admin_ports(server: ServerProcess) -> list[int]:
    return [
        int(line.rpartition(":")[2].partition("/")[0]) for line in server.greeting.splitlines() if "/metrics" in line
    ]


def _many(new_server: Callable[..., ServerProcess], *flags: str) -> ServerProcess:
    server = new_server("--workers", str(NODES), *flags)
    server.start()
    return server


def _come(server: ServerProcess) -> Stranger:
    """Connect; the kernel may take a moment to know that a killed node listens no more."""
    deadline_s = time.monotonic() + PATIENCE_S
    while True:
        try:
            return Stranger(server.url, "Ada")
        except (OSError, InvalidHandshake, ConnectionClosed):
            assert time.monotonic() < deadline_s


def _connections(server: ServerProcess) -> list[int]:
    """Return how many websockets each node has."""
    counts = []
    for port in _admin_ports(server):
        with urlopen(f"http://127.0.0.1:{port}/metrics", timeout=10) as response:
            (line,) = [
                line for line in response.read().decode().splitlines() if line.startswith("warroom_connections ")
            ]
        counts.append(int(float(line.split()[1])))
    return counts


def test_all_nodes_take_connections_from_one_port_and_have_admin_ports_of_their_own(
    new_server: Callable[..., ServerProcess],
) -> None:
    server = _many(new_server)
    assert len(set(_admin_ports(server))) == NODES
    strangers = [Stranger(server.url, f"Player {number}") for number in range(60)]
    try:
        counts = _connections(server)
        assert sum(counts) == 60
        assert all(counts), "the kernel spreads them"
    finally:
        for stranger in strangers:
            stranger.close()


def test_a_node_that_dies_is_replaced_and_the_server_goes_on(new_server: Callable[..., ServerProcess]) -> None:
    server = _many(new_server)
    victim = min(_nodes(server))
    os.kill(victim, signal.SIGKILL)
    await_end(victim)
    with closing(_come(server)) as ada:  # the other one is there meanwhile
        assert ada.ask("ping")[0] == "pong"
    _await_nodes(server, but={victim})
    assert "node ended code=-9" in server.log
    assert is_alive(server.pid)


@pytest.mark.long
async def test_matches_go_on_while_nodes_are_killed_in_turn_and_then_replaced(
    new_server: Callable[..., ServerProcess],
) -> None:
    server = _many(new_server)
    async with asyncio.timeout(4 * PATIENCE_S), AsyncExitStack() as lines:
        tables = [await lines.enter_async_context(_table(server)) for _ in range(MATCHES)]
        matches = [asyncio.create_task(table.play()) for table in tables]
        await _await_progress(tables)
        for victim in sorted(_nodes(server)):  # so every match loses its owner at least once
            assert not any(match.done() for match in matches)
            os.kill(victim, signal.SIGKILL)
            await asyncio.to_thread(_await_nodes, server, but={victim})
            await _await_progress(tables)
        os.kill(server.pid, signal.SIGHUP)
        await until(lambda: "rolling restart done nodes=2" in server.log, within_s=PATIENCE_S)
        ends = await asyncio.gather(*matches)
    for table, ended in zip(tables, ends, strict=True):
        replay = await asyncio.to_thread(server.await_replay, table.created.code)
        assert verify(replay, load_games()).chain.hex() == ended.chain
        assert_each_once(replay, table.accepted)
        assert time_outs(replay) == []


def _table(server: ServerProcess) -> Table:
    return Table(server.url, "graph_battle", 3, turn_ms=20_000, options={"max_rounds": 30}, think=UNHURRIED)


async def _await_progress(tables: list[Table]) -> None:
    """Return once something was accepted in every match that was not before."""
    goals = [len(table.accepted) + 1 for table in tables]
    await until(
        lambda: all(len(table.accepted) >= goal for table, goal in zip(tables, goals, strict=True)),
        within_s=PATIENCE_S,
    )


def test_a_hang_up_replaces_the_nodes_one_by_one(new_server: Callable[..., ServerProcess]) -> None:
    server = _many(new_server)
    before, ports = _nodes(server), _admin_ports(server)
    os.kill(server.pid, signal.SIGHUP)
    _await_nodes(server, but=before)
    deadline_s = time.monotonic() + PATIENCE_S
    while "rolling restart done" not in server.log and time.monotonic() < deadline_s:
        time.sleep(0.02)
    assert "rolling restart done nodes=2" in server.log
    assert len(_connections(server)) == len(ports)


def test_stopping_drains_every_node_and_leaves_nothing_behind(new_server: Callable[..., ServerProcess]) -> None:
    server = _many(new_server)
    below = commands_below(server.pid)
    assert server.stop() == 0
    assert [pid for pid in below if is_alive(pid)] == []
    stopped = re.findall(r" level=INFO node=(\d+) logger=warroom_server.app server stopping", server.log)
    assert sorted(stopped) == [str(number) for number in range(NODES)]


def test_nodes_end_with_the_process_that_started_them(new_server: Callable[..., ServerProcess]) -> None:
    server = _many(new_server)
    below = commands_below(server.pid)
    assert len(below) >= NODES
    server.kill()
    for pid in below:
        await_end(pid, within_s=PATIENCE_S)


def test_a_port_in_use_and_a_store_that_cannot_be_shared_are_named(new_server: Callable[..., ServerProcess]) -> None:
    server = _many(new_server)

    def complaint(*flags: str) -> str:
        command = [str(WARROOM), "serve", "--workers", "2", "--admin-port", "0", *flags]
        done = subprocess.run(command, capture_output=True, text=True, timeout=PATIENCE_S, check=False)
        assert done.returncode == 1
        return done.stderr.strip()

    folder = str(server.folder / "other")
    assert complaint("--port", str(server.port), "--data", folder).endswith(
        "address already in use; --port sets another"
    )
    assert "a store in memory belongs to one node" in complaint("--redis", "memory://")
