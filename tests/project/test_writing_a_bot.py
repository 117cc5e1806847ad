"""docs/WRITING_A_BOT.md: its commands run as they stand, and its code is what they play with."""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from author_checkout import author_environment, make_checkout
from documented_commands import ROOT, parsed

TEXT = (ROOT / "docs" / "WRITING_A_BOT.md").read_text(encoding="utf-8")
OFFLINE, _, ONLINE = TEXT.partition("## 5. On a server")
SHELL, PYTHON = (rf"```{kind}\n(.*?)```" for kind in ("sh", "python"))
NAMED = re.compile(r"# (\w+\.py)\n")
"""The first line of a piece of code that is a whole file."""
CLIENTS = re.compile(r"clients\s+(ws://\S+)")


def commands(text: str) -> list[list[str]]:
    lines = [line for block in re.findall(SHELL, text, re.DOTALL) for line in block.splitlines()]
    return [line.split(" > ")[0].split() for line in lines]


WARROOM = [words for words in commands(TEXT) if words[0] == "warroom"]


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a checkout with the files of the page."""
    folder = make_checkout(tmp_path_factory.mktemp("author") / "checkout")
    for piece in re.findall(PYTHON, TEXT, re.DOTALL):
        if name := NAMED.match(piece):
            (folder / name[1]).write_text(piece)
    return folder


@pytest.fixture(scope="module")
def answer(checkout: Path) -> "subprocess.CompletedProcess[str]":
    """Run all commands that need no server, one after another, in one shell."""
    script = "".join(re.findall(SHELL, OFFLINE, re.DOTALL))
    return subprocess.run(
        ["sh", "-e", "-c", script], cwd=checkout, env=author_environment(), capture_output=True, text=True, check=False
    )


@pytest.fixture
def url(checkout: Path, answer: "subprocess.CompletedProcess[str]", tmp_path: Path) -> Iterator[str]:
    """Start the server of the page, and return its address."""
    assert answer.returncode == 0, answer.stdout + answer.stderr
    options = ["--port", "0", "--admin-port", "0", "--data", str(tmp_path), "--no-bots"]
    with subprocess.Popen(
        [checkout / ".venv" / "bin" / "warroom", "serve", *options],
        env=author_environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as server:
        assert server.stdout is not None
        yield next(found[1] for line in server.stdout if (found := CLIENTS.search(line)))
        server.terminate()


def test_the_commands_lead_from_nothing_to_a_package(answer: "subprocess.CompletedProcess[str]") -> None:
    assert answer.returncode == 0, answer.stdout + answer.stderr
    for said in (
        "hopeful 1",
        "Graph Battle: 12 matches, 3 seats, seed 1",
        "patient against random",
        "watchful plays Tile Blitz",
        " passed in ",
        "watchful 1",
    ):
        assert said in answer.stdout


def test_the_bots_play_on_a_server_and_are_rated(checkout: Path, url: str) -> None:
    def said(words: list[str], *more: str) -> str:
        done = subprocess.run(
            [checkout / ".venv" / "bin" / "warroom", *words[1:], *more, "--url", url],
            cwd=checkout.parent / "watchful",
            env=author_environment(),
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr
        return done.stdout

    serve, once, often, matches, ranking = commands(ONLINE)
    assert [serve, once[:2], often[:2]] == [["warroom", "serve"], ["warroom", "bot"], ["warroom", "bot"]]
    for words in (once, often):
        assert "fail" not in said(words, "--option", "max_rounds=5")
    rated = {"watchful 1": 11, "watchful 2": 11}  # one match, and ten more as the same two players
    while (ladder := counted(said(ranking))) != rated:
        assert sum(ladder.values()) < sum(rated.values()), ladder
    assert said(matches).count(", rated ") == 11


def counted(ranking: str) -> dict[str, int]:
    """Return the number of matches of each bot on a ladder, by the name of its player."""
    return {name: int(matches) for matches, name in re.findall(r"(\d+)  (\w+ \d+) \(bot \w+\)$", ranking, re.MULTILINE)}


@pytest.mark.parametrize("words", WARROOM, ids=" ".join)
def test_a_command_takes_these_arguments(words: list[str]) -> None:
    assert parsed(words[1], words[2:])


def test_code_that_is_no_file_is_that_of_the_package(
    checkout: Path, answer: "subprocess.CompletedProcess[str]"
) -> None:
    assert answer.returncode == 0
    source = (checkout.parent / "watchful" / "watchful.py").read_text(encoding="utf-8")
    pieces = [piece for piece in re.findall(PYTHON, TEXT, re.DOTALL) if not NAMED.match(piece)]
    assert len(pieces) == 2
    assert [piece for piece in pieces if piece not in source] == []


def test_the_bots_of_the_page_pass_the_type_checker(checkout: Path) -> None:
    checked = subprocess.run(
        [Path(sys.executable).with_name("mypy"), "--strict", "--cache-dir", "/dev/null", "patient.py"],
        cwd=checkout,
        env=author_environment(),
        capture_output=True,
        text=True,
        check=False,
    )
    assert "no issues found" in checked.stdout, checked.stdout
