"""`warroom games` and `warroom rules`."""

import json
from pathlib import Path

import pytest

from warroom_games.registry import load_games
from warroom_server.cli import main


def test_the_games_are_listed_with_seats_turn_and_options(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["games"]) == 0
    out = capsys.readouterr().out
    assert "graph_battle: Graph Battle" in out
    assert " s a turn, rules version " in out
    assert '  option attack = "document" (dice, document, quick): how combat works' in out
    assert "\n  2 seats, 30 s a turn, " in out
    assert "2 to 2" not in out


def test_as_json_the_schemas_are_included(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["games", "--json"]) == 0
    games = {game["game"]: game for game in json.loads(capsys.readouterr().out)}
    battle = games["graph_battle"]
    assert battle["min_seats"] <= battle["usual_seats"] <= battle["max_seats"]
    assert battle["options"]
    assert battle["actions"]


def test_a_game_can_be_named_by_hand(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["games", "--json", "--game", "sealed_bids:GAME"]) == 0
    assert len(json.loads(capsys.readouterr().out)) >= 2


def test_an_unknown_game_fails_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["games", "--game", "nowhere:GAME"]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert "nowhere" in line


def test_the_rules_can_be_read(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "graph_battle"]) == 0
    text = capsys.readouterr().out
    assert text.startswith("Graph Battle\n============\n")
    assert "How to play\n-----------\n" in text
    assert "Events" not in text
    assert main(["rules", "graph_battle", "--all"]) == 0
    assert "\n10. Events\n----------\n" in capsys.readouterr().out
    assert main(["rules", "graph_battle", "--all", "--markdown"]) == 0
    assert capsys.readouterr().out.startswith("# Graph Battle\n")
    assert main(["rules", "graph_battle", "--short"]) == 0
    assert capsys.readouterr().out.startswith("- Goal. Hold every node.")


def test_the_rules_fit_the_terminal(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    for game in load_games().newest():
        assert main(["rules", game.info.id]) == 0
        lines = capsys.readouterr().out.splitlines()
        # What is to be copied, between fences, is not broken.
        assert [line for line in lines if len(line) > 60 and not line.startswith("    ")] == []


def test_the_rules_of_an_unknown_game_say_which_there_are(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "chess"]) == 2
    assert "graph_battle" in capsys.readouterr().err


def test_a_game_without_a_page_says_where_it_belongs(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "sealed_bids", "--game", "sealed_bids:GAME"]) == 1
    assert capsys.readouterr().err == "warroom rules: sealed_bids has no rules page: sealed_bids has no RULES.md\n"


def test_a_package_of_its_own_brings_its_own_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A page of Warroom's own is not taken for that of somebody else's game with the same id."""
    package = tmp_path / "other_battle"
    package.mkdir()
    (package / "rules.py").write_text(
        "from msgspec.structs import replace\n"
        "from warroom_games.graph_battle.rules import GraphBattle\n"
        "class OtherBattle(GraphBattle):\n    info = replace(GraphBattle.info, rules_version=99)\n"
        "GAME = OtherBattle()\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    command = ["rules", "graph_battle", "--game", "other_battle.rules:GAME"]
    assert main(command) == 1
    assert "other_battle has no RULES.md" in capsys.readouterr().err
    (package / "RULES.md").write_text("# Other Battle\n")
    assert main(command) == 0
    assert capsys.readouterr().out == "Other Battle\n============\n"
