"""`warroom bot`: let bots play on a server."""

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
from warroom_bots.commands.options import USUAL_BOT, add_option, positive, seat_count, think_time
from warroom_bots.registry import UnknownBotError, find_bot
from warroom_bots.runner import Think
from warroom_bots.table import Outcome, Place, Wish, WishError, find_place, play_table, sit_down
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

SUMMARY = "let bots play: in an open room, in a room of their own, or in the room you name"
EXAMPLE = "warroom bot graph_battle --create --count 5 --turn-ms 2000 --think 0.1-0.4"

TURNS_PER_LINE = 10

UNPLAYABLE: Final = frozenset(
    {codes.GAME_UNKNOWN, codes.GAME_SEATS, codes.GAME_OPTIONS, codes.ROOM_OPTIONS, codes.WATCH_DELAY}
)
"""Refusals of a wish that no server with these games would grant: what was typed is wrong."""


def configure(parser: ArgumentParser) -> None:
    """Add the command's own arguments."""
    parser.add_argument(
        "game", nargs="?", metavar="GAME", help="join a room of this game that is open and as wished, else create one"
    )
    parser.add_argument("--room", metavar="CODE", help="join this room; GAME may be left out then")
    parser.add_argument("--create", action="store_true", help="create a room even if one is open")
    parser.add_argument("--bot", metavar="NAME", help=f"which bot ({USUAL_BOT})")
    parser.add_argument(
        "--count", type=positive, metavar="N", help="how many seats to take (default: 1, or all of a created room)"
    )
    parser.add_argument("--seats", type=seat_count, metavar="N", help="seats of the room (default: as usual)")
    parser.add_argument("--turn-ms", type=positive, metavar="N", help="time for a turn in the room")
    add_option(parser)
    parser.add_argument(
        "--think", type=think_time, default=Think(), metavar="S[-S]", help="seconds to think, such as 0.3-1"
    )
    parser.add_argument("--seed", metavar="TEXT", help="make the bots' own draws repeatable")
    parser.add_argument("--url", default=DEFAULT_URL, help="the server (default: %(default)s)")
    parser.add_argument("--json", action="store_true", help="print only the result, as JSON")


def run(args: Namespace) -> int:
    """Play one match and print its ranking."""
    try:
        outcome = asyncio.run(_play(args))
    except (UnknownBotError, WishError) as error:
        print(f"warroom bot: {error}", file=sys.stderr)
        return 2
    except ClientError as error:
        print(f"warroom bot: {error}", file=sys.stderr)
        return 2 if isinstance(error, RejectedError) and error.code in UNPLAYABLE else 1
    print(_as_json(outcome, args.url) if args.json else _as_text(outcome, args.url))
    return 0


async def _play(args: Namespace) -> Outcome:
    if args.game is None and args.room is None:
        raise WishError("name a GAME to play, or a room with --room CODE")
    if args.room is not None and args.create:
        raise WishError("--room names a room that is there, and --create makes one: choose one of them")
    wish = Wish(
        game=args.game,
        room=args.room,
        creates=args.create,
        seats=args.seats,
        turn_ms=args.turn_ms,
        count=args.count,
        options=dict(args.options),
    )
    # A wrong name of a bot should show before a room is made for it, and a bot says at once which one it is.
    kind = find_bot(args.game or await _game_of(wish, args.url), args.bot)
    async with Client(args.url, name=f"{kind.name} 1", bot=kind.name) as host:
        place, room = await sit_down(host, wish)
        progress = _Progress(silent=args.json)
        progress.found(place, kind, args.url)
        rng = Rng(_key(args.seed))
        return await play_table(place, kind, rng, first=room, host=host, think=args.think, watch=progress.watch)


async def _game_of(wish: Wish, url: str) -> str:
    """Return what is played in the room that is wished for."""
    async with Client(url) as scout:
        return (await find_place(scout, wish)).game


class _Progress:
    """Prints what the first bot sees, a line every few turns."""

    def __init__(self, *, silent: bool) -> None:
        self._silent = silent
        self._shown_turn = 0
        self._phase = ""

    def found(self, place: Place, kind: BotKind, url: str) -> None:
        """Tell which room it is and how to follow it."""
        origin = "made for them" if place.is_new else "it was open"
        self._say(f"room {place.code}: {place.game}, {place.seats} seats, {place.count} x {kind.name}, {origin}")
        self._say(f"watch it: {program(os.environ)} watch {place.code} --url {url}")

    def watch(self, room: Room, event: Event) -> None:
        """Tell the part of the events that people want to know."""
        match event:
            case SeatsChanged() if room.phase != self._phase:
                self._phase = room.phase
                taken = [state.name for state in room.seats if state.player is not None]
                self._say(f"{room.phase}: {', '.join(taken)}")
            case Updated() if room.turn >= self._shown_turn + TURNS_PER_LINE:
                self._shown_turn = room.turn
                self._say(f"turn {room.turn}")
            case Paused(reason=reason):
                self._say(f"the room is paused: {reason}")
            case Unpaused():
                self._say("the room goes on")
            case Disconnected(reason=reason):
                self._say(f"{reason}; trying to come back")
            case Reconnected():
                self._say("back in the room")
            case _:
                pass

    def _say(self, line: str) -> None:
        if not self._silent:
            print(printable(line), flush=True)


def _ranking(outcome: Outcome) -> list[tuple[Standing, str]]:
    """Return the standings with names, the best first; nobody is ranked in a match that was voided."""
    return [(each, outcome.names[each.seat]) for each in standings(outcome.ended.ranks, outcome.ended.left)]


def _as_text(outcome: Outcome, url: str) -> str:
    code, ended = outcome.place.code, outcome.ended
    return "\n".join(
        [
            f"ended by {ended.reason} in turn {outcome.turns}",
            *(f"  {each.rank}. {printable(name)} (seat {each.seat}){each.note}" for each, name in _ranking(outcome)),
            f"replay: {_replay_address(url, code)}",
            f"check it: {program(os.environ)} verify {code} --url {url} {_noted(outcome)}",
        ]
    )


def _noted(outcome: Outcome) -> str:
    """Return what the bots were shown when they joined and when the match ended, as options of `verify`."""
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
    """Return where the server that is reached at *url* keeps the replay."""
    parts = urlsplit(url)
    scheme = "https" if parts.scheme == "wss" else "http"
    return urlunsplit((scheme, parts.netloc, f"/api/replays/{code}", "", ""))


def _key(seed: str | None) -> bytes:
    if seed is None:
        return secrets.token_bytes(KEY_BYTES)
    return blake2b(seed.encode(), digest_size=KEY_BYTES).digest()
