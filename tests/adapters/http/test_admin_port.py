"""The admin port, and what the metrics say there."""

import asyncio
from bisect import bisect_left
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from manual_time import ManualTime
from prometheus_client.parser import text_string_to_metric_families
from small_node import send_to_each
from websocket_peer import BINARY, GET, Peer, echo, frame, site

from warroom_games.registry import Registry
from warroom_server.adapters.http.admin_port import MAX_LINES, AdminServer
from warroom_server.adapters.play_clock import PlayClock
from warroom_server.counters import Counters, Histogram
from warroom_server.hosting.connections import Connections
from warroom_server.lobby.bot_workers import BotWorkers
from warroom_server.lobby.catalog import Catalog
from warroom_server.node.metrics import CONTENT_TYPE, NodeCollector, render
from warroom_server.ports.connections import HttpResponse


@asynccontextmanager
async def admin(time: ManualTime, metrics: bytes = b"") -> AsyncIterator[AdminServer]:
    server = AdminServer(time, {"/metrics": lambda: HttpResponse(200, metrics, CONTENT_TYPE)})
    await server.start()
    try:
        yield server
    finally:
        server.stop()


async def get(server: AdminServer, path: bytes) -> bytes:
    peer = Peer(*await asyncio.open_connection("127.0.0.1", server.port))
    peer.send(GET % path)
    answer = await peer.rest()
    peer.writer.transport.abort()
    return answer


async def test_health_and_metrics_are_served() -> None:
    async with admin(ManualTime(), b"warroom_rooms 3.0\n") as server:
        assert (await get(server, b"/healthz")).endswith(b"\r\n\r\nok\n")
        metrics = await get(server, b"/metrics")
        assert f"Content-Type: {CONTENT_TYPE}\r\n".encode() in metrics
        assert metrics.endswith(b"warroom_rooms 3.0\n")


async def test_other_paths_are_not_found() -> None:
    async with admin(ManualTime()) as server:
        answer = await get(server, b"/ws")
        assert answer.startswith(b"HTTP/1.1 404 Not Found\r\n")
        assert b"only /healthz, /metrics" in answer


async def test_a_crowd_is_refused_and_silence_is_cut() -> None:
    time = ManualTime()
    async with admin(time) as server:
        idlers = [Peer(*await asyncio.open_connection("127.0.0.1", server.port)) for _ in range(MAX_LINES)]
        assert (await get(server, b"/healthz")).startswith(b"HTTP/1.1 503 Service Unavailable\r\n")
        time.advance(5_000)
        for idler in idlers:
            assert await idler.rest() == b""
            idler.writer.transport.abort()
        assert (await get(server, b"/healthz")).startswith(b"HTTP/1.1 200 OK\r\n")


async def test_stopping_cuts_the_lines() -> None:
    async with admin(ManualTime()) as server:
        peer = Peer(*await asyncio.open_connection("127.0.0.1", server.port))
        answered = await get(server, b"/healthz")
        server.stop()
        assert await peer.rest() == b""
        assert answered
        peer.writer.transport.abort()


async def test_metrics_name_what_happened() -> None:
    async with site() as here:
        here.handler.on_received = echo
        peer, _ = await here.open()
        peer.send(frame(BINARY, b"abc"))
        await peer.frame()
        counters = Counters(frames_built=7, expired_turns=2, accepted=2, refused={"act.stale": 1})
        for size, took_ms in ((1, 0.3), (3, 1.0), (1_000, 5_000.0)):
            count(counters.batch_sizes, size)
            count(counters.append_ms, took_ms)
        collector = NodeCollector(counters, here.listener, PlayClock(), range(3), range(4), no_workers(counters))
        values = scrape(collector)
        assert values["warroom_connections"] == 1
        assert values["warroom_rooms"] == 3
        assert values["warroom_orphans"] == 4
        assert values["warroom_messages_in_total"] == 1
        assert values["warroom_frames_out_total"] == 2
        assert values["warroom_bytes_out_total"] > 100
        assert values["warroom_frames_built_total"] == 7
        assert values["warroom_expired_turns_total"] == 2
        assert values["warroom_stalls_total"] == 0
        assert values["warroom_actions_total verdict=accepted"] == 2
        assert values["warroom_actions_total verdict=act.stale"] == 1
        assert values["warroom_append_batch_size_bucket le=4"] == 2
        assert values["warroom_append_batch_size_bucket le=+Inf"] == 3
        assert values["warroom_append_batch_size_sum"] == 1_004
        assert values["warroom_append_seconds_bucket le=0.001"] == 2
        assert values["warroom_append_seconds_count"] == 3


def count(histogram: Histogram, value: float) -> None:
    """Count a value, as the committer does."""
    histogram.counts[bisect_left(histogram.bounds, value)] += 1
    histogram.total += value


def no_workers(counters: Counters) -> BotWorkers:
    time = ManualTime()
    connections = Connections(broadcast=send_to_each, clock=time, timers=time, counters=counters)
    return BotWorkers(connections, Catalog(Registry([])), time, counters, lambda _, __: None)


def scrape(collector: NodeCollector) -> dict[str, float]:
    """Return every sample by name and labels."""
    return {
        " ".join([sample.name, *(f"{name}={value}" for name, value in sample.labels.items())]): sample.value
        for family in text_string_to_metric_families(render(collector).decode())
        for sample in family.samples
    }


def test_two_nodes_do_not_share_their_counts() -> None:
    first, second = Counters(), Counters()
    first.refused["act.stale"] = 1
    count(first.batch_sizes, 1)
    assert (second.refused, second.batch_sizes.total) == ({}, 0)
