"""`warroom watch`: follow a match in the terminal."""

import asyncio
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence

from warroom_client import DEFAULT_URL, Client, ClientError, RoomListing
from warroom_terminal.painter import painter_for
from warroom_terminal.watching import Watching

SUMMARY = "watch a match: the board as text, with the countdown"
EXAMPLE = "warroom watch 3k7m2qd"

_PREFERENCE = ("playing", "lobby", "ended")


def configure(parser: ArgumentParser) -> None:
    """Add the command's own arguments."""
    parser.add_argument(
        "room", nargs="?", metavar="CODE", help="the room (default: lists the rooms and takes the newest that plays)"
    )
    parser.add_argument("--url", default=DEFAULT_URL, help="the server (default: %(default)s)")


def run(args: Namespace) -> int:
    """Watch until the match is over, or Ctrl-C."""
    try:
        asyncio.run(_watch(args.room, args.url))
    except ClientError as error:
        print(f"warroom watch: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 0
    return 0


async def _watch(code: str | None, url: str) -> None:
    async with Client(url, agent="warroom-terminal") as client:
        if code is None:
            rooms = await client.rooms()
            code = _choose(rooms).code
            print(_listed(rooms, code), flush=True)
        room = await client.watch(code)
        with painter_for(sys.stdout) as painter:
            await Watching(client, room, painter).follow()


def _choose(rooms: Sequence[RoomListing]) -> RoomListing:
    """Return the newest running room, else the newest that waits for players; the list has the newest first."""
    for phase in _PREFERENCE:
        for room in rooms:
            if room.phase == phase:
                return room
    raise ClientError("there is no room to watch; `warroom bot graph_battle --create` starts a match")


def _listed(rooms: Sequence[RoomListing], chosen: str) -> str:
    lines = [
        f"{'>' if room.code == chosen else ' '} {room.code}  {room.game:<16} {room.phase:<8} "
        f"{room.taken} of {room.seats} seats, {room.watching} watching"
        for room in rooms
    ]
    return "\n".join(lines)
