"""`warroom rooms`: the rooms of a server, once or as they change."""

from argparse import ArgumentParser, Namespace
from typing import Literal, TypedDict

import msgspec

from warroom_client import Client, RoomListing
from warroom_games.words import printable
from warroom_protocol.rooms import room_code
from warroom_terminal.commands.arguments import add_url, carry_out, check_game, print_lines
from warroom_terminal.players import find_player

SUMMARY = "list the rooms of a server"
EXAMPLE = "warroom rooms tile_blitz --open --live"


def configure(parser: ArgumentParser) -> None:
    """Add the command's own arguments."""
    parser.add_argument("game", nargs="?", metavar="GAME", help="only rooms of this game")
    parser.add_argument("--open", action="store_true", help="only rooms with a free seat")
    parser.add_argument("--phase", choices=("lobby", "playing"), help="only rooms that wait, or only those that play")
    parser.add_argument("--player", metavar="WHO", help="only rooms where this player (a name or an id) sits")
    parser.add_argument("--live", action="store_true", help="go on with what changes, until Ctrl-C")
    add_url(parser)
    parser.add_argument("--json", action="store_true", help="print JSON, one line for each room or change")


def run(args: Namespace) -> int:
    """Print the rooms."""
    return carry_out("rooms", lambda: _live(args) if args.live else _once(args))


async def _once(args: Namespace) -> None:
    async with Client(args.url, agent="warroom-rooms") as client:
        await check_game(client, args.game)
        rooms = await client.rooms(args.game, **await _filters(client, args))
    for room in rooms:
        _print(room, args)
    if not rooms and not args.json:
        print("there is no such room; `warroom play GAME` makes one")


async def _live(args: Namespace) -> None:
    async with Client(args.url, agent="warroom-rooms") as client:
        await check_game(client, args.game)
        async for change in await client.live_rooms(args.game, **await _filters(client, args)):
            for room in change.rooms:
                _print(room, args)
            for number in change.gone:
                code = room_code(number)
                gone = msgspec.json.encode({"code": code, "gone": True}).decode()
                print(gone if args.json else f"{code}  is gone", flush=True)


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
    """Return a room as one line of JSON, with names for its fields."""
    fields = msgspec.structs.asdict(room)
    players = [msgspec.structs.asdict(player) for player in room.players]
    return msgspec.json.encode({**fields, "players": players}).decode()


def as_line(room: RoomListing) -> str:
    """Return a room as a line for people."""
    names = ", ".join(f"{player.name}{' (bot)' if player.bot else ''}" for player in room.players)
    late = f", {room.delay} turn{'' if room.delay == 1 else 's'} late" if room.delay else ""
    watching = f"{room.watching} watching{late}"
    facts = f"{room.phase:<8} {room.taken} of {room.seats} seats  {room.turn_ms / 1000:g} s a turn  {watching}"
    return printable(f"{room.code}  {room.game:<14} {facts}  {names}".rstrip())
