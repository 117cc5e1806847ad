"""A Redis server that refuses or hangs, while a match is played on it: all are told, no clock runs, play goes on."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import closing

import msgpack
import pytest
from independent_client import Stranger
from redis_faults import AILMENTS, Patient, well_server
from replay_log import assert_each_once, time_outs
from sdk_bots import Table
from server_process import ServerProcess
from wait_until import until
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from warroom_bots.runner import Think
from warroom_games.registry import load_games
from warroom_games.replay import verify
from warroom_protocol.codes import CLOSE_INTERNAL, PAUSE_STORE, STORE_UNAVAILABLE

SEATS = 3
TURN_MS = 2_000
OPTIONS = {"max_rounds": 8}
UNHURRIED = Think(50, 100)
"""Long enough for the trouble to come in the middle of the match."""
PATIENCE_S = 90

pytestmark = pytest.mark.long


@pytest.fixture
def patient() -> Iterator[Patient]:
    with well_server() as running:
        yield running


@pytest.mark.parametrize("name", ["full", "read-only", "password", "hung"])
async def test_a_match_stands_still_for_longer_than_a_turn_and_costs_nobody_anything(
    name: str, patient: Patient, new_server: Callable[..., ServerProcess]
) -> None:
    ailment = AILMENTS[name]
    server = new_server("--redis", patient.server.url)
    server.start()
    seated = Table(server.url, "graph_battle", SEATS, turn_ms=TURN_MS, options=OPTIONS, think=UNHURRIED)
    async with asyncio.timeout(PATIENCE_S), seated as table:
        match = asyncio.create_task(table.play())
        await until(lambda: len(table.accepted) >= SEATS, within_s=PATIENCE_S)
        await asyncio.to_thread(ailment.cause, patient)
        await until(lambda: "store away" in server.log, within_s=PATIENCE_S)
        assert any(f"store away trouble={trouble} " in server.log for trouble in ailment.troubles), server.log
        assert await asyncio.to_thread(_told_to_a_spectator, server, table.created.room) in {
            PAUSE_STORE,  # the node is still sure of its rooms
            STORE_UNAVAILABLE,
        }
        before = len(table.accepted)
        await asyncio.sleep(1.2 * TURN_MS / 1000)
        assert len(table.accepted) == before, "nothing is acknowledged that is not stored"
        await asyncio.to_thread(ailment.cure, patient)
        ended = await match
    assert len(table.accepted) > before
    assert [set(bot.pauses) for bot in table.bots] == [{PAUSE_STORE}] * SEATS
    assert [(bot.expired, bot.breaks) for bot in table.bots] == [(0, 0)] * SEATS
    replay = await asyncio.to_thread(server.await_replay, table.created.code)
    assert verify(replay, load_games()).chain.hex() == ended.chain
    assert_each_once(replay, table.accepted)
    assert time_outs(replay) == []


def _told_to_a_spectator(server: ServerProcess, room: int) -> object:
    """Return why the room stands still, or cannot be entered, as somebody is told who comes to watch."""
    with closing(Stranger(server.url, "Eve")) as eve:
        answer = eve.ask("watch", room, None)
        if answer[0] == "error":
            return answer[2]
        assert answer[0] == "joined"
        return eve.await_message("paused")[3]


async def test_whoever_comes_while_the_store_hangs_is_told_so_and_gets_in_later(
    patient: Patient, new_server: Callable[..., ServerProcess]
) -> None:
    ailment = AILMENTS["hung"]
    server = new_server("--redis", patient.server.url)
    server.start()
    with closing(Stranger(server.url, "Ada")) as ada, closing(Stranger(server.url, "Eve")) as eve:
        room = ada.ask("create", "graph_battle", 2, {}, {})[2]
        ailment.cause(patient)
        await until(lambda: "lease lost" in server.log, within_s=PATIENCE_S)
        assert eve.ask("watch", room, None)[::2] == ["error", STORE_UNAVAILABLE]
        assert eve.ask("join", room)[::2] == ["error", STORE_UNAVAILABLE]
        with connect(server.url, compression=None) as returning:
            returning.send(msgpack.packb(["hello", 7, [1], "Ada", ada.token, ""]))
            assert msgpack.unpackb(returning.recv(timeout=PATIENCE_S))[:3] == ["error", 7, STORE_UNAVAILABLE]
            with pytest.raises(ConnectionClosed) as closed:
                returning.recv(timeout=PATIENCE_S)
            assert closed.value.rcvd is not None
            assert closed.value.rcvd.code == CLOSE_INTERNAL
        ailment.cure(patient)
        await until(lambda: "lease held again" in server.log, within_s=PATIENCE_S)
        assert eve.ask("watch", room, None)[0] == "joined"
        assert ada.ask("join", room)[0] == "joined"
