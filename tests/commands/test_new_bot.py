"""`warroom new-bot` writes a bot that passes the linters and plays at once, from its file and installed."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from sealed_bids import GAME as SEALED_BIDS

from warroom_bots.registry import bots_for, find_bot
from warroom_bots.simulation import simulate
from warroom_games.registry import load_games
from warroom_games.scaffolding import MAX_NAME
from warroom_server.cli import main

TOOLS = Path(sys.executable).parent
GAMES = [game.info.id for game in load_games().newest()]
LONGEST = "abcdefgh_jklmnopq_stuvwx"


@pytest.fixture(autouse=True)
def _own_path(monkeypatch: pytest.MonkeyPatch) -> None:
    """Forget the folders of bots afterwards: a bot may not have the name of a module that is there."""
    monkeypatch.setattr(sys, "path", list(sys.path))


def call(*command: str, folder: Path) -> str:
    """Run a program of the environment in a folder, as an author would; it must succeed."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("COV_", "PYTEST_"))}
    program = [sys.executable, str(TOOLS / command[0]), *command[1:]]
    answer = subprocess.run(program, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert answer.returncode == 0, answer.stdout + answer.stderr
    return answer.stdout + answer.stderr


def written(name: str, game: str, out: Path) -> Path:
    assert main(["new-bot", name, "--game", game, "--out", str(out)]) == 0
    return out / name


@pytest.mark.parametrize("game", GAMES)
def test_the_linters_find_nothing(game: str, tmp_path: Path) -> None:
    package = written(LONGEST, game, tmp_path)
    assert "$" not in "".join(path.read_text() for path in package.rglob("*.*") if path.is_file())
    for judge in (["check"], ["format", "--check"]):
        answer = subprocess.run([TOOLS / "ruff", *judge, "--no-cache"], cwd=package, capture_output=True, check=False)
        assert answer.returncode == 0, answer.stdout.decode()


@pytest.mark.parametrize("game", ["tile_blitz", pytest.param("strata", marks=pytest.mark.long)])
def test_its_types_and_its_own_test_are_right(game: str, tmp_path: Path) -> None:
    package = written("fresh_bot", game, tmp_path)
    names = {str(path.relative_to(package)) for path in package.rglob("*") if path.is_file()}
    assert names == {".gitignore", "pyproject.toml", "fresh_bot.py", "tests/test_fresh_bot.py"}
    assert "no issues found" in call("mypy", "--cache-dir", os.devnull, folder=package)
    told = call("pytest", "-p", "no:cacheprovider", folder=package)
    assert " passed" in told
    assert "warning" not in told.lower()


@pytest.mark.parametrize("game", GAMES)
def test_it_plays_at_once_by_its_path(game: str, tmp_path: Path) -> None:
    package = written("fresh_bot", game, tmp_path)
    rules = load_games().get(game)
    kind = find_bot(game, str(package / "fresh_bot.py"))
    rivals = [find_bot(game, "random")] * (rules.info.min_seats - 1)
    assert (kind.name, kind.game) == ("fresh_bot", game)
    assert simulate(rules, [kind, *rivals], seed="1").match.is_over


def test_it_is_found_by_its_name_when_it_is_installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    package = written("placed_bot", "strata", tmp_path)
    lines = (package / "pyproject.toml").read_text().partition('[project.entry-points."warroom.bots"]\n')[2]
    about = package / "placed_bot-0.1.0.dist-info"  # what an installer makes of the package
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: placed_bot\nVersion: 0.1.0\n")
    entry = lines.splitlines()[0].replace('"', "")
    (about / "entry_points.txt").write_text(f"[warroom.bots]\n{entry}\n")
    monkeypatch.syspath_prepend(str(package))
    assert bots_for("strata")["placed_bot"].summary == "looks one action ahead"


def test_a_game_that_is_not_installed_is_named_by_its_module(tmp_path: Path) -> None:
    package = written("fresh_bot", "sealed_bids:GAME", tmp_path)
    kind = find_bot("sealed_bids", f"{package / 'fresh_bot.py'}:BOT")
    assert simulate(SEALED_BIDS, [kind, kind], seed="1").match.is_over


@pytest.mark.parametrize(
    ("name", "game", "why"),
    [
        pytest.param("My-Bot", "strata", "'My-Bot' is not a valid name", id="name"),
        pytest.param("a" * (MAX_NAME + 1), "strata", f"at most {MAX_NAME}", id="too long"),
        pytest.param("random", "strata", "Python keyword or standard module", id="standard library"),
        pytest.param("greedy", "strata", "strata already has a bot 'greedy'", id="bot"),
        pytest.param("msgspec", "strata", "a module of that name is installed", id="module"),
        pytest.param("fresh", "chess", "unknown game 'chess'", id="game"),
        pytest.param("fresh", "nowhere:GAME", "cannot import 'nowhere'", id="reference"),
    ],
)
def test_what_cannot_be_written_is_one_line(
    name: str, game: str, why: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["new-bot", name, "--game", game, "--out", str(tmp_path)]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("warroom new-bot: ")
    assert why in line
    assert list(tmp_path.iterdir()) == []


def test_an_existing_folder_is_left_as_it_is(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "fresh").mkdir()
    assert main(["new-bot", "fresh", "--game", "strata", "--out", str(tmp_path)]) == 1
    assert "already exists; nothing was changed" in capsys.readouterr().err
    assert list((tmp_path / "fresh").iterdir()) == []


def test_what_it_says_to_type_next_can_be_typed(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    written("fresh_bot", "graph_battle", tmp_path)
    steps = [line.strip() for line in capsys.readouterr().out.partition("Next steps:\n")[2].splitlines()]
    wanted = next(step for step in steps if step.startswith("warroom simulate"))
    assert "ended in turn " in call(*wanted.split(), folder=tmp_path / "fresh_bot")
