"""A store that comes back without some of what it acknowledged: filled again if somebody knows it, else announced."""

import asyncio
from collections.abc import Callable
from contextlib import ExitStack, closing

from independent_client import Message, Stranger
from redis_server import RedisServer, redis_server
from replay_log import assert_each_once, entries
from sdk_bots import Table
from server_process import SEALED_BIDS, ServerProcess
from wait_until import until

from warroom_bots.runner import Think
from warroom_games.log import RolledBack
from warroom_games.registry import load_games
from warroom_games.replay import verify
from warroom_server.cluster.lease import LEASE_MS

SEATS = 3
LONG = {"rounds": 10, "cards": 20, "peeks": 5}
PATIENCE_S = 90
RESTARTS = 3
LEFT = 30
"""Entries of a log of which the rest is cut off."""


async def test_a_redis_without_any_file_is_filled_again_after_its_restart(
    new_server: Callable[..., ServerProcess],
) -> None:
    with redis_server() as redis:
        server = new_server(*SEALED_BIDS, "--redis", redis.url)
        server.start()
        table = Table(server.url, "sealed_bids", SEATS, turn_ms=60_000, options=LONG, think=Think(10, 30))
        async with asyncio.timeout(PATIENCE_S), table:
            match = asyncio.create_task(table.play())
            for goal in (SEATS, 4 * SEATS):
                await until(lambda goal=goal: len(table.accepted) >= goal)
                redis.kill()
                redis.start()
            ended = await match
        replay = await asyncio.to_thread(server.await_replay, table.created.code)
        verify(replay, load_games(["sealed_bids:GAME"]))
        assert_each_once(replay, table.accepted)
        assert not any(isinstance(entry, RolledBack) for entry in entries(replay))
        assert ended.rated
        assert "store behind" in server.log


async def test_no_node_takes_a_room_from_another_that_lives_because_the_store_came_back_without_its_lease(
    new_server: Callable[..., ServerProcess],
) -> None:
    with redis_server() as redis:
        nodes = [new_server(*SEALED_BIDS, "--redis", redis.url) for _ in range(2)]
        for node in nodes:
            node.start()
        urls = [node.url for node in nodes]
        table = Table(urls, "sealed_bids", SEATS, turn_ms=60_000, options=LONG, think=Think(500, 700))
        async with asyncio.timeout(PATIENCE_S), table:
            match = asyncio.create_task(table.play())
            for _ in range(RESTARTS):
                before = len(table.accepted)
                await until(lambda before=before: len(table.accepted) > before)
                assert redis.raw("SAVE").startswith(b"+OK")
                await asyncio.sleep(LEASE_MS / 1000)  # so that the file has nothing but leases that ended
                redis.kill()
                redis.start()
            await match
        replay = await asyncio.to_thread(nodes[0].await_replay, table.created.code)
        verify(replay, load_games(["sealed_bids:GAME"]))
        assert_each_once(replay, table.accepted)
        assert not any(isinstance(entry, RolledBack) for entry in entries(replay))
        assert not any("room adopted" in node.log for node in nodes)


def test_a_match_whose_history_was_cut_goes_on_in_another_life_and_is_not_rated(
    new_server: Callable[..., ServerProcess], redis: RedisServer
) -> None:
    server = new_server("--redis", redis.url)
    server.start()
    with ExitStack() as lines:
        ada, bob = (lines.enter_context(closing(Stranger(server.url, name))) for name in ("Ada", "Bob"))
        _, _, room, code, _ = ada.ask("create", "graph_battle", 2, {}, {"turn_ms": 60_000, "seating": "as_joined"})
        _come_and_go(bob, room)
        tokens = ada.token, bob.token
    # A new owner begins with a snapshot: it has never seen what came before.
    server.kill()
    server.start()
    with ExitStack() as lines:
        ada, bob = (
            lines.enter_context(closing(Stranger(server.url, name, token)))
            for name, token in zip(("Ada", "Bob"), tokens, strict=True)
        )
        assert [_enter(player, room)[4] for player in (ada, bob)] == [1, 1]
        ada.await_message("prompt")
        assert ada.act(room, 1, 1, {"type": "end_turn"})[3] is None
        _cut(redis, LEFT)
        for player in (ada, bob):
            assert _notice(player) == "room.moved"
            assert _enter(player, room)[4] == 2
            assert _notice(player) == "room.rolled_back"
            if player is ada:
                assert player.await_message("seats")[2] == "lobby", "until the other one sits again"
    assert "history cut" in server.log
    assert "warroom_rolled_back_total 1.0" in server.metrics()
    # Whoever owns it next knows as much: it is in the log.
    server.kill()
    server.start()
    with ExitStack() as lines:
        ada, bob = (
            lines.enter_context(closing(Stranger(server.url, name, token)))
            for name, token in zip(("Ada", "Bob"), tokens, strict=True)
        )
        for player in (ada, bob):
            assert _enter(player, room)[4] == 2
            assert _notice(player) == "room.rolled_back"
        assert bob.ask("resign", room)[0] == "done"
        rated = ada.await_message("ended")[7]
        assert rated is False
    replay = server.await_replay(code)
    verify(replay, load_games([]))
    assert [entry.life for entry in entries(replay) if isinstance(entry, RolledBack)] == [2]


def _come_and_go(player: Stranger, room: int) -> None:
    """Fill the log until a new owner would begin with a snapshot of long ago, and has forgotten what is before."""
    for _ in range(70):
        assert _enter(player, room)[0] == "joined"
        assert player.ask("leave", room)[0] == "done"


def _enter(player: Stranger, room: int) -> Message:
    return player.ask("join", room, None, None, None)


def _notice(player: Stranger) -> str:
    return str(player.await_message("notice")[2])


def _cut(redis: RedisServer, left: int) -> None:
    """Stop the store, cut its file off after entry *left* of the one room there is, and start it again."""
    redis.kill()
    [file] = (redis.folder / "appendonlydir").glob("*.incr.aof")
    data = file.read_bytes()
    file.write_bytes(data[: data.index(b"\r\n%d-0\r\n" % (left + 1))])
    redis.start()
