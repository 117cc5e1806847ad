"""`warroom simulate`."""

import json
import re
from pathlib import Path

import pytest

from warroom_games.registry import load_games
from warroom_games.replay import verify
from warroom_server.cli import main

SEALED_BIDS = ["--game", "sealed_bids:GAME"]


def test_a_match_is_played_and_its_replay_verifies(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "match.replay"
    assert main(["simulate", "graph_battle", "--seed", "7", "--bots", "simple,random", "--out", str(out)]) == 0
    text = capsys.readouterr().out
    found = verify(out.read_bytes(), load_games())
    assert len(found.players) == 2
    notes = f"--commitment {found.commitment.hex()} --chain {found.chain.hex()}"
    assert f"verify: warroom verify {out} {notes}" in text
    assert "  1. " in text


def test_the_help_says_which_bot_is_usual(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["simulate", "--help"])
    assert "the first of simple, greedy, random that the game has" in " ".join(capsys.readouterr().out.split())


def test_bots_are_dealt_round_the_seats(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "match.replay"
    command = ["simulate", "graph_battle", "--seed", "7", "--bots", "simple,random", "--seats", "3", "--json"]
    assert main([*command, "--option", "max_rounds=2", "--option", "board=standard", "--out", str(out)]) == 0
    result = json.loads(capsys.readouterr().out)
    names = {each["seat"]: each["name"] for each in result["ranking"]}
    assert names == {0: "simple 1", 1: "random 2", 2: "simple 3"}
    assert result["reason"] == "cap"
    assert result["steps"] == verify(out.read_bytes(), load_games()).steps


def test_the_usual_bot_takes_all_seats_when_none_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    command = ["simulate", "sealed_bids", "--seed", "x", "--json", "--out", str(tmp_path / "m"), *SEALED_BIDS]
    assert main(command) == 0
    assert [each["name"][:6] for each in json.loads(capsys.readouterr().out)["ranking"]] == ["random"] * 3


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        pytest.param(["chess"], "unknown game 'chess'", id="unknown game"),
        pytest.param(["graph_battle", "--bots", "deep"], "unknown bot 'deep' for graph_battle", id="unknown bot"),
        pytest.param(["graph_battle", "--seats", "9"], "2 to 5 seats, not 9", id="seats"),
        pytest.param(["graph_battle", "--bots", "random,random,random", "--seats", "2"], "3 bots", id="too many bots"),
        pytest.param(["graph_battle", "--option", "max_rounds=0"], "max_rounds", id="option out of range"),
    ],
)
def test_a_wrong_wish_is_one_line_and_usage(
    arguments: list[str], message: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "match.replay"
    assert main(["simulate", *arguments, "--seed", "1", "--out", str(out)]) == 2
    errors = capsys.readouterr().err
    assert message in errors
    assert errors.count("\n") == 1
    assert not out.exists()


def test_a_file_that_cannot_be_written_is_a_failure(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", "graph_battle", "--seed", "1", "--out", str(tmp_path / "no" / "file")]) == 1
    assert "cannot write" in capsys.readouterr().err


def test_an_option_without_a_value_is_usage(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as left:
        main(["simulate", "graph_battle", "--seed", "1", "--option", "board", "--out", str(tmp_path / "m")])
    assert left.value.code == 2
    assert "NAME=VALUE" in capsys.readouterr().err


def test_many_matches_are_played_and_counted(capsys: pytest.CaptureFixture[str]) -> None:
    command = ["simulate", "sealed_bids", "--seed", "x", "--games", "30", "--option", "rounds=2", *SEALED_BIDS]
    assert main([*command, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["matches"], found["reasons"]) == (30, {"victory": 30})
    assert [seat["bot"] for seat in found["seats"]] == ["random"] * 3
    assert sum(seat["won"] for seat in found["seats"]) == pytest.approx(1)
    assert found["turns"] == {"least": 2, "median": 2, "most": 2}
    assert found["total_actions"] >= 30 * 3 * 2
    assert found["actions_per_s"] > found["matches_per_s"] > 0
    assert main(command) == 0
    told = capsys.readouterr()
    assert "Sealed Bids: 30 matches, 3 seats, seed x" in told.out
    assert "ended: 100.0% victory" in told.out
    assert "30 of 30" in told.err


def test_a_match_of_many_can_be_played_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    bots = ["--bots", "simple,random", "--json"]
    assert main(["simulate", "graph_battle", "--seed", "x", "--games", "1", *bots]) == 0
    many = json.loads(capsys.readouterr().out)
    assert main(["simulate", "graph_battle", "--seed", "x 1", "--out", str(tmp_path / "m"), *bots]) == 0
    alone = json.loads(capsys.readouterr().out)
    assert (many["turns"]["most"], many["total_actions"]) == (alone["turns"], alone["steps"])


def test_many_replays_go_to_a_folder(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "replays"
    assert main(["simulate", "sealed_bids", "--seed", "x", "--games", "3", "--out", str(out), *SEALED_BIDS]) == 0
    assert sorted(path.name for path in out.iterdir()) == ["1.replay", "2.replay", "3.replay"]
    games = load_games(SEALED_BIDS[1:])
    assert len({verify(path.read_bytes(), games).chain for path in out.iterdir()}) == 3


def test_without_a_file_the_result_is_only_printed(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["simulate", "sealed_bids", "--seed", "x", *SEALED_BIDS]) == 0
    text = capsys.readouterr().out
    assert "  1. " in text
    assert "replay" not in text


STUBBORN = """
def choose(decision):
    while True:
        try:
            decision.seat
        except Exception:
            pass
"""
BROKEN_LIBRARY = "import json\n\ndef choose(decision):\n    return best(decision)\n\ndef best(decision):\n    "


@pytest.mark.parametrize("many", [[], ["--games", "3"]], ids=["one match", "many matches"])
@pytest.mark.parametrize(
    ("source", "what", "line"),
    [
        pytest.param(
            "\ndef choose(decision):\n    return {'type': 'win'}\n",
            "plays an illegal action: not an action of graph_battle: ",
            2,
            id="illegal",
        ),
        pytest.param("def choose(decision):\n    return object()\n", "plays an illegal action: not an ", 1, id="none"),
        pytest.param("def choose(decision):\n\n    return 1 // 0\n", "fails: ZeroDivisionError: ", 3, id="raises"),
        pytest.param("def choose(decision):\n    exit('enough')\n", "fails: SystemExit: enough", 2, id="exits"),
        pytest.param("def choose(decision):\n    raise KeyError\n", "fails: KeyError (", 2, id="says nothing"),
        pytest.param(f"{BROKEN_LIBRARY}return json.loads('')", "fails: JSONDecodeError: ", 7, id="in a library"),
        pytest.param("class A:\n    def choose(self):\n        pass\n", "fails: TypeError: ", 2, id="takes nothing"),
        pytest.param(
            "class A:\n    def __init__(self):\n        x\n\n    def choose(self, decision):\n        pass\n",
            "fails: NameError: ",
            3,
            id="cannot be made",
        ),
        pytest.param(
            STUBBORN,
            "hangs: no move within 0.1 s (bot.py, line ",
            None,
            id="hangs",
        ),
        pytest.param(
            "import time\ndef choose(decision):\n    time.sleep(3600)\n",
            "hangs: no move within 0.1 s ",
            3,
            id="sleeps",
        ),
    ],
)
def test_a_bot_that_fails_ends_the_command_with_one_line(
    source: str, what: str, line: int | None, many: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text(source)
    limit = ["--move-limit", "0.1"] if "hangs" in what else []  # a busy machine must not fail the others
    assert main(["simulate", "graph_battle", "--seed", "x", "--bots", str(bot), *limit, *many]) == 1
    (told,) = capsys.readouterr().err.splitlines()
    assert re.match(rf"warroom simulate: the bot (bot|A) at seat \d {re.escape(what)}", told)
    assert line is None or told.endswith(f"(bot.py, line {line})")


def test_a_bot_that_ends_the_command_while_it_is_imported_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bot = tmp_path / "bot.py"
    bot.write_text("import sys\nsys.exit(0)\n")
    assert main(["simulate", "graph_battle", "--seed", "x", "--bots", str(bot)]) == 2
    assert capsys.readouterr().err == f"warroom simulate: {bot}, line 2: SystemExit: 0\n"


@pytest.mark.parametrize(
    ("bots", "limit", "said"),
    [
        pytest.param(
            "search,level:5", ["--time-ms", "1"], "level:5 and search think by the clock; --simulations N", id="by time"
        ),
        pytest.param(
            "random,search", ["--time-ms", "1"], "search thinks by the clock; --simulations N", id="one of two"
        ),
        pytest.param("search,search", ["--simulations", "1"], "", id="by simulations"),
        pytest.param("greedy,random", [], "", id="at once"),
    ],
)
@pytest.mark.parametrize("command", ["simulate", "arena"])
def test_bots_that_no_seed_repeats_are_named(
    command: str, bots: str, limit: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    games = ["--games", "2", "--processes", "1"] if command == "arena" else []
    assert main([command, "strata", "--seed", "1", "--bots", bots, "--option", "max_turns=2", *limit, *games]) == 0
    told = [line for line in capsys.readouterr().err.splitlines() if "clock" in line]
    assert told == ([f"warroom {command}: {said} makes it repeatable by its seed"] if said else [])
