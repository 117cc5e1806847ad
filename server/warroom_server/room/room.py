"""A room: a synchronous state machine around one match. It decides and never waits.

The room prepares an entry (the next match and its frames), appends it to the store, and adopts it once the store has
committed it. Only then does it answer the request and show the frames. Requests that need the log wait in a queue
meanwhile. Actions of one turn that wait there go to the store together.
"""

from msgspec import Struct
from msgspec.structs import replace

from warroom_games.api import AnyGame
from warroom_games.log import Acted, Entry, Kicked, Left, Started, Voided
from warroom_games.match import Match
from warroom_protocol import codes
from warroom_protocol.messages import RoomListing
from warroom_server.ports.store import SNAPSHOT_EVERY, Committed, Fenced, StoredRoom
from warroom_server.room import commands
from warroom_server.room.actions import Actions
from warroom_server.room.bots.bot_seating import BotSeats
from warroom_server.room.broadcast import Broadcaster
from warroom_server.room.clock.pauses import Pauses
from warroom_server.room.clock.timeouts import Timeouts
from warroom_server.room.commands import Act, Command, Lag, Request
from warroom_server.room.context import AT_ONCE, Part, RoomContext
from warroom_server.room.delayed_view import DelayedView
from warroom_server.room.effects import ActionOutput, Archive, Drop, Effect, Save
from warroom_server.room.handoff_state import NO_HANDOFF_STATE, HandoffState
from warroom_server.room.log_fold import Actor, Candidate, LogFold
from warroom_server.room.match_messages import ended, listing
from warroom_server.room.membership import Membership
from warroom_server.room.request_queue import RequestQueue, Waiting
from warroom_server.room.requests import Requests
from warroom_server.room.social.chat import Chat
from warroom_server.room.social.offers import MatchOffers
from warroom_server.room.viewer_addresses import FEED, Viewer

LOBBY_ENTRIES = 4_096
"""Longest log of a lobby. It keeps players who join and leave in a loop from filling the store."""
RESTLESS = "restless"
"""The reason in the log of a lobby that reached `LOBBY_ENTRIES`."""

_APPEND = "append"


class _Pending(Struct, frozen=True, gc=False):
    """An entry that the store has not confirmed yet, and the request that it answers."""

    candidate: Candidate
    request: Request | None
    is_in_turn: bool
    """Whether it is an action that changes nothing but the match and its frames, so that others may follow at once."""


class Room:
    """One room. Only `handle` changes it.

    If `handle` raises because a game has a bug, the failed command changed nothing. `salvage` returns the effects that
    the same call had decided before.
    """

    __slots__ = (
        "_actions", "_bot_seats", "_broadcaster", "_chat", "_context", "_delayed_view", "_is_archived", "_is_dropped",
        "_is_stirred", "_log", "_membership", "_offers", "_out", "_parts", "_pauses", "_pending", "_queue", "_requests",
        "_taken", "_time", "_timeouts", "_void", "audience", "work"
    )  # fmt: skip

    def __init__(self, log: LogFold, *, now: int) -> None:
        context = self._context = RoomContext(log, now)
        self.audience = context.audience
        self.work = log.work
        """The work counters of this room."""
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
            context, self._timeouts, self._pauses, self._chat, self._offers, self._delayed_view
        )
        self._bot_seats = BotSeats(context, now, self._membership)
        # The order decides whose entry goes first. The delayed view comes last: it shows what the others changed.
        self._parts: tuple[Part, ...] = (self._pauses, self._bot_seats, self._offers, self._delayed_view)
        self._broadcaster = Broadcaster(context, self._membership)
        self._actions = Actions(context, self._membership)
        self._requests = Requests(context, self._membership, self._actions, self._bot_seats, self._chat, self._offers)
        self._pending: tuple[_Pending, ...] = ()
        """The entries that are with the store, in order. The next ones go there when all of them are committed."""
        self._taken: Request | None = None
        """The queued request that the room is considering now."""
        self._is_stirred = True
        """Whether something changed, other than by an action within a turn, since the parts last had no entry."""
        self._void: str | None = None
        self._is_archived = False
        self._is_dropped = False

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
        room._bot_seats.lobby_bots.prolong(handoff_state.waited_ms)
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
        if self._is_dropped:
            return None
        moments = [self._context.presence.due_at]
        # A part that wants an entry has to wait while an append is pending.
        if not self._pending:
            moments += [self._overdue_at(), *[part.due_at() for part in self._parts]]
        return min([moment for moment in moments if moment is not None], default=None)

    @property
    def public_match(self) -> Match:
        """The match as an anonymous spectator may know it."""
        return self._context.public_match

    def listing(self) -> RoomListing:
        """Return the listing of the room: what an anonymous spectator may know."""
        return listing(self.public_match, self.audience.watching)

    def handoff_state(self, now: int) -> HandoffState:
        """Return the state that the next owner cannot take from the log, at moment *now* of the node's clock."""
        return HandoffState(
            away=self._context.absences.lasted(self.match, self._time.at(now)),
            paused_ms=self._pauses.lasted(now),
            waited_ms=self._bot_seats.lobby_bots.waited(self._time.at(now)),
            mutes=self._chat.mutes,
            terms=self._offers.terms,
        )

    def unanswered(self) -> list[Request]:
        """Return all unanswered requests, in order."""
        pending = (pending.request for pending in self._pending)
        return [request for request in (*pending, *self._queue.requests()) if request is not None]

    def salvage(self) -> list[Effect]:
        """Return the effects that were decided before a game failed. The driver runs them before it ends the room.

        This refuses the queued request that was being considered. The driver itself refuses the failed command.
        """
        if self._taken is not None:
            taken, self._taken = self._taken, None
            self._requests.refuse(taken, codes.INTERNAL)
        return self._out.take()

    # --- actions ------------------------------------------------------------------------------------------------

    def act(self, act: Act, now: int, output: ActionOutput) -> bool:
        """Judge an action, or queue it until the store answers; return whether there are effects to `take`.

        What an accepted action leads to goes to *output*, the rest is an effect.
        """
        if self._is_dropped:
            return False
        player = self.audience.player_by_viewer.get(act.viewer)
        actor = None if player is None else self._log.actors.get(player)
        if actor is None:
            self._take(act, now, output)
            return bool(self._out.effects)
        deadline, time, arrived = self._log.match.deadline, self._time, act.arrived
        arrived = arrived + time.offset if time.ended is None and arrived >= time.began else time.at(arrived)
        lag = 0 if deadline is None or arrived <= deadline else self._timeouts.lag(actor.player)
        lane = act.viewer if actor.owned is None else actor.player
        waiting = Waiting(act, lane, actor.player, arrived, lag, actor.seat)
        if self._pending:
            self._wait(act, waiting, actor)
        elif (candidate := self._actions.consider(act, waiting, now)) is not None:
            self._propose(candidate, act, now, output)
        return bool(self._out.effects)

    def committed(self, now: int, output: ActionOutput) -> bool:
        """Adopt the next pending entry, which the store has; return whether there are effects, or `wake_at` changed.

        An action within a turn changes nothing but the match and its frames, so no part of the room is asked.
        """
        assert self._pending, f"room {self.number} has no pending append, but the store has one"
        pending, self._pending = self._pending[0], self._pending[1:]
        candidate, request, is_in_turn = pending.candidate, pending.request, pending.is_in_turn
        time, before = self._time, self._log.match
        entry, after, verdict = candidate.entry, candidate.advanced.match, self._log.adopt(candidate)
        if self._pending:
            pass  # room time stands still until the last of them is committed
        elif len(time.holds) == 1:  # as `release`, without a call
            time.holds = ()
            if time.ended == now:
                time.ended = None
            else:
                time.run_again(now)
        else:
            time.release(_APPEND, now)
        if after.stand_ins is not before.stand_ins or after.seats is not before.seats or after.phase != before.phase:
            self._follow_seating(before, after, now)
        if verdict is not None and isinstance(entry, Acted) and isinstance(request, Act):
            self._broadcaster.show(candidate, output)
            self._broadcaster.accept(entry.seat, verdict, request.viewer, output)
            self._broadcaster.prompt((entry.seat,) if is_in_turn else sorted(after.asked), before, output)
        else:
            self._broadcaster.show(candidate, self._out.output)
            self._broadcaster.answer(entry, request, before, now)
            self._broadcaster.prompt(sorted(after.asked), before, self._out.output)
        if not is_in_turn or after.rev % SNAPSHOT_EVERY == 0 or self._delayed_view.horizon is not None:
            self._follow(candidate, before, now, is_in_turn=is_in_turn)
        self._is_stirred |= not is_in_turn
        # Nearly always there is nothing to do next.
        if self._is_stirred or self._queue.line or self._timeouts.polled_at > (after.deadline or 0):
            self._proceed(now, output)
        if not is_in_turn or self._context.presence.is_changed:
            self._broadcaster.tell_presence(now)
        return not is_in_turn or bool(self._out.effects)

    # --- lag ----------------------------------------------------------------------------------------------------

    def is_news(self, viewer: Viewer, rtt_ms: int) -> bool:
        """Whether a viewer plays here, and its measured lag was another one so far."""
        return self._timeouts.lags.get(viewer) != rtt_ms and self.audience.player_by_viewer.get(viewer) is not None

    def measured(self, lag: Lag) -> bool:
        """Note the measured lag of a viewer; return whether `wake_at` may have changed: its seat is to act."""
        self._timeouts.measured(lag.viewer, lag.rtt_ms, lag.relay_ms)
        actor = self._log.actor(self.audience.player_of(lag.viewer))
        return actor is not None and actor.seat in self.match.asked

    def take(self) -> list[Effect]:
        """Return the effects of `act` and `committed`, in order."""
        return self._out.take()

    # --- other commands -----------------------------------------------------------------------------------------

    def handle(self, command: Command, now: int) -> list[Effect]:
        """Handle one command at moment *now* of the node's clock; return the effects, in order.

        Actions and commits are also taken here. Then all that they lead to is an effect.
        """
        if self._is_dropped:
            return []
        match command:
            case Act():
                self.act(command, now, self._out.output)
            case Committed():
                self.committed(now, self._out.output)
            case Fenced():
                self._is_dropped = True
                self._out.add(Drop())
            case Lag():
                self.measured(command)
            case _:
                self._is_stirred = True
                self._handle(command, now)
                self._broadcaster.tell_presence(now)  # last, so that it covers everything that the command changed
        return self._out.take()

    def _handle(self, command: commands.OtherCommand, now: int) -> None:
        match command:
            case commands.Expire():
                self._note_poll(command.polled, now)
                for part in self._parts:
                    part.woken(now)
                self._proceed(now, self._out.output)
            case commands.Detach():
                self._withdraw(command.viewer)
                self._membership.forget(command.viewer)
            case commands.Withdraw():
                self._withdraw(command.viewer, command.ref)
            case commands.Refresh():
                self._membership.refresh(command.viewer, now)
            case commands.Pause() | commands.Unpause():
                self._pauses.order(command, now)
            case commands.Summoned():
                self._bot_seats.summoned(command, now)
                self._proceed(now, self._out.output)
            case commands.Rematched():
                self._offers.rematched(command)
            case commands.Void():
                self._void = command.reason
                self._proceed(now, self._out.output)
            case _:
                self._take(command, now, self._out.output)

    def _take(self, request: Request, now: int, output: ActionOutput) -> None:
        """Consider a request, or queue it until the store answers."""
        if self._requests.is_hidden_from(request):
            self._requests.deny(request)
            return
        player = self.audience.player_of(request.viewer)
        lane = request.viewer if player is None or self.match.seat_of(player) is None else player
        arrived = self._time.at(request.arrived if isinstance(request, Act) else now)
        waiting = Waiting(request, lane, player, arrived)
        if not self._pending or not self._must_wait(waiting):
            candidate = self._requests.consider(waiting, now)
            if candidate is not None:
                self._propose(candidate, request, now, output)
        elif not (isinstance(request, Act) and self._queue.readdress(lane, request)) and not self._queue.offer(waiting):
            self._requests.refuse(request, codes.ACT_BUSY if isinstance(request, Act) else codes.ROOM_BUSY)

    def _wait(self, act: Act, waiting: Waiting, actor: Actor) -> None:
        """Queue an action, unless it is judged, pending or queued already: it must not be judged twice."""
        if (pending := self._acting(act, actor)) is not None:
            # Sent again while pending: the answer goes to the newest connection.
            self._readdress(pending, act)
        elif act.id in actor.verdicts.accepted or act.id in actor.verdicts.refused:
            self._actions.answer_again(act, actor.player)
        elif not (self._queue.readdress(waiting.lane, act) or self._queue.offer(waiting)):
            self._actions.refuse(act, codes.ACT_BUSY)

    def _must_wait(self, waiting: Waiting) -> bool:
        """Whether a request needs the log, or would overtake another request of the same sender."""
        entries = (pending.candidate.entry for pending in self._pending)
        if isinstance(waiting.request, commands.Join) and any(isinstance(entry, Left | Kicked) for entry in entries):
            return True  # the pending entry may free the seat of this very player
        senders = [pending.request.viewer for pending in self._pending if pending.request is not None]
        is_next = waiting.request.viewer not in senders and not self._queue.holds(waiting.lane)
        return not is_next or self._requests.needs_log(waiting.request)

    def _withdraw(self, viewer: Viewer, ref: int | None = None) -> None:
        """Remove the request *ref* of a viewer, or all of them, except its actions: they arrived and count."""
        self._queue.forget(viewer, ref)
        for pending in self._pending:
            request = pending.request
            if isinstance(request, commands.RefRequest) and request.viewer == viewer and ref in (None, request.ref):
                self._readdress(pending, None)  # the entry stands, but nobody waits for its answer

    def _acting(self, act: Act, actor: Actor) -> _Pending | None:
        """Return the pending entry of the same action. Ids of different seats may be equal."""
        for pending in self._pending:
            entry = pending.candidate.entry
            if isinstance(entry, Acted) and (entry.id, entry.seat) == (act.id, actor.held):
                return pending
        return None

    def _readdress(self, pending: _Pending, request: Request | None) -> None:
        changed = replace(pending, request=request)
        self._pending = tuple(changed if each is pending else each for each in self._pending)

    # --- entries ------------------------------------------------------------------------------------------------

    def _propose(self, candidate: Candidate, request: Request | None, now: int, output: ActionOutput) -> None:
        pendings, after = self._pending, candidate.advanced.match
        before = pendings[-1].candidate.advanced.match if pendings else self._log.match
        is_in_turn = after.turn == before.turn and bool(after.asked) and after.asked <= before.asked
        self._pending = (*pendings, _Pending(candidate, request, is_in_turn and type(candidate.entry) is Acted))
        # Room time stands still until the store answers, so that a slow store costs no player time.
        time = self._time
        if not time.holds:
            time.ended = now
        time.holds += (_APPEND,)
        output.append(candidate.append)

    def _proceed(self, now: int, output: ActionOutput) -> None:
        """Propose entries until an append is pending. Queued requests come before time-outs."""
        while not self._pending:
            if self._is_stirred and (entry := self._unasked(now)) is not None:
                self._propose(self._log.prepare(entry), None, now, output)
                continue
            self._is_stirred = False
            if (waiting := self._queue.take()) is not None:
                self._taken = request = waiting.request  # `salvage` refuses it if the game fails here
                if (candidate := self._requests.consider(waiting, now)) is not None:
                    self._propose(candidate, request, now, output)
                self._taken = None
                self._propose_following(now, output)
            # Only after the queue: an action that waits there may have arrived in time.
            elif (entry := self._timeouts.overdue(now)) is not None:
                self._propose(self._log.prepare(entry), None, now, output)
            else:
                break
        if self.match.is_over and self._delayed_view.is_done and not self._is_archived:
            self._is_archived = True
            self._out.add(Archive())

    def _propose_following(self, now: int, output: ActionOutput) -> None:
        """Propose the actions that are next in the queue, as long as each can follow the one before."""
        while self._queue.line and self._pending and (last := self._pending[-1]).is_in_turn:
            waiting = self._queue.line[0]
            if not isinstance(act := waiting.request, Act):
                return
            actor = self._log.actor(waiting.player or self.audience.player_of(act.viewer))
            if actor is None or self._acting(act, actor) is not None:
                return
            if (candidate := self._actions.consider(act, waiting, now, last.candidate)) is None:
                return
            self._queue.take()
            self._propose(candidate, act, now, output)

    def _unasked(self, now: int) -> Entry | None:
        """Return the entry that precedes queued requests: an ordered end, the start of a full room, or a part's own."""
        own = self._own_entry(self._time.at(now))
        return own or next((entry for part in self._parts if (entry := part.entry(now)) is not None), None)

    def _own_entry(self, at: int) -> Entry | None:
        match, is_lobby = self.match, self.match.phase == "lobby"
        reason = self._void or (RESTLESS if is_lobby and match.rev >= LOBBY_ENTRIES else None)
        if reason is not None and not match.is_over:
            return Voided(at, reason)
        return Started(at) if is_lobby and match.is_full else None

    def _note_poll(self, polled: int | None, now: int) -> None:
        """Note up to when the node has read all input: its poll began after *polled*, maybe long before *now*."""
        moment = self.wake_at if polled is None else polled
        if moment is not None and moment <= now:
            self._timeouts.polled(moment)

    def _overdue_at(self) -> int | None:
        """Return when `_proceed` has work to do. No append is pending."""
        if self._own_entry(AT_ONCE) is not None or (self.is_publicly_over and not self._is_archived):
            return AT_ONCE
        return self._timeouts.due_at()

    def _follow_seating(self, before: Match, after: Match, now: int) -> None:
        self.audience.seat(after.seats, after.stand_ins)
        self._chat.reseated()
        self._context.presence.urge()
        if after.phase == "playing" and before.phase == "lobby":
            self._delayed_view.begin(before, after)
            self._broadcaster.tell_presence(now)  # players learn their seats from it, so it precedes the first frame

    def _follow(self, candidate: Candidate, before: Match, now: int, *, is_in_turn: bool) -> None:
        """Let the parts follow a committed entry. An action within a turn concerns only delayed spectators."""
        after, entry = self.match, candidate.entry
        if after.out is not before.out:
            self._context.presence.urge()
        if (end := ended(after)) is not None:
            self._out.send_all(end, self.audience.live())
        # A room with delayed spectators needs no snapshot: it is restored from its whole log.
        elif after.rev % SNAPSHOT_EVERY == 0 and not after.opened.room_options.delay:
            self._out.add(Save(after.rev, self._log.dump()))
        if isinstance(entry, Left):
            self._membership.vacated(before.sitter_at(entry.place).player)
        for part in (self._delayed_view,) if is_in_turn else self._parts:
            part.adopted(candidate, before, now)
