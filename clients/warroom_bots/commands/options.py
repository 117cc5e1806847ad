"""Arguments that several commands share."""

import os
import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Iterable
from typing import Final

import msgspec

from warroom_bots.api import BotKind, Limit
from warroom_bots.registry import USUAL
from warroom_bots.runner import Think
from warroom_games.forms import listed
from warroom_protocol.addresses import server_url, usual_url
from warroom_protocol.errors import AddressError

MOST_SEATS: Final = 63
MOVE_LIMIT_S: Final = 10.0
TIMES_THE_TIME: Final = 10
"""With a time per move, a bot is stopped only when it takes so many times as long."""
USUAL_BOT: Final = f"default: the first of {', '.join(USUAL)} that the game has"
"""Description of the default bot, for the help of commands."""
BOT_REFERENCE: Final = "a bot: its name, PATH.py, PATH.py:OBJECT or MODULE:OBJECT"
"""Description of a text that names a bot, for the help of commands."""


def add_url(parser: ArgumentParser) -> None:
    """Add `--url`."""
    parser.add_argument(
        "--url", type=server, default=usual_url(os.environ), help="the server, such as HOST:PORT (default: %(default)s)"
    )


def server(text: str) -> str:
    """Read the address of a server."""
    try:
        return server_url(text)
    except AddressError as error:
        raise ArgumentTypeError(str(error)) from error


def add_option(parser: ArgumentParser) -> None:
    """Add `--option NAME=VALUE`."""
    parser.add_argument(
        "--option",
        dest="options",
        type=_option,
        action="append",
        default=[],
        metavar="NAME=VALUE",
        help="an option of the game, as `warroom games` lists them (may be repeated)",
    )


def add_limit(parser: ArgumentParser) -> None:
    """Add `--time-ms` and `--simulations`, which limit how long bots think that search."""
    limit = parser.add_mutually_exclusive_group()
    limit.add_argument("--time-ms", type=positive, metavar="T", help="milliseconds that a searching bot may think")
    limit.add_argument(
        "--simulations", type=positive, metavar="N", help="simulated matches that it may play instead; repeatable"
    )


def add_move_limit(parser: ArgumentParser, then: str) -> None:
    """Add `--move-limit`; *then* says what becomes of a bot that is stopped."""
    parser.add_argument(
        "--move-limit",
        type=_milliseconds,
        metavar="S",
        help=f"stop a bot that thinks longer about one move; {then} (default: {MOVE_LIMIT_S:g} s, or "
        f"{TIMES_THE_TIME} times --time-ms if that is more)",
    )


def move_limit_ms(args: Namespace) -> int:
    """Return how long a bot may think about one move, by `--move-limit` or else `--time-ms`."""
    chosen: int | None = args.move_limit
    return chosen or max(round(MOVE_LIMIT_S * 1000), TIMES_THE_TIME * (args.time_ms or 0))


def limit_of(args: Namespace) -> Limit:
    """Return the limit that `--time-ms` or `--simulations` sets."""
    return Limit(time_ms=args.time_ms, simulations=args.simulations)


def tell_of_time(command: str, bots: Iterable[BotKind], limit: Limit) -> None:
    """Say on standard error if bots think by the clock, so that the seed alone does not repeat a match."""
    timed = sorted({kind.name for kind in bots if kind.is_timed})
    if timed and limit.simulations is None:
        who = f"{listed(timed)} {'thinks' if len(timed) == 1 else 'think'}"
        print(
            f"warroom {command}: {who} by the clock; --simulations N makes it repeatable by its seed", file=sys.stderr
        )


def add_processes(parser: ArgumentParser) -> None:
    """Add `--processes`."""
    parser.add_argument(
        "--processes",
        type=positive,
        default=max(1, (os.cpu_count() or 2) - 1),
        metavar="N",
        help="processes for slow bots (default: %(default)s)",
    )


def positive(text: str) -> int:
    """Parse a whole number above 0."""
    if not text.isdecimal() or int(text) < 1:
        raise ArgumentTypeError(f"{text!r} is not a whole number above 0")
    return int(text)


def seat_count(text: str) -> int:
    """Parse a number of seats."""
    if positive(text) > MOST_SEATS:
        raise ArgumentTypeError(f"no game has {text} seats; the maximum is {MOST_SEATS}")
    return int(text)


def think_time(text: str) -> Think:
    """Parse a thinking time: seconds, or a range."""
    shortest, _, longest = text.partition("-")
    try:
        think = Think(round(float(shortest) * 1000), round(float(longest or shortest) * 1000))
    except ValueError as error:
        raise ArgumentTypeError(f"{text!r} is not a time; write seconds, such as 0.5 or 0.3-1") from error
    if not 0 <= think.shortest_ms <= think.longest_ms:
        raise ArgumentTypeError(f"{text!r} is not a time range; the shorter time comes first")
    return think


def _milliseconds(text: str) -> int:
    """Parse a time in seconds; return milliseconds."""
    try:
        time_ms = round(float(text) * 1000)
    except (ValueError, OverflowError) as error:
        raise ArgumentTypeError(f"{text!r} is not a time in seconds") from error
    if time_ms < 1:
        raise ArgumentTypeError(f"{text!r} is too short")
    return time_ms


def _option(text: str) -> tuple[str, object]:
    """Parse NAME=VALUE; a value that is not JSON is text."""
    name, equals, value = text.partition("=")
    if not (name and equals):
        raise ArgumentTypeError(f"write an option as NAME=VALUE, got {text!r}")
    try:
        return name, msgspec.json.decode(value)
    except msgspec.DecodeError:
        return name, value
