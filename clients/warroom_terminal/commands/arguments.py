"""Arguments that several commands share, and how their mistakes end."""

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
from warroom_terminal.folding import folded
from warroom_terminal.reading import value_of

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
"""Refusals of what no server with these games would grant: what was typed is wrong."""


def add_url(parser: ArgumentParser) -> None:
    """Add `--url`."""
    parser.add_argument("--url", default=DEFAULT_URL, help="the server (default: %(default)s)")


def add_broker(parser: ArgumentParser, help_text: str) -> None:
    """Add `--mqtt` and what goes with it."""
    parser.add_argument("--mqtt", metavar="URL", help=help_text)
    parser.add_argument("--mqtt-ca", metavar="FILE", help="certificates to trust for mqtts:// (default: the system's)")
    parser.add_argument(
        "--mqtt-prefix",
        type=_prefix,
        default=DEFAULT_PREFIX,
        metavar="P",
        help="what all topics begin with (default: %(default)s)",
    )


def _prefix(text: str) -> str:
    if not is_prefix(text):
        raise ArgumentTypeError(f"{text!r} is no topic prefix, such as warroom or games/warroom")
    return text


def add_name(parser: ArgumentParser) -> None:
    """Add `--name`, which also says who of those that play from here is meant."""
    parser.add_argument("--name", type=_name, default=usual_name(), help="your name (default: %(default)s)")


def usual_name() -> str:
    """Return what a player is called who chose no name."""
    return (os.environ.get("USER") or os.environ.get("LOGNAME") or "player")[:LONGEST_NAME]


def add_options(parser: ArgumentParser) -> None:
    """Add `--option` and `--room-option`."""
    for flag, whose in (("option", "the game"), ("room-option", "the room (turn_ms, watch, delay, …)")):
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
    """Read the code of a room, or an invitation to a private one."""
    try:
        parse_invitation(text)
    except RoomCodeError as error:
        raise ArgumentTypeError(str(error)) from error
    return text


@contextmanager
def hinting_at_keys(typed: str) -> Iterator[None]:
    """Add to the refusal of a code without a key that the room may be a private one."""
    try:
        yield
    except RejectedError as refused:
        if refused.code != codes.ROOM_UNKNOWN or parse_invitation(typed)[1] is not None:
            raise
        hint = "the code of a private room has a part after a dash as well (CODE-KEY)"
        raise RejectedError(refused.code, f"{refused.detail}; {hint}") from refused


def seat_count(text: str) -> int:
    """Read how many seats a room is to have."""
    if positive(text) > MOST_SEATS:
        raise ArgumentTypeError(f"no game has {text} seats; {MOST_SEATS} are the most")
    return int(text)


def check_command(room: Room, ended: Ended, url: str) -> str:
    """Return what to type to check a match by what this client was shown when it joined, and at the end."""
    commitment = f" --commitment {room.about.commitment}" if room.about else ""
    return f"{program(os.environ)} verify {room.invitation}{url_flag(url)}{commitment} --chain {ended.chain}"


def print_lines(*lines: str) -> None:
    """Print lines; in a terminal those that are too long are broken between words."""
    width = shutil.get_terminal_size().columns if sys.stdout.isatty() else None
    for line in lines:
        print("\n".join([line] if width is None else folded(line, width)), flush=True)


def url_flag(url: str) -> str:
    """Return what to add to a command so that it means the same server."""
    return "" if url == DEFAULT_URL else f" --url {url}"


async def check_game(client: Client, game: str | None) -> None:
    """Refuse a game that the server does not host, of which it has of course neither rooms nor matches."""
    if game is None:
        return
    hosted = [listing.game for listing in (await client.games()).games]
    if game not in hosted:
        raise RejectedError(codes.GAME_UNKNOWN, f"no game is called {game!r}; there is {', '.join(sorted(hosted))}")


async def check_bot(client: Client, game: str, bot: object) -> None:
    """Refuse a room whose bots nobody can bring: others would come instead."""
    listings = (await client.games()).games if bot else ()
    for listing in listings:
        if listing.game == game and bot not in listing.bots:
            there_is = ", ".join(listing.bots) or "none at all"
            raise RejectedError(codes.BOT_UNKNOWN, f"no bot {bot!r} plays {game} here; there is {there_is}")


def carry_out(command: str, work: Callable[[], Coroutine[None, None, None]]) -> int:
    """Run a command's coroutine and return the exit code; what goes wrong is said in one line."""
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
        raise ArgumentTypeError(f"a name has from 1 to {LONGEST_NAME} letters")
    return text


def _assignment(text: str) -> tuple[str, object]:
    name, equals, value = text.partition("=")
    if not (name and equals):
        raise ArgumentTypeError(f"an option is written NAME=VALUE, got {text!r}")
    return name, value_of(value)
