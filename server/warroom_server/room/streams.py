"""The numbered streams of a room: the public stream, and a private stream for each seat.

Numbers and bytes are a function of the log alone. No stream depends on what another stream did, so that a hidden step
leaves no trace in the other streams.
"""

from collections import deque
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


class Frames(Struct, frozen=True, gc=False):
    """What one entry adds to the streams, not adopted yet."""

    public: View
    private: tuple[View, ...]
    turn: int
    clock: Clock
    update: Frame | None
    privates: tuple[tuple[Seat, Frame], ...]


class _Stream:
    """One stream: its view, the number and turn of its last frame, and the recent frames."""

    __slots__ = ("number", "ring", "turn", "view")

    def __init__(self, saved: SavedStream, view: View) -> None:
        self.number = saved.number
        self.turn = saved.turn
        self.ring: deque[Frame] = deque(saved.ring, maxlen=RING)
        self.view = view

    def after(self, number: int) -> list[Frame] | None:
        """Return the frames after *number*; None if some are gone or *number* is impossible."""
        missed = self.number - number
        if not 0 <= missed <= len(self.ring):
            return None
        return list(self.ring)[len(self.ring) - missed :]

    def saved(self) -> SavedStream:
        return SavedStream(self.number, self.turn, tuple(self.ring)[-STORED:])

    def trim(self) -> None:
        while len(self.ring) > STORED:
            self.ring.popleft()


_NEW = SavedStream(0, _NO_TURN, ())


class Lens(Protocol):
    """Makes views of a state: a game, or a wrapper that shows more of it."""

    def public(self, state: Any) -> View:
        """Return the public view."""

    def private(self, state: Any, seat: Seat) -> View | None:
        """Return the private view of *seat*."""


class Streams:
    """All streams of a room. `prepare` is pure; its result takes effect through `adopt`."""

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
        self._clock = saved.clock
        self.public = _Stream(saved.public, None if state is None else game.public(state))
        self.private = [_Stream(stream, game.private(state, seat)) for seat, stream in enumerate(saved.private)]
        self._encoded: tuple[Raw, int] | None = None
        self._spectators: bytes | None = None

    @property
    def p(self) -> int:
        """The number of the last public frame."""
        return self.public.number

    def numbers(self, seat: Seat | None) -> tuple[int, int]:
        """Return the numbers of the last frames for *seat*: p, and q, which is zero for spectators and in the lobby."""
        return self.public.number, 0 if seat is None or not self.private else self.private[seat].number

    def prepare(self, match: Match, events: Sequence[Event]) -> Frames | None:
        """Return what an entry adds, with *match* as it is after the entry; None before the start."""
        state, turn, stream, work = match.state, match.turn, self.public, self._work
        if state is None:
            return None
        public, view_of = self._game.public(state), self._game.private
        work.diffs += 1
        patch = diff(stream.view, public)
        banks = tuple(clock.bank for clock in match.clocks) if self._has_banks else ()
        clock, before, update = Clock(match.at, turn, match.deadline, banks), self._clock, None
        shown = tuple(event.public for event in events if event.public is not None) if events else ()
        # The turn is public even if the view does not show it: viewers must learn the new deadline.
        if patch or shown or turn != before.turn:
            p = stream.number + 1
            work.updates += 1
            work.messages += 1
            is_same = turn == before.turn and match.deadline == before.deadline and banks == before.banks
            total = self._sum(public) if turn != stream.turn or p % SUM_EVERY == 0 else None
            update = Frame(p, p - 1, encode(Update(self._room, p, patch, shown, None if is_same else clock, total)))
        told = _told(events) if events else {}
        private: list[View] = []
        privates: list[tuple[Seat, Frame]] = []
        for seat, own in enumerate(self.private or [_Stream(_NEW, None) for _ in match.seats]):
            view = view_of(state, seat)
            private.append(view)
            if view is not own.view or seat in told:  # an unchanged view is the same object
                frame = self._privately(own, view, told.get(seat, ()), update, turn)
                if frame is not None:
                    privates.append((seat, frame))
        return Frames(public, tuple(private), turn, clock, update, tuple(privates))

    def adopt(self, frames: Frames) -> None:
        """Adopt the last result of `prepare`."""
        if not self.private:
            self.private = [_Stream(_NEW, None) for _ in frames.private]
        stream, update = self.public, frames.update
        stream.view = frames.public
        for private, view in zip(self.private, frames.private, strict=True):
            private.view = view
        if update is not None:
            stream.number, stream.turn = update.number, frames.turn
            stream.ring.append(update)
            self._clock = frames.clock
            self._encoded = self._spectators = None
        for seat, frame in frames.privates:
            private = self.private[seat]
            private.number, private.turn = frame.number, frames.turn
            private.ring.append(frame)

    def begin_life(self, life: int) -> None:
        """Discard all kept frames: the store lost frames after them that viewers have seen."""
        self._life = life
        self._encoded = self._spectators = None
        for stream in (self.public, *self.private):
            stream.ring.clear()

    def missed(self, seat: Seat | None, position: Position) -> list[bytes] | None:
        """Return the frames after *position*, in their original order; None if the viewer needs a snapshot."""
        if position.life != self._life:
            return None
        updates = self.public.after(position.p)
        privates = [] if seat is None or not self.private else self.private[seat].after(position.q)
        if updates is None or privates is None:
            return None
        # A public frame follows its predecessor. A private frame of the same entry has the same predecessor and goes
        # first, as it did originally.
        frames = sorted((*privates, *updates), key=lambda frame: frame.follows)
        return [frame.payload for frame in frames]

    def snapshot(self, seat: Seat | None) -> bytes:
        """Return the snapshot for *seat* or a spectator; all spectators get the same bytes."""
        if seat is not None and self.private:
            return self._snapshot(self.private[seat])
        if self._spectators is None:
            self._spectators = self._snapshot(_Stream(_NEW, None))
        return self._spectators

    def saved(self) -> SavedStreams:
        """Return the streams for a snapshot of the room."""
        return SavedStreams(self._clock, self.public.saved(), tuple(stream.saved() for stream in self.private))

    def trim(self) -> None:
        """Keep only the frames that any new owner would have.

        The number of frames since the last snapshot would reveal how many steps of the log were hidden. A returning
        viewer must not learn this from the frames that can be resumed.
        """
        for stream in (self.public, *self.private):
            stream.trim()

    # --- frames ---------------------------------------------------------------------------------------------------

    def _privately(
        self, stream: _Stream, view: View, events: tuple[View, ...], update: Frame | None, turn: int
    ) -> Frame | None:
        self._work.diffs += 1
        patch = diff(stream.view, view)
        if not (patch or events):
            return None
        q = stream.number + 1
        p = self.p if update is None else update.number
        self._work.privates += 1
        self._work.messages += 1
        is_summed = turn != stream.turn or q % SUM_EVERY == 0
        message = Private(self._room, q, p, update is not None, patch, events, self._sum(view) if is_summed else None)
        return Frame(q, self.p, encode(message))

    def _sum(self, view: View) -> int:
        self._work.sums += 1
        return checksum(view)

    def _snapshot(self, stream: _Stream) -> bytes:
        if self._encoded is None:
            self._encoded = _with_sum(self.public.view)
        public, public_sum = self._encoded
        private, private_sum = _with_sum(stream.view)
        self._work.snapshots += 1
        self._work.messages += 1
        return encode(
            Snapshot(
                self._room, self._life, self.p, stream.number, public, private, self._clock, public_sum, private_sum
            )
        )


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
