"""The process that plays matches for an arena: it gets pairings, and sends results.

Bots are strangers' code, so they run only here. The arena watches the move board, and ends the process when a bot
hangs.
"""

import asyncio
import os
import signal
import sys
import threading
from collections.abc import Mapping, Sequence
from multiprocessing import parent_process
from multiprocessing.connection import Connection
from typing import Final

from msgspec import Struct

from warroom_bots.api import BotKind
from warroom_bots.arena.contest import Contest, Pairing
from warroom_bots.arena.move_board import Cells, MoveBoard
from warroom_bots.arena.network_referee import play_on_server
from warroom_bots.arena.referee import Referee, Timekeeper
from warroom_bots.arena.results import HANGS, VOID, Fault, MatchResult
from warroom_bots.failures import in_one_line, located, told
from warroom_bots.move_clock import RULES_S, HungError, MoveClock
from warroom_bots.registry import UnknownBotError, find_bot
from warroom_games.api import AnyGame, Seat
from warroom_games.registry import load_games

_STDOUT: Final = 1
_STDERR: Final = 2


class Job(Struct, frozen=True):
    """What a process needs to play any match of a contest."""

    contest: Contest
    extra_games: tuple[str, ...] = ()
    url: str | None = None
    """The server, for matches over the network."""
    rules_s: float = RULES_S
    """How long the rules may take from one move to the next."""


class Task(Struct, frozen=True):
    """A match to play, and the faults at which earlier attempts ended the process."""

    pairing: Pairing
    known: Mapping[Seat, Fault] = {}


def work(job: Job, orders: "Connection[MatchResult, Task | None]", cells: Cells) -> None:
    """Play matches until the arena closes the connection or goes away."""
    _settle_in()
    contest = job.contest
    game = load_games(job.extra_games).get(contest.game)
    try:
        kinds = [find_bot(contest.game, bot.reference, rules=game) for bot in contest.bots]
    except UnknownBotError as error:  # the arena itself could import it, so this depends on the process
        sys.exit(f"warroom arena: {error}")
    # On a server the bots think side by side in threads, where only the arena can stop one.
    most_s = contest.move_limit_ms / 1000 if job.url is None else None
    with MoveClock(most_s, rules_s=job.rules_s) as clock:
        while (task := _next(orders)) is not None:
            keeper = Timekeeper(contest.seats, MoveBoard(cells), task.known, clock)
            orders.send(_played(job, game, [kinds[bot] for bot in task.pairing.bots], task.pairing, keeper))


def _played(job: Job, game: AnyGame, seated: Sequence[BotKind], pairing: Pairing, keeper: Timekeeper) -> MatchResult:
    try:
        keeper.begin()
        if job.url is None:
            return Referee(job.contest, game, seated, pairing, keeper).play()
        return asyncio.run(play_on_server(job.url, job.contest, seated, pairing, keeper))
    except Exception as error:  # noqa: BLE001 - the game or the server failed, and the arena goes on
        return keeper.result(job.contest, pairing, (), f"{VOID}{in_one_line(error)}")
    except HungError as error:
        return keeper.result(job.contest, pairing, (), f"{VOID}{located(f'{HANGS}: {told(error)}', error)}")
    finally:
        keeper.end()


def _next(orders: "Connection[MatchResult, Task | None]") -> Task | None:
    try:
        return orders.recv()
    except EOFError:
        return None


def _settle_in() -> None:
    """Leave Ctrl-C to the arena, end with it, and keep what bots print out of its output."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_arena, daemon=True).start()
    os.dup2(_STDERR, _STDOUT)


def _end_with_arena() -> None:
    arena = parent_process()
    assert arena is not None, "only a child process may call this"
    arena.join()
    os._exit(0)
