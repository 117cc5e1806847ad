"""`warroom watch`: follow a match in the terminal."""

import asyncio
import os
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence

from warroom_client import DEFAULT_URL, Client, ClientError, Ended, Room, RoomListing
from warroom_games.invocation import program
from warroom_games.words import printable
from warroom_protocol.errors import RoomCodeError
from warroom_protocol.rooms import parse_invitation
from warroom_terminal.commands.arguments import hinting_at_keys
from warroom_terminal.painter import painter_for
from warroom_terminal.scene import result
from warroom_terminal.watching import Watching

SUMMARY = "watch a match: the board as text, with the countdown"
EXAMPLE = "warroom watch 3k7m2qd"

_PREFERENCE = ("playing", "lobby", "ended")


def configure(parser: ArgumentParser) -> None:
    """Add the command's own arguments."""
    parser.add_argument(
        "room",
        nargs="?",
        metavar="CODE",
        help="the room, or an invitation (default: lists the rooms and takes the newest that plays)",
    )
    parser.add_argument("--follow", action="store_true", help="go on with the rematch, until Ctrl-C")
    parser.add_argument("--url", default=DEFAULT_URL, help="the server (default: %(default)s)")


def run(args: Namespace) -> int:
    """Watch until the match is over, or Ctrl-C."""
    try:
        if args.room is not None:
            parse_invitation(args.room)
        asyncio.run(_watch(args.room, args.url, follows=args.follow))
    except RoomCodeError as error:
        print(f"warroom watch: {error}", file=sys.stderr)
        return 2
    except ClientError as error:
        print(f"warroom watch: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        return 0
    return 0


async def _watch(code: str | None, url: str, *, follows: bool) -> None:
    async with Client(url, agent="warroom-terminal") as client:
        if code is None:
            rooms = await client.rooms()
            code = _choose(rooms).code
            print(_listed(rooms, code), flush=True)
        with hinting_at_keys(code):
            room = await client.watch(code)
        while True:
            with painter_for(sys.stdout) as painter:
                watching = Watching(room, painter)
                ended = await watching.follow()
                goes_on = follows and await watching.await_rematch()
            if ended is not None:
                print(_farewell(room, url, ended), flush=True)
            if not goes_on:
                return
            room = await client.move_on(room)


def _farewell(room: Room, url: str, ended: Ended) -> str:
    """Return the result, which a small window may have cut off, and what to type to check it."""
    commitment = f" --commitment {room.about.commitment}" if room.about else ""
    check = f"{program(os.environ)} verify {room.code} --url {url}{commitment} --chain {ended.chain}"
    return f"{printable(result(room.seats, ended))}\ncheck it: {check}"


def _choose(rooms: Sequence[RoomListing]) -> RoomListing:
    """Return the newest running room, else the newest that waits for players; the list has the newest first."""
    for phase in _PREFERENCE:
        for room in rooms:
            if room.phase == phase:
                return room
    raise ClientError(f"there is no room to watch; `{program(os.environ)} bot graph_battle --create` starts a match")


def _listed(rooms: Sequence[RoomListing], chosen: str) -> str:
    lines = [
        f"{'>' if room.code == chosen else ' '} {room.code}  {room.game:<16} {room.phase:<8} "
        f"{room.taken} of {room.seats} seats, {room.watching} watching"
        for room in rooms
    ]
    return "\n".join(lines)
