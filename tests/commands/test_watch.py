"""`warroom watch` against a real server, on a pipe and on a terminal."""

import asyncio
import json
import os
import pty
import re
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from server_process import WARROOM, ServerProcess
from wait_until import until

from warroom_client import Client, Room
from warroom_server.cli import main
from warroom_terminal.painter import ENTER, LEAVE
from warroom_terminal.player_search import find_player

PATIENCE_S = 30.0
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


@contextmanager
def watcher(server: ServerProcess, *words: str, **pipes: Any) -> "Iterator[subprocess.Popen[str]]":
    """Run a spectator in its own process, which ends with the block."""
    command = [str(WARROOM), "watch", *words, "--url", server.url]
    # Whoever started the tests in the background had Ctrl-C ignored, and children inherit that.
    with subprocess.Popen(command, text=True, preexec_fn=_heed_ctrl_c, **pipes) as watching:
        try:
            yield watching
        finally:
            watching.kill()


def listed(server: ServerProcess) -> set[str]:
    """Return the rooms with a player; a new room is listed a moment before its creator joins."""
    return {room["code"] for room in json.loads(server.get("/api/rooms")) if room["taken"]}


def watched_by(server: ServerProcess, code: str) -> int:
    """Return the number of spectators; 0 if the list, which may be half a second old, does not have the room yet."""
    return next((room["watching"] for room in json.loads(server.get("/api/rooms")) if room["code"] == code), 0)


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
    assert "waiting for players: 1 of 2 seats taken" in text
    assert re.search(r"Graph Battle   round \d of 2", text)  # a slow watcher may miss the first of them
    assert "to move" in text
    assert "s left" in text
    assert "it is simple 1's turn" in text
    assert f"room {code}   graph_battle   match over: length limit reached   1. " in text
    assert f"verify: warroom verify {code} --url {server.url} --commitment " in text.splitlines()[-1]


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


async def test_a_player_is_followed_from_match_to_match(server: ServerProcess, tmp_path: Path) -> None:
    seen = tmp_path / "seen"
    async with Client(server.url, name="Ada") as ada, Client(server.url, name="Bob") as bob, asyncio.timeout(30):
        rooms = [await _sit(ada)]
        with seen.open("w") as out, watcher(server, "--player", "Ada", stdout=out) as watching:
            for _ in range(2):
                code = rooms[-1].code
                await until(lambda: watched_by(server, code) == 1)  # noqa: B023 - awaited at once
                await (await bob.join(code)).resign()
                ending = f"room {code}   graph_battle   match over: all opponents resigned"
                await until(lambda: ending in seen.read_text())  # noqa: B023 - awaited at once
                rooms.append(await _sit(ada))
            watching.send_signal(signal.SIGINT)
            assert watching.wait(PATIENCE_S) == 0
    assert seen.read_text().count("waiting for the next match; Ctrl-C stops") >= 1


async def test_a_player_who_just_joined_is_found_despite_an_older_list(server: ServerProcess) -> None:
    async with Client(server.url, name="Eve") as eve, Client(server.url, name="Just here") as new:
        await eve.rooms()
        room = await _sit(new)
        assert await find_player(eve, "Just here") == room.player


async def _sit(client: Client) -> Room:
    return await client.join((await client.create("graph_battle", seats=2)).code)


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["--player", "Nobody at all"], 1, "no player named 'Nobody at all' in a listed room"),
        (["0000000", "--player", "Ada"], 2, "--player cannot be combined with a room or --follow"),
    ],
)
def test_an_unknown_player_to_follow_is_one_line(
    server: ServerProcess, capsys: pytest.CaptureFixture[str], words: list[str], code: int, said: str
) -> None:
    assert main(["watch", *words, "--url", server.url]) == code
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"warroom watch: {said}")


def test_a_spectators_chat_reaches_other_spectators(server: ServerProcess) -> None:
    with waiting_room(server) as code:
        pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
        with (
            watcher(server, code, "--chat", "--name", "Eve", **pipes) as eve,
            watcher(server, code, "--chat", "--name", "Zoe", **pipes) as zoe,
        ):
            _assert_heard(server, code, eve, zoe)


def _assert_heard(server: ServerProcess, code: str, eve: "subprocess.Popen[str]", zoe: "subprocess.Popen[str]") -> None:
    asyncio.run(until(lambda: watched_by(server, code) == 2))
    assert eve.stdin is not None
    assert zoe.stdout is not None
    eve.stdin.write("who will win?\n")
    eve.stdin.flush()
    while "Eve (watching): who will win?" not in zoe.stdout.readline():
        pass
    for spectator in (eve, zoe):
        spectator.communicate("/quit\n", timeout=PATIENCE_S)
    assert (eve.returncode, zoe.returncode) == (0, 0)


def test_the_room_that_was_asked_for_must_exist(server: ServerProcess, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["watch", "0000000", "--url", server.url]) == 1
    assert "need the full invitation (CODE-KEY) (room.unknown)" in capsys.readouterr().err
    assert main(["watch", "nonsense!", "--url", server.url]) == 2
    assert "a room code has 7 characters" in capsys.readouterr().err


def test_without_a_server_the_error_says_how_to_start_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["watch", "--url", "ws://127.0.0.1:1/ws"]) == 1
    assert capsys.readouterr().err == (
        "warroom watch: cannot reach ws://127.0.0.1:1/ws: connection refused; `warroom serve` starts a server\n"
    )
