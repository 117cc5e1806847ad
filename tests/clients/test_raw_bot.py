"""The example bots, without the SDK and with it, play whole matches on a real server."""

import asyncio
import json
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from textwrap import dedent

import pytest
from server_process import ServerProcess
from wait_until import until

import warroom_client
from warroom_games.registry import load_games
from warroom_games.replay import verify

EXAMPLES = Path(__file__).parents[2] / "clients" / "examples"
RAW_BOT, SDK_BOT = EXAMPLES / "raw_bot.py", EXAMPLES / "sdk_bot.py"


@pytest.fixture
def server(tmp_path: Path) -> Iterator[ServerProcess]:
    running = ServerProcess(tmp_path / "server")
    running.start()
    yield running
    running.close()


def raw_bot(server: ServerProcess, *arguments: str, example: Path = RAW_BOT) -> str:
    command = [sys.executable, str(example), server.url, *arguments]
    return subprocess.run(command, check=True, capture_output=True, text=True, timeout=60).stdout


def rooms(server: ServerProcess) -> list[dict[str, object]]:
    listed: list[dict[str, object]] = json.loads(server.get("/api/rooms"))
    return listed


@pytest.mark.parametrize("example", [RAW_BOT, SDK_BOT], ids=["without the SDK", "with it"])
def test_a_bot_without_the_sdk_plays_a_whole_match_against_one(server: ServerProcess, example: Path) -> None:
    with ThreadPoolExecutor(1) as pool:
        host = pool.submit(raw_bot, server, example=example)
        asyncio.run(until(lambda: [room["taken"] for room in rooms(server)] == [1]))
        code = str(rooms(server)[0]["code"])
        guest = raw_bot(server, code)
        assert host.result() == guest
    assert guest.startswith(f"in room {code}\nended by ")
    assert verify(server.await_replay(code), load_games()).steps > 0


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        pytest.param([], "usage: python {} URL [CODE]", id="nothing"),
        pytest.param(["ws://127.0.0.1:1/ws"], "cannot play on ws://127.0.0.1:1/ws: ", id="no server"),
        pytest.param(["nonsense"], "cannot play on nonsense: ", id="no address"),
    ],
)
@pytest.mark.parametrize("example", [RAW_BOT, SDK_BOT], ids=["without the SDK", "with it"])
def test_what_cannot_be_played_is_one_line(arguments: list[str], said: str, example: Path) -> None:
    command = [sys.executable, str(example), *arguments]
    answer = subprocess.run(command, check=False, capture_output=True, text=True, timeout=60)
    assert answer.returncode == 1
    assert answer.stderr.startswith(said.format(example.name))
    assert answer.stderr.count("\n") == 1


def test_the_bot_in_the_description_of_the_sdk_plays_a_whole_match(server: ServerProcess, tmp_path: Path) -> None:
    text = warroom_client.__doc__ or ""
    example = tmp_path / "example.py"
    code = "\n".join(line for line in text.splitlines() if line.startswith("    ") or not line)
    example.write_text(dedent(code).replace(warroom_client.DEFAULT_URL, server.url))
    with subprocess.Popen([sys.executable, str(example)], stdout=subprocess.PIPE, text=True) as host:
        asyncio.run(until(lambda: [room["taken"] for room in rooms(server)] == [1]))
        raw_bot(server, str(rooms(server)[0]["code"]))
        said, _ = host.communicate(timeout=60)
    assert said.startswith("room ")
    assert "\nover: " in said


def test_the_example_is_short_and_needs_only_two_libraries() -> None:
    lines = RAW_BOT.read_text().splitlines()
    imports = [line.split() for line in lines if line.lstrip().startswith(("import ", "from "))]
    imported = {words[1].partition(".")[0] for words in imports}
    assert len(lines) <= 80
    assert imported - set(sys.stdlib_module_names) == {"msgpack", "websockets"}


@pytest.mark.parametrize("missing", ["msgpack", "websockets"])
def test_a_missing_library_is_named_in_one_line(missing: str) -> None:
    code = f"import sys, runpy; sys.modules[{missing!r}] = None; runpy.run_path({str(RAW_BOT)!r}, run_name='__main__')"
    answer = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert answer.returncode == 1
    assert answer.stderr.startswith(missing)
    assert answer.stderr.endswith("is missing: pip install websockets msgpack\n")
    assert answer.stderr.count("\n") == 1
