"""`warroom bot`: play with bots on a server."""

import asyncio
import os
import secrets
import sys
from argparse import ArgumentParser, Namespace
from hashlib import blake2b
from typing import Final
from urllib.parse import urlsplit, urlunsplit

import msgspec

from warroom_bots.api import BotKind
from warroom_bots.bot_group import (
    FoundRoom,
    Outcome,
    RoomRequest,
    RoomRequestError,
    find_room,
    play_match,
    take_first_seat,
)
from warroom_bots.commands.options import USUAL_BOT, add_option, positive, seat_count, think_time
from warroom_bots.registry import UnknownBotError, find_bot
from warroom_bots.runner import Think
from warroom_client import (
    DEFAULT_URL,
    Client,
    ClientError,
    Disconnected,
    Event,
    Paused,
    Reconnected,
    RejectedError,
    Room,
    SeatsChanged,
    Unpaused,
    Updated,
)
from warroom_games.invocation import program
from warroom_games.rng import KEY_BYTES, Rng
from warroom_games.words import printable
from warroom_protocol import codes
from warroom_protocol.results import Standing, standings

SUMMARY = "play with bots: in an open room, in a new room, or in the room you name"
EXAMPLE = "warroom bot graph_battle --create --count 5 --turn-ms 2000 --think 0.1-0.4"

TURNS_PER_LINE = 10

UNPLAYABLE: Final = frozenset(
    {codes.GAME_UNKNOWN, codes.GAME_SEATS, codes.GAME_OPTIONS, codes.ROOM_OPTIONS, codes.WATCH_DELAY}
)
"""Refusals that mean a wrong argument: no server with these games would accept it."""


def configure(parser: ArgumentParser) -> None:
    """Add the command's own arguments."""
    parser.add_argument(
        "game", nargs="?", metavar="GAME", help="join an open room of this game that matches the options, or create one"
    )
    parser.add_argument("--room", metavar="CODE", help="join this room (GAME is optional)")
    parser.add_argument("--create", action="store_true", help="create a room even if one is open")
    parser.add_argument("--bot", metavar="NAME", help=f"the bot ({USUAL_BOT})")
    parser.add_argument(
        "--count", type=positive, metavar="N", help="number of seats to take (default: 1, or all of a new room)"
    )
    parser.add_argument(
        "--seats", type=seat_count, metavar="N", help="number of seats (default: the game's usual number)"
    )
    parser.add_argument("--turn-ms", type=positive, metavar="N", help="time per turn in milliseconds")
    add_option(parser)
    parser.add_argument(
        "--think", type=think_time, default=Think(), metavar="S[-S]", help="thinking time in seconds, such as 0.3-1"
    )
    parser.add_argument("--seed", metavar="TEXT", help="seed of the bots, for repeatable play")
    parser.add_argument("--url", default=DEFAULT_URL, help="the server (default: %(default)s)")
    parser.add_argument("--json", action="store_true", help="print only the result, as JSON")


def run(args: Namespace) -> int:
    """Play one match and print its ranking."""
    try:
        outcome = asyncio.run(_play(args))
    except (UnknownBotError, RoomRequestError) as error:
        print(f"warroom bot: {error}", file=sys.stderr)
        return 2
    except ClientError as error:
        print(f"warroom bot: {error}", file=sys.stderr)
        return 2 if isinstance(error, RejectedError) and error.code in UNPLAYABLE else 1
    print(_as_json(outcome, args.url) if args.json else _as_text(outcome, args.url))
    return 0


async def _play(args: Namespace) -> Outcome:
    if args.game is None and args.room is None:
        raise RoomRequestError("name a GAME, or a room with --room CODE")
    if args.room is not None and args.create:
        raise RoomRequestError("--room and --create cannot be combined")
    request = RoomRequest(
        game=args.game,
        room=args.room,
        creates=args.create,
        seats=args.seats,
        turn_ms=args.turn_ms,
        count=args.count,
        options=dict(args.options),
    )
    # Report an unknown bot before creating a room for it.
    kind = find_bot(args.game or await _game_of(request, args.url), args.bot)
    async with Client(args.url, name=f"{kind.name} 1", bot=kind.name) as host:
        place, room = await take_first_seat(host, request)
        progress = _Progress(silent=args.json)
        progress.found(place, kind, args.url)
        rng = Rng(_key(args.seed))
        return await play_match(place, kind, rng, first=room, host=host, think=args.think, watch=progress.watch)


async def _game_of(request: RoomRequest, url: str) -> str:
    """Return the game of the requested room."""
    async with Client(url) as scout:
        return (await find_room(scout, request)).game


class _Progress:
    """Prints what the first bot sees, a line every few turns."""

    def __init__(self, *, silent: bool) -> None:
        self._silent = silent
        self._shown_turn = 0
        self._phase = ""

    def found(self, place: FoundRoom, kind: BotKind, url: str) -> None:
        """Print the room and how to follow it."""
        origin = "new room" if place.is_new else "open room"
        self._say(f"room {place.code}: {place.game}, {place.seats} seats, {place.count} x {kind.name}, {origin}")
        self._say(f"watch: {program(os.environ)} watch {place.code} --url {url}")

    def watch(self, room: Room, event: Event) -> None:
        """Print the events that matter to people."""
        match event:
            case SeatsChanged() if room.phase != self._phase:
                self._phase = room.phase
                taken = [state.name for state in room.seats if state.player is not None]
                self._say(f"{room.phase}: {', '.join(taken)}")
            case Updated() if room.turn >= self._shown_turn + TURNS_PER_LINE:
                self._shown_turn = room.turn
                self._say(f"turn {room.turn}")
            case Paused(reason=reason):
                self._say(f"paused: {reason}")
            case Unpaused():
                self._say("resumed")
            case Disconnected(reason=reason):
                self._say(f"{reason}; reconnecting…")
            case Reconnected():
                self._say("reconnected")
            case _:
                pass

    def _say(self, line: str) -> None:
        if not self._silent:
            print(printable(line), flush=True)


def _ranking(outcome: Outcome) -> list[tuple[Standing, str]]:
    """Return the standings with names, best first; a void match has none."""
    return [(each, outcome.names[each.seat]) for each in standings(outcome.ended.ranks, outcome.ended.left)]


def _as_text(outcome: Outcome, url: str) -> str:
    code, ended = outcome.place.code, outcome.ended
    return "\n".join(
        [
            f"ended by {ended.reason} in turn {outcome.turns}",
            *(f"  {each.rank}. {printable(name)} (seat {each.seat}){each.note}" for each, name in _ranking(outcome)),
            f"replay: {_replay_address(url, code)}",
            f"verify: {program(os.environ)} verify {code} --url {url} {_proof_options(outcome)}",
        ]
    )


def _proof_options(outcome: Outcome) -> str:
    """Return the commitment and chain that the bots saw, as options of `verify`."""
    commitment = f"--commitment {outcome.commitment} " if outcome.commitment else ""
    return f"{commitment}--chain {outcome.ended.chain}"


def _as_json(outcome: Outcome, url: str) -> str:
    place, ended = outcome.place, outcome.ended
    summary = {
        "room": place.code,
        "created": place.is_new,
        "game": place.game,
        "reason": ended.reason,
        "ranking": [
            {"rank": each.rank, "seat": each.seat, "name": name, "left": each.has_left}
            for each, name in _ranking(outcome)
        ],
        "turns": outcome.turns,
        "seed": ended.seed,
        "commitment": outcome.commitment,
        "chain": ended.chain,
        "replay": _replay_address(url, place.code),
    }
    return msgspec.json.encode(summary).decode()


def _replay_address(url: str, code: str) -> str:
    """Return the replay address on the server at *url*."""
    parts = urlsplit(url)
    scheme = "https" if parts.scheme == "wss" else "http"
    return urlunsplit((scheme, parts.netloc, f"/api/replays/{code}", "", ""))


def _key(seed: str | None) -> bytes:
    if seed is None:
        return secrets.token_bytes(KEY_BYTES)
    return blake2b(seed.encode(), digest_size=KEY_BYTES).digest()
