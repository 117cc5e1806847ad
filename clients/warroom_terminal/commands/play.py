"""`warroom play`: play any game in the terminal."""

import os
import sys
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from contextlib import AsyncExitStack, suppress
from typing import Final

from msgspec.structs import replace

from warroom_bots.commands.options import USUAL_BOT, add_url
from warroom_bots.registry import UnknownBotError
from warroom_client import Client, ClientError, Ended, RejectedError, Room
from warroom_client.identity_file import (
    PLAYERS,
    IdentityFile,
    IdentityFileError,
    SavedIdentity,
    open_identity_file,
    state_folder,
)
from warroom_client.requests import new_ref
from warroom_client.token_login import connect_as_known_or_new, identity_of
from warroom_games.api import OptionsError
from warroom_games.invocation import program
from warroom_games.registry import RegistryError
from warroom_protocol import codes
from warroom_terminal.commands.arguments import (
    MOST_SEATS,
    USAGE,
    add_name,
    add_options,
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
from warroom_terminal.local_play import play_locally, seated
from warroom_terminal.play_session import PlaySession

SUMMARY = "play a game: a quick match, a room you name, or a room of your own"
EXAMPLE = "warroom play tile_blitz --name Ada"

AGENT: Final = "warroom-play"


def configure(parser: ArgumentParser) -> None:
    """Add the command's own arguments."""
    parser.add_argument("game", nargs="?", metavar="GAME", help="the game to play (optional with --room)")
    where = parser.add_mutually_exclusive_group()
    where.add_argument(
        "--quick",
        action="store_true",
        help="join players who want the same match (default, unless a match of yours is still running)",
    )
    where.add_argument("--room", type=invitation, metavar="CODE", help="join this room")
    where.add_argument("--create", action="store_true", help="create a room")
    where.add_argument(
        "--local", action="store_true", help="play against bots in this process, without a server and without a clock"
    )
    parser.add_argument(
        "--seats", type=seat_count, metavar="N", help="number of seats (default: the game's usual number)"
    )
    parser.add_argument("--seat", type=_seat, metavar="N", help="take this seat, counted from 0")
    add_options(parser)
    parser.add_argument(
        "--turn-ms", type=positive, metavar="N", help="time per turn in milliseconds (same as --room-option turn_ms=N)"
    )
    parser.add_argument(
        "--seat-token",
        metavar="TOKEN",
        help="with --room: use a seat that you hold on another device (/device shows the token there)",
    )
    parser.add_argument(
        "--private", action="store_true", help="with --create: keep the room off the list; only invited players find it"
    )
    parser.add_argument("--fill", action="store_true", help="fill the open seats with bots at once")
    _add_local(parser)
    add_name(parser)
    add_url(parser)


def run(args: Namespace) -> int:
    """Play until the player quits."""
    if (wrong := _wrong_use(args)) is not None:
        print(f"warroom play: {wrong}", file=sys.stderr)
        return USAGE
    if args.local:
        return _play_locally(args)
    try:
        with open_identity_file(state_folder(os.environ, PLAYERS), args.url, args.name) as file:
            return carry_out("play", lambda: _play(args, file))
    except IdentityFileError as error:
        print(f"warroom play: {error}", file=sys.stderr)
        return 1


def _add_local(parser: ArgumentParser) -> None:
    """Add the arguments of a match without a server."""
    parser.add_argument(
        "--bots",
        metavar="A,B,...",
        help=f"with --local: the opponents, repeated if there are more seats; {USUAL_BOT}",
    )
    parser.add_argument(
        "--seed",
        metavar="TEXT",
        help="with --local: equal seeds and actions give equal matches, except with bots that search (default: random)",
    )


def _wrong_use(args: Namespace) -> str | None:
    """Return what is wrong with the arguments together."""
    if args.game is None and args.room is None:
        return "name a GAME, or a room with --room CODE"
    if args.seat is not None and not (args.room is not None or args.create or args.local):
        return "--seat needs --room CODE, --create or --local; a quick match assigns the seats"
    if args.private and not args.create:
        return "--private needs --create"
    if args.seat_token is not None and args.room is None:
        return "--seat-token needs --room CODE"
    if not args.local and (args.bots is not None or args.seed is not None):
        return f"{'--seed' if args.bots is None else '--bots'} needs --local"
    if args.local and (args.turn_ms is not None or args.room_options):
        return "a local match has no room and no clock: leave --turn-ms and --room-option out"
    return None


def _play_locally(args: Namespace) -> int:
    try:
        table = seated(args.game, args.bots, args.seats, seat=args.seat, options=dict(args.options), name=args.name)
    except (RegistryError, UnknownBotError, OptionsError) as error:
        print(f"warroom play: {error}", file=sys.stderr)
        return USAGE
    seed = str(new_ref()) if args.seed is None else args.seed
    return carry_out("play", lambda: play_locally(table, seed))


async def _play(args: Namespace, file: IdentityFile) -> None:
    with console_for(os.environ.get("TERM", "dumb")) as console:
        async with AsyncExitStack() as lines:
            client = await _connect(args, file, lines, console)
            room = await _sit_down(client, args, file.kept[0], console)
            await _stay(client, room, args, file, console)


async def _stay(client: Client, room: Room, args: Namespace, file: IdentityFile, console: Console) -> None:
    def entered(room: Room) -> None:
        game = room.about.game if room.about else None
        is_own = args.seat_token is None  # without its token we could not come back to a borrowed seat
        here = identity_of(client)
        file.keep(replace(here, game=game, room=room.number, key=room.key) if is_own else here)

    playing = PlaySession(
        client,
        console,
        entered=entered,
        after=lambda room, ended: _what_next(room, ended, args.url),
        elsewhere=lambda room: _elsewhere(room, args.url),
    )
    playing.obey_signals()
    console.show(_greeting(room, args))
    if args.fill:
        try:
            await room.fill()
        except RejectedError as refused:
            console.show([f"no bots available: {refused}"])
    is_lost = False
    try:
        await playing.play(room)
    except RejectedError:
        is_lost = True  # the seat is gone
        raise
    finally:
        if is_lost:
            file.keep(SavedIdentity(file.kept[0].player, file.kept[0].token))
        else:
            await _leave(playing.room, args, file, console)


async def _leave(room: Room, args: Namespace, file: IdentityFile, console: Console) -> None:
    """Leave cleanly: free a seat in the lobby, and explain how to return to a running match."""
    if args.seat_token is not None:
        return  # the other device owns the seat
    if room.phase == "playing" and not any(state.out for state in room.seats if state.seat == room.seat):
        game = room.about.game if room.about else ""
        again = f"{program(os.environ)} play {game} --name {args.name}{url_flag(args.url)}"
        console.show(["your seat is saved; a bot plays for you if you stay away too long", f"return with: {again}"])
        return
    file.keep(SavedIdentity(file.kept[0].player, file.kept[0].token))
    with suppress(ClientError):
        await room.leave()


async def _connect(args: Namespace, file: IdentityFile, lines: AsyncExitStack, console: Console) -> Client:
    """Connect as a player that this server knows, or as a new one."""
    name = _shown_name(args.name, file.slot)
    client, identity = await connect_as_known_or_new(file.kept, lines, url=args.url, name=name, agent=AGENT)
    if file.kept and identity not in file.kept:
        console.show(
            ["a different server answers at this address, so you join as a new player; your old identity is kept"]
        )
    file.keep(identity)  # as the first one
    return client


def _shown_name(name: str, slot: int) -> str:
    """Return the display name. Players of the same name on this machine are numbered."""
    return f"{name} {slot}" if slot > 1 and name == usual_name() else name


async def _sit_down(client: Client, args: Namespace, kept: SavedIdentity, console: Console) -> Room:
    if args.room is not None:
        with hinting_at_keys(args.room):
            return await client.join(args.room, seat=args.seat, seat_token=args.seat_token)
    if not (args.quick or args.create) and kept.room is not None and kept.game == args.game:
        back = await _come_back(client, kept.room, kept.key, console)
        if back is not None:
            console.show([f"you are back at your seat in room {back.invitation}"])
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
    """Return the unfinished match to go back to, if it is still running; report an unexpected refusal."""
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
        lines += [f"invite others: {join}", "bots fill the open seats" if args.fill else _waiting(room)]
    return [*lines, "/rules shows how to play, /help lists the commands"]


def _waiting(room: Room) -> str:
    fill_ms = room.about.room_options.get("fill_after_ms") if room.about else None
    if isinstance(fill_ms, int):
        return f"bots fill the open seats {fill_ms / 1000:g} s after the first player joins"
    return "play starts when all seats are taken; /fill adds bots, /start begins without them"


def _what_next(room: Room, ended: Ended, url: str) -> list[str]:
    """Return what a player can do after a match."""
    warroom, flag = program(os.environ), url_flag(url)
    game = room.about.game if room.about else ""
    counts = "this match is rated" if ended.rated else "this match is not rated"
    return [
        counts,
        "",
        "play again:  /rematch",
        f"replay:      {warroom} replay {room.invitation}{flag}",
        *([f"ranking:     {warroom} ranking {game}{flag}"] if ended.rated else []),
        f"verify:      {check_command(room, ended, url)}",
    ]


def _elsewhere(room: Room, url: str) -> list[str]:
    """Return how to use the same seat on another device."""
    if room.seat_token is None:
        return ["you have no seat to share with another device"]
    play = f"{program(os.environ)} play --room {room.invitation} --seat-token {room.seat_token}{url_flag(url)}"
    return [
        f"on the other device: {play}",
        "anyone with this token can play your seat in this room; /rotate revokes it",
    ]


def _seat(text: str) -> int:
    if not text.isdecimal() or int(text) > MOST_SEATS:
        raise ArgumentTypeError(f"{text!r} is not a seat number")
    return int(text)
