"""The store dies in the middle of a match: rooms stand still until it is back, and nothing acknowledged is lost."""

import asyncio
import os
import signal
from collections.abc import Callable
from contextlib import ExitStack, closing

from independent_client import Stranger
from redis_server import RedisServer
from replay_log import assert_each_once, time_outs
from sdk_bots import Table
from server_process import SEALED_BIDS, ServerProcess
from wait_until import until

from warroom_bots.runner import Think
from warroom_games.registry import load_games
from warroom_games.replay import verify
from warroom_protocol.codes import PAUSE_STORE

SEATS = 4
LONG = {"rounds": 10, "cards": 20, "peeks": 5}
UNHURRIED = Think(10, 30)
PATIENCE_S = 60


def _table(server: ServerProcess, *, turn_ms: int) -> Table:
    return Table(server.url, "sealed_bids", SEATS, turn_ms=turn_ms, options=LONG, think=UNHURRIED)


async def _assert_whole(server: ServerProcess, table: Table) -> None:
    replay = await asyncio.to_thread(server.await_replay, table.created.code)
    verify(replay, load_games(["sealed_bids:GAME"]))
    assert_each_once(replay, table.accepted)
    assert time_outs(replay) == []
    assert [bot.breaks for bot in table.bots] == [0] * SEATS


async def test_the_embedded_store_is_started_again_and_the_match_goes_on(
    new_server: Callable[..., ServerProcess],
) -> None:
    server = new_server(*SEALED_BIDS)
    server.start()
    async with asyncio.timeout(PATIENCE_S), _table(server, turn_ms=60_000) as table:
        match = asyncio.create_task(table.play())
        await until(lambda: len(table.accepted) >= 2 * SEATS)
        os.kill(int((server.folder / "data" / "store.pid").read_text()), signal.SIGKILL)
        await match
    assert [bot.pauses for bot in table.bots] == [[PAUSE_STORE]] * SEATS
    await _assert_whole(server, table)


async def test_a_redis_that_is_away_for_longer_than_a_turn_costs_nobody_anything(
    new_server: Callable[..., ServerProcess], redis: RedisServer
) -> None:
    server = new_server(*SEALED_BIDS, "--redis", redis.url)
    server.start()
    async with asyncio.timeout(PATIENCE_S), _table(server, turn_ms=1_000) as table:
        match = asyncio.create_task(table.play())
        await until(lambda: len(table.accepted) >= 2 * SEATS)
        redis.kill()
        await until(lambda: not server.is_ready)
        before = len(table.accepted)
        redis.start()
        await match
        await until(lambda: server.is_ready)
    assert len(table.accepted) > before
    assert [set(bot.pauses) for bot in table.bots] == [{PAUSE_STORE}] * SEATS
    await _assert_whole(server, table)


def test_an_action_waits_for_the_store_while_the_room_says_why_it_stands_still(
    new_server: Callable[..., ServerProcess], redis: RedisServer
) -> None:
    server = new_server("--redis", redis.url)
    server.start()
    with ExitStack() as lines:
        ada, bob, eve = (lines.enter_context(closing(Stranger(server.url, name))) for name in ("Ada", "Bob", "Eve"))
        _, _, room, code, _ = ada.ask("create", "graph_battle", 2, {}, {"turn_ms": 60_000, "seating": "as_joined"})
        for player in (ada, bob):
            player.ask("join", room, None, None, None)
        ada.await_message("prompt")
        redis.kill()
        ada.send("act", room, 1, 1, {"type": "end_turn"})
        assert ada.await_message("paused", "verdict")[3] == PAUSE_STORE
        assert eve.ask("watch", room, None)[0] == "joined"
        assert eve.await_message("paused")[3] == PAUSE_STORE
        assert eve.ask("create", "graph_battle", 2, {}, {})[2] == "store.unavailable"
        redis.start()
        assert ada.await_message("verdict")[2:4] == [1, None]
        assert bob.await_message("prompt")[3] == 1
        assert eve.await_message("paused")[3] is None
        assert ada.ask("resign", room)[0] == "done"
        assert_each_once(server.await_replay(code), [1])
