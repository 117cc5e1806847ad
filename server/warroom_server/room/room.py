"""A room: a synchronous state machine around one match. It decides and never waits.

The room prepares an entry (the next match and its frames), appends it to the store, and adopts it once the store has
committed it. Only then does it answer the request and show the frames. One append is pending at a time. Requests that
need the log wait in a queue meanwhile.
"""

from msgspec import Struct

from warroom_games.api import AnyGame
from warroom_games.log import Acted, Entry, Kicked, Left, Started, Voided
from warroom_games.match import Match
from warroom_protocol import codes
from warroom_protocol.messages import Position, RoomListing
from warroom_server.ports.store import SNAPSHOT_EVERY, Committed, Fenced, StoredRoom
from warroom_server.room.admission import Membership
from warroom_server.room.bots.bot_seating import BotSeats
from warroom_server.room.broadcast import Broadcaster
from warroom_server.room.clock.deadlines import Timeouts
from warroom_server.room.clock.pauses import Pauses
from warroom_server.room.commands import (
    Act,
    Command,
    Detach,
    Expire,
    Join,
    Lag,
    Pause,
    RefRequest,
    Refresh,
    Rematched,
    Request,
    Summoned,
    Unpause,
    Void,
    Withdraw,
)
from warroom_server.room.context import AT_ONCE, Part, RoomContext
from warroom_server.room.delayed_view import DelayedView
from warroom_server.room.effects import Archive, Drop, Effect, Save
from warroom_server.room.handoff_state import NO_HANDOFF_STATE, HandoffState
from warroom_server.room.log_fold import Candidate, LogFold
from warroom_server.room.match_facts import ended, listing
from warroom_server.room.presence import seating
from warroom_server.room.request_queue import Lane, RequestQueue, Waiting
from warroom_server.room.requests import Requests
from warroom_server.room.social.chat import Chat
from warroom_server.room.social.offers import MatchOffers
from warroom_server.room.viewer_kinds import FEED, Viewer
from warroom_server.room.work_counters import RoomCounters

LOBBY_ENTRIES = 4_096
"""Longest log of a lobby. It keeps players who join and leave in a loop from filling the store."""
RESTLESS = "restless"
"""The reason in the log of a lobby that reached `LOBBY_ENTRIES`."""

_APPEND = "append"


class _Pending(Struct, frozen=True):
    """The entry that the store has not confirmed yet, and the request that it answers."""

    candidate: Candidate
    request: Request | None = None

    @property
    def entry(self) -> Entry:
        return self.candidate.entry


class Room:
    """One room. Only `handle` changes it.

    If `handle` raises because a game has a bug, the failed command changed nothing. `salvage` returns the effects that
    the same call had decided before.
    """

    def __init__(self, log: LogFold, *, now: int) -> None:
        context = self._context = RoomContext(log, now)
        self.audience = context.audience
        self._log = log
        self._out = context.out
        self._time = context.time
        self._queue = RequestQueue()
        self._timeouts = Timeouts(context)
        self._pauses = Pauses(context, now)
        self._chat = Chat(context)
        self._offers = MatchOffers(context, self._pauses)
        self._delayed_view = DelayedView(context, self._chat, self._offers)
        self._membership = Membership(
            context,
            timeouts=self._timeouts,
            pauses=self._pauses,
            chat=self._chat,
            offers=self._offers,
            delayed_view=self._delayed_view,
        )
        self._bot_seats = BotSeats(context, now, self._membership)
        # The order decides whose entry goes first. The delayed view comes last: it shows what the others changed.
        self._parts: tuple[Part, ...] = (self._pauses, self._bot_seats, self._offers, self._delayed_view)
        self._broadcaster = Broadcaster(context, self._membership)
        self._requests = Requests(
            context, self._membership, bot_seats=self._bot_seats, chat=self._chat, offers=self._offers
        )
        self._pending: _Pending | None = None
        self._taken: Request | None = None
        """The queued request that the room is considering now."""
        self._void: str | None = None
        self._is_archived = False
        self._is_dropped = False
        self._listed: tuple[Match, RoomListing] | None = None
        """The last listing, and the match that it describes."""

    @classmethod
    def restore(
        cls,
        game: AnyGame,
        stored: StoredRoom,
        now: int,
        *,
        handoff_state: HandoffState = NO_HANDOFF_STATE,
        is_archived: bool = False,
    ) -> "Room":
        """Return a stored room; raise `LogError` if its log is invalid.

        *handoff_state* is what the last owner knew beyond the log. *is_archived* says that the replay is already
        stored.
        """
        steps: list[tuple[Candidate, Match]] = []
        log = LogFold.restore(game, stored, lambda *step: steps.append(step))
        room = cls(log, now=now)
        for candidate, before in steps:
            room._delayed_view.recall(candidate, before, now)
        room._out.take()  # nobody is here yet to see the steps
        room._context.absences.prolong(room.match, handoff_state.away)
        room._pauses.prolong(handoff_state.paused_ms)
        room._bot_seats.prolong(handoff_state.waited_ms)
        room._chat.remember(handoff_state.mutes)
        room._offers.remember(handoff_state.terms)
        room._is_archived = is_archived
        return room

    # --- questions of the driver --------------------------------------------------------------------------------

    @property
    def number(self) -> int:
        """The room's number on the wire."""
        return self.match.opened.room

    @property
    def match(self) -> Match:
        """The match after the last committed entry."""
        return self._log.match

    @property
    def work(self) -> RoomCounters:
        """The work counters of this room."""
        return self._log.work

    @property
    def is_over(self) -> bool:
        """Whether the match has ended."""
        return self.match.is_over

    @property
    def is_publicly_over(self) -> bool:
        """Whether the match has also ended for delayed spectators."""
        return self.is_over and self._delayed_view.is_done

    @property
    def is_deserted(self) -> bool:
        """Whether only the feed and hired bots follow the room."""
        match = self.match
        hired = {sitter.player for sitter in (*match.seats, *match.stand_ins) if sitter is not None and sitter.hired}
        people = (viewer for viewer in self.audience.everyone() if viewer != FEED)
        return all(self.audience.player_of(viewer) in hired for viewer in people)

    @property
    def wake_at(self) -> int | None:
        """The moment of the node's clock at which the room needs an `Expire`; None if there is none."""
        # A part that wants an entry has to wait while an append is pending.
        parts = self._parts if self._pending is None else ()
        moments = (self._context.presence.due_at, self._overdue_at(), *(part.due_at() for part in parts))
        return None if self._is_dropped else min((moment for moment in moments if moment is not None), default=None)

    @property
    def public_match(self) -> Match:
        """The match as an anonymous spectator may know it."""
        return self._context.public_match

    def listing(self) -> RoomListing:
        """Return the listing of the room: what an anonymous spectator may know."""
        match, watching = self.public_match, self.audience.watching
        if self._listed is None or self._listed[0] is not match or self._listed[1].watching != watching:
            self._listed = (match, listing(match, watching))
        return self._listed[1]

    def position_of(self, viewer: Viewer) -> Position:
        """Return the position of a viewer that has received everything."""
        seat = self._context.seat_of(viewer)
        streams = self._membership.streams(seat)
        return Position(self.match.life, streams.p, streams.q(seat))

    def handoff_state(self, now: int) -> HandoffState:
        """Return the state that the next owner cannot take from the log, at moment *now* of the node's clock."""
        return HandoffState(
            away=self._context.absences.lasted(self.match, self._time.at(now)),
            paused_ms=self._pauses.lasted(now),
            waited_ms=self._bot_seats.waited(now),
            mutes=self._chat.mutes,
            terms=self._offers.terms,
        )

    def unanswered(self) -> list[Request]:
        """Return all unanswered requests, in order."""
        pending = None if self._pending is None else self._pending.request
        return [request for request in (pending, *self._queue.requests()) if request is not None]

    def salvage(self) -> list[Effect]:
        """Return the effects that were decided before a game failed. The driver runs them before it ends the room.

        This refuses the queued request that was being considered. The driver itself refuses the failed command.
        """
        if self._taken is not None:
            taken, self._taken = self._taken, None
            self._requests.refuse(taken, codes.INTERNAL)
        return self._out.take()

    # --- commands -----------------------------------------------------------------------------------------------

    def handle(self, command: Command, now: int) -> list[Effect]:
        """Handle one command at moment *now* of the node's clock; return the effects, in order."""
        if self._is_dropped:
            return []
        match command:
            case Committed() | Fenced():
                self._answered(command, now)
            case Expire():
                self._note_poll(now)
                for part in self._parts:
                    part.woken(now)
                self._proceed(now)
            case Detach() | Withdraw() | Refresh() | Lag():
                self._note(command, now)
            case Pause() | Unpause():
                self._pauses.order(command, now)
            case Summoned():
                self._bot_seats.summoned(command, now)
                self._proceed(now)
            case Rematched():
                self._offers.rematched(command)
            case Void():
                self._void = command.reason
                self._proceed(now)
            case _:
                self._take(command, now)
        self._broadcaster.tell_presence(now)  # last, so that it covers everything that the command changed
        return self._out.take()

    def _note(self, command: Detach | Withdraw | Refresh | Lag, now: int) -> None:
        """Update what is known about a viewer."""
        match command:
            case Detach():
                self._withdraw(command.viewer)
                self._membership.forget(command.viewer)
            case Withdraw():
                self._withdraw(command.viewer, command.ref)
            case Refresh():
                self._membership.refresh(command.viewer, now)
            case Lag():
                self._timeouts.measured(command.viewer, command.rtt_ms, command.relay_ms)

    def _take(self, request: Request, now: int) -> None:
        """Consider a request, or queue it until the store answers."""
        if self._requests.is_hidden_from(request):
            self._requests.deny(request)
            return
        player = self.audience.player_of(request.viewer)
        arrived = self._time.at(request.arrived if isinstance(request, Act) else now)
        lag = 0 if player is None else self._timeouts.lag_after(player, arrived)
        seat = self.match.seat_played_by(player) if player is not None and isinstance(request, Act) else None
        waiting = Waiting(request, self._lane(request, player), player, arrived, lag, seat)
        if self._pending is None or not self._must_wait(waiting, self._pending):
            self._consider(waiting, now)
        elif isinstance(request, Act):
            if not (self._is_repeated(request, waiting, self._pending) or self._queue.offer(waiting)):
                self._requests.refuse(request, codes.ACT_BUSY)
        elif not self._queue.offer(waiting):
            self._requests.refuse(request, codes.ROOM_BUSY)

    def _lane(self, request: Request, player: str | None) -> Lane:
        return request.viewer if player is None or self.match.seat_of(player) is None else player

    def _must_wait(self, waiting: Waiting, pending: _Pending) -> bool:
        """Whether a request needs the log, or would overtake another request of the same sender."""
        sender = None if pending.request is None else pending.request.viewer
        if isinstance(waiting.request, Join) and isinstance(pending.entry, Left | Kicked):
            return True  # the pending entry may free the seat of this very player
        is_next = sender != waiting.request.viewer and not self._queue.holds(waiting.lane)
        return not is_next or self._requests.needs_log(waiting.request)

    def _is_repeated(self, act: Act, waiting: Waiting, pending: _Pending) -> bool:
        """Whether an action is judged, pending or queued already. It must not be judged twice."""
        if self._requests.answer_again(act, waiting.player):
            return True
        entry = pending.entry
        # Sent again while pending: the answer goes to the newest connection.
        if isinstance(entry, Acted) and (entry.seat, entry.id) == (self._context.seat_of(act.viewer), act.id):
            self._pending = _Pending(pending.candidate, act)
            return True
        return self._queue.readdress(waiting.lane, act)

    def _withdraw(self, viewer: Viewer, ref: int | None = None) -> None:
        """Remove the request *ref* of a viewer, or all of them, except its actions: they arrived and count."""
        self._queue.forget(viewer, ref)
        pending = self._pending
        request = None if pending is None else pending.request
        is_withdrawn = isinstance(request, RefRequest) and request.viewer == viewer and ref in (None, request.ref)
        if pending is not None and is_withdrawn:
            self._pending = _Pending(pending.candidate)  # the entry stands, but nobody waits for its answer

    # --- entries ------------------------------------------------------------------------------------------------

    def _consider(self, waiting: Waiting, now: int) -> None:
        candidate = self._requests.consider(waiting, now)
        if candidate is not None:
            self._propose(candidate, waiting.request, now)

    def _propose(self, candidate: Candidate, request: Request | None, now: int) -> None:
        self._pending = _Pending(candidate, request)
        # Room time stands still until the store answers, so that a slow store costs no player time.
        self._time.hold(_APPEND, now)
        self._out.add(candidate.append)

    def _proceed(self, now: int) -> None:
        """Propose entries until an append is pending. Queued requests come before time-outs."""
        while self._pending is None:
            if (entry := self._unasked(now)) is not None:
                self._propose(self._log.prepare(entry), None, now)
            elif (waiting := self._queue.take()) is not None:
                self._taken = waiting.request  # `salvage` refuses it if the game fails here
                self._consider(waiting, now)
                self._taken = None
            # Only after the queue: an action that waits there may have arrived in time.
            elif (entry := self._timeouts.overdue(now)) is not None:
                self._propose(self._log.prepare(entry), None, now)
            else:
                break
        if self.is_publicly_over and not self._is_archived:
            self._is_archived = True
            self._out.add(Archive())

    def _unasked(self, now: int) -> Entry | None:
        """Return the entry that precedes queued requests: an ordered end, the start of a full room, or a part's own."""
        if self._void is not None and not self.is_over:
            return Voided(self._time.at(now), self._void)
        if self._is_restless:
            return Voided(self._time.at(now), RESTLESS)
        if self.match.phase == "lobby" and self.match.is_full:
            return Started(self._time.at(now))
        return next((entry for part in self._parts if (entry := part.entry(now)) is not None), None)

    @property
    def _is_restless(self) -> bool:
        return self.match.phase == "lobby" and self.match.rev >= LOBBY_ENTRIES

    def _note_poll(self, now: int) -> None:
        """Note up to when the node has read all input: its poll began after `wake_at`, maybe long before *now*."""
        wake_at = self.wake_at
        if wake_at is not None and wake_at <= now:
            self._timeouts.polled(wake_at)

    def _overdue_at(self) -> int | None:
        """Return when `_proceed` has work to do, if no append is pending."""
        match = self.match
        if self._pending is not None:
            return None
        if (
            self._is_restless
            or (match.phase == "lobby" and match.is_full)
            or (self.is_publicly_over and not self._is_archived)
        ):
            return AT_ONCE
        return self._timeouts.due_at()

    def _answered(self, answer: Committed | Fenced, now: int) -> None:
        if isinstance(answer, Fenced):
            self._is_dropped = True
            self._out.add(Drop())
            return
        pending, self._pending = self._pending, None
        assert pending is not None, f"room {self.number} has no pending append, but the store answers {answer}"
        self._adopt(pending.candidate, pending.request, now)
        self._proceed(now)

    def _adopt(self, candidate: Candidate, request: Request | None, now: int) -> None:
        """Adopt a committed entry, then show it and answer its request."""
        before = self.match
        self._log.adopt(candidate)
        self._time.release(_APPEND, now)
        after = self.match
        if after.seats is not before.seats or after.stand_ins is not before.stand_ins:
            self.audience.seat(after.sitting())
            self._chat.reseated()
        if seating(after) != seating(before):
            self._context.presence.urge()
        if after.phase == "playing" and before.phase == "lobby":
            self._delayed_view.begin(before, after)
            self._broadcaster.tell_presence(now)  # players learn their seats from it, so it precedes the first frame
        self._broadcaster.show(candidate)
        self._broadcaster.answer(candidate.entry, request, before, now)
        self._broadcaster.prompt(before)
        if (end := ended(after)) is not None:
            self._out.send_all(end, self.audience.live())
        elif after.rev % SNAPSHOT_EVERY == 0 and not after.opened.room_options.delay:
            # A room with delayed spectators needs no snapshot: it is restored from its whole log.
            self._out.add(Save(after.rev, self._log.dump()))
        if isinstance(candidate.entry, Left):
            self._membership.vacated(before.sitter_at(candidate.entry.place).player)
        for part in self._parts:
            part.adopted(candidate, before, now)
