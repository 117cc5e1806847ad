"""The results of matches, and the file that keeps them: a header with the settings, then a line for each match.

A match is added as soon as it is over, so an interrupted run loses only the matches under way. The same command goes on
with the same file. All matches are numbered; their order in the file means nothing.
"""

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final, Literal, TypeAlias

import msgspec
from msgspec import Struct

from warroom_bots.arena.contest import Contest, difference
from warroom_bots.victory import victory_shares
from warroom_games.api import Seat

FORMAT: Final = 1

Kind: TypeAlias = Literal["crash", "hang", "died", "illegal"]
"""It raised an exception, exceeded the move limit, ended its process, or chose an action that the rules refuse."""


VOID: Final = "void: "
"""What the reason of a match without a result begins with."""
HANGS: Final = "the game hangs"


class Fault(Struct, frozen=True):
    """Why a bot lost its match early, and at which of its decisions (0: before the first)."""

    seat: Seat
    kind: Kind
    decision: int
    detail: str


class MatchResult(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """One finished match; all tuples are by seat."""

    match: int
    bots: tuple[str, ...]
    ranks: tuple[int, ...]
    """1 is best, ties share a rank; empty if the match is void."""
    reason: str
    turns: int = 0
    moves: tuple[int, ...] = ()
    think_ms: tuple[float, ...] = ()
    """The total thinking time."""
    slowest_ms: tuple[float, ...] = ()
    missed: tuple[int, ...] = ()
    """The moves that came too late for a server's clock; empty if there were none."""
    faults: tuple[Fault, ...] = ()
    room: str = ""
    """Its room, if it was played on a server."""

    @property
    def is_void(self) -> bool:
        """Whether the match has no result, because the game or the server failed."""
        return not self.ranks

    def share(self, seat: Seat) -> float:
        """Return the seat's share of the victory: all of it, or an equal part if several are first."""
        return victory_shares(self.ranks)[seat]


class ResultsError(ValueError):
    """The file has other settings, or is no file of results."""


class _Header(Struct, frozen=True):
    arena: int
    contest: Contest


class ResultsFile:
    """A file of results; without a path, results are only kept in memory."""

    def __init__(self, path: Path | None, contest: Contest) -> None:
        """Read what is there; raise `ResultsError`, and change nothing, if it belongs to other settings."""
        self._path = path
        self._contest = contest
        self.results: dict[int, MatchResult] = {}
        self._size = 0
        """The size of the complete lines; what follows was cut off by a crash."""
        if path is not None and path.exists():
            self._read(path)

    def open(self) -> None:
        """Make the file ready for more results; raise `OSError` if it cannot be written."""
        if self._path is None:
            return
        if self._size == 0:
            self._path.write_bytes(_line(_Header(FORMAT, self._contest)))
            return
        with self._path.open("r+b") as file:
            file.truncate(self._size)

    def add(self, result: MatchResult) -> None:
        """Keep the result of a match."""
        self.results[result.match] = result
        if self._path is not None:
            with self._path.open("ab") as file:
                file.write(_line(result))

    def first(self, count: int) -> list[MatchResult]:
        """Return the results of the first matches, in order; those that were not played yet are left out."""
        return [result for number, result in sorted(self.results.items()) if number < count]

    def missing(self, count: int) -> list[int]:
        """Return the numbers of the first matches that have no result; a void one is played again."""
        return [number for number in range(count) if number not in self.results or self.results[number].is_void]

    def _read(self, path: Path) -> None:
        data = path.read_bytes()
        complete = data[: data.rfind(b"\n") + 1]
        if not complete:
            if data and not _line(_Header(FORMAT, self._contest)).startswith(data):
                raise ResultsError(f"{path} is not a file of arena results")
            return
        head, *lines = complete.splitlines()
        try:
            header = msgspec.json.decode(head, type=_Header)
            results = [msgspec.json.decode(line, type=MatchResult) for line in lines]
        except msgspec.MsgspecError as error:
            raise ResultsError(f"{path} is not a file of arena results") from error
        changed = difference(header.contest, self._contest)
        if header.arena != FORMAT or changed is not None:
            was = changed or f"format {header.arena}, not {FORMAT}"
            raise ResultsError(f"{path} has results of other settings: {was}; choose another --out")
        self.results = {result.match: result for result in results}
        self._size = len(complete)


def ranked_last(ranks: Sequence[int], offenders: Sequence[Seat]) -> tuple[int, ...]:
    """Return ranks in which the offenders are last: the earlier a seat was at fault, the lower its rank."""
    others = [rank for seat, rank in enumerate(ranks) if seat not in offenders]
    last = {seat: len(ranks) - place for place, seat in enumerate(offenders)}
    return tuple(
        last[seat] if seat in last else 1 + sum(other < rank for other in others) for seat, rank in enumerate(ranks)
    )


def names_of(contest: Contest, bots: Iterable[int]) -> tuple[str, ...]:
    """Return the names of bots given by number."""
    return tuple(contest.bots[bot].name for bot in bots)


def _line(value: Struct) -> bytes:
    return msgspec.json.encode(value) + b"\n"
