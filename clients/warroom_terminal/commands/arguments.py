"""Arguments and error handling that several commands share."""

import asyncio
import os
import shutil
import sys
from argparse import ArgumentParser, ArgumentTypeError
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from typing import Final

from warroom_client import DEFAULT_URL, Client, ClientError, Ended, RejectedError, Room
from warroom_games.invocation import program
from warroom_protocol import codes
from warroom_protocol.errors import RoomCodeError
from warroom_protocol.rooms import parse_invitation
from warroom_protocol.topics import DEFAULT_PREFIX, is_prefix
from warroom_terminal.action_parser import value_of
from warroom_terminal.line_wrapping import wrapped

FAILED: Final = 1
USAGE: Final = 2
LONGEST_NAME: Final = 64
MOST_SEATS: Final = 63

UNPLAYABLE: Final = frozenset(
    {
        codes.BOT_UNKNOWN,
        codes.GAME_UNKNOWN,
        codes.GAME_SEATS,
        codes.GAME_OPTIONS,
        codes.ROOM_OPTIONS,
        codes.SEAT_UNKNOWN,
        codes.WATCH_DELAY,
    }
)
"""Refusals that mean a wrong argument: no server with these games would accept it."""


def add_broker(parser: ArgumentParser, help_text: str) -> None:
    """Add the MQTT options."""
    parser.add_argument("--mqtt", metavar="URL", help=help_text)
    parser.add_argument("--mqtt-ca", metavar="FILE", help="certificates to trust for mqtts:// (default: the system's)")
    parser.add_argument(
        "--mqtt-prefix",
        type=_prefix,
        default=DEFAULT_PREFIX,
        metavar="P",
        help="topic prefix (default: %(default)s)",
    )


def _prefix(text: str) -> str:
    if not is_prefix(text):
        raise ArgumentTypeError(f"{text!r} is not a topic prefix, such as warroom or games/warroom")
    return text


def add_name(parser: ArgumentParser) -> None:
    """Add `--name`, which also selects the local identity to play as."""
    parser.add_argument("--name", type=_name, default=usual_name(), help="your name (default: %(default)s)")


def usual_name() -> str:
    """Return the default player name."""
    return (os.environ.get("USER") or os.environ.get("LOGNAME") or "player")[:LONGEST_NAME]


def add_options(parser: ArgumentParser) -> None:
    """Add `--option` and `--room-option`."""
    for flag, whose in (("option", "the game"), ("room-option", "the room: turn_ms, watch, delay, …")):
        parser.add_argument(
            f"--{flag}",
            dest=f"{flag.replace('-', '_')}s",
            type=_assignment,
            action="append",
            default=[],
            metavar="NAME=VALUE",
            help=f"an option of {whose} (may be repeated)",
        )


def positive(text: str) -> int:
    """Read a whole number above 0."""
    if not text.isdecimal() or int(text) < 1:
        raise ArgumentTypeError(f"{text!r} is not a whole number above 0")
    return int(text)


def invitation(text: str) -> str:
    """Parse a room code, or an invitation to a private room."""
    try:
        parse_invitation(text)
    except RoomCodeError as error:
        raise ArgumentTypeError(str(error)) from error
    return text


@contextmanager
def hinting_at_keys(typed: str) -> Iterator[None]:
    """Mention private rooms when the server refuses a code that has no key."""
    try:
        yield
    except RejectedError as refused:
        if refused.code != codes.ROOM_UNKNOWN or parse_invitation(typed)[1] is not None:
            raise
        hint = "private rooms need the full invitation (CODE-KEY)"
        raise RejectedError(refused.code, f"{refused.detail}; {hint}") from refused


def seat_count(text: str) -> int:
    """Parse a number of seats."""
    if positive(text) > MOST_SEATS:
        raise ArgumentTypeError(f"no game has {text} seats; the maximum is {MOST_SEATS}")
    return int(text)


def check_command(room: Room, ended: Ended, url: str) -> str:
    """Return the command that verifies a match against what this client saw at the start and at the end."""
    commitment = f" --commitment {room.about.commitment}" if room.about else ""
    return f"{program(os.environ)} verify {room.invitation}{url_flag(url)}{commitment} --chain {ended.chain}"


def print_lines(*lines: str) -> None:
    """Print lines; a terminal wraps long ones between words."""
    width = shutil.get_terminal_size().columns if sys.stdout.isatty() else None
    for line in lines:
        print("\n".join([line] if width is None else wrapped(line, width)), flush=True)


def url_flag(url: str) -> str:
    """Return the `--url` flag that a suggested command needs to reach the same server."""
    return "" if url == DEFAULT_URL else f" --url {url}"


async def check_game(client: Client, game: str | None) -> None:
    """Refuse a game that the server does not host, instead of showing an empty list."""
    if game is None:
        return
    hosted = [listing.game for listing in (await client.games()).games]
    if game not in hosted:
        raise RejectedError(codes.GAME_UNKNOWN, f"unknown game {game!r}; the server has {', '.join(sorted(hosted))}")


async def check_bot(client: Client, game: str, bot: object) -> None:
    """Refuse an unknown bot, because the server would silently use another one."""
    listings = (await client.games()).games if bot else ()
    for listing in listings:
        if listing.game == game and bot not in listing.bots:
            there_is = ", ".join(listing.bots) or "no bots"
            raise RejectedError(codes.BOT_UNKNOWN, f"unknown bot {bot!r}; {game} has {there_is}")


def carry_out(command: str, work: Callable[[], Coroutine[None, None, None]]) -> int:
    """Run a command's coroutine and return the exit code; print an error as one line."""
    try:
        asyncio.run(work())
    except ClientError as error:
        print(f"warroom {command}: {error}", file=sys.stderr)
        return USAGE if isinstance(error, RejectedError) and error.code in UNPLAYABLE else FAILED
    except KeyboardInterrupt:
        return 0
    return 0


def _name(text: str) -> str:
    if not 0 < len(text) <= LONGEST_NAME:
        raise ArgumentTypeError(f"a name has 1 to {LONGEST_NAME} characters")
    return text


def _assignment(text: str) -> tuple[str, object]:
    name, equals, value = text.partition("=")
    if not (name and equals):
        raise ArgumentTypeError(f"write an option as NAME=VALUE, got {text!r}")
    return name, value_of(value)
