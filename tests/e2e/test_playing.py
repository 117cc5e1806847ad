"""People who play by typing: real servers, real processes, a dropped line, a rematch, the replay and the ranking."""

import asyncio
import json
import os
import re
import subprocess
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from cutting_proxy import cutting_proxy
from server_process import WARROOM, ServerProcess

PATIENCE_S = 40.0
POLL_S = 0.02
BLITZ = ["--option", "max_rounds=8", "--room-option", "fill_after_ms=120000", "--seats", "4"]


class Player:
    """One `warroom play` on pipes, as somebody would type it."""

    def __init__(self, url: str, folder: Path, name: str, *words: str) -> None:
        self.name = name
        self._log = folder / f"{name}.txt"
        self._read = self._log.stat().st_size if self._log.exists() else 0
        environment = {**os.environ, "XDG_STATE_HOME": str(folder / "state"), "TERM": "dumb"}
        with self._log.open("ab") as log:
            self.process = subprocess.Popen(
                [str(WARROOM), "play", *words, "--name", name, "--url", url],
                stdin=subprocess.PIPE,
                stdout=log,
                stderr=subprocess.STDOUT,
                env=environment,
            )

    @property
    def text(self) -> str:
        """Everything that this player has read since the program was started."""
        return self._log.read_bytes()[self._read :].decode()

    def type(self, line: str) -> None:
        """Type a line."""
        assert self.process.stdin is not None
        self.process.stdin.write(f"{line}\n".encode())
        self.process.stdin.flush()

    def await_text(self, pattern: str, *, times: int = 1) -> re.Match[str]:
        """Return the match of a pattern once it was shown so often."""
        deadline_s = time.monotonic() + PATIENCE_S
        while time.monotonic() < deadline_s:
            found = list(re.finditer(pattern, self.text))
            if len(found) >= times:
                return found[times - 1]
            assert self.process.poll() is None, self.text
            time.sleep(POLL_S)
        raise AssertionError(f"{self.name} never read {pattern!r}:\n{self.text}")

    def kill(self) -> None:
        """End the program as a power failure would."""
        self.process.kill()
        self.process.communicate()

    def quit(self) -> int:
        """Leave and return the exit code."""
        self.type("/quit")
        self.process.communicate(timeout=PATIENCE_S)
        return self.process.returncode


@pytest.fixture
def players(bot_server: ServerProcess, tmp_path: Path) -> Iterator[Callable[..., Player]]:
    """Return a way to start players, who are gone after the test."""
    started: list[Player] = []

    def start(name: str, *words: str) -> Player:
        started.append(Player(bot_server.url, tmp_path, name, *words))
        return started[-1]

    yield start
    for player in started:
        player.kill()


@pytest.fixture
def bot_server(new_server: Callable[..., ServerProcess]) -> ServerProcess:
    """Return a running server that has started a worker."""
    running = new_server(bots=True)
    running.start()
    return running


def warroom(server: ServerProcess, *words: str) -> str:
    answer = subprocess.run(
        [str(WARROOM), *words, "--url", server.url], capture_output=True, text=True, check=False, timeout=PATIENCE_S
    )
    assert answer.returncode == 0, answer.stderr
    return answer.stdout


def test_two_people_meet_lose_the_line_come_back_finish_and_play_again(
    bot_server: ServerProcess, players: Callable[..., Player]
) -> None:
    ada = players("Ada", "tile_blitz", *BLITZ)
    ada.await_text("bots fill the open seats 120 s after")
    bob = players("Bob", "tile_blitz", *BLITZ)
    room = bob.await_text(r"room (\w{7}): tile_blitz, 4 seats, 5 s a turn")[1]
    ada.await_text("Bob took seat")
    ada.type("/fill")
    for player in (ada, bob):
        player.await_text("the match starts")
    ada.await_text(r"  \d (\w+ +)?Bob")
    ada.await_text("bot greedy")

    bob.await_text("Your move, 5 s left:")
    bob.kill()
    ada.await_text("Bob disconnected; the seat is kept for 30 s")
    bob = players("Bob", "tile_blitz")
    bob.await_text(f"you are back at your seat in room {room}")
    ada.await_text("Bob is back")
    bob.await_text("Your move")
    bob.type("1")
    bob.await_text("you: attack ")

    ada.type("/say good game")
    bob.await_text("Ada: good game")
    for player in (ada, bob):
        player.type("/resign")
        player.type("/resign")
    for player in (ada, bob):
        player.await_text("Match over")
        player.await_text("this match is rated")
    bob.type("/rematch")
    ada.await_text(r"Bob offers a rematch \(type /rematch to accept\)")
    ada.type("/rematch")
    again = bob.await_text(r"the rematch is in room (\w{7})")[1]
    ada.await_text(f"the rematch is in room {again}")
    ada.await_text("the match starts", times=2)

    assert "1. " in warroom(bot_server, "replay", room)
    summary = json.loads(warroom(bot_server, "matches", "tile_blitz", "--json"))
    assert (summary["code"], summary["rated"]) == (room, True)
    assert {"Ada", "Bob", "greedy (bot)"} <= set(re.findall(r"  (\w+(?: \(bot\))?)\n", warroom_ranking(bot_server)))
    assert again in warroom(bot_server, "rooms", "tile_blitz")
    assert [player.quit() for player in (ada, bob)] == [0, 0]
    assert "your seat is saved" in ada.text


async def test_a_line_that_breaks_under_a_move_is_mended_and_the_move_is_played(
    bot_server: ServerProcess, tmp_path: Path
) -> None:
    async with cutting_proxy(bot_server.port) as (proxy, port):
        words = ("graph_battle", "--create", "--seats", "2", "--fill", "--room-option", "turn_ms=60000")
        ada = Player(f"ws://127.0.0.1:{port}/ws", tmp_path, "Ada", *words)
        try:
            await asyncio.to_thread(ada.await_text, "Your move, 60 s left:")
            proxy.cut_requests(1)
            ada.type("1")
            await asyncio.to_thread(ada.await_text, "; reconnecting…")
            await asyncio.to_thread(ada.await_text, "reconnected")
            await asyncio.to_thread(ada.await_text, "you: ")
        finally:
            ada.kill()
        await proxy.until_idle()
    assert proxy.connections == 2


def warroom_ranking(server: ServerProcess) -> str:
    """Return the ranking once the match is in it, which takes a moment."""
    deadline_s = time.monotonic() + PATIENCE_S
    while "Ada" not in (text := warroom(server, "ranking", "tile_blitz")):
        assert time.monotonic() < deadline_s, text
    return text


def test_a_second_device_plays_at_the_same_seat_until_it_is_cut_off(
    players: Callable[..., Player],
) -> None:
    words = ("--create", "--seats", "2", "--fill", "--turn-ms", "60000", "--option", "max_rounds=4")
    ada = players("Ada", "graph_battle", *words)
    room = ada.await_text(r"room (\w{7}):")[1]
    ada.await_text("Your move, ")
    ada.type("/device")
    token = ada.await_text(rf"play --room {room} --seat-token (\S+)")[1]
    phone = players("Phone", "--room", room, "--seat-token", token)
    phone.await_text("Your move, ")
    phone.await_text(r"Ada +you")
    phone.type("end_turn")
    phone.await_text("you: end_turn")
    ada.await_text(r"it is .*'s turn")
    ada.type("/rotate")
    ada.await_text("done: your older tokens no longer work")
    assert phone.process.wait(PATIENCE_S) == 1
    assert "token" in phone.text.splitlines()[-1]
    thief = players("Thief", "--room", room, "--seat-token", token)
    assert thief.process.wait(PATIENCE_S) == 1
    assert "(seat.token)" in thief.text
    ada.await_text("Your move, ", times=2)
    ada.type("end_turn")
    ada.await_text("you: end_turn")
