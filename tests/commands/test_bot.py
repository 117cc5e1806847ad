"""`warroom bot` against a real server."""

import asyncio
import json
import re
import shlex
import signal
import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from server_process import WARROOM, ServerProcess
from wait_until import until

from warroom_games.registry import load_games
from warroom_games.replay import verify
from warroom_server.cli import main

QUICK = ["--option", "max_rounds=2"]


def listed(server: ServerProcess) -> list[dict[str, str]]:
    rooms: list[dict[str, str]] = json.loads(server.get("/api/rooms"))
    return rooms


def await_lobby(server: ServerProcess, before: set[str]) -> str:
    """Return the code of the open room that was not there *before*; a list may show what was open a moment ago."""
    found: list[str] = []

    def is_there() -> bool:
        found[:] = [room["code"] for room in listed(server) if room["phase"] == "lobby" and room["code"] not in before]
        return bool(found)

    asyncio.run(until(is_there))
    return found[0]


def codes_of(server: ServerProcess) -> set[str]:
    return {room["code"] for room in listed(server)}


def test_five_bots_finish_a_match_whose_replay_verifies(
    server: ServerProcess, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["bot", "graph_battle", "--create", "--count", "5", "--turn-ms", "2000", "--seed", "1", "--json", *QUICK]
    assert main([*command, "--url", server.url]) == 0
    result = json.loads(capsys.readouterr().out)
    assert sorted(each["name"] for each in result["ranking"]) == [f"simple {number}" for number in range(1, 6)]
    replay = server.await_replay(result["room"])  # lists have the match by then
    played = next(match for match in json.loads(server.get("/api/matches")) if match["code"] == result["room"])
    assert [player["bot"] for player in played["players"]] == ["simple"] * 5
    assert played["rated"] is True  # among bots
    assert result["replay"] == f"http://127.0.0.1:{server.port}/api/replays/{result['room']}"
    found = verify(replay, load_games())
    assert (found.chain.hex(), found.seed.hex()) == (result["chain"], result["seed"])


def ladder(server: ServerProcess, capsys: pytest.CaptureFixture[str], *, matches: int) -> list[tuple[str, int]]:
    """Return name and number of matches of each bot on a ladder, once it has counted so many matches."""
    found: list[dict[str, str]] = []

    def is_counted() -> bool:
        assert main(["ranking", "graph_battle", "--bots", "--json", "--url", server.url]) == 0
        found[:] = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
        return sum(int(each["matches"]) for each in found) >= 2 * matches

    while not is_counted():
        pass
    return sorted((each["name"], int(each["matches"])) for each in found)


@pytest.fixture
def own_server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ServerProcess]:
    """Return a server whose ladder is empty, for bots that never played."""
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    running = ServerProcess(tmp_path / "server")
    running.start()
    yield running
    running.close()


def test_a_rating_goes_on_in_the_next_run(own_server: ServerProcess, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["bot", "graph_battle", "--create", "--seats", "2", "--bot", "random", "--json", *QUICK]
    for run in (1, 2):
        assert main([*command, "--url", own_server.url]) == 0
        capsys.readouterr()
        assert ladder(own_server, capsys, matches=run) == [("random 1", run), ("random 2", run)]
    assert main([*command, "--matches", "2", "--parallel", "2", "--url", own_server.url]) == 0
    capsys.readouterr()
    assert ladder(own_server, capsys, matches=4) == [("random 1", 4), ("random 2", 4)]
    assert main([*command, "--new", "--url", own_server.url]) == 0
    capsys.readouterr()
    renewed = [("random 1", 1), ("random 1", 4), ("random 2", 1), ("random 2", 4)]
    assert ladder(own_server, capsys, matches=5) == renewed


def test_bots_from_several_files_share_no_player(
    own_server: ServerProcess, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    name = "a_bot_with_a_very_long_name"
    files = [tmp_path / folder / f"{name}.py" for folder in ("old", "new")]
    for file in files:
        file.parent.mkdir()
        file.write_text("class Last:\n    def choose(self, decision):\n        return decision.legal[-1]\n")
        command = ["bot", "graph_battle", "--create", "--seats", "2", "--bot", f"{file}:Last", "--json", *QUICK]
        assert main([*command, "--url", own_server.url]) == 0
        capsys.readouterr()
    players = [(f"…a_very_long_name.Last {number}", 1) for number in (1, 2, 3, 4)]
    assert ladder(own_server, capsys, matches=2) == players


def test_two_runs_at_once_are_different_players(own_server: ServerProcess, capsys: pytest.CaptureFixture[str]) -> None:
    first = ["bot", "graph_battle", "--create", "--seats", "2", "--count", "1", "--bot", "random", "--json", *QUICK]
    before = codes_of(own_server)
    with ThreadPoolExecutor() as pool:
        playing = pool.submit(
            subprocess.run, [str(WARROOM), *first, "--url", own_server.url], check=True, capture_output=True
        )
        code = await_lobby(own_server, before)
        assert main(["bot", "--room", code, "--bot", "random", "--json", "--url", own_server.url]) == 0
        playing.result()
    capsys.readouterr()
    assert ladder(own_server, capsys, matches=1) == [("random 1", 1), ("random 2", 1)]


def test_bots_whose_identity_cannot_be_kept_are_new_players(
    server: ServerProcess, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").touch()
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "file"))
    command = ["bot", "graph_battle", "--create", "--seats", "2", "--bot", "random", *QUICK]
    assert main([*command, "--url", server.url]) == 0
    said = [line for line in capsys.readouterr().out.splitlines() if line.startswith("playing as")]
    folder = tmp_path / "file" / "warroom" / "bots"
    assert said == [f"playing as new players, whose ratings begin afresh: cannot use {folder}: Not a directory"]


def test_the_output_has_the_room_the_progress_and_the_verify_command(
    server: ServerProcess, capsys: pytest.CaptureFixture[str]
) -> None:
    command = ["bot", "graph_battle", "--create", "--seats", "2", "--bot", "random", "--think", "0-0.01", *QUICK]
    assert main([*command, "--url", server.url]) == 0
    text = capsys.readouterr().out
    assert "graph_battle, 2 seats, 2 x random, new room" in text
    assert "playing: " in text
    assert "length limit reached" in text
    assert "  1. random " in text
    checking = next(line for line in text.splitlines() if line.startswith("verify: "))
    code = text.split()[1].rstrip(":")
    server.await_replay(code)
    assert main(shlex.split(checking)[2:]) == 0
    assert "This proves that nothing was changed after the players sat down" in capsys.readouterr().out


def test_a_bot_takes_a_seat_in_an_open_room_before_it_makes_one(
    server: ServerProcess, capsys: pytest.CaptureFixture[str]
) -> None:
    first = ["bot", "graph_battle", "--create", "--seats", "2", "--count", "1", "--json", *QUICK, "--url", server.url]
    before = codes_of(server)
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(main, first)
        await_lobby(server, before)
        assert main(["bot", "graph_battle", "--json", "--url", server.url]) == 0
        assert waiting.result() == 0
    rooms = {json.loads(line)["room"] for line in capsys.readouterr().out.splitlines()}
    assert len(rooms) == 1


@pytest.mark.parametrize(("game", "name"), [([], "simple 2"), (["graph_battle", "--bot", "random"], "random 1")])
def test_a_bot_joins_the_named_room(
    server: ServerProcess, game: list[str], name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    first = ["bot", "graph_battle", "--create", "--seats", "2", "--count", "1", "--json", *QUICK, "--url", server.url]
    before = codes_of(server)
    with ThreadPoolExecutor(1) as pool:
        waiting = pool.submit(main, first)
        code = await_lobby(server, before)
        assert main(["bot", "strata", "--room", code, "--url", server.url]) == 2
        assert f"room {code} plays graph_battle, not strata" in capsys.readouterr().err
        assert main(["bot", *game, "--room", code.upper(), "--json", "--url", server.url]) == 0
        assert waiting.result() == 0
    names = {each["name"] for each in json.loads(capsys.readouterr().out.splitlines()[0])["ranking"]}
    assert names == {"simple 1", name}


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        pytest.param(["chess", "--create", "--bot", "random"], 2, "unknown game 'chess'", id="game"),
        pytest.param(["graph_battle", "--bot", "deep"], 2, "unknown bot 'deep' for graph_battle", id="bot"),
        pytest.param(["--room", "0000000"], 1, "no room 0000000 in the server's list", id="room"),
        pytest.param(["graph_battle", "--create", "--seats", "2", "--count", "3"], 2, "3 bots do not fit", id="count"),
        pytest.param(["graph_battle", "--create", "--turn-ms", "1"], 2, "turn_ms", id="turn"),
        pytest.param([], 2, "name a GAME, or a room", id="nothing"),
        pytest.param(["--room", "0000000", "--create"], 2, "cannot be combined", id="both"),
        pytest.param(["--room", "nonsense!"], 2, "a room code has 7 characters", id="code"),
        pytest.param(["graph_battle", "--create", "--seats", "9"], 2, "2 to 5", id="seats"),
        pytest.param(["graph_battle", "--create", "--option", "max_rounds=0"], 2, "max_rounds", id="option"),
    ],
)
def test_what_cannot_be_played_is_one_line(
    server: ServerProcess, arguments: list[str], code: int, message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["bot", *arguments, "--url", server.url]) == code
    errors = capsys.readouterr().err
    assert message in errors
    assert errors.count("\n") == 1


def test_without_a_server_the_error_says_how_to_start_one(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["bot", "graph_battle", "--url", "ws://127.0.0.1:1/ws"]) == 1
    assert "`warroom serve` starts a server" in capsys.readouterr().err


@pytest.mark.parametrize("arguments", [["--think", "1-0.5"], ["--think", "long"], ["--count", "0"], ["--option", "x"]])
def test_a_wrong_argument_is_usage(arguments: list[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main(["bot", "graph_battle", *arguments])
    assert left.value.code == 2


def test_the_bots_wait_for_a_server_that_was_killed_and_finish(tmp_path: Path) -> None:
    server = ServerProcess(tmp_path / "server")
    server.start()
    command = [
        "bot",
        "graph_battle",
        "--create",
        "--turn-ms",
        "2000",
        "--think",
        "0.02-0.05",
        "--option",
        "max_rounds=6",
    ]
    try:
        bots = subprocess.Popen([str(WARROOM), *command, "--url", server.url], stdout=subprocess.PIPE, text=True)
        with bots:
            asyncio.run(until(lambda: [room["phase"] for room in listed(server)] == ["playing"]))
            server.kill()
            server.start()
            text, _ = bots.communicate(timeout=60)
        assert bots.returncode == 0
        assert "reconnecting…" in text
        assert "reconnected" in text
        code = text.partition(":")[0].removeprefix("room ")
        assert verify(server.await_replay(code), load_games()).chain.hex() in text
    finally:
        server.close()


def write_bot(folder: Path, source: str) -> str:
    path = folder / "written_bot.py"
    path.write_text(source)
    return str(path)


def test_a_bot_from_a_file_plays_under_the_name_of_its_file(
    server: ServerProcess, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bot = write_bot(tmp_path, "def choose(decision):\n    return decision.legal[-1]\n")
    command = ["bot", "graph_battle", "--create", "--seats", "2", "--bot", bot, "--json", *QUICK]
    assert main([*command, "--url", server.url]) == 0
    result = json.loads(capsys.readouterr().out)
    assert {each["name"] for each in result["ranking"]} == {"written_bot 1", "written_bot 2"}
    assert result["failures"] == 0


def test_a_bot_that_fails_is_shown_once_counted_and_loses_the_match(
    server: ServerProcess, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    # It fails until its first decision is taken from it; another one is waited for each time, ever longer.
    fails = "    return decision.legal[9999 if len(asked) <= 3 else -1]\n"
    bot = write_bot(tmp_path, f"asked = []\n\n\ndef choose(decision):\n    asked.append(decision)\n{fails}")
    command = ["bot", "graph_battle", "--create", "--seats", "2", "--bot", bot, "--option", "max_rounds=1"]
    assert main([*command, "--url", server.url]) == 0
    said = capsys.readouterr()
    failures = [line for line in said.out.splitlines() if "failed in room" in line]
    assert len(failures) == 2
    assert failures[0].endswith("IndexError: tuple index out of range (written_bot.py, line 6)")
    assert failures[1].endswith("it resigns: who fails in a rated match between bots loses it")
    assert said.err.count("Traceback") == 1
    assert "failures of the bots: " in said.out
    assert re.search(r"ended in turn \d+: all opponents resigned", said.out)


def test_many_matches_are_counted(server: ServerProcess, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["bot", "graph_battle", "--create", "--seats", "2", "--matches", "3", "--parallel", "2", *QUICK]
    assert main([*command, "--json", "--url", server.url]) == 0
    result = json.loads(capsys.readouterr().out)
    assert (result["game"], result["bot"], result["matches"], result["won"]) == ("graph_battle", "simple", 3, 3)
    assert main([*command, "--url", server.url]) == 0
    assert "3 matches in " in capsys.readouterr().out


def finished(server: ServerProcess) -> set[str]:
    return {match["code"] for match in json.loads(server.get("/api/matches?game=graph_battle"))}


def test_bots_play_until_they_are_interrupted(server: ServerProcess) -> None:
    command = [
        str(WARROOM),
        "bot",
        "graph_battle",
        "--create",
        "--seats",
        "2",
        "--forever",
        *QUICK,
        "--url",
        server.url,
    ]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as bots:
        before = finished(server)
        asyncio.run(until(lambda: bool(finished(server) - before), within_s=90))
        bots.send_signal(signal.SIGINT)
        text, _ = bots.communicate(timeout=60)
    assert bots.returncode == 0
    assert "waiting for the running matches; interrupt again to leave them" in text
    assert "first in " in text


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        pytest.param(["graph_battle", "--bot", "nowhere.py"], "there is no file nowhere.py", id="no file"),
        pytest.param(
            ["graph_battle", "--bot", "warroom_bots.games.strata:BOT"], "plays strata, not graph_battle", id="game"
        ),
        pytest.param(["--room", "0000000", "--forever"], "a room has one match", id="room"),
        pytest.param(["graph_battle", "--matches", "2", "--forever"], "cannot be combined", id="both"),
        pytest.param(["graph_battle", "--parallel", "2"], "--parallel needs --matches N or --forever", id="parallel"),
    ],
)
def test_what_is_wrong_with_a_bot_or_a_series_is_one_line(
    arguments: list[str], message: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["bot", *arguments]) == 2
    errors = capsys.readouterr().err
    assert message in errors
    assert errors.count("\n") == 1


def test_a_bot_that_cannot_be_made_creates_no_room(
    server: ServerProcess, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = "class Empty:\n    def __init__(self):\n        1 / 0\n    def choose(self, decision): ...\n"
    rooms = codes_of(server)
    assert main(["bot", "strata", "--create", "--bot", write_bot(tmp_path, source), "--url", server.url]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.endswith("written_bot cannot be made: ZeroDivisionError: division by zero (written_bot.py, line 3)")
    assert codes_of(server) <= rooms
