"""A game is edited without a new version while matches are stored: over real processes, from the file to the player."""

import json
import os
import signal
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from independent_client import Stranger
from server_process import SUPPORT, WARROOM, ServerProcess

from warroom_protocol.rooms import room_code

GAME = """
from sealed_bids import SealedBids

class House(SealedBids):
    def setup(self, seats, options, rng):
        return super().setup(seats, options, {rng})

GAME = House()
"""
WORDS = "The rules of Sealed Bids changed without a new version, so the match cannot go on."


def write_game(server: ServerProcess, rng: str) -> None:
    server.folder.mkdir(parents=True, exist_ok=True)
    (server.folder / "house.py").write_text(GAME.format(rng=rng))


@pytest.fixture
def house(new_server: Callable[..., ServerProcess]) -> ServerProcess:
    """Return a running server with a game of its own."""
    server = new_server("--game", "house:GAME")
    write_game(server, "rng")
    server.start()
    return server


def seat(server: ServerProcess) -> tuple[Stranger, Stranger, int]:
    ada, bob = Stranger(server.url, "Ada"), Stranger(server.url, "Bob")
    room = ada.ask("create", "sealed_bids", 2, {}, {"turn_ms": 60_000})[2]
    for player in (ada, bob):
        assert player.ask("join", room, None, None, None)[0] == "joined"
    bob.await_message("prompt")
    return ada, bob, room


def test_after_a_change_of_the_rules_everybody_is_told_that_the_match_is_over(house: ServerProcess) -> None:
    ada, bob, room = seat(house)
    house.stop()
    write_game(house, "rng.spawn()[0]")
    house.start()
    back = Stranger(house.url, "Ada", ada.token)
    refused = back.ask("join", room, None, None, None)
    assert refused[0] == "error"
    assert refused[2] == "rules.changed"
    assert refused[3].startswith(WORDS)
    assert house.log.count("rules of Sealed Bids changed without a new version") == 1
    assert "Traceback" not in house.log
    house.await_replay(room_code(room))
    (match,) = json.loads(house.get("/api/matches"))
    assert (match["room"], match["reason"], match["detail"]) == (room, "void", "rules.changed")
    for stranger in (ada, bob, back):
        stranger.close()


def test_an_edit_that_changes_nothing_ends_nothing(house: ServerProcess) -> None:
    ada, bob, room = seat(house)
    house.stop()
    write_game(house, "(rng)")
    house.start()
    back = Stranger(house.url, "Ada", ada.token)
    assert back.ask("join", room, None, None, None)[0] == "joined"
    assert "without a new version" not in house.log
    for stranger in (ada, bob, back):
        stranger.close()


def test_a_player_on_a_terminal_is_told_and_promised_no_seat(house: ServerProcess, tmp_path: Path) -> None:
    environment = {**os.environ, "XDG_STATE_HOME": str(tmp_path / "state"), "PYTHONPATH": str(SUPPORT)}
    command = [str(WARROOM), "play", "sealed_bids", "--create", "--seats", "2", "--name", "Ada", "--url", house.url]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment
    ) as playing:
        assert playing.stdout is not None
        line = next(line for line in playing.stdout if "room " in line)
        bob = Stranger(house.url, "Bob")
        (listed,) = json.loads(house.get("/api/rooms"))
        assert listed["code"] in line
        assert bob.ask("join", listed["room"], None, None, None)[0] == "joined"
        assert any("the match starts" in line for line in playing.stdout)
        house.stop()
        write_game(house, "rng.spawn()[0]")
        house.start()
        said = playing.stdout.read()
        assert playing.wait(timeout=30) == 1
        bob.close()
    assert WORDS in said
    assert "(rules.changed)" in said
    assert "your seat is saved" not in said


def test_a_player_who_comes_back_later_is_told_before_another_match(house: ServerProcess, tmp_path: Path) -> None:
    environment = {**os.environ, "XDG_STATE_HOME": str(tmp_path / "state"), "PYTHONPATH": str(SUPPORT)}
    command = [str(WARROOM), "play", "sealed_bids", "--name", "Ada", "--url", house.url]
    create = [*command, "--create", "--seats", "2"]
    with subprocess.Popen(
        create, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=environment
    ) as playing:
        assert playing.stdout is not None
        assert any("room " in line for line in playing.stdout)
        bob = Stranger(house.url, "Bob")
        (listed,) = json.loads(house.get("/api/rooms"))
        assert bob.ask("join", listed["room"], None, None, None)[0] == "joined"
        assert any("the match starts" in line for line in playing.stdout)
        playing.send_signal(signal.SIGINT)
        assert "your seat is saved" in playing.stdout.read()
    bob.close()
    house.stop()
    write_game(house, "rng.spawn()[0]")
    house.start()
    again = subprocess.run(
        command, input="/quit\n", capture_output=True, text=True, check=False, env=environment, timeout=60
    )
    assert WORDS in again.stdout
    assert "back at your seat" not in again.stdout
