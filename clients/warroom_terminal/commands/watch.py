"""`warroom watch`: follow a match in the terminal."""

import asyncio
import os
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence

from warroom_bots.commands.options import add_url
from warroom_client import Client, ClientError, Ended, RejectedError, Room, RoomListing
from warroom_games.invocation import program
from warroom_games.words import printable
from warroom_protocol.errors import RoomCodeError
from warroom_protocol.rooms import parse_invitation
from warroom_terminal.commands import watch_mqtt
from warroom_terminal.commands.arguments import (
    USAGE,
    add_broker,
    add_name,
    carry_out,
    check_command,
    hinting_at_keys,
)
from warroom_terminal.console import console_for
from warroom_terminal.painter import painter_for
from warroom_terminal.player_search import find_player
from warroom_terminal.spectator_chat import SpectatorChat
from warroom_terminal.spectator_screen import result
from warroom_terminal.watch_session import WatchSession

SUMMARY = "watch a match: the board as text, with a countdown"
EXAMPLE = "warroom watch 3k7m2qd"

_PREFERENCE = ("playing", "lobby", "ended")


def configure(parser: ArgumentParser) -> None:
    """Add the command's own arguments."""
    parser.add_argument(
        "room",
        nargs="?",
        metavar="CODE",
        help="the room code or invitation (default: list the rooms and take the newest running one)",
    )
    parser.add_argument("--follow", action="store_true", help="continue with rematches until Ctrl-C")
    parser.add_argument(
        "--player",
        metavar="WHO",
        help="watch every match of this player (name or id) until Ctrl-C",
    )
    parser.add_argument("--chat", action="store_true", help="print line by line and chat with the other spectators")
    add_name(parser)
    add_url(parser)
    add_broker(parser, "follow the room through this MQTT broker, without a server: mqtt://[user:password@]host[:port]")


def run(args: Namespace) -> int:
    """Watch until the match is over, or Ctrl-C."""
    if args.player is not None and (args.room is not None or args.follow):
        print("warroom watch: --player cannot be combined with a room or --follow", file=sys.stderr)
        return USAGE
    try:
        if args.room is not None:
            parse_invitation(args.room)
    except RoomCodeError as error:
        print(f"warroom watch: {error}", file=sys.stderr)
        return USAGE
    if args.mqtt is None:
        return carry_out("watch", lambda: _watch(args))
    if (wrong := watch_mqtt.complaint(args)) is not None:
        print(f"warroom watch: {wrong}", file=sys.stderr)
        return USAGE
    return carry_out("watch", lambda: watch_mqtt.watch(args))


async def _watch(args: Namespace) -> None:
    async with Client(args.url, name=args.name, agent="warroom-terminal") as client:
        if args.player is not None:
            await _follow_player(client, args)
            return
        code = args.room
        if code is None:
            rooms = await client.rooms()
            code = _choose(rooms).code
            print(_listed(rooms, code), flush=True)
        with hinting_at_keys(code):
            room = await client.watch(code)
        while await _show(room, args):
            room = await client.move_on(room)


async def _show(room: Room, args: Namespace) -> bool:
    """Show a match to its end; return whether a rematch follows."""
    if args.chat:
        with console_for(os.environ.get("TERM", "dumb")) as console:
            ended = await SpectatorChat(room, console).follow(stays=args.follow)
        goes_on = args.follow and room.moved is not None
    else:
        with painter_for(sys.stdout) as painter:
            watching = WatchSession(room, painter)
            ended = await watching.follow()
            goes_on = args.follow and await watching.await_rematch()
    if ended is not None:
        print(_result_lines(room, args.url, ended), flush=True)
    return goes_on


async def _follow_player(client: Client, args: Namespace) -> None:
    """Watch every match of a player, each until it ends or the player moves to another room."""
    player = await find_player(client, args.player)
    showing: asyncio.Task[None] | None = None
    try:
        async for listing in client.follow(player):
            await _stop(showing)
            showing = asyncio.create_task(_show_listed(client, listing, args))
    finally:
        await _stop(showing)


async def _stop(showing: asyncio.Task[None] | None) -> None:
    if showing is not None:
        showing.cancel()
        await asyncio.wait([showing])
        if not showing.cancelled():
            showing.result()


async def _show_listed(client: Client, listing: RoomListing, args: Namespace) -> None:
    try:
        room = await client.watch(listing.room)
    except RejectedError as refused:
        print(printable(f"room {listing.code}, {listing.game}: {refused}"), flush=True)
        return
    await _show(room, args)
    print("waiting for the next match; Ctrl-C stops", flush=True)


def _result_lines(room: Room, url: str, ended: Ended) -> str:
    """Return the result, which a small window may have cut off, and the verify command."""
    return f"{printable(result(room.seats, ended))}\nverify: {check_command(room, ended, url)}"


def _choose(rooms: Sequence[RoomListing]) -> RoomListing:
    """Return the newest running room, else the newest waiting one; the list is sorted newest first."""
    for phase in _PREFERENCE:
        for room in rooms:
            if room.phase == phase:
                return room
    raise ClientError(f"no room to watch; start a match with `{program(os.environ)} bot graph_battle --create`")


def _listed(rooms: Sequence[RoomListing], chosen: str) -> str:
    lines = [
        f"{'>' if room.code == chosen else ' '} {room.code}  {room.game:<16} {room.phase:<8} "
        f"{room.taken} of {room.seats} seats, {room.watching} watching"
        for room in rooms
    ]
    return "\n".join(lines)
