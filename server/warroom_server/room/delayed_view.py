"""The spectators of a room, and what those see who are some turns behind.

A delayed spectator gets nothing but a stream of its own, as far as the `SpectatorDelay` reaches. Once the match is over
nothing in it is secret: the rest is shown turn by turn within `TAIL_MS`, or at once if nobody watches. Seats,
conversation, the end, lists and replays follow what was shown. All of it is made anew from the whole log, so such a
room is never restored from a snapshot; a new owner of a room whose match is over shows the rest at once.
"""

from collections import deque
from collections.abc import Sequence

from msgspec import Struct

from warroom_games.api import AnyGame, Event, Seat, View
from warroom_games.log import Entry, Started
from warroom_games.match import Match
from warroom_protocol.messages import Seats
from warroom_server.room.context import RoomContext
from warroom_server.room.effects import SendAll
from warroom_server.room.log_fold import Candidate
from warroom_server.room.match_messages import ended
from warroom_server.room.presence import Absences, Here, seating, seats_message
from warroom_server.room.social.manners import Manners
from warroom_server.room.spectator_delay import SpectatorDelay
from warroom_server.room.streams import Streams

TAIL_MS = 8_000
"""How long after the end of a match its last turns are shown at most: well within the ten seconds that we promise."""


class _Step(Struct, frozen=True):
    """One entry that was not shown yet: the last turn that it belongs to, the match after it, and what happened."""

    turn: int
    match: Match
    events: tuple[Event, ...]


class _Everything:
    """The view of somebody who may know all: what is public, and what each seat knows besides."""

    def __init__(self, game: AnyGame, seats: int) -> None:
        self._game = game
        self._seats = range(seats)

    def public(self, state: object) -> View:
        """Return all of it."""
        return {
            "public": self._game.public(state),
            "seats": tuple(self._game.private(state, seat) for seat in self._seats),
        }

    def private(self, state: object, seat: Seat) -> View | None:
        """Return nothing: there is nothing besides."""
        return None


class DelayedView:
    """Shows delayed spectators what they may see by now; in any other room they see what happens as it happens."""

    def __init__(self, context: RoomContext, manners: Manners) -> None:
        self._context = context
        self._manners = manners
        options = context.match.opened.room_options
        self._delay = options.delay
        self._sees_all = options.watch == "all"
        self._streams: Streams | None = None
        self._horizon: SpectatorDelay | None = None
        self._held: deque[_Step] = deque()
        self._tick_ms = 0
        self._tick_at: int | None = None
        """When the next turn of a match that is over is shown."""

    @property
    def is_done(self) -> bool:
        """Whether spectators have seen the end."""
        return not self._held

    @property
    def streams(self) -> Streams:
        """The streams that spectators follow."""
        return self._streams or self._context.log.streams

    def seats(self) -> Seats:
        """Return who sits where, as spectators may know it: not who is there, once the match has begun."""
        context = self._context
        match = context.public_match
        if self._streams is None:
            return seats_message(match, context.audience, context.absences)
        return seats_message(match, _AllHere(context.audience.watching), Absences())

    # --- the part of a room -------------------------------------------------------------------------------------

    def due_at(self) -> int | None:
        """Return when the next turn of a match that is over will be shown."""
        return self._tick_at

    def woken(self, now: int) -> None:
        """Show the next turn of a match that is over."""
        if self._tick_at is not None and self._tick_at <= now:
            self._show_until(self._held[0].turn)
            self._tick_at = self._tick_at + self._tick_ms if self._held else None

    def entry(self, now: int) -> Entry | None:
        """Return nothing: spectators leave no trace in the log."""
        return None

    def adopted(self, candidate: Candidate, before: Match, now: int) -> None:
        """Hold what happened, and show what is due."""
        if self._horizon is None:
            return
        after = candidate.advanced.match
        # Turns in which nobody can do anything may pass within one entry.
        turn = after.turn if isinstance(candidate.entry, Started) else max(before.turn, after.turn - 1)
        self._held.append(_Step(turn, after, candidate.advanced.events))
        self._horizon.follow(after)
        self._show_until(self._horizon.newest)
        if self._held and after.is_over:
            self._catch_up(now)

    # --- the match begins ---------------------------------------------------------------------------------------

    def begin(self, before: Match, after: Match) -> None:
        """Part delayed spectators from the players, who go ahead from here on."""
        if self._delay:
            context = self._context
            lens = _Everything(after.game, len(after.seats)) if self._sees_all else None
            self._horizon = SpectatorDelay(after)
            self._streams = Streams(before, context.match.life, context.log.work, lens=lens)
            context.audience.is_delayed = True
            context.curtain.shown = after
            context.out.send_all(self.seats(), context.audience.spectators())

    def recall(self, candidate: Candidate, before: Match, now: int) -> None:
        """Take an entry of a restored log in."""
        if isinstance(candidate.entry, Started):
            self.begin(before, candidate.advanced.match)
        self.adopted(candidate, before, now)

    # --- showing it ---------------------------------------------------------------------------------------------

    def _catch_up(self, now: int) -> None:
        """Begin to show what is left of a match that is over, in equal steps; if nobody watches, show it at once."""
        if not self._context.audience.spectators():
            self._show_until(self._held[-1].turn)
            return
        turns = len({step.turn for step in self._held})
        self._tick_ms = min(self._context.match.turn_ms, TAIL_MS // turns)
        self._tick_at = now + self._tick_ms

    def _show_until(self, turn: int) -> None:
        """Show every step up to the end of *turn*."""
        while self._held and self._held[0].turn <= turn:
            self._show(self._held.popleft())
        self._manners.chat.release(turn)

    def _show(self, step: _Step) -> None:
        context, to = self._context, self._context.audience.spectators()
        assert self._streams is not None, "only a match that began has steps"
        before, context.curtain.shown = context.public_match, step.match
        if seating(before) != seating(step.match):
            context.out.send_all(self.seats(), to)
        frames = self._streams.prepare(step.match, _joined(step.events) if self._sees_all else step.events)
        assert frames is not None, "a match that began has a state"
        self._streams.adopt(frames)
        if frames.update is not None:
            context.out.add(SendAll(frames.update.payload, to))
        if (end := ended(step.match)) is not None:
            context.out.send_all(end, to)
            self._manners.lead_on(to)


class _AllHere(Here):
    """Says of everybody that they are here."""

    def __init__(self, watching: int) -> None:
        self._watching = watching

    def has(self, player: str) -> bool:
        """Whether any viewer of *player* is here: yes."""
        return True

    @property
    def watching(self) -> int:
        """How many viewers hold no seat."""
        return self._watching


def _joined(events: Sequence[Event]) -> tuple[Event, ...]:
    """Return events in the form for somebody who may know all: the public form, and the form of each seat."""
    return tuple(
        Event({"public": event.public, "seats": {str(seat): form for seat, form in event.private}}) for event in events
    )
