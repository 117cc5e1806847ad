"""Every figure of docs/rules/BALANCE.md is made by a command that stands beside it."""

import re
import shlex

import pytest
from documented_commands import ROOT

from warroom_bots.commands.balance import BEGIN, END
from warroom_games.registry import load_games
from warroom_server.cli import main

PAGE = (ROOT / "docs" / "rules" / "BALANCE.md").read_text(encoding="utf-8")
CALL = "$ ./dev warroom "


def printed(text: str) -> dict[str, str]:
    """Return the commands of all transcripts, each with what stands below it."""
    found = {}
    for block in re.findall(r"^```console\n(.*?)^```$", text, re.DOTALL | re.MULTILINE):
        for part in block.split(CALL)[1:]:
            command, _, output = part.partition("\n")
            found[command] = output
    return found


def tables(game: str) -> str:
    """Return what stands between the lines for the tables of a game."""
    return PAGE.partition(BEGIN.format(game))[2].partition(END)[0].strip()


COMMANDS = printed(PAGE)
GAMES = [game.info.id for game in load_games().newest()]
TABLED = "./dev warroom balance all --matches 300 --seed 1 --write docs/rules/BALANCE.md"


def test_the_page_says_how_its_tables_are_made_and_has_those_of_every_game() -> None:
    assert f"```sh\n{TABLED}\n```" in PAGE
    assert all("300 matches of `" in tables(game) for game in GAMES)


@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_of_the_page_names_its_seed_and_can_be_run(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    """With a single match: the beginning of what it prints is what stands there."""
    assert "--seed " in command
    assert main([*shlex.split(command), "--matches", "1"]) == 0
    table, _, _ = capsys.readouterr().out.partition(": 1 matches of ")
    assert COMMANDS[command].startswith(f"{table}: ")


def test_figures_stand_nowhere_but_in_tables_and_below_commands() -> None:
    prose = re.sub(r"^```.*?^```$", "", PAGE, flags=re.DOTALL | re.MULTILINE)
    prose = re.sub(r"<!-- (tables: .*?<!-- end of tables|study: .*?<!-- end of study) -->", "", prose, flags=re.DOTALL)
    assert re.findall(r"[^\n]*\d ?%[^\n]*", prose) == []
    assert re.findall(r"[^\n]*\d+ of \d+[^\n]*", prose) == []


@pytest.mark.parametrize("game", GAMES)
def test_a_rules_page_leaves_shares_of_matches_to_the_page_on_balance(game: str) -> None:
    text = (ROOT / "docs" / "rules" / f"{game}.md").read_text(encoding="utf-8")
    assert re.findall(r"[^\n]*\d+ (?:%|of \d+)[^\n.]* match[^\n]*|[^\n]*of \d+ match[^\n]*", text) == []


@pytest.mark.long
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("command", COMMANDS)
def test_a_command_of_the_page_prints_what_stands_below_it(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(shlex.split(command)) == 0
    assert capsys.readouterr().out == COMMANDS[command]


@pytest.mark.long
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("game", GAMES)
def test_the_tables_are_what_their_command_makes(game: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["balance", game, "--matches", "300", "--seed", "1"]) == 0
    assert capsys.readouterr().out.strip() == tables(game)
