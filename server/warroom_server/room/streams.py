"""The numbered streams of a room: the public stream, and a private stream for each seat.

Numbers and bytes are a function of the log alone. No stream depends on what another stream did, so that a hidden step
leaves no trace in the other streams.
"""

from collections.abc import Iterable, Sequence
from typing import Any, Protocol
from zlib import crc32

from msgspec import Raw, Struct

from warroom_games.api import Event, Seat, View
from warroom_games.match import Match
from warroom_protocol.canonical import canonical, checksum
from warroom_protocol.codec import encode
from warroom_protocol.messages import Clock, Position, Private, Snapshot, Update
from warroom_protocol.patches import diff
from warroom_server.room.work_counters import RoomCounters

RING = 64
"""Frames of each stream that are kept for returning viewers."""

STORED = 16
"""Frames of each stream that a snapshot contains, and that survive a change of owner."""

SUM_EVERY = 16
"""A frame carries a checksum if its number is a multiple of this, or if it is the first of a turn."""

_NO_TURN = -1
_NO_CLOCK = Clock(0, 0, None)


class Frame(Struct, frozen=True, gc=False, array_like=True):
    """One frame of a stream. *follows* is the public number that a viewer has reached just before it."""

    number: int
    follows: int
    payload: bytes


class SavedStream(Struct, frozen=True, array_like=True):
    """A stored stream. Its view is not stored: it follows from the state."""

    number: int
    turn: int
    ring: tuple[Frame, ...]


class SavedStreams(Struct, frozen=True, array_like=True):
    """All stored streams of a room."""

    clock: Clock
    public: SavedStream
    private: tuple[SavedStream, ...]


class Head(Struct, frozen=True, gc=False):
    """Where a stream is: the number and turn of its last frame, and its view."""

    number: int
    turn: int
    view: View


class Heads(Struct, frozen=True, gc=False):
    """Where all streams of a room are, and the clock of the last update. There are no private ones before the start."""

    public: Head
    private: tuple[Head, ...]
    clock: Clock


class Frames(Struct, frozen=True, gc=False):
    """What one entry adds to the streams, not adopted yet."""

    heads: Heads
    """The streams after the entry."""
    update: Frame | None
    privates: tuple[tuple[Seat, Frame], ...]


_NEW = SavedStream(0, _NO_TURN, ())
_FIRST = Head(0, _NO_TURN, None)


class Lens(Protocol):
    """Makes views of a state: a game, or a wrapper that shows more of it."""

    def public(self, state: Any) -> View:
        """Return the public view."""

    def private(self, state: Any, seat: Seat) -> View | None:
        """Return the private view of *seat*."""


class Streams:
    """All streams of a room. `prepare` is pure; its result takes effect through `adopt`."""

    __slots__ = (
        "_encoded", "_game", "_has_banks", "_life", "_privates", "_room", "_spectators", "_updates", "_work", "heads"
    )  # fmt: skip

    def __init__(
        self, match: Match, life: int, work: RoomCounters, saved: SavedStreams | None = None, lens: Lens | None = None
    ) -> None:
        state = match.state
        game: Lens = match.game if lens is None else lens
        self._game = game
        self._room = match.opened.room
        self._life = life
        self._work = work
        options = match.opened.room_options
        self._has_banks = bool(options.bank_ms or options.increment_ms)
        saved = saved or SavedStreams(_NO_CLOCK, _NEW, ())
        public, private = saved.public, saved.private
        self.heads = Heads(
            Head(public.number, public.turn, None if state is None else game.public(state)),
            tuple(Head(each.number, each.turn, game.private(state, seat)) for seat, each in enumerate(private)),
            saved.clock,
        )
        """The streams after the last adopted entry."""
        self._updates = list(public.ring)
        self._privates = {seat: list(stream.ring) for seat, stream in enumerate(private) if stream.ring}
        """By seat, its recent frames; nothing of seats that were shown nothing."""
        self._encoded: tuple[Raw, int] | None = None
        self._spectators: bytes | None = None

    def numbers(self, seat: Seat | None) -> tuple[int, int]:
        """Return the numbers of the last frames for *seat*: p, and q, which is zero for spectators and in the lobby."""
        heads = self.heads
        return heads.public.number, 0 if seat is None or not heads.private else heads.private[seat].number

    def prepare(self, match: Match, events: Sequence[Event], heads: Heads | None = None) -> Frames | None:
        """Return what an entry adds, with *match* as it is after the entry; None before the start.

        *heads* is where the streams are if the entry follows another one that is not adopted yet.
        """
        state, turn, work = match.state, match.turn, self._work
        if state is None:
            return None
        heads = heads or self.heads
        head, before, update = heads.public, heads.clock, None
        public, view_of = self._game.public(state), self._game.private
        work.diffs += 1
        patch = diff(head.view, public)
        banks = tuple(clock.bank for clock in match.clocks) if self._has_banks else ()
        clock = Clock(match.at, turn, match.deadline, banks)
        shown = tuple(event.public for event in events if event.public is not None) if events else ()
        # The turn is public even if the view does not show it: viewers must learn the new deadline.
        if patch or shown or turn != before.turn:
            p = head.number + 1
            work.updates += 1
            work.messages += 1
            is_same = turn == before.turn and match.deadline == before.deadline and banks == before.banks
            total = self._sum(public) if turn != head.turn or p % SUM_EVERY == 0 else None
            update = Frame(p, p - 1, encode(Update(self._room, p, patch, shown, None if is_same else clock, total)))
            head = Head(p, turn, public)
        else:
            head, clock = Head(head.number, head.turn, public), before
        told = _told(events) if events else {}
        private = list(heads.private or (_FIRST,) * len(match.seats))
        privates: list[tuple[Seat, Frame]] = []
        for seat, own in enumerate(private):
            view = view_of(state, seat)
            if view is not own.view or seat in told:  # an unchanged view is the same object
                frame = self._privately(own, view, told.get(seat, ()), update, turn, p=heads.public.number)
                if frame is not None:
                    privates.append((seat, frame))
                private[seat] = Head(own.number, own.turn, view) if frame is None else Head(frame.number, turn, view)
        return Frames(Heads(head, tuple(private), clock), update, tuple(privates))

    def adopt(self, frames: Frames) -> None:
        """Adopt the frames of the next entry."""
        self.heads = frames.heads
        if frames.update is not None:
            self._updates.append(frames.update)
            del self._updates[:-RING]
            self._encoded = self._spectators = None
        for seat, frame in frames.privates:
            ring = self._privates.setdefault(seat, [])
            ring.append(frame)
            del ring[:-RING]

    def begin_life(self, life: int) -> None:
        """Discard all kept frames: the store lost frames after them that viewers have seen."""
        self._life = life
        self._encoded = self._spectators = None
        self._updates.clear()
        self._privates.clear()

    def missed(self, seat: Seat | None, position: Position) -> list[bytes] | None:
        """Return the frames after *position*, in their original order; None if the viewer needs a snapshot."""
        if position.life != self._life:
            return None
        heads, (p, q) = self.heads, self.numbers(seat)
        updates = _last(self._updates, p - position.p)
        privates = [] if seat is None or not heads.private else _last(self._privates.get(seat, []), q - position.q)
        if updates is None or privates is None:
            return None
        # A public frame follows its predecessor. A private frame of the same entry has the same predecessor and goes
        # first, as it did originally.
        frames = sorted((*privates, *updates), key=lambda frame: frame.follows)
        return [frame.payload for frame in frames]

    def snapshot(self, seat: Seat | None) -> bytes:
        """Return the snapshot for *seat* or a spectator; all spectators get the same bytes."""
        if seat is not None and self.heads.private:
            return self._snapshot(self.heads.private[seat])
        if self._spectators is None:
            self._spectators = self._snapshot(_FIRST)
        return self._spectators

    def saved(self) -> SavedStreams:
        """Return the streams for a snapshot of the room."""
        heads = self.heads
        private = tuple(_saved(head, self._privates.get(seat, [])) for seat, head in enumerate(heads.private))
        return SavedStreams(heads.clock, _saved(heads.public, self._updates), private)

    def trim(self) -> None:
        """Keep only the frames that any new owner would have.

        The number of frames since the last snapshot would reveal how many steps of the log were hidden. A returning
        viewer must not learn this from the frames that can be resumed.
        """
        for ring in (self._updates, *self._privates.values()):
            del ring[:-STORED]

    # --- frames ---------------------------------------------------------------------------------------------------

    def _privately(
        self, head: Head, view: View, events: tuple[View, ...], update: Frame | None, turn: int, *, p: int
    ) -> Frame | None:
        """Return the next frame of a private stream, for a viewer that has reached the public number *p*."""
        self._work.diffs += 1
        patch = diff(head.view, view)
        if not (patch or events):
            return None
        q = head.number + 1
        shown_with = p if update is None else update.number
        self._work.privates += 1
        self._work.messages += 1
        total = self._sum(view) if turn != head.turn or q % SUM_EVERY == 0 else None
        return Frame(q, p, encode(Private(self._room, q, shown_with, update is not None, patch, events, total)))

    def _sum(self, view: View) -> int:
        self._work.sums += 1
        return checksum(view)

    def _snapshot(self, head: Head) -> bytes:
        heads, room, life = self.heads, self._room, self._life
        if self._encoded is None:
            self._encoded = _with_sum(heads.public.view)
        public, public_sum = self._encoded
        private, private_sum = _with_sum(head.view)
        self._work.snapshots += 1
        self._work.messages += 1
        p, q = heads.public.number, head.number
        return encode(Snapshot(room, life, p, q, public, private, heads.clock, public_sum, private_sum))


def _last(ring: list[Frame], count: int) -> list[Frame] | None:
    """Return the last *count* frames; None if some are gone or the count is impossible."""
    return ring[len(ring) - count :] if 0 <= count <= len(ring) else None


def _saved(head: Head, ring: list[Frame]) -> SavedStream:
    return SavedStream(head.number, head.turn, tuple(ring[-STORED:]))


def _with_sum(view: View) -> tuple[Raw, int]:
    """Return a view's canonical bytes and their checksum."""
    data = canonical(view)
    return Raw(data), crc32(data)


def _told(events: Iterable[Event]) -> dict[Seat, tuple[View, ...]]:
    """Return the private events of each seat."""
    told: dict[Seat, tuple[View, ...]] = {}
    for event in events:
        for seat, form in event.private:
            told[seat] = (*told.get(seat, ()), form)
    return told
