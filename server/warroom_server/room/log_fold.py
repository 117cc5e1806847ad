"""What follows from a room's log alone: the match, its streams and its verdicts.

This state does not depend on the clock, the node or the connections. The same log gives the same state, byte for byte.
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
from warroom_server.ports.store import Append, LogEntry, StoredRoom
from warroom_server.room.past_verdicts import SavedVerdicts, VerdictCache
from warroom_server.room.streams import Frames, SavedStreams, Streams
from warroom_server.room.work_counters import RoomCounters


class Candidate(Struct, frozen=True):
    """An entry that may come next, and its consequences."""

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
    """The state that a log folds to. `prepare` computes the next step without a change, `adopt` takes it."""

    def __init__(self, match: Match, saved: _Saved | None = None) -> None:
        self.match = match
        self.work = RoomCounters()
        self.streams = Streams(match, match.life, self.work, None if saved is None else saved.streams)
        stored = {} if saved is None else saved.verdicts
        self._verdicts = {player: VerdictCache(match.opened.room, verdicts) for player, verdicts in stored.items()}
        """By player and not by seat: seat numbers are fixed only at the start, and bots stand in."""

    @classmethod
    def restore(
        cls, game: AnyGame, stored: StoredRoom, seen: Callable[["Candidate", Match], object] = lambda _, __: None
    ) -> "LogFold":
        """Return the state of a stored room; raise `LogError` if its log is invalid.

        *seen* is called with each entry after the snapshot and the match before it.
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
        log.streams.trim()  # a returning viewer must not see how many entries were folded
        return log

    def dump(self) -> bytes:
        """Return the snapshot that `restore` starts from."""
        seated = chain.from_iterable(self.match.sitting())
        verdicts = {player: self._verdicts[player].saved() for player in seated}
        return _encoder.encode(_Saved(dump_match(self.match), self.streams.saved(), verdicts))

    def prepare(self, entry: Entry) -> Candidate:
        """Return the consequences of one more entry; raise what `Match.advance` raises."""
        self.work.entries += 1
        advanced = self.match.advance(entry)
        frames = self.streams.prepare(advanced.match, advanced.events)
        match = advanced.match
        append = Append(match.opened.room, match.rev, advanced.entry, match.chain)
        return Candidate(entry, append, advanced, frames)

    def adopt(self, candidate: Candidate) -> None:
        """Adopt a committed entry."""
        before, self.match = self.match, candidate.advanced.match
        if candidate.frames is not None:
            self.streams.adopt(candidate.frames)
        match candidate.entry:
            case Acted(seat=seat) as entry:
                receipt = Receipt(before.due(seat), entry.credit, entry.arrived, entry.at) if entry.credit else None
                self._verdicts[before.actor(entry).player].accept(entry.id, *self.numbers(seat), receipt)
            case TimedOut(seat=seat):
                # Credit the player who holds the seat now: somebody else may play it later.
                self._verdicts[before.holder(seat).player].expire(before.decisions[seat], receipt_of(candidate.entry))
            case Sat(player=player) | StoodIn(player=player):
                self._verdicts.setdefault(player, VerdictCache(self.match.opened.room))
            # The verdicts of a stand-in stay after it leaves: its last action may be sent again.
            case Left(place=place) | Kicked(place=place):
                del self._verdicts[before.sitter_at(place).player]
            case RolledBack(life=life):
                self.streams.begin_life(life)
            case _:
                pass

    def _recall(self, past: Iterable[bytes]) -> None:
        """Take the accepted ids from the log before the snapshot, without folding it.

        An id is credited to everybody who played the seat. Ids are random, so nobody knows the ids of another player.
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
        """Return the verdicts of a player who sits or stood in; None for others."""
        return None if player is None else self._verdicts.get(player)

    def numbers(self, seat: Seat | None) -> tuple[int, int]:
        """Return the positions of the streams of *seat*: p and q."""
        return self.streams.p, self.streams.q(seat)


def receipt_of(entry: TimedOut) -> Receipt:
    """Return the receipt of a time-out."""
    return Receipt(entry.deadline, entry.credit, None, entry.at)


def _opened(game: AnyGame, entries: tuple[LogEntry, ...]) -> Match:
    match = Match.open(opening_of([decode_entry(first.entry) for first in entries[:1]]), game)
    if (match.rev, match.chain) != (entries[0].rev, entries[0].chain):
        raise LogError("entry 1 is not the one that was chained there")
    return match
