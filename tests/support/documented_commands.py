"""The command lines that people are told to type, read the way a shell and the commands themselves would read them."""

import re
import shlex
import tomllib
from argparse import ArgumentParser, Namespace
from importlib import import_module
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
ENTRY_POINTS: dict[str, str] = PROJECT["project"]["entry-points"]["warroom.commands"]


def dev_commands(text: str) -> list[list[str]]:
    """Return the arguments of every line that calls `./dev`."""
    lines = [shlex.split(line, comments=True) for line in text.splitlines() if line.strip().startswith("./dev ")]
    return [words[1:] for words in lines]


def shell_blocks(document: Path) -> str:
    """Return what a document shows as shell commands."""
    return "".join(re.findall(r"```sh\n(.*?)```", document.read_text(encoding="utf-8"), re.DOTALL))


def parsed(command: str, options: list[str]) -> Namespace:
    """Return what a command of `warroom` makes of its options; a usage error ends the test."""
    parser = ArgumentParser(command)
    import_module(ENTRY_POINTS[command]).configure(parser)
    return parser.parse_args(options)
