"""`warroom bot`: play with bots on a server."""

import asyncio
import os
import secrets
import signal
import sys
import threading
from argparse import ArgumentParser, Namespace
from typing import Final

from warroom_bots.api import BotKind
from warroom_bots.bot_executor import BotExecutor
from warroom_bots.bot_group import play_match, sit_down
from warroom_bots.commands.bot_report import (
    FailureReport,
    MatchProgress,
    SeriesProgress,
    match_as_json,
    match_in_words,
    series_as_json,
    series_in_words,
)
from warroom_bots.commands.options import (
    BOT_REFERENCE,
    USUAL_BOT,
    add_limit,
    add_option,
    add_processes,
    add_url,
    limit_of,
    positive,
    seat_count,
    think_time,
)
from warroom_bots.commands.progress import ProgressLine
from warroom_bots.crew import Crew
from warroom_bots.match_series import MatchSeries, Tally
from warroom_bots.registry import UnknownBotError, find_bot
from warroom_bots.room_search import RoomRequest, RoomRequestError, find_room
from warroom_bots.roster import Roster
from warroom_bots.runner import Think
from warroom_bots.supervision import BotMakingError, Supervisor
from warroom_client import Client, ClientError, RejectedError
from warroom_client.identity_file import BOTS, state_folder
from warroom_games.rng import KEY_BYTES, Rng, derived_key
from warroom_protocol import codes

SUMMARY = "play with bots: in an open room, in a new room, in the room you name, or in many rooms at once"
EXAMPLE = "warroom bot graph_battle --create --count 5 --turn-ms 2000 --think 0.1-0.4"

INTERRUPTED: Final = 130
UNPLAYABLE: Final = frozenset(
    {codes.GAME_UNKNOWN, codes.GAME_SEATS, codes.GAME_OPTIONS, codes.ROOM_OPTIONS, codes.WATCH_DELAY}
)
"""Refusals that mean a wrong argument: no server with these games would accept it."""
_SIGNALS: Final = (signal.SIGINT, signal.SIGTERM)


def configure(parser: ArgumentParser) -> None:
    """Add the command's own arguments."""
    parser.add_argument(
        "game", nargs="?", metavar="GAME", help="join an open room of this game that matches the options, or create one"
    )
    parser.add_argument("--room", metavar="CODE", help="join this room (GAME is optional)")
    parser.add_argument("--create", action="store_true", help="create a room even if one is open")
    parser.add_argument("--bot", metavar="BOT", help=f"{BOT_REFERENCE}; {USUAL_BOT}")
    parser.add_argument(
        "--count", type=positive, metavar="N", help="number of seats to take (default: 1, or all of a new room)"
    )
    parser.add_argument(
        "--seats", type=seat_count, metavar="N", help="number of seats (default: the game's usual number)"
    )
    parser.add_argument("--turn-ms", type=positive, metavar="N", help="time per turn in milliseconds")
    add_option(parser)
    parser.add_argument("--matches", type=positive, metavar="N", help="play so many matches, one after the other")
    parser.add_argument("--forever", action="store_true", help="play matches until interrupted")
    parser.add_argument(
        "--parallel", type=positive, metavar="N", help="matches at once, on few connections (default: 1)"
    )
    parser.add_argument(
        "--think", type=think_time, default=Think(), metavar="S[-S]", help="thinking time in seconds, such as 0.3-1"
    )
    add_limit(parser)
    add_processes(parser)
    parser.add_argument(
        "--new",
        action="store_true",
        help="play as new players, whose ratings begin afresh (default: those of earlier runs of this bot)",
    )
    parser.add_argument("--seed", metavar="TEXT", help="seed of the bots, for repeatable play")
    add_url(parser)
    parser.add_argument("--json", action="store_true", help="print only the result, as JSON")


def run(args: Namespace) -> int:
    """Play one match and print its ranking, or play many and print how many were won."""
    executor = BotExecutor(args.processes)
    try:
        return asyncio.run(_play(args, executor))
    except (UnknownBotError, RoomRequestError, BotMakingError) as error:
        print(f"warroom bot: {error}", file=sys.stderr)
        return 2
    except ClientError as error:
        print(f"warroom bot: {error}", file=sys.stderr)
        return 2 if isinstance(error, RejectedError) and error.code in UNPLAYABLE else 1
    finally:
        executor.close()


async def _play(args: Namespace, executor: BotExecutor) -> int:
    _check(args)
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
    line = ProgressLine(sys.stderr if args.json else sys.stdout, silent=args.json and not sys.stderr.isatty())
    if args.matches is None and not args.forever:
        return await _play_one(args, request, kind, executor, line)
    return await _play_many(args, request, kind, executor, line)


def _check(args: Namespace) -> None:
    is_series = args.matches is not None or args.forever
    if args.game is None and args.room is None:
        raise RoomRequestError("name a GAME, or a room with --room CODE")
    if args.room is not None and args.create:
        raise RoomRequestError("--room and --create cannot be combined")
    if args.matches is not None and args.forever:
        raise RoomRequestError("--matches and --forever cannot be combined")
    if args.room is not None and is_series:
        raise RoomRequestError("a room has one match: --room cannot be combined with --matches or --forever")
    if args.parallel is not None and not is_series:
        raise RoomRequestError("--parallel needs --matches N or --forever")


async def _play_one(
    args: Namespace, request: RoomRequest, kind: BotKind, executor: BotExecutor, line: ProgressLine
) -> int:
    supervisor = _supervisor(args, kind, executor, line)
    progress = MatchProgress(line)
    crew = Crew(_roster(args, kind, line))
    try:
        group = await sit_down(crew, request)
        progress.found(group.place, len(group.rooms), kind, args.url)
        outcome = await play_match(group, supervisor, Rng(_key(args.seed)), watch=progress.watch)
    finally:
        line.end()
        await crew.close()
    show = match_as_json if args.json else match_in_words
    print(show(outcome, args.url, supervisor.failures))
    return 0


async def _play_many(
    args: Namespace, request: RoomRequest, kind: BotKind, executor: BotExecutor, line: ProgressLine
) -> int:
    supervisor = _supervisor(args, kind, executor, line)
    progress = SeriesProgress(line, supervisor, args.matches)
    series = MatchSeries(
        _roster(args, kind, line),
        request,
        supervisor,
        Rng(_key(args.seed)),
        matches=args.matches,
        parallel=args.parallel or 1,
        reporter=progress,
    )
    playing = asyncio.ensure_future(series.run())
    _Interrupts(line, series, playing).listen()
    ticking = asyncio.ensure_future(progress.tick(series.tally))
    try:
        code = 1 if (await playing).aborted else 0
    except asyncio.CancelledError:
        code = INTERRUPTED
    finally:
        ticking.cancel()
        line.end()
    result = (series.tally, supervisor.failures, progress.seconds)
    print(series_as_json(request.game or "", kind.name, *result) if args.json else series_in_words(*result))
    return code


class _Interrupts:
    """The first signal ends a series after its running matches, the second at once."""

    def __init__(self, line: ProgressLine, series: MatchSeries, playing: "asyncio.Future[Tally]") -> None:
        self._line = line
        self._series = series
        self._playing = playing
        self._is_stopping = False

    def listen(self) -> None:
        """Handle signals from now on, in the main thread, which alone gets them."""
        if threading.current_thread() is threading.main_thread():
            for number in _SIGNALS:
                asyncio.get_running_loop().add_signal_handler(number, self._heard)

    def _heard(self) -> None:
        if self._is_stopping:
            self._playing.cancel()
            return
        self._is_stopping = True
        self._line.say("waiting for the running matches; interrupt again to leave them")
        self._series.stop()


def _supervisor(args: Namespace, kind: BotKind, executor: BotExecutor, line: ProgressLine) -> Supervisor:
    """Return a supervisor whose bots can be made."""
    tell = FailureReport(line).tell
    supervisor = Supervisor(kind, executor, think=args.think, tell=tell, limit=limit_of(args))
    supervisor.check()
    return supervisor


def _roster(args: Namespace, kind: BotKind, line: ProgressLine) -> Roster:
    """Return the players of the bot: those of earlier runs, unless new ones are wanted."""
    return Roster(
        args.url, kind.name, None if args.new else state_folder(os.environ, BOTS), line.say, source=kind.source
    )


async def _game_of(request: RoomRequest, url: str) -> str:
    """Return the game of the requested room."""
    async with Client(url) as scout:
        return (await find_room(scout, request)).game


def _key(seed: str | None) -> bytes:
    if seed is None:
        return secrets.token_bytes(KEY_BYTES)
    return derived_key(seed, "bots")
