"""The server of an arena, whose games may print."""

import sys
from pathlib import Path

import pytest
from wait_until import until

from warroom_bots.arena import own_server
from warroom_bots.arena.own_server import ServerError

NOISY = """
import pathlib, sys
print("a game is loaded")
print("7")
print('{"host": "127.0.0.1", "port": 4711}', flush=True)
print("thinking " * 100_000, flush=True)
pathlib.Path("%s").touch()
sys.stdin.read()
"""


def use(script: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(own_server, "_COMMAND", (sys.executable, "-c", script))


async def test_a_game_may_print_before_the_address_and_as_much_as_it_likes_after(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    has_printed = tmp_path / "printed"
    use(NOISY % has_printed.as_posix(), monkeypatch)
    with own_server.own_server(()) as address:
        assert address == "ws://127.0.0.1:4711/ws"
        await until(has_printed.exists)


def test_a_server_that_ends_without_an_address_did_not_start(monkeypatch: pytest.MonkeyPatch) -> None:
    use("print('no games')", monkeypatch)
    with pytest.raises(ServerError, match="did not start"), own_server.own_server(()):
        pass
