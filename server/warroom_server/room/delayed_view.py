"""The view of delayed spectators, who are some turns behind the players.

Delayed spectators follow a stream of their own, up to the turn that `SpectatorDelay` allows. Nothing is secret after
the match: the remaining turns follow within `TAIL_MS`, or at once if nobody watches. Seats, chat, the end, lists and
replays follow the same view. It is rebuilt from the whole log, so a room with a delay is never restored from a
snapshot. If the match is over by then, the new owner shows the remaining turns at once.
"""

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
from warroom_server.room.presence import seating, seats_message
from warroom_server.room.social.chat import Chat
from warroom_server.room.social.offers import MatchOffers
from warroom_server.room.streams import Streams

TAIL_MS = 8_000
"""Time within which the last turns follow the end of a match; the documents promise ten seconds."""


class SpectatorDelay:
    """Follows a match from its start and decides which turns spectators may see.

    A turn is visible once the match is *delay* turns further. Spectators of all hands also wait until every rival of
    the asked seats has completed a later turn, because the order of seats may change between rounds. The limit changes
    only when a turn begins, so that it reveals nothing about events within a turn.
    """

    __slots__ = ("_asked", "_completed", "_delay", "_sees_all", "_skipped", "_turn", "newest")

    def __init__(self, started: Match) -> None:
        options = started.opened.room_options
        self._delay = options.delay
        self._sees_all = options.watch == "all"
        self._turn = self._skipped = started.turn
        """The running turn, and the last turn in which no seat was asked."""
        self._asked = started.asked
        self._completed = [started.turn - 1] * len(started.seats)
        """By seat, the last completed turn in which it was asked; initially the turn before the first one."""
        self.newest = started.turn - self._delay
        """The newest visible turn."""

    def follow(self, match: Match) -> None:
        """Follow the match after one more entry."""
        if match.turn == self._turn:
            return
        for seat in self._asked:
            self._completed[seat] = self._turn
        if match.turn > self._turn + 1:
            self._skipped = match.turn - 1
        self._turn, self._asked = match.turn, match.asked
        newest = match.turn - self._delay
        self.newest = min([newest, *(turn - 1 for turn in self._rivals(match))]) if self._sees_all else newest

    def _rivals(self, match: Match) -> list[int]:
        """Return the last turn that each rival has certainly completed.

        Every active seat has one turn in each round. With n seats its last turn is at most 2 n - 2 turns ago. A seat
        that was not asked for longer had its turns skipped; if no turns were skipped, it is out.
        """
        oldest = self._turn - 2 * (len(self._completed) - 1)
        asked = self._asked if len(self._asked) == 1 else frozenset()
        return [
            max(turn, oldest)
            for seat, turn in enumerate(self._completed)
            if seat not in match.out | asked and (turn >= oldest or self._skipped >= oldest)
        ]


class _Step(Struct, frozen=True):
    """An entry that spectators have not seen: its last turn, the match after it, and its events."""

    turn: int
    match: Match
    events: tuple[Event, ...]


class _Everything:
    """The view of spectators of all hands: the public view and the private view of each seat."""

    __slots__ = ("_game", "_seats")

    def __init__(self, game: AnyGame, seats: int) -> None:
        self._game = game
        self._seats = range(seats)

    def public(self, state: object) -> View:
        """Return the public view and all private views."""
        return {
            "public": self._game.public(state),
            "seats": tuple(self._game.private(state, seat) for seat in self._seats),
        }

    def private(self, state: object, seat: Seat) -> View | None:
        """Return None: the public view already contains everything."""
        return None


class DelayedView:
    """Shows delayed spectators the turns that they may see. In other rooms it does nothing."""

    __slots__ = ("_chat", "_context", "_held", "_offers", "_sees_all", "_streams", "_tick_at", "_tick_ms", "horizon")

    def __init__(self, context: RoomContext, chat: Chat, offers: MatchOffers) -> None:
        self._context = context
        self._chat = chat
        self._offers = offers
        self._sees_all = context.match.opened.room_options.watch == "all"
        self._streams: Streams | None = None
        self.horizon: SpectatorDelay | None = None
        """What spectators may see, if they follow a stream of their own."""
        self._held: list[_Step] = []
        self._tick_ms = 0
        self._tick_at: int | None = None
        """When the next turn of a finished match is shown."""

    @property
    def is_done(self) -> bool:
        """Whether spectators have seen the end."""
        return not self._held

    @property
    def streams(self) -> Streams:
        """The streams that spectators follow."""
        return self._streams or self._context.log.streams

    def seats(self) -> Seats:
        """Return the seating for spectators. During a delayed match it does not show who is connected."""
        context = self._context
        absences = context.absences if self._streams is None else None
        return seats_message(context.public_match, context.audience, absences)

    # --- the part of a room -------------------------------------------------------------------------------------

    def due_at(self) -> int | None:
        """Return when the next turn of a finished match is shown."""
        return self._tick_at

    def woken(self, now: int) -> None:
        """Show the next turn of a finished match."""
        if self._tick_at is not None and self._tick_at <= now:
            self._show_until(self._held[0].turn)
            self._tick_at = self._tick_at + self._tick_ms if self._held else None

    def entry(self, now: int) -> Entry | None:
        """Return None: spectators never change the log."""
        return None

    def adopted(self, candidate: Candidate, before: Match, now: int) -> None:
        """Hold the entry back, and show the turns that are visible now."""
        if self.horizon is None:
            return
        after = candidate.advanced.match
        # Turns in which nobody can act may pass within one entry.
        turn = after.turn if isinstance(candidate.entry, Started) else max(before.turn, after.turn - 1)
        self._held.append(_Step(turn, after, candidate.advanced.events))
        self.horizon.follow(after)
        self._show_until(self.horizon.newest)
        if self._held and after.is_over:
            self._catch_up(now)

    # --- the start of a match -----------------------------------------------------------------------------------

    def begin(self, before: Match, after: Match) -> None:
        """Separate delayed spectators from the players when the match starts."""
        if after.opened.room_options.delay:
            context = self._context
            lens = _Everything(after.game, len(after.seats)) if self._sees_all else None
            self.horizon = SpectatorDelay(after)
            self._streams = Streams(before, context.match.life, context.log.work, lens=lens)
            context.audience.delay(after)
            context.out.send_all(self.seats(), context.audience.spectators())

    def recall(self, candidate: Candidate, before: Match, now: int) -> None:
        """Follow an entry of a restored log."""
        if isinstance(candidate.entry, Started):
            self.begin(before, candidate.advanced.match)
        self.adopted(candidate, before, now)

    # --- frames -------------------------------------------------------------------------------------------------

    def _catch_up(self, now: int) -> None:
        """Show the rest of a finished match in equal steps, or at once if nobody watches."""
        # Archiving waits until spectators have seen the end. Without spectators there is nothing to wait for.
        if not self._context.audience.spectators():
            self._show_until(self._held[-1].turn)
            return
        turns = len({step.turn for step in self._held})
        self._tick_ms = min(self._context.match.turn_ms, TAIL_MS // turns)
        self._tick_at = now + self._tick_ms

    def _show_until(self, turn: int) -> None:
        """Show all entries up to the end of *turn*."""
        while self._held and self._held[0].turn <= turn:
            self._show(self._held.pop(0))
        self._chat.release(turn)

    def _show(self, step: _Step) -> None:
        context, to = self._context, self._context.audience.spectators()
        assert self._streams is not None, "only a started match has steps"
        before = context.public_match
        context.audience.delay(step.match)
        if seating(before) != seating(step.match):
            context.out.send_all(self.seats(), to)
        frames = self._streams.prepare(step.match, _joined(step.events) if self._sees_all else step.events)
        assert frames is not None, "a started match has a state"
        self._streams.adopt(frames)
        if frames.update is not None:
            context.out.add(SendAll(frames.update.payload, to))
        if (end := ended(step.match)) is not None:
            context.out.send_all(end, to)
            self._offers.lead_on(to)


def _joined(events: Sequence[Event]) -> tuple[Event, ...]:
    """Return events for spectators of all hands: the public form and the form for each seat."""
    return tuple(
        Event({"public": event.public, "seats": {str(seat): form for seat, form in event.private}}) for event in events
    )
