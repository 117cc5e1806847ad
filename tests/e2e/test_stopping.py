"""How a server stops: politely, within seconds even without its store, at once if told twice, and never half."""

import os
import signal
import time
from collections.abc import Callable
from itertools import count

import pytest
from independent_client import Stranger
from redis_server import RedisServer
from server_process import ServerProcess

GAME = "graph_battle"
STOPS_WITHIN_S = 7.0
"""Six seconds of the server's own, and one for a busy machine."""


def playing(url: str, game: str = GAME) -> tuple[int, Stranger, Stranger]:
    """Return a match between two strangers, the first of whom is to act."""
    first, second = Stranger(url, "Ada"), Stranger(url, "Bob")
    room = first.ask("create", game, 2, {}, {"seating": "as_joined"})[2]
    for player in (first, second):
        assert player.ask("join", room, None, None, None)[0] == "joined"
    first.await_message("prompt")
    return room, first, second


@pytest.fixture
def stuck(new_server: Callable[..., ServerProcess], redis: RedisServer) -> ServerProcess:
    """Return a server that waits for an answer from a store that is gone."""
    server = new_server("--redis", redis.url)
    server.start()
    room, ada, _ = playing(server.url)
    legal = ada.ask("legal", room)
    redis.kill()
    ada.send("act", room, 1, legal[3], legal[5][0])
    assert ada.await_message("paused")[3] == "store"
    return server


def test_without_its_store_a_server_stops_within_seconds(stuck: ServerProcess) -> None:
    asked_s = time.monotonic()
    assert stuck.stop() == 0
    assert time.monotonic() - asked_s < STOPS_WITHIN_S
    assert "did not answer in time unanswered=1" in stuck.log


def test_a_second_ctrl_c_stops_at_once(stuck: ServerProcess) -> None:
    os.kill(stuck.pid, signal.SIGINT)
    while "server stopping" not in stuck.log:
        time.sleep(0.01)
    os.kill(stuck.pid, signal.SIGINT)
    assert stuck.await_end() == -signal.SIGINT
    assert "did not answer in time" not in stuck.log


def test_a_bug_behind_the_scenes_stops_the_server_and_says_so(new_server: Callable[..., ServerProcess]) -> None:
    server = new_server("--game", "buggy_store:GAME", redis="memory://")
    server.start()
    room, ada, bob = playing(server.url, "sealed_bids")
    assert bob.ask("resign", room)[0] == "done"
    assert server.await_end() == 1
    assert ada.close_code() == 1011
    assert "task failed task=archiver" in server.log
    assert server.log.splitlines()[-1] == "warroom serve: stopped by a bug; the log says more"


def test_while_a_server_drains_everything_is_answered(stuck: ServerProcess) -> None:
    eve = Stranger(stuck.url, "Eve")
    os.kill(stuck.pid, signal.SIGTERM)
    assert eve.await_message("notice")[2] == "server.draining"
    refs = count(100)
    for request in (("rooms",), ("games",), ("create", GAME), ("watch", 1, None), ("ping",)):
        name, *fields = request
        eve.send(name, next(refs), *fields)
    answers = [eve.receive() for _ in range(5)]
    assert [answer[:3] for answer in answers[:4]] == [["error", ref, "server.draining"] for ref in range(100, 104)]
    assert answers[4] == ["pong", 104]
    assert eve.close_code() == 1001
    assert stuck.await_end() == 0
