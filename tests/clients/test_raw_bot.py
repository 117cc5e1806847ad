"""The example bot without the SDK plays whole matches on a real server."""

import asyncio
import json
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from server_process import ServerProcess
from waiting import until

from warroom_games.registry import load_games
from warroom_games.replay import verify

RAW_BOT = Path(__file__).parents[2] / "clients" / "examples" / "raw_bot.py"


@pytest.fixture
def server(tmp_path: Path) -> Iterator[ServerProcess]:
    running = ServerProcess(tmp_path / "server")
    running.start()
    yield running
    running.close()


def raw_bot(server: ServerProcess, *arguments: str) -> str:
    command = [sys.executable, str(RAW_BOT), server.url, *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True, timeout=60).stdout


def rooms(server: ServerProcess) -> list[dict[str, object]]:
    listed: list[dict[str, object]] = json.loads(server.get("/api/rooms"))
    return listed


def test_two_bots_without_the_sdk_play_a_whole_match(server: ServerProcess) -> None:
    with ThreadPoolExecutor(1) as pool:
        host = pool.submit(raw_bot, server)
        asyncio.run(until(lambda: [room["taken"] for room in rooms(server)] == [1]))
        code = str(rooms(server)[0]["code"])
        guest = raw_bot(server, code)
        assert host.result() == guest
    assert guest.startswith(f"in room {code}\nended by ")
    assert verify(server.await_replay(code), load_games()).steps > 0


def test_the_example_is_short_and_needs_only_two_libraries() -> None:
    lines = RAW_BOT.read_text().splitlines()
    imported = {line.split()[1].partition(".")[0] for line in lines if line.startswith(("import ", "from "))}
    assert len(lines) <= 80
    assert imported - set(sys.stdlib_module_names) == {"msgpack", "websockets"}
