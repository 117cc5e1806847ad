"""`warroom arena`."""

import json
import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import faulty_bots
import pytest
from documented_commands import ROOT, dev_commands, parsed, shell_blocks
from fake_packages import install_bot
from msgspec.structs import replace
from server_process import SEALED_BIDS, WARROOM, ServerProcess
from wait_until import until

from warroom_games.registry import Registry, load_games
from warroom_server.cli import main

BIDS = ["arena", "sealed_bids", *SEALED_BIDS, "--option", "rounds=2", "--processes", "1"]
DUEL = ["--bots", "random,random", "--seats", "2"]


def rows_of(found: dict[str, object]) -> list[dict[str, object]]:
    """Return the rows of the bots."""
    rows = found["bots"]
    assert isinstance(rows, list)
    return rows


def told(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, object]:
    """Run an arena and return what it prints as JSON."""
    assert main([*BIDS, *arguments, "--json"]) == 0
    found: dict[str, object] = json.loads(capsys.readouterr().out)
    return found


def test_the_json_has_a_row_for_each_bot(capsys: pytest.CaptureFixture[str]) -> None:
    command = ["arena", "tile_blitz", "--bots", "random,greedy", "--games", "4", "--option", "max_rounds=3", "--json"]
    assert main(command) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["game"], found["matches"], found["seats"], found["void"]) == ("tile_blitz", 4, 2, 0)
    best, other = found["bots"]
    assert (best["name"], other["name"]) == ("greedy", "random")
    assert best["games"] == other["games"] == 4
    assert best["wins"] + best["draws"] + other["wins"] == 4
    assert best["mean_rank"] < other["mean_rank"]
    assert best["rating"] > other["rating"]
    assert (best["errors"], other["errors"]) == (0, 0)
    assert best["ms_per_move"] > other["ms_per_move"] > 0
    assert best["score_low"] < best["score"] <= best["score_high"]
    assert best["sigma"] > 0


def test_the_same_seed_gives_the_same_results_whatever_the_processes(capsys: pytest.CaptureFixture[str]) -> None:
    def results(*arguments: str) -> list[tuple[object, ...]]:
        bots = rows_of(told(capsys, "--bots", "random,random", "--games", "8", *arguments))
        return [(bot["name"], bot["wins"], bot["draws"], bot["mean_rank"], bot["rating"]) for bot in bots]

    first = results("--seed", "7")
    assert first == results("--seed", "7", "--processes", "3")
    assert first != results("--seed", "8")


def test_an_arena_goes_on_where_it_stopped(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "results.jsonl"
    half, whole = [*DUEL, "--games", "4", "--out", str(out)], [*DUEL, "--games", "8", "--out", str(out)]
    told(capsys, *half)
    before = out.read_bytes()
    resumed = told(capsys, *whole)
    assert out.read_bytes().startswith(before)
    assert len(out.read_bytes().splitlines()) == 9
    at_once = told(capsys, *DUEL, "--games", "8")
    assert untimed(resumed) == untimed(at_once)
    assert resumed["plot"] == str(tmp_path / "results.svg")
    assert (tmp_path / "results.svg").read_text().startswith("<svg ")


def untimed(found: dict[str, object]) -> list[dict[str, object]]:
    """Return the rows without what depends on the clock."""
    return [
        {key: value for key, value in bot.items() if key not in ("ms_per_move", "slowest_ms")} for bot in rows_of(found)
    ]


def test_other_settings_are_refused_and_change_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "results.jsonl"
    told(capsys, *DUEL, "--games", "2", "--out", str(out))
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}
    assert main([*BIDS, *DUEL, "--games", "2", "--out", str(out), "--seed", "2"]) == 2
    assert "has results of other settings: seed '1', not '2'" in capsys.readouterr().err
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == before


def started(command: list[str]) -> subprocess.Popen[str]:
    """Start an arena beside the test."""
    return subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def test_results_of_an_older_bot_file_are_not_mixed_with_new_ones(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bot, out = tmp_path / "mine.py", tmp_path / "results.jsonl"
    bot.write_text("def choose(decision):\n    return decision.legal[0]\n")
    command = ["--bots", f"random,{bot}", "--seats", "2", "--games", "2", "--out", str(out)]
    told(capsys, *command)
    told(capsys, *command)
    bot.write_text("def choose(decision):\n    return decision.legal[-1]\n")
    assert main([*BIDS, *command]) == 2
    assert "has results of other settings: bots random, " in capsys.readouterr().err


async def test_an_interrupted_arena_keeps_what_it_has(tmp_path: Path) -> None:
    out = tmp_path / "results.jsonl"
    command = [str(WARROOM), "arena", "graph_battle", "--bots", "greedy,simple", "--games", "100000", "--out", str(out)]
    with started(command) as arena:
        await until(lambda: out.exists() and len(out.read_bytes().splitlines()) > 3)
        arena.send_signal(signal.SIGINT)
        text, errors = arena.communicate()
    lines = out.read_bytes().splitlines()
    assert arena.returncode == 130
    assert f"interrupted after {len(lines) - 1} of 100000 matches; the same command goes on" in errors
    assert f"{len(lines) - 1} matches" in text
    assert all(json.loads(line) for line in lines)


async def test_an_arena_that_is_killed_leaves_no_process(tmp_path: Path) -> None:
    out = tmp_path / "results.jsonl"
    command = [str(WARROOM), "arena", "graph_battle", "--bots", "greedy,simple", "--games", "100000", "--out", str(out)]
    with started(command) as arena:
        await until(lambda: out.exists() and len(out.read_bytes().splitlines()) > 3)
        os.kill(arena.pid, signal.SIGKILL)
        arena.wait()
        assert arena.stderr is not None
        arena.stderr.read()  # ends once the last process that inherited it is gone


def test_the_sequential_test_stops_early(capsys: pytest.CaptureFixture[str]) -> None:
    command = ["arena", "tile_blitz", "--bots", "greedy,random", "--games", "100", "--sprt", "--json"]
    assert main([*command, "--option", "max_rounds=4"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["sprt"]["verdict"] == "stronger"
    assert found["sprt"]["llr"] > found["sprt"]["upper"]
    assert found["matches"] == found["sprt"]["matches"] < 60
    assert (
        main([*command, "--option", "max_rounds=4", "--h0", "1", "--h1", "20", "--alpha", "0.4", "--beta", "0.4"]) == 0
    )
    assert json.loads(capsys.readouterr().out)["matches"] == 2


def test_the_tables_name_everything_worth_knowing(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*BIDS, "--bots", "random,random,random", "--games", "5"]) == 0
    text = capsys.readouterr()
    assert "Sealed Bids: 5 matches, 3 seats, seed 1, rounds=2" in text.out
    assert "bot" in text.out
    assert "random (3)" in text.out
    assert "ranked ahead" in text.out
    assert "balanced over every 3 matches; 5 is not a multiple" in text.err
    assert "5 of 5" in text.err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        pytest.param(["chess", "--bots", "a,b"], "unknown game 'chess'", id="unknown game"),
        pytest.param(["graph_battle", "--bots", "greedy,deep"], "unknown bot 'deep'", id="unknown bot"),
        pytest.param(["graph_battle", "--bots", "greedy"], "at least 2 bots", id="one bot"),
        pytest.param(["graph_battle", "--bots", "greedy,random", "--seats", "9"], "2 to 5 seats, not 9", id="seats"),
        pytest.param(["strata", "--bots", "greedy,random", "--option", "max_turns=0"], "max_turns", id="option"),
        pytest.param(
            ["strata", "--bots", "greedy,random,random", "--sprt"], "--sprt compares two bots", id="sprt of 3"
        ),
        pytest.param(["strata", "--bots", "greedy,random", "--sprt", "--h0", "70"], "--h0 70%", id="h0 above h1"),
        pytest.param(["strata", "--bots", "greedy,random", "--out", "a.svg"], "name of a plot", id="plot"),
        pytest.param(["strata", "--bots", "greedy,random", "--url", "ws://x"], "--over-network", id="url alone"),
        pytest.param(["strata", "--bots", "greedy,random", "--turn-ms", "9"], "--over-network", id="turn alone"),
    ],
)
def test_a_wrong_wish_is_one_line_and_usage(
    arguments: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "results.jsonl"
    assert main(["arena", "--out", str(out), *arguments]) == 2
    errors = capsys.readouterr().err
    assert message in errors
    assert errors.count("\n") == 1
    assert not out.exists()


def test_time_and_simulations_exclude_each_other(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main(["arena", "strata", "--bots", "greedy,random", "--time-ms", "5", "--simulations", "5"])
    assert left.value.code == 2
    assert "not allowed with" in capsys.readouterr().err


def test_a_file_that_cannot_be_written_is_a_failure(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "no" / "results.jsonl"
    assert main(["arena", "strata", "--bots", "greedy,random", "--out", str(out)]) == 1
    assert f"cannot use {out}" in capsys.readouterr().err


def test_the_same_pairings_are_played_on_a_server_of_its_own(capsys: pytest.CaptureFixture[str]) -> None:
    found = told(capsys, "--bots", "random,random", "--games", "4", "--seats", "3", "--over-network")
    assert [bot["games"] for bot in rows_of(found)] == [6, 6]
    assert (found["matches"], found["void"], found["over_network"]) == (4, 0, True)


def test_a_server_by_its_address_plays_them_too(server: ServerProcess, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["arena", "graph_battle", "--bots", "simple,random", "--games", "2", "--processes", "1", "--json"]
    options = ["--option", "max_rounds=2", "--over-network", "--url", server.url, "--turn-ms", "5000"]
    assert main([*command, *options]) == 0
    assert json.loads(capsys.readouterr().out)["matches"] == 2
    assert main([*BIDS, *DUEL, "--over-network", "--url", server.url]) == 2
    assert "has no game 'sealed_bids'" in capsys.readouterr().err


def test_a_server_with_other_rules_is_refused(
    server: ServerProcess, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    game = load_games().get("graph_battle")
    newer = replace(game.info, rules_version=game.info.rules_version + 1)
    monkeypatch.setattr(game, "info", newer)
    monkeypatch.setattr(Registry, "get", lambda registry, name: game)
    assert main(["arena", "graph_battle", "--bots", "simple,random", "--over-network", "--url", server.url]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    versions = f"rules version {newer.rules_version - 1} of graph_battle, not {newer.rules_version}"
    assert line == f"warroom arena: the server at {server.url} has {versions}"


def test_moves_that_miss_the_clock_are_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    slow = tmp_path / "slow.py"
    slow.write_text(
        "import time\n\n\ndef choose(decision):\n"
        "    time.sleep(decision.left_ms / 1000 + 0.5)\n    return decision.legal[0]\n"
    )
    options = ["--option", "peeks=0", "--over-network", "--turn-ms", "2000", "--seats", "2", "--games", "2"]
    found = told(capsys, "--bots", f"{slow},random", *options)
    rows = {row["name"]: row for row in rows_of(found)}
    assert rows["slow"]["missed"] == 4  # two rounds in each of two matches
    assert [row["errors"] for row in rows.values()] == [0, 0]


def test_a_server_that_is_not_there_is_a_failure(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*BIDS, *DUEL, "--over-network", "--url", "ws://127.0.0.1:9/ws"]) == 1
    assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.parametrize(
    ("faulty", "over_network"),
    [
        pytest.param(["crashing", "hanging"], [], id="in memory"),
        pytest.param(["crashing", "hanging"], ["--over-network"], id="over the network"),
        pytest.param([*faulty_bots.NAMES], [], id="all in memory", marks=pytest.mark.long),
        pytest.param([*faulty_bots.NAMES], ["--over-network"], id="all over the network", marks=pytest.mark.long),
    ],
)
def test_bots_that_fail_lose_and_the_arena_goes_on(
    faulty: list[str],
    over_network: list[str],
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    install_all(tmp_path, monkeypatch)
    cycle = (len(faulty) + 1) * len(faulty)
    bots = ["--bots", ",".join(["random", *faulty]), "--games", str(cycle), "--seats", "2", "--move-limit", "1"]
    found = told(capsys, *bots, *over_network)
    assert found["void"] == 0
    best, *others = rows_of(found)
    assert (best["name"], best["wins"], best["errors"]) == ("random", 2 * len(faulty), 0)
    assert {row["games"] for row in others} == {2 * len(faulty)}
    causes = {"hanging": "hang", "stubborn": "hang", "dying": "died", "cheating": "illegal", "mumbling": "illegal"}
    for row in others:
        kinds = row["error_kinds"]
        assert isinstance(kinds, dict)
        assert list(kinds) == [causes.get(str(row["name"]), "crash")]
        assert row["last_error"]


def test_bots_in_files_are_compared_like_installed_ones(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    first, last = tmp_path / "first.py", tmp_path / "last.py"
    first.write_text("def choose(decision):\n    return decision.legal[0]\n")
    last.write_text("def choose(decision):\n    print('hello')\n    return decision.legal[-1]['no such key']\n")
    found = told(capsys, "--bots", f"{first},{last}", "--seats", "2", "--games", "4")
    best, other = rows_of(found)
    assert (best["name"], best["wins"]) == ("first", 4)
    assert (other["name"], other["errors"]) == ("last", 4)
    assert other["last_error"] == "crash at decision 1: KeyError: 'no such key' (last.py, line 3)"


@pytest.mark.parametrize(
    ("body", "error"),
    [
        pytest.param(
            "while True:\n        pass", r"hang at decision 1: no move within 0\.3 s \(bot\.py, line \d\)", id="hang"
        ),
        pytest.param("return {}", r"illegal at decision 1: not an action of .* \(bot\.py, line 1\)", id="illegal"),
    ],
)
def test_an_error_names_the_line_of_the_bot(
    body: str, error: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text(f"def choose(decision):\n    {body}\n")
    found = told(capsys, "--bots", f"random,{bot}", "--seats", "2", "--games", "2", "--move-limit", "0.3")
    failed = rows_of(found)[1]
    assert (failed["name"], failed["errors"]) == ("bot", 2)
    assert re.fullmatch(error, str(failed["last_error"]))


def test_a_bot_file_with_an_error_is_one_line_and_usage(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    broken = tmp_path / "broken.py"
    broken.write_text("def choose(decision:\n")
    assert main([*BIDS, "--bots", f"random,{broken}", "--out", str(tmp_path / "out.jsonl")]) == 2
    errors = capsys.readouterr().err
    assert "broken.py, line 1" in errors
    assert errors.count("\n") == 1
    assert not (tmp_path / "out.jsonl").exists()


@pytest.mark.parametrize("words", dev_commands(shell_blocks(ROOT / "docs" / "ARENA.md")), ids=" ".join)
def test_a_command_in_the_page_about_the_arena_takes_these_arguments(words: list[str]) -> None:
    assert words[0] == "warroom"
    assert parsed(words[1], words[2:])


def install_all(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Install all faulty bots."""
    packages = folder / "packages"
    packages.mkdir()
    for name in faulty_bots.NAMES:
        install_bot(packages, name, f"from faulty_bots import {name.upper()} as BOT")
    monkeypatch.syspath_prepend(str(packages))
    assert str(packages) in sys.path
