"""docs/WRITING_A_GAME.md: its commands run as they stand, and its code is that of the package they write."""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from author_checkout import PROGRAMS, author_environment, make_checkout
from documented_commands import ROOT, parsed

TEXT = (ROOT / "docs" / "WRITING_A_GAME.md").read_text(encoding="utf-8")
OFFLINE, _, ONLINE = TEXT.partition("## 6. A match in the terminal")
SHELL, PYTHON, SAID = (rf"```{kind}\n(.*?)```" for kind in ("sh", "python", "text"))
CLIENTS = re.compile(r"clients\s+(ws://\S+)")


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder that looks like a checkout that is set up, into which games may be installed."""
    return make_checkout(tmp_path_factory.mktemp("author") / "checkout")


@pytest.fixture(scope="module")
def answer(checkout: Path) -> "subprocess.CompletedProcess[str]":
    """Run all commands that need no server, one after another, in one shell."""
    script = "".join(re.findall(SHELL, OFFLINE, re.DOTALL))
    return subprocess.run(
        ["sh", "-e", "-c", script], cwd=checkout, env=author_environment(), capture_output=True, text=True, check=False
    )


@pytest.fixture
def url(checkout: Path, answer: "subprocess.CompletedProcess[str]", tmp_path: Path) -> Iterator[str]:
    """Serve the game that the commands have written, and return the address."""
    assert answer.returncode == 0, answer.stdout + answer.stderr
    (command,) = [words for words in _commands(ONLINE) if words[1] == "serve"]
    options = ["--port", "0", "--admin-port", "0", "--data", str(tmp_path)]
    with subprocess.Popen(
        [checkout / ".venv" / "bin" / command[0], *command[1:], *options],
        env=author_environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as server:
        assert server.stdout is not None
        yield next(found[1] for line in server.stdout if (found := CLIENTS.search(line)))
        server.terminate()


def _commands(text: str) -> list[list[str]]:
    return [line.split() for block in re.findall(SHELL, text, re.DOTALL) for line in block.splitlines()]


def test_the_commands_lead_from_nothing_to_a_match(answer: "subprocess.CompletedProcess[str]") -> None:
    assert answer.returncode == 0, answer.stdout + answer.stderr
    for said in ("keeps all ", " passed in ", "ended in turn ", "accepted: room ", "### Four Corners: 2 seats"):
        assert said in answer.stdout


def test_the_game_plays_over_the_wire(checkout: Path, url: str) -> None:
    (command,) = [words for words in _commands(ONLINE) if words[1] == "bot"]
    unhurried = command[: command.index("--think")]
    played = subprocess.run(
        [checkout / ".venv" / "bin" / command[0], *unhurried[1:], "--url", url],
        env=author_environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert played.returncode == 0, played.stderr
    assert "1. " in played.stdout


@pytest.mark.parametrize("words", [words for words in _commands(TEXT) if words[0] == "warroom"], ids=" ".join)
def test_a_command_takes_these_arguments(words: list[str]) -> None:
    assert parsed(words[1], words[2:])


def test_the_code_on_the_page_is_that_of_the_package(
    checkout: Path, answer: "subprocess.CompletedProcess[str]"
) -> None:
    assert answer.returncode == 0
    package = checkout.parent / "four_corners"
    sources = [path.read_text(encoding="utf-8") for path in package.rglob("*.py")]
    pieces = re.findall(PYTHON, TEXT, re.DOTALL)
    assert len(pieces) == 5
    assert [piece for piece in pieces if not any(piece in source for source in sources)] == []


def test_what_the_page_says_of_a_broken_game_is_said(
    checkout: Path, answer: "subprocess.CompletedProcess[str]", tmp_path: Path
) -> None:
    rules = (checkout.parent / "four_corners" / "four_corners" / "rules.py").read_text(encoding="utf-8")
    (tmp_path / "four_corners").mkdir()
    (tmp_path / "four_corners" / "rules.py").write_text(
        re.sub(r'return "\\n".join\(.*\)', 'return ""', rules), encoding="utf-8"
    )
    (said,) = re.findall(SAID, TEXT, re.DOTALL)
    again = said.split("rerun:    warroom ")[1].split()
    told = subprocess.run(
        [sys.executable, "-c", PROGRAMS["warroom"], *again],
        cwd=tmp_path,
        env=author_environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert told.returncode == 1
    assert said in told.stdout
