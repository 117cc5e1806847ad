"""The first minute of a newcomer: what the README and the server say to type works."""

import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from documented_commands import ROOT, dev_commands, parsed, shell_blocks

from warroom_games.invocation import CALLED_AS
from warroom_server.cli import main

WARROOM = [sys.executable, str(Path(sys.executable).with_name("warroom"))]


@pytest.fixture(params=[None, "./dev warroom"])
def called_as(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Call the program directly, and as `./dev` does; return what people type for it."""
    if request.param is None:
        monkeypatch.delenv(CALLED_AS, raising=False)
        return "warroom"
    monkeypatch.setenv(CALLED_AS, request.param)
    return str(request.param)


@pytest.fixture
def greeting(called_as: str, tmp_path: Path) -> Iterator[str]:
    """Start a server and return what it prints when it is ready."""
    command = [*WARROOM, "serve", "--port", "0", "--admin-port", "0", "--data", str(tmp_path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True) as server:
        assert server.stdout is not None
        lines = []
        for line in server.stdout:
            lines.append(line)
            if line.startswith("Stop with"):
                break
        yield "".join(lines)
        server.terminate()


def test_a_match_without_a_server_is_played_shown_and_verified_as_the_readme_says(tmp_path: Path) -> None:
    offline = [
        words[1:]
        for words in dev_commands(shell_blocks(ROOT / "README.md"))
        if words[:1] == ["warroom"] and words[1] in ("simulate", "replay", "verify")
    ]
    assert [words[0] for words in offline] == ["simulate", "replay", "verify"]
    for words in offline:
        answer = subprocess.run([*WARROOM, *words], cwd=tmp_path, capture_output=True, text=True, check=False)
        assert answer.returncode == 0, answer.stderr
        assert answer.stdout
        if words[0] == "simulate":
            assert "  1. simple" in answer.stdout


def test_what_the_server_says_to_type_next_can_be_typed_where_it_was_started(called_as: str, greeting: str) -> None:
    lines = [line.strip() for line in greeting.splitlines()]
    commands = [shlex.split(line.removeprefix(called_as)) for line in lines if line.startswith(f"{called_as} ")]
    assert [words[0] for words in commands] == ["play", "bot", "watch"]
    for name, *options in commands:
        assert parsed(name, options)


def test_every_hint_names_the_program_as_it_was_called(called_as: str, capsys: pytest.CaptureFixture[str]) -> None:
    nobody = ["--url", "ws://127.0.0.1:1/ws"]
    for words in (["bot", "strata", *nobody], ["watch", *nobody], ["verify", "0abc123", *nobody]):
        assert main(words) == 1
        assert f"`{called_as} serve` starts a server" in capsys.readouterr().err
    assert main(["serv"]) == 2
    assert f"did you mean `{called_as} serve`?" in capsys.readouterr().err
    with pytest.raises(SystemExit):
        main(["watch", "--help"])
    assert f"example:\n  {called_as} watch 3k7m2qd" in capsys.readouterr().out
