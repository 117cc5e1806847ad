"""`warroom watch` against a real server, on a pipe and on a terminal."""

import asyncio
import json
import os
import pty
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from server_process import WARROOM, ServerProcess
from waiting import until

from warroom_server.cli import main
from warroom_terminal.painter import ENTER, LEAVE

QUICK = ["--option", "max_rounds=2"]


@contextmanager
def waiting_room(server: ServerProcess) -> Iterator[str]:
    """Yield the code of a room in which one bot waits for another."""
    command = [str(WARROOM), "bot", "graph_battle", "--create", "--seats", "2", "--count", "1", *QUICK]
    # A list may show what was open a moment ago.
    before = listed(server)
    with subprocess.Popen([*command, "--url", server.url], stdout=subprocess.DEVNULL) as bot:
        asyncio.run(until(lambda: bool(listed(server) - before)))
        try:
            yield (listed(server) - before).pop()
        finally:
            bot.kill()


def listed(server: ServerProcess) -> set[str]:
    """Return the rooms in which somebody sits: a new one is listed a moment before its creator does."""
    return {room["code"] for room in json.loads(server.get("/api/rooms")) if room["taken"]}


def watched_by(server: ServerProcess, code: str) -> int:
    return next(room["watching"] for room in json.loads(server.get("/api/rooms")) if room["code"] == code)


def test_a_pipe_gets_the_match_block_by_block_to_its_ranking(server: ServerProcess, tmp_path: Path) -> None:
    seen = tmp_path / "seen"
    with waiting_room(server) as code, seen.open("w") as out:
        watching = subprocess.Popen([str(WARROOM), "watch", "--url", server.url], stdout=out)
        with watching:
            asyncio.run(until(lambda: watched_by(server, code) == 1))
            assert main(["bot", "--room", code, "--json", "--url", server.url]) == 0
        assert watching.returncode == 0
    text = seen.read_text()
    assert text.startswith(f"> {code}  graph_battle     lobby    1 of 2 seats, 0 watching")
    assert "waiting for players: 1 of 2 seats are taken" in text
    assert "Graph Battle   round 1 of 2" in text
    assert "to move" in text
    assert "s left" in text
    assert "turn end: " in text
    assert f"room {code}   graph_battle   over: cap   1. " in text
    assert f"check it: warroom verify {code} --url {server.url} --commitment " in text.splitlines()[-1]


def test_a_terminal_is_redrawn_and_given_back_on_ctrl_c(server: ServerProcess) -> None:
    with waiting_room(server) as code:
        ours, theirs = pty.openpty()
        command = [str(WARROOM), "watch", code, "--url", server.url]
        # Whoever started the tests in the background had Ctrl-C ignored, and children inherit that.
        with subprocess.Popen(command, stdout=theirs, stderr=theirs, preexec_fn=_heed_ctrl_c) as watching:
            os.close(theirs)
            seen = b""
            while b"waiting for players" not in seen:
                seen += os.read(ours, 65536)
            watching.send_signal(signal.SIGINT)
            while LEAVE.encode() not in seen:
                seen += os.read(ours, 65536)
            # Read on, so that the end of the program does not wait for a full terminal.
            while _more(ours):
                pass
        os.close(ours)
        assert watching.returncode == 0
    assert seen.decode().startswith(ENTER)
    assert b"Traceback" not in seen


def _heed_ctrl_c() -> None:
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def _more(terminal: int) -> bytes:
    try:
        return os.read(terminal, 65536)
    except OSError:
        return b""


def test_the_room_that_was_asked_for_must_exist(server: ServerProcess, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["watch", "0000000", "--url", server.url]) == 1
    assert "has a part after a dash as well (CODE-KEY) (room.unknown)" in capsys.readouterr().err
    assert main(["watch", "nonsense!", "--url", server.url]) == 2
    assert "a room code has 7 characters" in capsys.readouterr().err


def test_without_a_server_the_error_says_how_to_start_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["watch", "--url", "ws://127.0.0.1:1/ws"]) == 1
    assert capsys.readouterr().err == (
        "warroom watch: cannot reach ws://127.0.0.1:1/ws: nobody listens there; `warroom serve` starts a server\n"
    )
