"""`warroom top`: show nodes, rooms, owners and latencies of a server."""

import shutil
import sys
import time
from argparse import ArgumentParser, Namespace
from collections.abc import Iterable, Sequence
from typing import Final
from urllib.error import URLError
from urllib.parse import urlsplit
from urllib.request import ProxyHandler, build_opener

import msgspec

from warroom_server.cli import FAILED, USAGE
from warroom_server.node.status_report import NodeStatus, RoomStatus, Status

SUMMARY = "show the nodes and rooms of a server, with owners and latencies"
EXAMPLE = "warroom top --admin http://127.0.0.1:8001 --every 2"

USUAL_ADMIN: Final = "http://127.0.0.1:8001"
TIMEOUT_S: Final = 5
SHOWN: Final = 30
"""Number of rooms shown if the window height is unknown."""
_ABOVE: Final = 8
_HOME, _BELOW = "\x1b[H", "\x1b[J"
_CLEAR: Final = "\x1b[2J"


def configure(parser: ArgumentParser) -> None:
    """Add the command's own arguments."""
    parser.add_argument(
        "--admin",
        action="append",
        metavar="URL",
        help=f"admin port of a node (repeat it: each node knows most about its own rooms; default: {USUAL_ADMIN})",
    )
    parser.add_argument("--every", type=float, default=1.0, metavar="S", help="seconds between updates (default: 1)")
    parser.add_argument(
        "--once", action="store_true", help="print once and exit (default if the output is not a terminal)"
    )
    parser.add_argument("--json", action="store_true", help="print once as JSON and exit")


def run(args: Namespace) -> int:
    """Show the table until Ctrl-C, or once."""
    urls = args.admin or [USUAL_ADMIN]
    for url in urls:
        if urlsplit(url).scheme not in {"http", "https"}:
            print(f"warroom top: {url!r} is not an admin port, such as {USUAL_ADMIN}", file=sys.stderr)
            return USAGE
    try:
        if args.json or args.once or not sys.stdout.isatty():
            status = _look(urls)
            print(msgspec.json.encode(status).decode() if args.json else table(status, rooms=SHOWN))
            return 0
        _watch(urls, args.every)
    except _UnreachableError as error:
        print(f"warroom top: {error}", file=sys.stderr)
        return FAILED
    return 0


class _UnreachableError(Exception):
    """A node did not answer; the text says which and why."""


def _watch(urls: Sequence[str], every_s: float) -> None:
    print(_CLEAR, end="")
    while True:
        status = _look(urls)
        height = shutil.get_terminal_size().lines
        shown = table(status, rooms=max(1, height - _ABOVE - len(status.nodes)))
        print(_HOME + "".join(f"{line}\x1b[K\n" for line in shown.splitlines()) + _BELOW, end="", flush=True)
        time.sleep(every_s)


def _look(urls: Sequence[str]) -> Status:
    return merged([_fetch(url) for url in urls])


def _fetch(url: str) -> Status:
    opener = build_opener(ProxyHandler({}))  # an admin port is local; a proxy cannot reach it
    try:
        with opener.open(f"{url.rstrip('/')}/status", timeout=TIMEOUT_S) as response:
            return msgspec.json.decode(response.read(), type=Status)
    except (URLError, OSError, msgspec.MsgspecError) as error:
        raise _UnreachableError(f"no status from {url}: {getattr(error, 'reason', error)}") from error


def merged(told: Sequence[Status]) -> Status:
    """Merge the status of several nodes: each knows itself and its own rooms best."""
    nodes: dict[str, NodeStatus] = {}
    rooms: dict[str, RoomStatus] = {}
    for status in told:
        for node in status.nodes:
            if node.node == status.teller or node.node not in nodes:
                nodes[node.node] = node
        for room in status.rooms:
            if room.node == status.teller or room.code not in rooms:
                rooms[room.code] = room
    troubles = [status.trouble for status in told if status.trouble is not None]
    return Status(
        told[0].teller, tuple(nodes.values()), tuple(rooms.values()), trouble=troubles[0] if troubles else None
    )


def table(status: Status, *, rooms: int) -> str:
    """Return the status as two tables with at most *rooms* rooms, paused ones first."""
    nodes = [("NODE", "ADDRESS", "ROOMS", "CONNS", "LINK", "STORE", "STALLS", "")]
    nodes += [
        (
            node.node[:8],
            node.address,
            str(node.rooms),
            _shown(node.connections),
            _ms(node.link_ms),
            _ms(node.store_ms),
            _shown(node.stalls),
            "" if node.is_sure else "lease uncertain",
        )
        for node in status.nodes
    ]
    ordered = sorted(status.rooms, key=lambda room: (room.paused is None, room.node, room.code))
    listed = [("ROOM", "OWNER", "GAME", "PHASE", "SEATS", "WATCHING", "LAG", "PAUSED")]
    listed += [
        (
            room.code,
            room.node[:8],
            _shown(room.game),
            _shown(room.phase),
            "-" if room.seats is None else f"{room.connected}/{room.seats}",
            _shown(room.watching),
            _ms(room.lag_ms),
            room.paused or "",
        )
        for room in ordered[:rooms]
    ]
    left = len(ordered) - rooms
    return "\n".join(
        [
            *_columns(nodes),
            "",
            *_columns(listed),
            *([f"and {left} more"] if left > 0 else []),
            *([f"incomplete: {status.trouble}"] if status.trouble else []),
        ]
    )


def _columns(rows: Sequence[Sequence[str]]) -> Iterable[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        yield "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()


def _shown(value: object) -> str:
    return "-" if value is None else str(value)


def _ms(value: float | None) -> str:
    return "-" if value is None else f"{value:g} ms"
