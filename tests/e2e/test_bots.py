"""Bots play whole matches over the network, and what they played can be checked."""

import asyncio
import json
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest
from server_process import WARROOM, ServerProcess
from waiting import until

from warroom_games.registry import load_games
from warroom_games.replay import ReplayError, verify

RAW_BOT = Path(__file__).parents[2] / "clients" / "examples" / "raw_bot.py"
FIVE = ["graph_battle", "--create", "--count", "5", "--turn-ms", "2000", "--json"]


@contextmanager
def five_bots(server: ServerProcess, *arguments: str) -> Iterator["subprocess.Popen[bytes]"]:
    """Start five bots in a process of their own; it is ended at the latest with the block."""
    command = [str(WARROOM), "bot", *FIVE, *arguments, "--url", server.url]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as bots:
        try:
            yield bots
        finally:
            bots.kill()


def finished(bots: "subprocess.Popen[bytes]") -> dict[str, str]:
    out, errors = bots.communicate(timeout=100)
    assert bots.returncode == 0, errors.decode()
    result: dict[str, str] = json.loads(out)
    return result


def raw_bot(server: ServerProcess, *arguments: str) -> str:
    command = [sys.executable, str(RAW_BOT), server.url, *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True, timeout=100).stdout


def rooms(server: ServerProcess) -> list[dict[str, object]]:
    listed: list[dict[str, object]] = json.loads(server.get("/api/rooms"))
    return listed


def test_five_bots_finish_and_no_flipped_byte_goes_unnoticed(server: ServerProcess) -> None:
    with five_bots(server, "--option", "max_rounds=6") as bots:
        result = finished(bots)
    replay = server.await_replay(result["room"])
    found = verify(replay, load_games())
    assert found.chain.hex() == result["chain"]
    for index in range(0, len(replay), max(1, len(replay) // 150)):
        changed = replay[:index] + bytes([replay[index] ^ 0x40]) + replay[index + 1 :]
        with pytest.raises(ReplayError):
            verify(changed, load_games())


def test_bots_finish_over_a_kill_of_the_server(server: ServerProcess) -> None:
    with five_bots(server, "--think", "0.02-0.05", "--option", "max_rounds=8") as bots:
        asyncio.run(until(lambda: [room["phase"] for room in rooms(server)] == ["playing"]))
        server.kill()
        server.start()
        result = finished(bots)
    assert result["reason"] in ("victory", "cap")
    assert verify(server.await_replay(result["room"]), load_games()).chain.hex() == result["chain"]


def test_two_bots_without_the_sdk_play_a_whole_match(server: ServerProcess) -> None:
    with ThreadPoolExecutor(1) as pool:
        host = pool.submit(raw_bot, server)
        asyncio.run(until(lambda: [room["taken"] for room in rooms(server)] == [1]))
        code = str(rooms(server)[0]["code"])
        guest = raw_bot(server, code)
        assert host.result() == guest
    assert guest.startswith(f"in room {code}\nended by victory; ranks by seat: [")
    assert verify(server.await_replay(code), load_games()).steps > 0


def test_the_example_bot_is_short() -> None:
    assert len(RAW_BOT.read_text().splitlines()) <= 80
