"""A match on a store of several servers: nobody notices more than a pause when slots move or a primary dies."""

import asyncio
import signal
import time
from collections.abc import Callable
from contextlib import ExitStack

import pytest
from redis.crc import key_slot
from redis_server import RedisServer
from redis_topologies import cluster_replica, is_promoted, redis_cluster, wait_for, watched
from replay_log import assert_each_once, time_outs
from sdk_bots import Table
from server_process import SEALED_BIDS, ServerProcess
from wait_until import until

from warroom_bots.runner import Think
from warroom_games.registry import load_games
from warroom_games.replay import verify
from warroom_protocol.codes import PAUSE_STORE
from warroom_server.adapters.redis.keys import room_keys

pytestmark = pytest.mark.long

SEATS = 3
LONG = {"rounds": 10, "cards": 20, "peeks": 5}
PATIENCE_S = 90
SHORT_TURN_MS = 4_000
"""Enough for bots on a busy machine, and less than the store is away."""


def _table(server: ServerProcess, *, turn_ms: int) -> Table:
    return Table(server.url, "sealed_bids", SEATS, turn_ms=turn_ms, options=LONG, think=Think(10, 30))


async def _assert_whole(server: ServerProcess, table: Table) -> None:
    replay = await asyncio.to_thread(server.await_replay, table.created.code)
    verify(replay, load_games(["sealed_bids:GAME"]))
    assert_each_once(replay, table.accepted)
    assert time_outs(replay) == []
    assert [bot.breaks for bot in table.bots] == [0] * SEATS


async def _keep_away_for_a_turn(replica: RedisServer) -> None:
    """Let a replica not take the place of its primary before a turn would have run out on a clock that goes on."""
    replica.signal(signal.SIGSTOP)
    await asyncio.sleep(1.1 * SHORT_TURN_MS / 1000)
    replica.signal(signal.SIGCONT)


async def test_a_match_is_played_while_its_slot_moves_around_a_cluster(
    new_server: Callable[..., ServerProcess],
) -> None:
    with redis_cluster() as cluster:
        server = new_server(*SEALED_BIDS, "--redis", cluster.url)
        server.start()
        async with asyncio.timeout(PATIENCE_S), _table(server, turn_ms=60_000) as table:
            match = asyncio.create_task(table.play())
            slot = key_slot(room_keys(table.created.room).log.encode())
            for goal in (SEATS, 3 * SEATS, 5 * SEATS):
                await until(lambda goal=goal: len(table.accepted) >= goal)
                await asyncio.to_thread(cluster.move, slot, pause=lambda: time.sleep(0.02))
            assert not match.done()
            await match
        await _assert_whole(server, table)


async def test_a_match_survives_the_death_of_the_primary(new_server: Callable[..., ServerProcess]) -> None:
    with watched() as setup:
        server = new_server(*SEALED_BIDS, "--redis", setup.url)
        server.start()
        async with asyncio.timeout(PATIENCE_S), _table(server, turn_ms=SHORT_TURN_MS) as table:
            match = asyncio.create_task(table.play())
            await until(lambda: len(table.accepted) >= 2 * SEATS)
            setup.primary.kill()
            await _keep_away_for_a_turn(setup.replica)
            await asyncio.to_thread(setup.until_promoted)
            before = len(table.accepted)
            await match
        assert len(table.accepted) > before
        assert [set(bot.pauses) for bot in table.bots] == [{PAUSE_STORE}] * SEATS
        await _assert_whole(server, table)


async def test_a_match_survives_the_death_of_its_primary_in_a_cluster(
    new_server: Callable[..., ServerProcess],
) -> None:
    with ExitStack() as stack:
        cluster = stack.enter_context(redis_cluster())
        replicas = [stack.enter_context(cluster_replica(cluster, primary)) for primary in cluster.servers]
        server = new_server(*SEALED_BIDS, "--redis", cluster.url)
        server.start()
        async with asyncio.timeout(PATIENCE_S), _table(server, turn_ms=SHORT_TURN_MS) as table:
            match = asyncio.create_task(table.play())
            primary = cluster.owner_of(key_slot(room_keys(table.created.room).log.encode()))
            replica = replicas[cluster.servers.index(primary)]
            await until(lambda: len(table.accepted) >= 2 * SEATS)
            primary.kill()
            await _keep_away_for_a_turn(replica)
            await asyncio.to_thread(wait_for, lambda: is_promoted(replica), "promoting the replica")
            before = len(table.accepted)
            await match
        assert len(table.accepted) > before
        assert [set(bot.pauses) for bot in table.bots] == [{PAUSE_STORE}] * SEATS
        await _assert_whole(server, table)
