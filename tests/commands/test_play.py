"""`warroom play` on the command line: joining, leaving, and error messages."""

import os
import pty
import select
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from server_process import WARROOM, ServerProcess

from warroom_server.cli import main

PATIENCE_S = 20.0


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Store identities in a folder of the test."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))
    return tmp_path


class Terminal:
    """`warroom play` on a terminal of its own."""

    def __init__(self, *words: str) -> None:
        self.seen = ""
        self.keys, program = pty.openpty()
        environment = {**os.environ, "TERM": "xterm", "COLUMNS": "100", "LINES": "40"}
        command = [str(WARROOM), "play", *words]
        self.process = subprocess.Popen(command, stdin=program, stdout=program, stderr=program, env=environment)
        os.close(program)

    def type(self, keys: str) -> None:
        """Press keys."""
        os.write(self.keys, keys.encode())

    def await_text(self, text: str) -> None:
        """Read on until a text was shown."""
        deadline_s = time.monotonic() + PATIENCE_S
        while text not in self.seen:
            left_s = deadline_s - time.monotonic()
            ready, _, _ = select.select([self.keys], [], [], max(0, left_s))
            assert ready, f"{text!r} was never shown:\n{self.seen}"
            self.seen += os.read(self.keys, 65536).decode()

    def await_end(self) -> int:
        """Return the exit code."""
        return self.process.wait(timeout=PATIENCE_S)

    def close(self) -> None:
        """Kill the process if it still runs."""
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        os.close(self.keys)


@pytest.fixture
def room_of_ada(server: ServerProcess) -> Iterator[Terminal]:
    """Yield a player who waits in a private room for two."""
    words = ("graph_battle", "--create", "--seats", "2", "--private", "--name", "Ada", "--url", server.url)
    terminal = Terminal(*words, "--room-option", "turn_ms=60000", "--option", "max_rounds=2")
    yield terminal
    terminal.close()


def listed(server: ServerProcess) -> str:
    return server.get("/api/rooms").decode()


def refusal_of(code: str, server: ServerProcess) -> str:
    """Return the error of a player who cannot enter a room."""
    command = [str(WARROOM), "play", "--room", code, "--name", "Eve", "--url", server.url]
    eve = subprocess.run(command, capture_output=True, text=True, check=False, timeout=PATIENCE_S, input="")
    assert "(room.unknown)" in eve.stderr
    return eve.stderr


def test_a_private_room_is_unlisted_and_needs_its_key(server: ServerProcess, room_of_ada: Terminal) -> None:
    room_of_ada.await_text("1 of 2 seats taken> ")
    code, dash, _ = _invitation(room_of_ada).partition("-")
    assert dash
    assert code not in listed(server)
    assert "need the full invitation" in refusal_of(code, server)
    assert "need the full invitation" not in refusal_of(f"{code}-wrong", server)


def _invitation(host: Terminal) -> str:
    return host.seen.partition("room ")[2].partition(":")[0]


@pytest.mark.parametrize("keys", ["\x04", "/quit\r", None])
def test_leaving_before_the_match_frees_the_seat(
    server: ServerProcess, room_of_ada: Terminal, keys: str | None
) -> None:
    room_of_ada.await_text("1 of 2 seats taken> ")
    invitation = _invitation(room_of_ada)
    if keys is None:
        room_of_ada.process.send_signal(signal.SIGINT)
    else:
        room_of_ada.type(keys)
    assert room_of_ada.await_end() == 0
    bob = subprocess.run(
        [str(WARROOM), "play", "--room", invitation, "--name", "Bob", "--url", server.url],
        input="/seats\n",
        capture_output=True,
        text=True,
        check=False,
        timeout=PATIENCE_S,
    )
    assert bob.returncode == 0, bob.stderr
    assert "Ada" not in bob.stdout
    assert "  0 Bob                  you, host" in bob.stdout


def test_a_match_is_played_on_terminals_and_left_in_the_middle(server: ServerProcess, room_of_ada: Terminal) -> None:
    room_of_ada.await_text("1 of 2 seats taken> ")
    invitation = _invitation(room_of_ada)
    bob = Terminal("--room", invitation, "--name", "Bob", "--url", server.url)
    try:
        bob.await_text("the match starts")
        room_of_ada.await_text("the match starts")
        mover, other = (bob, room_of_ada) if _is_asked(bob, room_of_ada) else (room_of_ada, bob)
        mover.type("1\r")
        mover.await_text("you: ")
        other.type("'well played\r")
        mover.await_text(": well played")
        mover.process.send_signal(signal.SIGINT)
        mover.await_text("your seat is saved")
        mover.await_text("return with: warroom play graph_battle --name")
        assert mover.await_end() == 0
        other.await_text("disconnected; the seat is kept for")
        other.type("/resign\r/resign\r")
        other.await_text("Match over")
    finally:
        bob.close()


def _is_asked(bob: Terminal, ada: Terminal) -> bool:
    """Find out who moves first: seats are dealt when the match starts."""
    bob.type("/board\r")
    ada.type("/board\r")
    for terminal in (bob, ada):
        terminal.await_text("turn 1")
    deadline_s = time.monotonic() + PATIENCE_S
    while time.monotonic() < deadline_s:
        for terminal in (bob, ada):
            if "Your move" in terminal.seen:
                return terminal is bob
            ready, _, _ = select.select([terminal.keys], [], [], 0.05)
            if ready:
                terminal.seen += os.read(terminal.keys, 65536).decode()
    raise AssertionError(f"nobody is asked:\n{bob.seen}\n{ada.seen}")


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        ([], 2, "name a GAME, or a room with --room CODE"),
        (["strata", "--private"], 2, "--private needs --create"),
        (["strata", "--seat", "1"], 2, "--seat needs --room CODE, --create or --local"),
        (["strata", "--room-option", "bot=nobody"], 2, "unknown bot 'nobody'; strata has no bots"),
        (["chess", "--create"], 2, "(game.unknown)"),
        (["strata", "--create", "--seats", "9"], 2, "(game.seats)"),
        (["strata", "--create", "--option", "colour=blue"], 2, "(game.options)"),
        (["strata", "--room-option", "turn_ms=1"], 2, "(room.options)"),
        (["strata", "--turn-ms", "1"], 2, "(room.options)"),
        (
            ["strata", "--room-option", "watch=all"],
            2,
            "watch all needs a delay of at least 2 turns in a room of 2 seats, got 0 (watch.delay)",
        ),
        (
            ["strata", "--create", "--room-option", "watch=all"],
            2,
            "a delay of at least 2 turns in a room of 2 seats, got 0 (watch.delay)",
        ),
        (["--room", "0000000"], 1, "private rooms need the full invitation (CODE-KEY) (room.unknown)"),
    ],
)
def test_what_cannot_be_played_is_said_in_one_line(
    server: ServerProcess, capsys: pytest.CaptureFixture[str], words: list[str], code: int, said: str
) -> None:
    with open(os.devnull, encoding="utf-8") as nothing, pytest.MonkeyPatch.context() as patch:
        patch.setattr("sys.stdin", nothing)
        assert main(["play", *words, "--url", server.url]) == code
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("warroom play: ")
    assert said in line


@pytest.mark.parametrize(
    "words", [["strata", "--seats", "99"], ["--room", "nonsense"], ["strata", "--seat", "x"], ["strata", "--name", ""]]
)
def test_what_cannot_be_read_is_a_usage_error(capsys: pytest.CaptureFixture[str], words: list[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["play", *words])
    assert ended.value.code == 2
    assert "warroom play" in capsys.readouterr().err


def test_two_players_without_a_name_are_distinguished(server: ServerProcess, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("USER", "zoe")
    first = Terminal("graph_battle", "--create", "--seats", "2", "--url", server.url)
    try:
        first.await_text("1 of 2 seats taken> ")
        room = first.seen.partition("room ")[2].partition(":")[0]
        second = Terminal("--room", room, "--url", server.url)
        second.await_text("the match starts")
        second.await_text("zoe 2 (you)")
        second.close()
    finally:
        first.close()


def quit_at_once(url: str) -> str:
    """Return the output of a player who joins, lists the seats and quits."""
    command = [str(WARROOM), "play", "graph_battle", "--seats", "2", "--name", "Ada", "--url", url]
    answer = subprocess.run(command, input="/seats\n", capture_output=True, text=True, check=False, timeout=PATIENCE_S)
    assert answer.returncode == 0, answer.stderr
    return answer.stdout


def test_another_server_at_the_same_address_does_not_replace_the_identity(tmp_path: Path) -> None:
    first, second = ServerProcess(tmp_path / "first"), ServerProcess(tmp_path / "second")
    first.start()
    ada = Terminal("graph_battle", "--create", "--seats", "2", "--name", "Ada", "--url", first.url)
    try:
        ada.await_text("1 of 2 seats taken> ")
        ada.process.kill()  # so that the seat is not given back
        first.kill()
        second.port = first.port
        second.start()
        assert "so you join as a new player" in quit_at_once(second.url)
        second.kill()
        first.start()
        assert "you are back at your seat in room" in quit_at_once(first.url)
    finally:
        ada.close()
        first.close()
        second.close()
