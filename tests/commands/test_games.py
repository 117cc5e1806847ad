"""`warroom games` and `warroom rules`."""

import json

import pytest

from warroom_server.cli import main


def test_the_games_are_listed_with_seats_turn_and_options(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["games"]) == 0
    out = capsys.readouterr().out
    assert "graph_battle: Graph Battle" in out
    assert " s a turn, rules version " in out
    assert "  option " in out
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


def test_a_game_that_is_not_there_fails_in_one_line(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["games", "--game", "nowhere:GAME"]) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert "nowhere" in line


def test_the_rules_can_be_read(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "graph_battle"]) == 0
    assert capsys.readouterr().out.startswith("# Graph Battle")


def test_the_rules_of_an_unknown_game_say_which_there_are(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["rules", "chess"]) == 2
    assert "graph_battle" in capsys.readouterr().err
