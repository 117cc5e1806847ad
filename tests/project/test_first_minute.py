"""The first minute of a newcomer: what the README and the server say to type works."""

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from command_lines import ROOT, dev_commands, parsed, shell_blocks

WARROOM = [sys.executable, str(Path(sys.executable).with_name("warroom"))]


@pytest.fixture
def greeting(tmp_path: Path) -> Iterator[str]:
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


def test_what_the_server_says_to_type_next_can_be_typed(greeting: str) -> None:
    commands = dev_commands(greeting)
    assert [words[:2] for words in commands] == [["warroom", "bot"], ["warroom", "watch"]]
    for words in commands:
        assert parsed(words[1], words[2:])
