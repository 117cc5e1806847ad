"""`warroom play`: play any game by typing."""

import asyncio
import os
import signal
import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from contextlib import AsyncExitStack, suppress
from typing import Final

from msgspec.structs import replace

from warroom_client import Client, ClientError, Ended, RejectedError, Room
from warroom_games.invocation import program
from warroom_protocol import codes
from warroom_terminal.commands.arguments import (
    MOST_SEATS,
    USAGE,
    add_name,
    add_options,
    add_url,
    carry_out,
    check_bot,
    check_command,
    hinting_at_keys,
    invitation,
    positive,
    seat_count,
    url_flag,
    usual_name,
)
from warroom_terminal.console import Console, console_for
from warroom_terminal.keepsake import Keepsake, KeepsakeError, KeepsakeFile, open_keepsake, state_folder
from warroom_terminal.playing import Playing
from warroom_terminal.visiting import recognised

SUMMARY = "play a game by typing: with whoever is there, in a room you name or in one of your own"
EXAMPLE = "warroom play tile_blitz --name Ada"

AGENT: Final = "warroom-play"
_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)


def configure(parser: ArgumentParser) -> None:
    """Add the command's own arguments."""
    parser.add_argument("game", nargs="?", metavar="GAME", help="what to play; with --room it may be left out")
    where = parser.add_mutually_exclusive_group()
    where.add_argument(
        "--quick",
        action="store_true",
        help="sit down with whoever wants the same (default, unless a seat waits for you)",
    )
    where.add_argument("--room", type=invitation, metavar="CODE", help="sit down in this room")
    where.add_argument("--create", action="store_true", help="make a room of your own")
    parser.add_argument("--seats", type=seat_count, metavar="N", help="seats of the room (default: as usual)")
    parser.add_argument("--seat", type=_seat, metavar="N", help="sit down at this seat, counted from 0")
    add_options(parser)
    parser.add_argument(
        "--turn-ms", type=positive, metavar="N", help="time for a turn, in milliseconds (--room-option turn_ms=N)"
    )
    parser.add_argument(
        "--seat-token",
        metavar="TOKEN",
        help="with --room: play on at a seat that another device of yours holds (there, /device shows the token)",
    )
    parser.add_argument("--private", action="store_true", help="with --create: only who has the invitation finds it")
    parser.add_argument("--fill", action="store_true", help="let bots take the open seats at once")
    add_name(parser)
    add_url(parser)


def run(args: Namespace) -> int:
    """Play until the player quits."""
    if args.game is None and args.room is None:
        print("warroom play: name a GAME to play, or a room with --room CODE", file=sys.stderr)
        return USAGE
    if args.seat is not None and args.room is None and not args.create:
        print("warroom play: --seat goes with --room CODE or --create: a quick match deals the seats", file=sys.stderr)
        return USAGE
    if args.private and not args.create:
        print("warroom play: --private goes with --create", file=sys.stderr)
        return USAGE
    if args.seat_token is not None and args.room is None:
        print("warroom play: --seat-token goes with --room CODE", file=sys.stderr)
        return USAGE
    try:
        with open_keepsake(state_folder(os.environ), args.url, args.name) as file:
            return carry_out("play", lambda: _play(args, file))
    except KeepsakeError as error:
        print(f"warroom play: {error}", file=sys.stderr)
        return 1


async def _play(args: Namespace, file: KeepsakeFile) -> None:
    with console_for(os.environ.get("TERM", "dumb")) as console:
        async with AsyncExitStack() as lines:
            client = await _connect(args, file, lines, console)
            room = await _sit_down(client, args, file.kept[0], console)
            await _stay(client, room, args, file, console)


async def _stay(client: Client, room: Room, args: Namespace, file: KeepsakeFile, console: Console) -> None:
    def entered(room: Room) -> None:
        game = room.about.game if room.about else None
        is_own = args.seat_token is None  # a seat that was lent cannot be come back to without its token
        here = _identity(client)
        file.keep(replace(here, game=game, room=room.number, key=room.key) if is_own else here)

    playing = Playing(
        client,
        console,
        entered=entered,
        after=lambda room, ended: _what_next(room, ended, args.url),
        elsewhere=lambda room: _elsewhere(room, args.url),
    )
    loop = asyncio.get_running_loop()
    for number in _SIGNALS:
        loop.add_signal_handler(number, playing.quit)
    console.show(_greeting(room, args))
    if args.fill:
        try:
            await room.fill()
        except RejectedError as refused:
            console.show([f"no bots come: {refused}"])
    is_lost = False
    try:
        await playing.play(room)
    except RejectedError:
        is_lost = True  # there is no seat any more
        raise
    finally:
        if is_lost:
            file.keep(Keepsake(file.kept[0].player, file.kept[0].token))
        else:
            await _leave(playing.room, args, file, console)


async def _leave(room: Room, args: Namespace, file: KeepsakeFile, console: Console) -> None:
    """Go politely: free a seat that nobody plays at yet, and say how to come back to one that is played at."""
    if args.seat_token is not None:
        return  # the seat is for the other device to leave
    if room.phase == "playing" and not any(state.out for state in room.seats if state.seat == room.seat):
        game = room.about.game if room.about else ""
        again = f"{program(os.environ)} play {game} --name {args.name}{url_flag(args.url)}"
        console.show(["your seat is kept, and a bot plays there when you are away for long", f"come back: {again}"])
        return
    file.keep(Keepsake(file.kept[0].player, file.kept[0].token))
    with suppress(ClientError):
        await room.leave()


async def _connect(args: Namespace, file: KeepsakeFile, lines: AsyncExitStack, console: Console) -> Client:
    """Connect as the player whom this server knows, or as a new one."""
    name = _shown_name(args.name, file.slot)
    found = await recognised(file.kept, lines, url=args.url, name=name, agent=AGENT)
    if found is not None:
        client, keepsake = found
        file.keep(keepsake)  # as the first of them
        return client
    if file.kept:
        console.show(["another server than last time answers here, and you are new to it; the other still knows you"])
    client = await lines.enter_async_context(Client(args.url, name=name, agent=AGENT))
    file.keep(_identity(client))
    return client


def _shown_name(name: str, slot: int) -> str:
    """Return what others see; of those who play from here and chose no name, the second is told from the first."""
    return f"{name} {slot}" if slot > 1 and name == usual_name() else name


def _identity(client: Client) -> Keepsake:
    assert client.token is not None, "it was welcomed"
    return Keepsake(client.player, client.token)


async def _sit_down(client: Client, args: Namespace, kept: Keepsake, console: Console) -> Room:
    if args.room is not None:
        with hinting_at_keys(args.room):
            return await client.join(args.room, seat=args.seat, seat_token=args.seat_token)
    if not (args.quick or args.create) and kept.room is not None and kept.game == args.game:
        back = await _come_back(client, kept.room, kept.key, console)
        if back is not None:
            console.show([f"back at your seat in room {back.invitation}"])
            return back
    await check_bot(client, args.game, dict(args.room_options).get("bot"))
    room_options = dict(args.room_options) | ({} if args.turn_ms is None else {"turn_ms": args.turn_ms})
    wish = {"seats": args.seats, "options": dict(args.options), "room_options": room_options}
    if not args.create:
        return await client.quick(args.game, **wish)
    if args.private:
        wish["room_options"] = {**wish["room_options"], "private": True}
    created = await client.create(args.game, **wish)
    return await client.join(created.code, seat=args.seat)


async def _come_back(client: Client, number: int, key: str | None, console: Console) -> Room | None:
    """Return the room that was left in mid-match, if it still goes on; say why if something unforeseen ended it."""
    try:
        room = await client.join(number, key=key)
    except RejectedError as refused:
        if refused.code == codes.RULES_CHANGED:
            console.show([refused.detail])
        return None
    if room.ended is None and room.phase != "ended":
        return room
    await room.leave()
    return None


def _greeting(room: Room, args: Namespace) -> list[str]:
    about = room.about
    game = about.game if about else ""
    turn_ms = about.room_options.get("turn_ms") if about else None
    clock = f", {turn_ms / 1000:g} s a turn" if isinstance(turn_ms, int) else ""
    join = f"{program(os.environ)} play --room {room.invitation}{url_flag(args.url)}"
    lines = [f"room {room.invitation}: {game}, {len(room.seats) or (about.seats if about else 0)} seats{clock}"]
    if room.phase == "lobby":
        lines += [f"others can join: {join}", "bots take the open seats" if args.fill else _waiting(room)]
    return [*lines, "type /rules to read how to play, /help to see what you can type"]


def _waiting(room: Room) -> str:
    fill_ms = room.about.room_options.get("fill_after_ms") if room.about else None
    if isinstance(fill_ms, int):
        return f"bots take the open seats {fill_ms / 1000:g} s after the first player sat down"
    return "it starts when all seats are taken; /fill lets bots take the open ones, /start begins without"


def _what_next(room: Room, ended: Ended, url: str) -> list[str]:
    """Return what a player may want to do after a match."""
    warroom, flag = program(os.environ), url_flag(url)
    game = room.about.game if room.about else ""
    counts = "it counts for the ranking" if ended.rated else "it does not count for the ranking"
    return [
        counts,
        "",
        "play again:  /rematch",
        f"replay:      {warroom} replay {room.invitation}{flag}",
        *([f"ranking:     {warroom} ranking {game}{flag}"] if ended.rated else []),
        f"check it:    {check_command(room, ended, url)}",
    ]


def _elsewhere(room: Room, url: str) -> list[str]:
    """Return how to hold the same seat on another device."""
    if room.seat_token is None:
        return ["you have no seat that another device could hold"]
    play = f"{program(os.environ)} play --room {room.invitation} --seat-token {room.seat_token}{url_flag(url)}"
    return [f"there: {play}", "whoever has the token plays at your seat in this room, until you type /rotate"]


def _seat(text: str) -> int:
    if not text.isdecimal() or int(text) > MOST_SEATS:
        raise ArgumentTypeError(f"{text!r} is no seat")
    return int(text)
