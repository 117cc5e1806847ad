"""The numbered streams of a room: the public one, and one for each seat.

Numbers and bytes are a function of the log alone. A stream's history and its numbers never depend on what another
stream did, so that a hidden step leaves no trace in the streams of those it is hidden from.
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
from warroom_server.room.counters import RoomCounters
from warroom_server.room.match_messages import clock_of

RING = 64
"""Frames of each stream that are kept for viewers who come back."""

STORED = 16
"""Frames of each stream that outlive the room's owner: those that are stored with a snapshot of the room."""

SUM_EVERY = 16
"""A frame whose number is a multiple of this carries a checksum, and so does the first of a turn."""

_NO_TURN = -1
_NO_CLOCK = Clock(0, 0, None)


class Frame(Struct, frozen=True, array_like=True):
    """One frame of a stream; *follows* is the public number that a viewer has reached just before it."""

    number: int
    follows: int
    payload: bytes


class SavedStream(Struct, frozen=True, array_like=True):
    """A stream as it is stored: all but its view, which the state tells."""

    number: int
    turn: int
    ring: tuple[Frame, ...]


class SavedStreams(Struct, frozen=True, array_like=True):
    """All streams of a room as they are stored."""

    clock: Clock
    public: SavedStream
    private: tuple[SavedStream, ...]


class Frames(Struct, frozen=True):
    """What one entry adds to the streams; nothing of it is adopted yet."""

    public: View
    private: tuple[View, ...]
    turn: int
    clock: Clock
    update: Frame | None
    privates: tuple[tuple[Seat, Frame], ...]


class _Stream:
    """One stream: its view, the number and turn of its last frame, and the last frames."""

    __slots__ = ("number", "ring", "turn", "view")

    def __init__(self, saved: SavedStream, view: View) -> None:
        self.number = saved.number
        self.turn = saved.turn
        self.ring: deque[Frame] = deque(saved.ring, maxlen=RING)
        self.view = view

    def wants_sum(self, turn: int) -> bool:
        """Whether the next frame, if it comes in *turn*, carries a checksum."""
        return turn != self.turn or (self.number + 1) % SUM_EVERY == 0

    def push(self, frame: Frame, turn: int) -> None:
        self.number = frame.number
        self.turn = turn
        self.ring.append(frame)

    def after(self, number: int) -> list[Frame] | None:
        """Return the frames after *number*; None if some of them are gone, or never were."""
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
    """What makes views of a state: a game, or something that shows more of it."""

    def public(self, state: Any) -> View:
        """Return what everybody knows."""
        ...

    def private(self, state: Any, seat: Seat) -> View | None:
        """Return what *seat* knows besides."""
        ...


class Streams:
    """All streams of a room. `prepare` is pure; what it returns counts only once it was given to `adopt`."""

    def __init__(
        self, match: Match, life: int, work: RoomCounters, saved: SavedStreams | None = None, lens: Lens | None = None
    ) -> None:
        state = match.state
        game: Lens = match.game if lens is None else lens
        self._game = game
        self._room = match.opened.room
        self._life = life
        self._work = work
        saved = saved or SavedStreams(_NO_CLOCK, _NEW, ())
        self._clock = saved.clock
        self._public = _Stream(saved.public, None if state is None else game.public(state))
        self._private = [_Stream(stream, game.private(state, seat)) for seat, stream in enumerate(saved.private)]
        self._encoded: tuple[Raw, int] | None = None
        self._spectators: bytes | None = None

    @property
    def p(self) -> int:
        """The number of the last public frame."""
        return self._public.number

    def q(self, seat: Seat | None) -> int:
        """Return the number of the last private frame of *seat*; a spectator and a lobby have none."""
        return 0 if seat is None or not self._private else self._private[seat].number

    def prepare(self, match: Match, events: Sequence[Event]) -> Frames | None:
        """Return what an entry adds, with *match* as it is after it; None before the match has started."""
        if match.state is None:
            return None
        public = self._game.public(match.state)
        clock = clock_of(match)
        update = self._update(public, tuple(event.public for event in events if event.public is not None), clock)
        private: list[View] = []
        privates: list[tuple[Seat, Frame]] = []
        streams = self._private or [_Stream(_NEW, None) for _ in match.seats]
        told = _told(events) if events else {}
        for seat, stream in enumerate(streams):
            view = self._game.private(match.state, seat)
            private.append(view)
            if view is not stream.view or seat in told:
                frame = self._privately(stream, view, told.get(seat, ()), update, match.turn)
                if frame is not None:
                    privates.append((seat, frame))
        return Frames(public, tuple(private), match.turn, clock, update, tuple(privates))

    def adopt(self, frames: Frames) -> None:
        """Make what `prepare` returned last part of the streams."""
        if not self._private:
            self._private = [_Stream(_NEW, None) for _ in frames.private]
        self._public.view = frames.public
        for stream, view in zip(self._private, frames.private, strict=True):
            stream.view = view
        if frames.update is not None:
            self._public.push(frames.update, frames.turn)
            self._clock = frames.clock
            self._encoded = self._spectators = None
        for seat, frame in frames.privates:
            self._private[seat].push(frame, frames.turn)

    def begin_life(self, life: int) -> None:
        """Make all frames so far void, since some that followed them were shown and never happened."""
        self._life = life
        self._encoded = self._spectators = None
        for stream in (self._public, *self._private):
            stream.ring.clear()

    def missed(self, seat: Seat | None, position: Position) -> list[bytes] | None:
        """Return the frames after *position* in their first order; None if only a snapshot helps."""
        if position.life != self._life:
            return None
        updates = self._public.after(position.p)
        privates = [] if seat is None or not self._private else self._private[seat].after(position.q)
        if updates is None or privates is None:
            return None
        # A frame of the public stream follows the one before it, so that a private one with the same predecessor
        # (joint with this very update) goes first.
        frames = sorted((*privates, *updates), key=lambda frame: frame.follows)
        return [frame.payload for frame in frames]

    def snapshot(self, seat: Seat | None) -> bytes:
        """Return the snapshot for *seat* or a spectator; all spectators get the same bytes."""
        if seat is not None and self._private:
            return self._snapshot(self._private[seat])
        if self._spectators is None:
            self._spectators = self._snapshot(_Stream(_NEW, None))
        return self._spectators

    def saved(self) -> SavedStreams:
        """Return the streams as they are stored."""
        return SavedStreams(self._clock, self._public.saved(), tuple(stream.saved() for stream in self._private))

    def trim(self) -> None:
        """Keep of each stream what any new owner has of it.

        How many frames there are after the last snapshot tells how many steps of the log were hidden; who comes back
        must not learn it from what can still be resumed.
        """
        for stream in (self._public, *self._private):
            stream.trim()

    # --- frames ---------------------------------------------------------------------------------------------------

    def _update(self, view: View, events: tuple[View, ...], clock: Clock) -> Frame | None:
        stream = self._public
        self._work.diffs += 1
        patch = diff(stream.view, view)
        # A turn is public even where the view does not show it: viewers must learn the new deadline.
        if not (patch or events or clock.turn != self._clock.turn):
            return None
        p = stream.number + 1
        self._work.updates += 1
        message = Update(self._room, p, patch, events, clock, self._sum(stream, view, clock.turn))
        return Frame(p, p - 1, self._encode(message))

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
        message = Private(self._room, q, p, update is not None, patch, events, self._sum(stream, view, turn))
        return Frame(q, self.p, self._encode(message))

    def _sum(self, stream: _Stream, view: View, turn: int) -> int | None:
        if not stream.wants_sum(turn):
            return None
        self._work.sums += 1
        return checksum(view)

    def _snapshot(self, stream: _Stream) -> bytes:
        if self._encoded is None:
            self._encoded = _with_sum(self._public.view)
        public, public_sum = self._encoded
        private, private_sum = _with_sum(stream.view)
        self._work.snapshots += 1
        return self._encode(
            Snapshot(
                self._room, self._life, self.p, stream.number, public, private, self._clock, public_sum, private_sum
            )
        )

    def _encode(self, message: Update | Private | Snapshot) -> bytes:
        self._work.messages += 1
        return encode(message)


def _with_sum(view: View) -> tuple[Raw, int]:
    """Return a view's canonical bytes and their checksum."""
    data = canonical(view)
    return Raw(data), crc32(data)


def _told(events: Iterable[Event]) -> dict[Seat, tuple[View, ...]]:
    """Return what each seat is told besides what is public."""
    told: dict[Seat, tuple[View, ...]] = {}
    for event in events:
        for seat, form in event.private:
            told[seat] = (*told.get(seat, ()), form)
    return told
