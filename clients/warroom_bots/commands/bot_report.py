"""What `warroom bot` prints: the course of a match or of many, failed bots, and results."""

import asyncio
import os
import sys
from time import monotonic
from typing import Final

import msgspec

from warroom_bots.api import BotKind
from warroom_bots.bot_group import Outcome
from warroom_bots.commands.progress import ProgressLine
from warroom_bots.match_series import Tally
from warroom_bots.room_search import FoundRoom
from warroom_bots.supervision import Failure, Supervisor
from warroom_client import (
    Disconnected,
    Event,
    Paused,
    Reconnected,
    Room,
    SeatsChanged,
    Unpaused,
    Updated,
)
from warroom_games.invocation import program
from warroom_games.words import plural, printable
from warroom_protocol.addresses import http_origin
from warroom_protocol.results import Standing, ending_in_words, standings

TURNS_PER_LINE: Final = 10
SECONDS_PER_LINE: Final = 30.0
TICK_S: Final = 1.0
SHOWN_FAILURES: Final = 20
"""How many different failures are shown; more are only counted."""


class FailureReport:
    """Shows each kind of failure once, with its traceback."""

    def __init__(self, line: ProgressLine) -> None:
        self._line = line
        self._known: set[str] = set()

    def tell(self, failure: Failure) -> None:
        """Show a failure, unless it is known."""
        if failure.reason in self._known or len(self._known) >= SHOWN_FAILURES:
            return
        self._known.add(failure.reason)
        self._line.say(f"{failure.bot} failed in room {failure.room}: {failure.reason}")
        if failure.details:
            self._line.end()
            sys.stderr.write(failure.details)


class MatchProgress:
    """Shows what the first bot of a match sees."""

    def __init__(self, line: ProgressLine) -> None:
        self._line = line
        self._shown_turn = 0
        self._phase = ""

    def found(self, place: FoundRoom, seated: int, kind: BotKind, url: str) -> None:
        """Print the room and how to follow it."""
        origin = "new room" if place.is_new else "open room"
        self._line.say(f"room {place.code}: {place.game}, {place.seats} seats, {seated} x {kind.name}, {origin}")
        self._line.say(f"watch: {program(os.environ)} watch {place.code} --url {url}")

    def watch(self, room: Room, event: Event) -> None:
        """Show the events that matter to people."""
        match event:
            case SeatsChanged() if room.phase != self._phase:
                self._phase = room.phase
                taken = [state.name for state in room.seats if state.player is not None]
                self._line.say(f"{room.phase}: {', '.join(taken)}")
            case Updated():
                is_due = room.turn >= self._shown_turn + TURNS_PER_LINE
                self._shown_turn = room.turn if is_due else self._shown_turn
                self._line.show(f"turn {room.turn}", is_milestone=is_due)
            case Paused(reason=reason):
                self._line.say(f"paused: {reason}")
            case Unpaused():
                self._line.say("resumed")
            case Disconnected(reason=reason):
                self._line.say(f"{reason}; reconnecting…")
            case Reconnected():
                self._line.say("reconnected")
            case _:
                pass


class SeriesProgress:
    """Shows how far a series of matches is."""

    def __init__(self, line: ProgressLine, supervisor: Supervisor, matches: int | None) -> None:
        self._line = line
        self._supervisor = supervisor
        self._matches = matches
        self._began_s = self._shown_s = monotonic()

    @property
    def seconds(self) -> float:
        """The time since the series began."""
        return monotonic() - self._began_s

    async def tick(self, tally: Tally) -> None:
        """Show the counts every second until cancelled, also while no match ends."""
        while True:
            await asyncio.sleep(TICK_S)
            self.changed(tally)

    def changed(self, tally: Tally) -> None:
        """Show the counts."""
        now_s = monotonic()
        is_due = now_s - self._shown_s >= SECONDS_PER_LINE
        self._shown_s = now_s if is_due else self._shown_s
        self._line.show(self._in_words(tally), is_milestone=is_due)

    def say(self, line: str) -> None:
        """Print something that happened."""
        self._line.say(line)

    def _in_words(self, tally: Tally) -> str:
        goal = "" if self._matches is None else f" of {self._matches}"
        seconds = int(self.seconds)
        per_minute = 60 * tally.finished / max(self.seconds, 1.0)
        failures = self._supervisor.failures
        failed = f", {plural(failures, 'failure')}" if failures else ""
        return (
            f"{tally.finished}{goal} matches finished, {tally.running} running with {plural(tally.seats, 'seat')}, "
            f"{tally.won} won, {per_minute:.1f} a minute, {seconds // 60}:{seconds % 60:02}{failed}"
        )


# --- results --------------------------------------------------------------------------------------------------------


def match_in_words(outcome: Outcome, url: str, failures: int) -> str:
    """Return the result of a match as text."""
    code, ended = outcome.place.code, outcome.ended
    lines = [
        f"ended in turn {outcome.turns}: {ending_in_words(ended.reason)}",
        *(f"  {each.rank}. {printable(name)} (seat {each.seat}){each.note}" for each, name in _ranking(outcome)),
        f"replay: {_replay_address(url, code)}",
        f"verify: {program(os.environ)} verify {code} --url {url} {_proof_options(outcome)}",
    ]
    return "\n".join([*lines, f"failures of the bots: {failures}"] if failures else lines)


def match_as_json(outcome: Outcome, url: str, failures: int) -> str:
    """Return the result of a match as JSON."""
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
        "failures": failures,
    }
    return msgspec.json.encode(summary).decode()


def series_in_words(tally: Tally, failures: int, seconds: float) -> str:
    """Return the result of a series as text."""
    lost = tally.finished - tally.won - tally.void
    lines = [
        f"{plural(tally.finished, 'match', 'matches')} in {seconds:.0f} s",
        f"  first in {tally.won}, not first in {lost}, without a result {tally.void}",
    ]
    if tally.aborted:
        lines.append(f"  not played to the end: {tally.aborted}")
    return "\n".join([*lines, f"  failures of the bots: {failures}"] if failures else lines)


def series_as_json(game: str, bot: str, tally: Tally, failures: int, seconds: float) -> str:
    """Return the result of a series as JSON."""
    summary = {
        "game": game,
        "bot": bot,
        "matches": tally.finished,
        "won": tally.won,
        "void": tally.void,
        "aborted": tally.aborted,
        "failures": failures,
        "seconds": round(seconds, 1),
    }
    return msgspec.json.encode(summary).decode()


def _ranking(outcome: Outcome) -> list[tuple[Standing, str]]:
    """Return the standings with names, best first; a void match has none."""
    return [(each, outcome.names[each.seat]) for each in standings(outcome.ended.ranks, outcome.ended.left)]


def _proof_options(outcome: Outcome) -> str:
    """Return the commitment and chain that the bots saw, as options of `verify`."""
    commitment = f"--commitment {outcome.commitment} " if outcome.commitment else ""
    return f"{commitment}--chain {outcome.ended.chain}"


def _replay_address(url: str, code: str) -> str:
    """Return the replay address on the server at *url*."""
    return f"{http_origin(url)}/api/replays/{code}"
