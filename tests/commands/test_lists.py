"""`warroom rooms`, `warroom matches`, `warroom ranking` and `warroom fetch` against a real server."""

import asyncio
import json
import os
import re
import subprocess
from pathlib import Path

import pytest
from server_process import WARROOM, ServerProcess

from warroom_client import Client, Ended, Refreshed, Updated
from warroom_protocol.rooms import parse_room_code
from warroom_protocol.view_replay import read_view
from warroom_server.cli import main

PATIENCE_S = 30.0


@pytest.fixture(scope="module")
def played(server: ServerProcess) -> str:
    """Return the code of a room in which two bots played a short match."""
    words = ["bot", "graph_battle", "--create", "--count", "2", "--seats", "2", "--option", "max_rounds=2", "--json"]
    answer = subprocess.run(
        [str(WARROOM), *words, "--url", server.url], capture_output=True, text=True, check=True, timeout=PATIENCE_S
    )
    code = str(json.loads(answer.stdout)["room"])
    server.await_replay(code)
    return code


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))


@pytest.mark.parametrize("command", ["rooms", "matches", "ranking graph_battle", "play graph_battle", "replay 3k7m2qd"])
def test_a_text_that_is_no_address_is_refused_with_the_right_forms(
    command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit, match="2"):
        main([*command.split(), "--url", "nowhere"])
    assert "'nowhere' is not the address of a server; write HOST:PORT" in capsys.readouterr().err


def test_a_server_is_found_at_the_address_of_its_page_and_at_the_port_of_the_environment(
    server: ServerProcess, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    port = server.url.split(":")[2].partition("/")[0]
    assert main(["rooms", "--url", f"http://127.0.0.1:{port}/"]) == 0
    monkeypatch.setenv("WARROOM_PORT", port)
    assert main(["rooms"]) == 0
    assert main(["rooms", "--url", "127.0.0.1:1"]) == 1
    assert "cannot reach ws://127.0.0.1:1/ws" in capsys.readouterr().err


def run(server: ServerProcess, capsys: pytest.CaptureFixture[str], *words: str) -> str:
    capsys.readouterr()
    assert main([*words, "--url", server.url]) == 0
    return capsys.readouterr().out


def test_a_match_that_was_played_is_listed(
    server: ServerProcess, played: str, capsys: pytest.CaptureFixture[str]
) -> None:
    text = run(server, capsys, "matches", "graph_battle")
    assert re.search(
        rf"{played}  \d{{4}}-\d\d-\d\d \d\d:\d\d  graph_battle .* turns  [\w ]+, rated  1\. \w+ \d \(bot\)", text
    )
    assert f"watch one: warroom replay {played}" in text
    summary = json.loads(run(server, capsys, "matches", "--json").splitlines()[0])
    assert (summary["code"], len(summary["players"])) == (played, 2)
    assert run(server, capsys, "matches", "--before", played) == "no matches found; old matches expire\n"


async def give_up(url: str, *, game: str = "graph_battle", bot: str | None = None) -> None:
    """Let one player win against another, or one bot against another."""
    async with Client(url, name="Ada 1", bot=bot) as ada, Client(url, name="Bob 2", bot=bot) as bob:
        created = await ada.create(game, seats=2)
        await ada.join(created.code)
        room = await bob.join(created.code)
        async for event in room:
            if isinstance(event, Updated | Refreshed):
                await room.resign()
                return


def test_the_ranking_has_the_people_who_played(server: ServerProcess, capsys: pytest.CaptureFixture[str]) -> None:
    asyncio.run(give_up(server.url))
    text = ""
    while "2 players; " not in text:
        text = run(server, capsys, "ranking", "graph_battle")
    assert re.search(r"  1\. +-?\d+\.\d +\d+\.\d ± \d\.\d +1  \w+ \d", text)
    first = json.loads(run(server, capsys, "ranking", "graph_battle", "--json").splitlines()[0])
    assert (first["place"], first["matches"]) == (1, 1)
    second = json.loads(run(server, capsys, "ranking", "graph_battle", "--from", "2", "--json"))
    assert second["place"] == 2
    assert "has only 2 players" in run(server, capsys, "ranking", "graph_battle", "--from", "100")
    assert "no ranked players in strata yet" in run(server, capsys, "ranking", "strata")
    assert "no ranked bots in timberwall yet; let bots" in run(server, capsys, "ranking", "timberwall", "--bots")


def test_the_bots_ladder_has_the_bots_that_played_each_other(
    server: ServerProcess, capsys: pytest.CaptureFixture[str]
) -> None:
    asyncio.run(give_up(server.url, game="tile_blitz", bot="deep"))
    ranking = ("ranking", "tile_blitz", "--bots")
    text = ""
    while "2 bots; " not in text:
        text = run(server, capsys, *ranking)
    assert re.search(r"  1\. .* 1  \w+ \d \(bot deep\)$", text, re.MULTILINE)
    assert re.search(r"matches  bot$", text, re.MULTILINE)
    first = json.loads(run(server, capsys, *ranking, "--json").splitlines()[0])
    assert (first["place"], first["bot"]) == (1, "deep")
    assert "has only 2 bots" in run(server, capsys, *ranking, "--from", "100")
    assert "no ranked players in tile_blitz yet" in run(server, capsys, "ranking", "tile_blitz")


def test_rooms_are_listed_once_and_live(
    server: ServerProcess, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert "no rooms found" in run(server, capsys, "rooms", "strata", "--open")
    live = [str(WARROOM), "rooms", "strata", "--open", "--live", "--json", "--url", server.url]
    play = [str(WARROOM), "play", "strata", "--create", "--name", "Ada", "--url", server.url]
    environment = {**os.environ, "TERM": "dumb"}
    with (
        subprocess.Popen(live, stdout=subprocess.PIPE, text=True) as listing,
        subprocess.Popen(play, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=environment) as ada,
    ):
        assert listing.stdout is not None
        while (room := json.loads(listing.stdout.readline()))["taken"] == 0:
            pass
        assert (room["game"], [player["name"] for player in room["players"]]) == ("strata", ["Ada"])
        line = f"{room['code']}  strata         lobby    1 of 2 seats  30 s a turn  0 watching  Ada\n"
        (player,) = (player["player"] for player in room["players"])
        for filters in ((), ("--phase", "lobby"), ("--player", "Ada"), ("--player", player)):
            assert line in run(server, capsys, "rooms", *filters)
        assert "no rooms found" in run(server, capsys, "rooms", "--phase", "playing", "--player", player)
        assert "no rooms older" in run(server, capsys, "rooms", "strata", "--before", room["code"])
        monkeypatch.setattr("warroom_terminal.commands.rooms.AT_ONCE", 1)
        onward = f"warroom rooms strata --open --player Ada --before {room['code']} --url {server.url}"
        assert f"for more: {onward}\n" in run(server, capsys, "rooms", "strata", "--open", "--player", "Ada")
        ada.communicate("/quit\n", timeout=PATIENCE_S)
        while json.loads(listing.stdout.readline()).get("taken", 0) == 1:
            pass
        listing.kill()
    assert ada.returncode == 0


def test_a_match_is_fetched_as_everybody_saw_it(
    server: ServerProcess, played: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = run(server, capsys, "fetch", played)
    assert "--- turn 1 ---\nGraph Battle" in text
    assert re.search(r"over: length limit reached   1\. simple \d   2\. simple \d\n", text)
    view = tmp_path / "match.warview"
    assert str(view) in run(server, capsys, "fetch", played, "--out", str(view))
    assert read_view(view.read_bytes()).room == parse_room_code(played)
    assert main(["fetch", played, "--url", server.url, "--out", "/nowhere/at/all"]) == 1
    assert "warroom fetch: cannot write /nowhere/at/all: No such file" in capsys.readouterr().err
    whole = tmp_path / "match.warroom"
    run(server, capsys, "fetch", played, "--view", "all", "--out", str(whole))
    assert main(["verify", str(whole)]) == 0


async def let_time_run_out(url: str) -> str:
    """Let the clock play a whole match for two people, and return the room's code."""
    options = {"turn_ms": 200, "timeouts": 0, "rated": False, "seating": "as_joined"}
    async with Client(url, name="Ada") as ada, Client(url, name="Bob") as bob, asyncio.timeout(PATIENCE_S):
        created = await ada.create("graph_battle", seats=2, options={"max_rounds": 2}, room_options=options)
        room = await ada.join(created.code)
        await bob.join(created.code)
        async for event in room:
            if isinstance(event, Ended):
                break
    return created.code


def test_a_fetched_match_says_where_the_clock_acted(server: ServerProcess, capsys: pytest.CaptureFixture[str]) -> None:
    code = asyncio.run(let_time_run_out(server.url))
    server.await_replay(code)
    text = run(server, capsys, "fetch", code)
    assert (
        re.findall(r"Ada gets .* \((.*)\)|Bob gets .* \((.*)\)", text)
        == [
            ("clock acted for Ada", ""),
            ("", "clock acted for Bob"),
        ]
        * 2
    )


@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (["fetch", "0000000"], 1, "(replay.unknown)"),
        (["fetch", "0000000", "--view", "own", "--name", "Eve"], 1, "'Eve' has no seat in that match"),
        (["fetch", "0000000", "--view", "all"], 2, "--view all needs --out FILE"),
        (["fetch", "0000000", "--out", "/nowhere/at/all"], 1, "(replay.unknown)"),
        (["rooms", "--before", "0000000"], 1, "(room.unknown)"),
        (["rooms", "chess"], 2, "(game.unknown)"),
        (["rooms", "chess", "--live"], 2, "(game.unknown)"),
        (["ranking", "chess"], 2, "(game.unknown)"),
        (["matches", "chess"], 2, "(game.unknown)"),
    ],
)
def test_what_cannot_be_had_is_said_in_one_line(
    server: ServerProcess, capsys: pytest.CaptureFixture[str], words: list[str], code: int, said: str
) -> None:
    assert main([*words, "--url", server.url]) == code
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"warroom {words[0]}: ")
    assert said in line
