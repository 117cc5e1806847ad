"""The store is started again under many clients of another node: all play on within seconds, and no room moves."""

import asyncio
import os
import signal
import time
from collections.abc import Callable
from contextlib import closing

import pytest
from independent_client import Stranger
from light_players import GAME, OPTIONS, SEATS, LightPlayer, fill, judged
from redis_server import RedisServer
from server_process import SEALED_BIDS, ServerProcess
from wait_until import until

from warroom_server.adapters.redis.store import RedisStore
from warroom_server.ports.store import Whereabouts

MANY = {"messages_per_s": "1000", "rooms_per_player": "1000"}
PLAY_ON_S = 5.0
"""How long after the first answer of the store everybody has played on."""


def _open_rooms(server: ServerProcess, count: int) -> list[int]:
    with closing(Stranger(server.url, "Host")) as host:
        options = {"turn_ms": 600_000}
        return [host.ask("create", GAME, SEATS, OPTIONS, options)[2] for _ in range(count)]


async def _owners(redis: RedisServer, rooms: list[int]) -> list[Whereabouts | None]:
    store = RedisStore(redis.url)
    try:
        return await store.whereabouts(rooms)
    finally:
        await store.close()


def _start_again(redis: RedisServer) -> float:
    """Start the store on its data, and return when it answered first."""
    redis.start()
    return time.monotonic()


async def _start_again_unnoticed_by(owner: ServerProcess, edge: ServerProcess, redis: RedisServer) -> float:
    """Start the store again while a node stands still, until another one holds its lease again."""
    os.kill(owner.pid, signal.SIGSTOP)
    try:
        answered_s = await asyncio.to_thread(_start_again, redis)
        await until(lambda: "lease held again" in edge.log)
    finally:
        os.kill(owner.pid, signal.SIGCONT)
    return answered_s


async def _play_through_a_restart(
    new_server: Callable[..., ServerProcess],
    redis: RedisServer,
    clients: int,
    *,
    is_long: bool,
    is_owner_late: bool = False,
) -> list[LightPlayer]:
    """Let everybody bid while the store is away; *is_long*: until no node is sure of its rooms any more."""
    owner, edge = nodes = [new_server(*SEALED_BIDS, "--redis", redis.url, **MANY) for _ in range(2)]
    owner.start()
    rooms = await asyncio.to_thread(_open_rooms, owner, clients // SEATS)
    edge.start()  # only now: a node that is alone keeps all its new rooms
    players = await fill(rooms, edge.port)
    try:
        for player in players:
            player.bid()
        await judged(players)
        before = await _owners(redis, rooms)
        assert len(owner.matches()) == len(rooms)
        redis.kill()
        for player in players[::2]:
            player.bid()
        if is_long:
            await until(lambda: all("lease lost" in node.log for node in nodes))
        for player in players[1::2]:
            player.bid()
        if is_owner_late:
            answered_s = await _start_again_unnoticed_by(owner, edge, redis)
        else:
            answered_s = await asyncio.to_thread(_start_again, redis)
        await judged(players)
        assert max(player.judged_s for player in players) - answered_s < PLAY_ON_S
        assert await _owners(redis, rooms) == before
        assert not any("room adopted" in node.log for node in nodes)
    finally:
        for player in players:
            player.leave()
    return players


async def test_a_short_restart_is_no_more_than_a_pause_for_clients_of_another_node(
    new_server: Callable[..., ServerProcess], redis: RedisServer
) -> None:
    players = await _play_through_a_restart(new_server, redis, 100, is_long=False)
    assert sum(player.resumes for player in players) == 0


async def test_an_owner_that_is_the_last_to_renew_its_ended_lease_keeps_its_rooms_and_its_players(
    new_server: Callable[..., ServerProcess], redis: RedisServer
) -> None:
    await _play_through_a_restart(new_server, redis, 100, is_long=True, is_owner_late=True)


@pytest.mark.long
@pytest.mark.parametrize("is_long", [False, True])
async def test_two_thousand_clients_of_another_node_play_on_within_seconds_after_a_restart(
    new_server: Callable[..., ServerProcess], redis: RedisServer, is_long: bool
) -> None:
    await _play_through_a_restart(new_server, redis, 2000, is_long=is_long)
