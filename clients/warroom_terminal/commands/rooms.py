"""`warroom rooms`: list the rooms of a server, once or live."""

import os
import shlex
from argparse import ArgumentParser, Namespace
from typing import Literal, TypedDict

import msgspec

from warroom_bots.commands.options import add_url
from warroom_client import Client, RoomListing
from warroom_games.invocation import program
from warroom_games.words import printable
from warroom_protocol.rooms import parse_invitation, room_code
from warroom_terminal.commands.arguments import (
    carry_out,
    check_game,
    invitation,
    print_lines,
    url_flag,
)
from warroom_terminal.player_search import find_player

SUMMARY = "list the rooms of a server"
EXAMPLE = "warroom rooms tile_blitz --open --live"

AT_ONCE = 100
"""Page size of the server's room list."""


def configure(parser: ArgumentParser) -> None:
    """Add the command's own arguments."""
    parser.add_argument("game", nargs="?", metavar="GAME", help="only rooms of this game")
    parser.add_argument("--open", action="store_true", help="only rooms with a free seat")
    parser.add_argument(
        "--phase", choices=("lobby", "playing"), help="only rooms that are waiting, or only rooms that are playing"
    )
    parser.add_argument("--player", metavar="WHO", help="only rooms with this player (name or id)")
    page = parser.add_mutually_exclusive_group()
    page.add_argument("--live", action="store_true", help="keep listing changes until Ctrl-C")
    page.add_argument("--before", type=invitation, metavar="CODE", help="only rooms older than this one")
    add_url(parser)
    parser.add_argument("--json", action="store_true", help="print JSON, one room or change per line")


def run(args: Namespace) -> int:
    """Print the rooms."""
    return carry_out("rooms", lambda: _live(args) if args.live else _once(args))


async def _once(args: Namespace) -> None:
    async with Client(args.url, agent="warroom-rooms") as client:
        await check_game(client, args.game)
        before = None if args.before is None else parse_invitation(args.before)[0]
        rooms = await client.rooms(args.game, before=before, **await _filters(client, args))
    for room in rooms:
        _print(room, args)
    if args.json:
        return
    if len(rooms) == AT_ONCE:
        print(f"for more: {_next(args, rooms[-1].code)}")
    elif not rooms and args.before is None:
        print(f"no rooms found; start one with `{program(os.environ)} play GAME`")
    elif not rooms:
        print(f"no rooms older than {args.before}")


def _next(args: Namespace, last: str) -> str:
    """Return the command that lists the next page."""
    words = [program(os.environ), "rooms", *([args.game] if args.game else []), *(["--open"] if args.open else [])]
    for flag, value in (("--phase", args.phase), ("--player", args.player)):
        words += [] if value is None else [flag, shlex.quote(value)]
    return f"{' '.join(words)} --before {last}{url_flag(args.url)}"


async def _live(args: Namespace) -> None:
    async with Client(args.url, agent="warroom-rooms") as client:
        await check_game(client, args.game)
        async for change in await client.live_rooms(args.game, **await _filters(client, args)):
            for room in change.rooms:
                _print(room, args)
            for number in change.gone:
                code = room_code(number)
                gone = msgspec.json.encode({"code": code, "gone": True}).decode()
                print(gone if args.json else f"{code}  closed", flush=True)


def _print(room: RoomListing, args: Namespace) -> None:
    if args.json:
        print(as_json(room), flush=True)
    else:
        print_lines(as_line(room))


class _Filters(TypedDict):
    phase: Literal["lobby", "playing"] | None
    is_open: bool
    player: str | None


async def _filters(client: Client, args: Namespace) -> _Filters:
    player = None if args.player is None else await find_player(client, args.player)
    return {"phase": args.phase, "is_open": args.open, "player": player}


def as_json(room: RoomListing) -> str:
    """Return a room as one line of JSON with field names."""
    fields = msgspec.structs.asdict(room)
    players = [msgspec.structs.asdict(player) for player in room.players]
    return msgspec.json.encode({**fields, "players": players}).decode()


def as_line(room: RoomListing) -> str:
    """Return a room as one readable line."""
    names = ", ".join(f"{player.name}{' (bot)' if player.bot else ''}" for player in room.players)
    late = f", {room.delay} turn{'' if room.delay == 1 else 's'} late" if room.delay else ""
    watching = f"{room.watching} watching{late}"
    facts = f"{room.phase:<8} {room.taken} of {room.seats} seats  {room.turn_ms / 1000:g} s a turn  {watching}"
    return printable(f"{room.code}  {room.game:<14} {facts}  {names}".rstrip())
