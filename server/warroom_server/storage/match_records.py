"""The records of finished matches: what lists show, and the results for ratings."""

from collections.abc import Iterable, Sequence
from typing import Final

import msgspec
from msgspec import Struct

from warroom_games.api import Result
from warroom_games.log import Entry, Kicked, Left, Opened, Sat, Started
from warroom_games.match import Match
from warroom_games.seating import Sitter
from warroom_protocol.codes import END_VOID
from warroom_protocol.messages import ListedPlayer, MatchSummary
from warroom_protocol.results import rated_ranks
from warroom_protocol.rooms import room_code
from warroom_server.ports.records import MatchRecord
from warroom_server.room.match_messages import counts, rated_seats


class RatedSeat(Struct, frozen=True, array_like=True):
    """One seat of a match that counts: the id and name of its rating, and the rank that counts."""

    rating_id: str
    name: str
    bot: str | None
    rank: int
    has_left: bool = False
    """Whether its owner left it to a bot, or it is a bot that resigned: then its rating may not rise."""


class MatchResult(Struct, frozen=True, array_like=True):
    """A result that counts."""

    seats: tuple[RatedSeat, ...]

    @property
    def players(self) -> list[str]:
        """The ids of the ratings that it changes."""
        return sorted({seat.rating_id for seat in self.seats})

    @property
    def is_among_bots(self) -> bool:
        """Whether it counts for the bots' ladder; where a person played, one of the ratings is that of a person."""
        return all(seat.bot is not None for seat in self.seats)


read_result: Final = msgspec.msgpack.Decoder(MatchResult).decode
"""Return the result that `record_of` wrote; raise what msgspec raises for anything else."""
read_summary: Final = msgspec.msgpack.Decoder(MatchSummary).decode
"""Return the summary that `record_of` wrote."""


def record_of(match: Match, *, ended_ms: int) -> MatchRecord:
    """Return the record of a match that is over."""
    assert match.result is not None, "the match is over"
    sitters = [sitter for sitter in match.seats if sitter is not None]
    return _record(
        match.opened,
        sitters,
        match.result,
        ended_ms=ended_ms,
        turns=max(match.turn, 0),
        rated=_rated_result(match, match.result) if counts(match) else None,
        has_begun=match.state is not None,
    )


def record_without_result(opened: Opened, log: Sequence[Entry], *, ended_ms: int, detail: str) -> MatchRecord:
    """Return the record of a match whose final state is unknown, from its log; *detail* says why it ended."""
    has_begun = any(isinstance(entry, Started) for entry in log)
    result = Result(ranks=(), reason=END_VOID, detail=detail)
    return _record(opened, seated(log), result, ended_ms=ended_ms, has_begun=has_begun)


def seated(log: Iterable[Entry]) -> list[Sat]:
    """Return who sat when a match began, or at the end of its log if it did not, in the order of the places."""
    sat: dict[int, Sat] = {}
    for entry in log:
        match entry:
            case Sat():
                sat[entry.place] = entry
            case Left() | Kicked():
                del sat[entry.place]
            case _:
                pass
    return [sat[place] for place in sorted(sat)]


def _record(
    opened: Opened,
    sitters: Sequence[Sitter | Sat],
    result: Result,
    *,
    ended_ms: int,
    turns: int = 0,
    rated: MatchResult | None = None,
    has_begun: bool,
) -> MatchRecord:
    summary = MatchSummary(
        room=opened.room,
        code=room_code(opened.room),
        game=opened.game,
        rules_version=opened.rules_version,
        players=tuple(ListedPlayer(each.player, each.name, each.bot) for each in sitters),
        ranks=result.ranks,
        reason=result.reason,
        ended_ms=ended_ms,
        turns=turns,
        rated=rated is not None,
        left=result.left,
        detail=result.detail,
    )
    return MatchRecord(
        room=opened.room,
        game=opened.game,
        players=tuple(each.player for each in sitters if not each.hired),
        ended_ms=ended_ms,
        summary=msgspec.msgpack.encode(summary),
        result=None if rated is None else msgspec.msgpack.encode(rated),
        is_listed=not opened.room_options.private and has_begun,
    )


def _rated_result(match: Match, result: Result) -> MatchResult:
    rated, seats = rated_seats(match), []
    has_people = any(match.sitter_at(seat).bot is None for seat in rated)
    left = result.left if has_people else (*result.left, *match.out)
    ranks = rated_ranks(result.ranks, left)
    for seat, rating_id in rated.items():
        sitter = match.sitter_at(seat)
        name = sitter.bot if sitter.hired and sitter.bot else sitter.name
        seats.append(RatedSeat(rating_id, name, sitter.bot, ranks[seat], seat in left))
    return MatchResult(tuple(seats))
