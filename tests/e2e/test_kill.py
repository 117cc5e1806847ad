"""The server is killed in the middle of a match and started again; the bots come back and finish it."""

import asyncio
import time
from collections.abc import Callable
from contextlib import ExitStack, closing

import pytest
from independent_client import Stranger
from replay_log import assert_each_once, entries, time_outs
from sdk_bots import Table
from server_process import SEALED_BIDS, ServerProcess
from wait_until import until

from warroom_bots.runner import Think
from warroom_games.log import Acted
from warroom_games.registry import load_games
from warroom_games.replay import verify
from warroom_protocol.codes import PAUSE_RESTART

TURN_MS = 20_000
SHORT_TURN_MS = 3_000
"""Enough for bots on a busy machine, and less than a server or a player is away."""
PATIENCE_S = 60
SEEN_BY_ALL_S = PATIENCE_S + 2 * TURN_MS / 1000
"""There is no replay before spectators have seen the end, in Timberwall two turns later."""
LONG_PATIENCE_S = 600
UNHURRIED = Think(5, 15)
"""Long enough for the match not to be over before it is disturbed."""


async def _kill_and_restart(server: ServerProcess, *, after_s: float = 0.0) -> None:
    """Kill the server, leave it dead for a while, and start it again."""
    await asyncio.to_thread(server.kill)
    await asyncio.sleep(after_s)
    await asyncio.to_thread(server.start)


@pytest.mark.parametrize(
    ("game", "seats", "options"),
    [
        pytest.param("graph_battle", 5, {"max_rounds": 8}, id="graph battle", marks=pytest.mark.long),
        pytest.param("sealed_bids", 4, {"rounds": 8, "cards": 16}, id="sealed bids"),
    ],
)
async def test_bots_finish_a_match_whose_server_was_killed_and_nothing_is_lost_or_repeated(
    new_server: Callable[..., ServerProcess],
    store_flags: tuple[str, ...],
    game: str,
    seats: int,
    options: dict[str, object],
) -> None:
    server = new_server(*SEALED_BIDS, *store_flags)
    server.start()
    await _expect_survival(server, game, seats, options)


@pytest.mark.long
@pytest.mark.parametrize(
    ("game", "seats", "options"),
    [
        pytest.param("strata", 2, {"max_turns": 20}, id="strata"),
        pytest.param("thardferr", 3, {"max_turns": 4}, id="thardferr"),
        pytest.param("tile_blitz", 5, {"max_rounds": 4}, id="tile blitz"),
        pytest.param("timberwall", 2, {"max_turns": 40}, id="timberwall"),
    ],
)
async def test_every_other_game_survives_a_killed_server_as_well(
    server: ServerProcess, game: str, seats: int, options: dict[str, object]
) -> None:
    await _expect_survival(server, game, seats, options)


async def _expect_survival(server: ServerProcess, game: str, seats: int, options: dict[str, object]) -> None:
    """Let bots play, kill the server on the way, and compare what they were told with what was kept."""
    seated = Table(server.url, game, seats, turn_ms=TURN_MS, options=options, think=UNHURRIED)
    async with asyncio.timeout(PATIENCE_S), seated as table:
        match = asyncio.create_task(table.play())
        await until(lambda: len(table.accepted) >= 2 * seats)
        await _kill_and_restart(server)
        before = len(table.accepted)
        ended = await match
    assert len(table.accepted) > before
    assert all(bot.breaks for bot in table.bots)
    replay = server.await_replay(table.created.code, within_s=SEEN_BY_ALL_S)
    assert verify(replay, load_games(["sealed_bids:GAME"])).chain.hex() == ended.chain
    assert_each_once(replay, table.accepted)
    assert time_outs(replay) == []


async def test_a_server_that_is_away_for_longer_than_a_turn_costs_nobody_any_time(server: ServerProcess) -> None:
    seated = Table(server.url, "graph_battle", 2, turn_ms=SHORT_TURN_MS, options={"max_rounds": 8}, think=UNHURRIED)
    async with asyncio.timeout(PATIENCE_S), seated as table:
        began = time.monotonic()
        match = asyncio.create_task(table.play())
        await until(lambda: len(table.accepted) >= 10)
        killed = time.monotonic()
        await _kill_and_restart(server, after_s=1.1 * SHORT_TURN_MS / 1000)
        back = time.monotonic()
        await match
    played_ms = 1000 * (killed - began + time.monotonic() - back)
    replay = server.await_replay(table.created.code)
    moments = [entry.at for entry in entries(replay) if isinstance(entry, Acted)]
    assert moments == sorted(moments)
    assert moments[-1] <= played_ms
    assert time_outs(replay) == []
    assert [bot.expired for bot in table.bots] == [0, 0]


def test_the_clock_stands_still_until_all_players_are_back(server: ServerProcess) -> None:
    with ExitStack() as lines:

        def come(name: str, token: str | None = None) -> Stranger:
            return lines.enter_context(closing(Stranger(server.url, name, token)))

        ada, bob = come("Ada"), come("Bob")
        room = ada.ask("create", "graph_battle", 2, {}, {"turn_ms": SHORT_TURN_MS, "seating": "as_joined"})[2]
        for player in (ada, bob):
            player.ask("join", room, None, None, None)
        deadline = ada.await_message("prompt")[5]
        server.kill()
        server.start()
        ada = come("Ada", ada.token)
        assert ada.ask("join", room, None, None, None)[0] == "joined"
        prompt, paused = ada.await_message("prompt"), ada.await_message("paused")
        assert (prompt[5], paused[3]) == (deadline, PAUSE_RESTART)
        time.sleep(1.2 * SHORT_TURN_MS / 1000)
        assert come("Bob", bob.token).ask("join", room, None, None, None)[0] == "joined"
        assert ada.await_message("paused", "expired")[1:4] == [room, paused[2], None]
        assert ada.act(room, 1, prompt[3], {"type": "end_turn"})[3] is None


@pytest.mark.long
async def test_a_server_that_is_killed_again_and_again_loses_nothing(
    new_server: Callable[..., ServerProcess], store_flags: tuple[str, ...]
) -> None:
    server = new_server(*store_flags)
    server.start()
    seated = Table(server.url, "graph_battle", 5, turn_ms=TURN_MS, think=UNHURRIED)
    kills = 0
    async with asyncio.timeout(LONG_PATIENCE_S), seated as table:
        match = asyncio.create_task(table.play())
        while not match.done() and kills < 20:
            goal = len(table.accepted) + 1 + 3 * kills % 10
            await until(lambda goal=goal: match.done() or len(table.accepted) >= goal, within_s=PATIENCE_S)
            await _kill_and_restart(server)
            kills += 1
        await match
    assert kills > 5
    replay = server.await_replay(table.created.code)
    verify(replay, load_games())
    assert_each_once(replay, table.accepted)
    assert time_outs(replay) == []
