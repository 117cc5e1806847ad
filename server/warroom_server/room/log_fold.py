"""What follows from a room's log alone: the match, its streams and its verdicts.

Nothing in here knows the clock, the node or who is connected. Whoever has the log has the ledger, to the byte.
"""

from collections.abc import Callable, Iterable
from itertools import chain

import msgspec
from msgspec import Struct

from warroom_games.api import AnyGame, Seat
from warroom_games.log import (
    Acted,
    Entry,
    Kicked,
    Left,
    LogError,
    RolledBack,
    Sat,
    StoodIn,
    TimedOut,
    decode_entry,
    deeds,
    opening_of,
)
from warroom_games.match import Advanced, Match
from warroom_games.saving import dump_match, load_match
from warroom_protocol.messages import Receipt
from warroom_server.ports.store import LogEntry, StoredRoom
from warroom_server.room.counters import RoomCounters
from warroom_server.room.effects import Append
from warroom_server.room.streams import Frames, SavedStreams, Streams
from warroom_server.room.verdict_cache import SavedVerdicts, VerdictCache


class Candidate(Struct, frozen=True):
    """An entry that may come next, and all that would follow from it."""

    entry: Entry
    append: Append
    advanced: Advanced
    frames: Frames | None


class _Saved(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    match: bytes
    streams: SavedStreams
    verdicts: dict[str, SavedVerdicts]


_encoder = msgspec.msgpack.Encoder()
_saved = msgspec.msgpack.Decoder(_Saved)


class LogFold:
    """The fold of a log. `prepare` looks ahead and changes nothing, `adopt` goes there."""

    def __init__(self, match: Match, saved: _Saved | None = None) -> None:
        self.match = match
        self.work = RoomCounters()
        self.streams = Streams(match, match.life, self.work, None if saved is None else saved.streams)
        stored = {} if saved is None else saved.verdicts
        self._verdicts = {player: VerdictCache(match.opened.room, verdicts) for player, verdicts in stored.items()}
        """By player, because places become seats only when the match starts, and bots stand in."""

    @classmethod
    def restore(
        cls, game: AnyGame, stored: StoredRoom, seen: Callable[["Candidate", Match], object] = lambda _, __: None
    ) -> "LogFold":
        """Return the ledger of a stored room; raise `LogError` if its log does not hold.

        *seen* is told of each entry after the snapshot, with the match before it.
        """
        entries = stored.entries
        if stored.snapshot is not None:
            saved = _saved.decode(stored.snapshot[1])
            log = cls(load_match(saved.match, game), saved)
            log._recall(stored.past)
        else:
            log, entries = cls(_opened(game, entries)), entries[1:]
        for logged in entries:
            candidate = log.prepare(decode_entry(logged.entry))
            if (candidate.append.rev, candidate.append.chain) != (logged.rev, logged.chain):
                raise LogError(f"entry {logged.rev} is not the one that was chained there")
            seen(candidate, log.match)
            log.adopt(candidate)
        log.streams.trim()
        return log

    def dump(self) -> bytes:
        """Return all of it as bytes, from which `restore` goes on."""
        seated = chain.from_iterable(self.match.sitting())
        verdicts = {player: self._verdicts[player].saved() for player in seated}
        return _encoder.encode(_Saved(dump_match(self.match), self.streams.saved(), verdicts))

    def prepare(self, entry: Entry) -> Candidate:
        """Return what would follow from one more entry; raise what `Match.advance` raises."""
        self.work.entries += 1
        advanced = self.match.advance(entry)
        frames = self.streams.prepare(advanced.match, advanced.events)
        append = Append(advanced.match.rev, advanced.entry, advanced.match.chain)
        return Candidate(entry, append, advanced, frames)

    def adopt(self, candidate: Candidate) -> None:
        """Take the entry as written."""
        before, self.match = self.match, candidate.advanced.match
        if candidate.frames is not None:
            self.streams.adopt(candidate.frames)
        match candidate.entry:
            case Acted(seat=seat) as entry:
                receipt = Receipt(before.due(seat), entry.credit, entry.arrived, entry.at) if entry.credit else None
                self._verdicts[before.actor(entry).player].accept(entry.id, *self.numbers(seat), receipt)
            case TimedOut(seat=seat):
                # Later the seat may be another's to play.
                self._verdicts[before.holder(seat).player].expire(before.decisions[seat], receipt_of(candidate.entry))
            case Sat(player=player) | StoodIn(player=player):
                self._verdicts.setdefault(player, VerdictCache(self.match.opened.room))
            case Left(place=place) | Kicked(place=place):
                del self._verdicts[before.sitter_at(place).player]
            case RolledBack(life=life):
                self.streams.begin_life(life)
            case _:
                pass

    def _recall(self, past: Iterable[bytes]) -> None:
        """Take accepted ids from the log before the snapshot, which is not folded again.

        Who of those that played at a seat sent an action is not looked into: ids are random, so nobody knows another's.
        """
        room = self.match.opened.room
        at_seat = [[self._verdicts[player] for player in players] for players in self.match.sitting()]
        for deed in deeds(past):
            if isinstance(deed, Acted):
                for verdicts in at_seat[deed.seat]:
                    verdicts.recall(deed.id)
            else:
                bots = self._verdicts.setdefault(deed.player, VerdictCache(room))
                at_seat[deed.seat] = [*(others for others in at_seat[deed.seat] if others is not bots), bots]

    def verdicts_of(self, player: str | None) -> VerdictCache | None:
        """Return the verdicts of somebody who sits or stood in; None for anybody else."""
        return None if player is None else self._verdicts.get(player)

    def numbers(self, seat: Seat | None) -> tuple[int, int]:
        """Return where the streams of *seat* stand: p and q."""
        return self.streams.p, self.streams.q(seat)


def receipt_of(entry: TimedOut) -> Receipt:
    """Return how the clock came to act."""
    return Receipt(entry.deadline, entry.credit, None, entry.at)


def _opened(game: AnyGame, entries: tuple[LogEntry, ...]) -> Match:
    match = Match.open(opening_of([decode_entry(first.entry) for first in entries[:1]]), game)
    if (match.rev, match.chain) != (entries[0].rev, entries[0].chain):
        raise LogError("entry 1 is not the one that was chained there")
    return match
