"""`warroom new-game` writes a game that keeps the laws, passes the linters and plays."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from warroom_games.scaffolding import MAX_NAME
from warroom_server.cli import main
from warroom_server.commands.new_game import why_not

TOOLS = Path(sys.executable).parent
MAX_LINES = 165
LONGEST = "abcdefgh_jklmnopq_stuvwx"


def call(*command: str, folder: Path) -> str:
    """Run a program of the environment in a folder, as an author would; it must succeed."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("COV_", "PYTEST_"))}
    environment["PYTHONPATH"] = str(folder)
    program = [sys.executable, str(TOOLS / command[0]), *command[1:]]
    answer = subprocess.run(program, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert answer.returncode == 0, answer.stdout + answer.stderr
    return answer.stdout + answer.stderr


def type_in(lines: str, *, folder: Path, path: str) -> str:
    """Return the output of a shell with only *path* for programs; each line must succeed."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("COV_", "PYTEST_"))}
    environment["PATH"] = path
    answer = subprocess.run(
        ["sh", "-e", "-c", lines], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    assert answer.returncode == 0, answer.stdout + answer.stderr
    return answer.stdout


@pytest.fixture(scope="module")
def package(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write a package with a name of maximum length, because its lines are the longest."""
    out = tmp_path_factory.mktemp("games")
    assert main(["new-game", LONGEST, "--out", str(out)]) == 0
    return out / LONGEST


def test_the_game_is_small_and_complete(package: Path) -> None:
    written = {str(path.relative_to(package)) for path in package.rglob("*") if path.is_file()}
    modules = {f"{LONGEST}/{name}" for name in ("RULES.md", "__init__.py", "py.typed", "rules.py")}
    tests = {"tests/test_laws.py", "tests/test_rules.py"}
    assert written == modules | tests | {".gitignore", "pyproject.toml"}
    assert len((package / LONGEST / "rules.py").read_text().splitlines()) <= MAX_LINES
    assert "$" not in "".join(path.read_text() for path in package.rglob("*.*") if path.is_file())


def test_its_own_tests_and_all_laws_pass(package: Path) -> None:
    told = call("pytest", "-p", "no:cacheprovider", folder=package)
    assert "failed" not in told
    assert "warning" not in told.lower()
    assert " passed" in told


def test_it_passes_the_linters_and_the_type_checker(package: Path) -> None:
    for judge in (["check"], ["format", "--check"]):
        answer = subprocess.run([TOOLS / "ruff", *judge, "--no-cache"], cwd=package, capture_output=True, check=False)
        assert answer.returncode == 0, answer.stdout.decode()
    assert "no issues found" in call("mypy", "--cache-dir", os.devnull, folder=package)


def test_it_plays_a_match_that_verifies(package: Path, tmp_path: Path) -> None:
    game, out = ["--game", f"{LONGEST}.rules:GAME"], str(tmp_path / "match.replay")
    played = call("warroom", "simulate", LONGEST, *game, "--seed", "1", "--out", out, folder=package)
    assert "ended in turn " in played
    assert call("warroom", "verify", out, *game, folder=package).startswith("accepted")


def test_its_rules_can_be_read(package: Path) -> None:
    page = call("warroom", "rules", LONGEST, "--all", "--markdown", "--game", f"{LONGEST}.rules:GAME", folder=package)
    assert page == (package / LONGEST / "RULES.md").read_text()


def test_the_sections_that_the_code_cites_are_on_the_rules_page(package: Path) -> None:
    page = (package / LONGEST / "RULES.md").read_text()
    rules = (package / LONGEST / "rules.py").read_text()
    cited = {mark.strip(",") for line in rules.splitlines() for mark in line.split("# §")[1:]}
    sections = {section.strip(" ,§") for mark in cited for section in mark.split("§")}
    assert sections
    assert {section for section in sections if f"**{section}**" not in page} == set()


@pytest.mark.parametrize(
    ("name", "why"),
    [
        pytest.param("Chess", "lower-case", id="upper case"),
        pytest.param("2048", "starting with a letter", id="digit first"),
        pytest.param("four-corners", "underscores", id="dash"),
        pytest.param("../away", "lower-case", id="path"),
        pytest.param("a" * (MAX_NAME + 1), f"at most {MAX_NAME}", id="too long"),
        pytest.param("match__", "single underscores", id="underscores"),
        pytest.param("lambda", "Python keyword or standard module", id="keyword"),
        pytest.param("queue", "Python keyword or standard module", id="standard library"),
        pytest.param("tests", "not available", id="folder"),
        pytest.param("warroom_chess", "not available", id="our own"),
        pytest.param("graph_battle", "already", id="game"),
    ],
)
def test_a_bad_name_is_refused_in_one_line(
    name: str, why: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["new-game", name, "--out", str(tmp_path)]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert name in line
    assert why in line
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("is_at_hand", [True, False], ids=["warroom is at hand", "by its path"])
def test_what_it_says_to_type_next_can_be_typed(is_at_hand: bool, tmp_path: Path) -> None:
    """Up to the tests of the game: what comes after them would install it here."""
    path = os.pathsep.join([str(TOOLS), "/usr/bin", "/bin"][not is_at_hand :])
    told = type_in(f"{TOOLS / 'warroom'} new-game go --out 'new games'", folder=tmp_path, path=path)
    steps = [line.strip() for line in told.partition("Next steps:\n")[2].splitlines()]
    wanted = [".", "cd", "warroom", "pytest", "pip", "warroom"][is_at_hand:]
    assert [step.split()[0] for step in steps] == wanted
    typed = "\n".join(steps[: steps.index("pytest")])
    assert "Go (rules version 1) keeps all " in type_in(typed, folder=tmp_path, path=path)


@pytest.mark.parametrize("name", ["go", "ludo4", "three_men_s_morris"])
def test_a_good_name_is_good(name: str) -> None:
    assert why_not(name) is None


def test_an_existing_folder_is_left_as_it_is(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "go").mkdir()
    (tmp_path / "go" / "kept").write_text("mine")
    assert main(["new-game", "go", "--out", str(tmp_path)]) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert f"{tmp_path / 'go'} already exists" in line
    assert [path.name for path in (tmp_path / "go").iterdir()] == ["kept"]


def test_a_place_that_cannot_be_written_is_a_failure(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").write_text("")
    assert main(["new-game", "go", "--out", str(tmp_path / "file" / "games")]) == 1
    assert "cannot write" in capsys.readouterr().err
