"""A match over the network, from the first hello to the verified replay."""

import json
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from independent_client import Stranger, play_to_the_end
from server_process import ServerProcess

from warroom_games.registry import load_games
from warroom_games.replay import verify

GAME = "graph_battle"
QUICK = {"max_rounds": 3}
PATIENT = {"turn_ms": 20_000}


@pytest.fixture
def newcomer(server: ServerProcess) -> Iterator[Callable[[str], Stranger]]:
    """Return what makes strangers on the running server; all hang up after the test."""
    strangers: list[Stranger] = []

    def make(name: str) -> Stranger:
        strangers.append(Stranger(server.url, name))
        return strangers[-1]

    yield make
    for stranger in strangers:
        stranger.close()


def test_the_server_greets_with_what_to_type_next_and_stops_when_asked(server: ServerProcess) -> None:
    assert "warroom bot" in server.greeting
    assert "warroom watch" in server.greeting
    assert server.get("/healthz") == b"ok\n"
    assert server.get("/readyz") == b"ready\n"
    assert b"Graph Battle" in server.get("/status")
    assert json.loads(server.get("/api/rooms")) == []
    assert "warroom_connections" in server.metrics()
    assert server.stop() == 0


def test_strangers_play_a_match_while_another_watches(
    server: ServerProcess, newcomer: Callable[[str], Stranger]
) -> None:
    ada, bob, eve = (newcomer(name) for name in ("Ada", "Bob", "Eve"))
    _, _, room, code, _ = ada.ask("create", GAME, 2, QUICK, PATIENT)
    assert eve.ask("watch", room, None)[5] is None
    assert [listed["code"] for listed in json.loads(server.get("/api/rooms"))] == [code]
    for player in (ada, bob):
        assert player.ask("join", room, None, None, None)[0] == "joined"
    with ThreadPoolExecutor(2) as pool:
        endings = list(pool.map(lambda player: play_to_the_end(room, player), (ada, bob)))
    ending = eve.await_message("ended")
    assert endings == [ending, ending]
    _, _, ranks, _, seed, chain, *_ = ending
    assert min(ranks) == 1
    verified = verify(server.await_replay(code), load_games())
    assert (verified.seed.hex(), verified.chain.hex()) == (seed, chain)


def test_a_stopping_server_says_goodbye_and_the_match_goes_on_afterwards(
    server: ServerProcess, newcomer: Callable[[str], Stranger]
) -> None:
    ada, bob = newcomer("Ada"), newcomer("Bob")
    room = ada.ask("create", GAME, 2, QUICK, PATIENT)[2]
    for player in (ada, bob):
        player.ask("join", room, None, None, None)
    ada.await_message("snapshot")
    assert server.stop() == 0
    assert ada.await_message("notice")[2] == "server.draining"
    assert ada.close_code() == 1001
    server.start()
    ada, bob = Stranger(server.url, "Ada", ada.token), Stranger(server.url, "Bob", bob.token)
    for player in (ada, bob):
        assert player.ask("join", room, None, None, None)[0] == "joined"
    with ThreadPoolExecutor(2) as pool:
        endings = list(pool.map(lambda player: play_to_the_end(room, player), (ada, bob)))
    assert endings[0] == endings[1]
    ada.close()
    bob.close()
