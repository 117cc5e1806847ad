"""What follows from a room's log alone: the match, its streams and its verdicts.

This state does not depend on the clock, the node or the connections. The same log gives the same state, byte for byte.
Verdicts are kept so that an action that is sent again gets the same answer. Accepted ids come from the log and are kept
for the whole match. A snapshot contains only the last one. Refusals change nothing. The last few of each player are
kept while the player sits and the owner of the room stays the same.
"""

from collections.abc import Callable, Iterable, Mapping
from itertools import chain
from typing import Any, Final

import msgspec
from msgspec import Struct

from warroom_games import log as game_log
from warroom_games.api import AnyGame, Seat
from warroom_games.log import Acted, Entry, LogError, TimedOut
from warroom_games.match import Advanced, Match
from warroom_games.saving import dump_match, load_match
from warroom_protocol.messages import Receipt, Verdict
from warroom_server.ports.store import Append, LogEntry, StoredRoom
from warroom_server.room.streams import Frames, SavedStreams, Streams
from warroom_server.room.work_counters import RoomCounters

REFUSALS = 64
"""Refusals that are kept per player."""
_LONG_AGO: Final = (0, 0, None)
"""Numbers and receipt of an action whose entry was not folded."""
_NONE_ACCEPTED: Final[dict[int, tuple[int, int, Receipt | None]]] = {}
_NO_REFUSALS: Final[Mapping[int, Verdict]] = {}


class SavedVerdicts(Struct, frozen=True, array_like=True):
    """The verdicts of a player in a snapshot: the last acceptance and the last time-out.

    The acceptance has id, p, q and receipt. All earlier ids are in the log, so the size does not grow with the match.
    """

    accepted: tuple[int, int, int, Receipt | None] | None
    expired: tuple[int, Receipt] | None


class VerdictCache:
    """The verdicts of one player."""

    __slots__ = ("accepted", "expired", "last_id", "newest", "refused", "room")

    def __init__(self, room: int, saved: SavedVerdicts | None = None) -> None:
        self.room = room
        self.accepted = _NONE_ACCEPTED
        """By id, the stream numbers after an accepted action, and its receipt; a shared empty one at first."""
        self.newest: int | None = None
        """The action that was accepted last."""
        self.refused = _NO_REFUSALS
        """By id, the last refusals, oldest first; replaced instead of changed, because most players have none."""
        self.expired = None if saved is None else saved.expired
        """The last turn that the clock decided, and its receipt."""
        self.last_id: int | None = None
        """The action that was judged last."""
        if saved is not None and saved.accepted is not None:
            action_id, p, q, receipt = saved.accepted
            self.accepted = {action_id: (p, q, receipt)}
            self.last_id = self.newest = action_id

    @property
    def last(self) -> Verdict | None:
        """The latest verdict."""
        return None if self.last_id is None else self.find(self.last_id)

    def find(self, action_id: int) -> Verdict | None:
        """Return the verdict on an action; None if it was not judged."""
        if action_id in self.accepted:
            p, q, receipt = self.accepted[action_id]
            return Verdict(self.room, action_id, None, None, p, q, receipt)
        return self.refused.get(action_id)

    def recall(self, action_id: int) -> None:
        """Add an action that was accepted before the snapshot: every client has its effect by now."""
        if action_id not in self.accepted:  # the snapshot may know the last one exactly
            self.accepted = self.accepted or {}
            self.accepted[action_id] = _LONG_AGO

    def refuse(self, verdict: Verdict) -> None:
        """Add a refusal, and forget the oldest if there are too many."""
        self.refused = dict([*self.refused.items(), (verdict.id, verdict)][-REFUSALS:])
        self.last_id = verdict.id

    def expire(self, turn: int, receipt: Receipt) -> None:
        """Note that the clock decided *turn*."""
        self.expired = (turn, receipt)

    def receipt(self, turn: int) -> Receipt | None:
        """Return the receipt of the clock's decision *turn*; None if that was not its last one."""
        return self.expired[1] if self.expired is not None and self.expired[0] == turn else None

    def saved(self) -> SavedVerdicts:
        """Return what a new owner must know besides the log."""
        newest = None if self.newest is None else (self.newest, *self.accepted[self.newest])
        return SavedVerdicts(newest, self.expired)


class Candidate(Struct, frozen=True, gc=False):
    """An entry that may come next, and its consequences."""

    entry: Entry
    append: Append
    advanced: Advanced
    frames: Frames | None


class Actor(Struct, frozen=True, gc=False):
    """A player who may act: who sits in the room or stands in."""

    player: str
    owned: Seat | None
    """The seat that belongs to the player; None for a bot that stands in."""
    seat: Seat | None
    """The seat that the player may act for now; None for an owner while a bot stands in."""
    verdicts: VerdictCache

    @property
    def held(self) -> Seat | None:
        """The seat where the player sits or stands in."""
        return self.seat if self.owned is None else self.owned


class _Saved(Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    match: bytes
    streams: SavedStreams
    verdicts: dict[str, SavedVerdicts]


_encoder = msgspec.msgpack.Encoder()
_saved = msgspec.msgpack.Decoder(_Saved)


class LogFold:
    """The state that a log folds to. `prepare` computes the next step without a change, `adopt` takes it."""

    __slots__ = ("_verdicts", "actors", "match", "streams", "work")

    def __init__(self, match: Match, saved: _Saved | None = None) -> None:
        self.match = match
        self.work = RoomCounters()
        self.streams = Streams(match, match.life, self.work, None if saved is None else saved.streams)
        stored = {} if saved is None else saved.verdicts
        self._verdicts = {player: VerdictCache(match.opened.room, verdicts) for player, verdicts in stored.items()}
        """By player and not by seat: seat numbers are fixed only at the start, and bots stand in."""
        self.actors: dict[str, Actor] = {}
        """The players who may act, kept up to date so that no action has to look for its seat."""
        self._find_actors()

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
            candidate = log.prepare(game_log.decode_entry(logged.entry))
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

    def prepare(self, entry: Entry, action: Any = None, after: Candidate | None = None) -> Candidate:
        """Return the consequences of one more entry; raise what `Match.advance` raises.

        *action* is the action of an `Acted` that was decoded and encoded already. The entry follows *after*, or else
        the last adopted one.
        """
        before, heads = self.match, None
        if after is not None:
            before, heads = after.advanced.match, None if after.frames is None else after.frames.heads
        advanced = before.act(entry, action) if isinstance(entry, Acted) and action else before.advance(entry)
        match = advanced.match
        self.work.entries += 1
        append = Append(match.opened.room, match.rev, advanced.entry, match.chain)
        return Candidate(entry, append, advanced, self.streams.prepare(match, advanced.events, heads))

    def adopt(self, candidate: Candidate) -> Verdict | None:
        """Adopt a committed entry; return the verdict if it is an action."""
        verdict = None
        before, after, entry = self.match, candidate.advanced.match, candidate.entry
        self.match = after
        if candidate.frames is not None:
            self.streams.adopt(candidate.frames)
        if type(entry) is Acted:
            seat, credit = entry.seat, entry.credit
            receipt = Receipt(before.due(seat), credit, entry.arrived, entry.at) if credit else None
            heads = self.streams.heads
            p, q = heads.public.number, heads.private[seat].number
            verdict = Verdict(after.opened.room, entry.id, None, None, p, q, receipt)
            sitter = before.seats[seat] if entry.owners else before.stand_ins[seat] or before.seats[seat]
            assert sitter is not None, "a player acted"
            verdicts = self._verdicts[sitter.player]
            if not verdicts.accepted:
                verdicts.accepted = {}  # most players of a room that waits share an empty one
            verdicts.accepted[entry.id] = (p, q, receipt)
            verdicts.newest = verdicts.last_id = entry.id
        else:
            self._follow(entry, before)
        if after.seats is not before.seats or after.stand_ins is not before.stand_ins:
            self._find_actors()
        return verdict

    def _follow(self, entry: Entry, before: Match) -> None:
        """Follow an entry that is not an action."""
        match entry:
            case TimedOut(seat=seat):
                # Credit the player who holds the seat now: somebody else may play it later.
                self._verdicts[before.holder(seat).player].expire(before.decisions[seat], receipt_of(entry))
            case game_log.Sat(player=player) | game_log.StoodIn(player=player):
                self._verdicts.setdefault(player, VerdictCache(self.match.opened.room))
            # The verdicts of a stand-in stay after it leaves: its last action may be sent again.
            case game_log.Left(place=place) | game_log.Kicked(place=place):
                del self._verdicts[before.sitter_at(place).player]
            case game_log.RolledBack(life=life):
                self.streams.begin_life(life)
            case _:
                pass

    def _find_actors(self) -> None:
        match = self.match
        self.actors = {}
        for player in chain.from_iterable(match.sitting()):
            verdicts = self._verdicts.setdefault(player, VerdictCache(match.opened.room))
            self.actors[player] = Actor(player, match.seat_of(player), match.seat_played_by(player), verdicts)

    def _recall(self, past: Iterable[bytes]) -> None:
        """Take the accepted ids from the log before the snapshot, without folding it.

        An id is credited to everybody who played the seat. Ids are random, so nobody knows the ids of another player.
        """
        room = self.match.opened.room
        at_seat = [[self._verdicts[player] for player in players] for players in self.match.sitting()]
        for deed in game_log.deeds(past):
            if isinstance(deed, Acted):
                for verdicts in at_seat[deed.seat]:
                    verdicts.recall(deed.id)
            else:
                bots = self._verdicts.setdefault(deed.player, VerdictCache(room))
                at_seat[deed.seat] = [*(others for others in at_seat[deed.seat] if others is not bots), bots]

    def actor(self, player: str | None) -> Actor | None:
        """Return a player who may act; None for others."""
        return None if player is None else self.actors.get(player)

    def verdicts_of(self, player: str | None) -> VerdictCache | None:
        """Return the verdicts of a player who sits or stood in; None for others."""
        return None if player is None else self._verdicts.get(player)


def receipt_of(entry: TimedOut) -> Receipt:
    """Return the receipt of a time-out."""
    return Receipt(entry.deadline, entry.credit, None, entry.at)


def _opened(game: AnyGame, entries: tuple[LogEntry, ...]) -> Match:
    match = Match.open(game_log.opening_of([game_log.decode_entry(first.entry) for first in entries[:1]]), game)
    if (match.rev, match.chain) != (entries[0].rev, entries[0].chain):
        raise LogError("entry 1 is not the one that was chained there")
    return match
