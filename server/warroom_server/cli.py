"""The `warroom` command: finds the installed subcommands and loads only the chosen one."""

import os
import sys
from argparse import ArgumentParser, Namespace, RawDescriptionHelpFormatter
from collections.abc import Sequence
from difflib import get_close_matches
from importlib.metadata import EntryPoint, entry_points, version
from textwrap import fill
from typing import Protocol, cast

from warroom_games.invocation import program

ENTRY_POINTS = "warroom.commands"
"""Entry point group of the commands."""

FAILED = 1
USAGE = 2

COLUMNS = 80
"""Maximum width of the help. Examples are never wrapped, so that they can be copied."""


class Command(Protocol):
    """The interface of a command module."""

    SUMMARY: str
    EXAMPLE: str

    def configure(self, parser: ArgumentParser) -> None:
        """Add the command's own arguments."""

    def run(self, args: Namespace) -> int:
        """Run it, and return the exit code: 0, 1 (failed) or 2 (usage)."""


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command line and return its exit code."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    try:
        try:
            return _dispatch(arguments)
        finally:
            sys.stdout.flush()  # flush here: an error of the flush at exit could not be caught
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # The reader (`head`, for example) closed the pipe; without this, the flush at exit would fail again.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return FAILED


def _dispatch(arguments: list[str]) -> int:
    commands = {point.name: point for point in entry_points(group=ENTRY_POINTS)}
    if not arguments or arguments[0] in ("-h", "--help", "help"):
        sys.stdout.write(_overview(commands))
        return 0 if arguments else USAGE
    name, *rest = arguments
    if name in ("-V", "--version"):
        sys.stdout.write(f"warroom {version('warroom')}\n")
        return 0
    if name not in commands:
        sys.stderr.write(_unknown(name, commands))
        return USAGE
    command = _load(commands[name])
    return command.run(_parser(name, command).parse_args(rest))


def _load(point: EntryPoint) -> Command:
    return cast(Command, point.load())


def _parser(name: str, command: Command) -> ArgumentParser:
    parser = ArgumentParser(
        prog=f"{program(os.environ)} {name}",
        description=fill(command.SUMMARY, COLUMNS),
        epilog=f"example:\n  {_as_typed(command.EXAMPLE)}",
        formatter_class=RawDescriptionHelpFormatter,
        allow_abbrev=False,
    )
    command.configure(parser)
    return parser


def _as_typed(example: str) -> str:
    # Variables may be set before the program name.
    variables, _, arguments = example.partition("warroom ")
    return f"{variables}{program(os.environ)} {arguments}"


def _overview(commands: dict[str, EntryPoint]) -> str:
    warroom = program(os.environ)
    width = max((len(name) for name in commands), default=0)
    lines = [_entry(f"  {name:<{width}}  ", _summary(point)) for name, point in sorted(commands.items())]
    listed = "\n".join(lines)
    return f"""\
usage: {warroom} COMMAND [...]

{listed}

`{warroom} COMMAND --help` shows the options and an example;
`{warroom} --version` shows the version.
"""


def _entry(name: str, summary: str) -> str:
    return fill(summary, COLUMNS, initial_indent=name, subsequent_indent=" " * len(name), break_on_hyphens=False)


def _summary(point: EntryPoint) -> str:
    # One broken plug-in must not hide the other commands.
    try:
        return _load(point).SUMMARY
    except ImportError as error:
        return f"(cannot be loaded: {error})"


def _unknown(name: str, commands: dict[str, EntryPoint]) -> str:
    near = get_close_matches(name, commands, n=1)
    hint = f"the commands are: {', '.join(sorted(commands))}"
    if near:
        hint = f"did you mean `{program(os.environ)} {near[0]}`?"
    return f"warroom: unknown command {name!r}; {hint}\n"
