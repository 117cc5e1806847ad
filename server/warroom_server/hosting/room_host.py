"""The rooms of one node: passes commands to them and carries out their effects.

There is no task, timer or lock per room: one dictionary, one heap of deadlines, one committer for each primary.
"""

import logging
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import ParamSpec, TypeAlias

from warroom_protocol import codes
from warroom_protocol.rooms import room_code
from warroom_server.counters import Counters
from warroom_server.hosting.action_pipeline import ActionPipeline
from warroom_server.hosting.barred_requests import BarredRequests
from warroom_server.hosting.delivery import Delivery
from warroom_server.hosting.hosted_room import Hold, HostedRoom
from warroom_server.hosting.ownership_gate import OwnershipGate
from warroom_server.hosting.room_events import RoomEvents
from warroom_server.hosting.wanted_bot import BotRequest
from warroom_server.loop.crashpoints import points
from warroom_server.loop.timeout_queue import TimeoutQueue
from warroom_server.ports.store import Append, Committed, Fenced
from warroom_server.ports.time import Clock, Timers
from warroom_server.room import commands, effects
from warroom_server.room.commands import Act, Entering, Lag
from warroom_server.room.room import Room
from warroom_server.session.replies import notice

logger = logging.getLogger(__name__)

P = ParamSpec("P")
_Sent: TypeAlias = tuple[HostedRoom, commands.RefRequest]

FAILED_ROOM_MS = 5_000
"""How long a room that failed may take to end properly before it is dropped."""
ANSWER_MS = 3_000
"""How long a request waits at most for a store that does not answer."""


@dataclass(eq=False)
class RoomHost:
    """Owns the node's rooms."""

    pipeline: ActionPipeline
    _gate: OwnershipGate
    _delivery: Delivery
    _events: RoomEvents
    _counters: Counters
    _clock: Clock
    _timers: Timers

    def __post_init__(self) -> None:
        self._rooms = self.pipeline.rooms
        self._barred = BarredRequests(self._gate, self._delivery, self._rooms.get)
        self._is_stopping = False
        self._holds: set[Hold] = set()
        self._waiting = TimeoutQueue(ANSWER_MS, self._clock, self._timers, self._is_waiting, self._refuse_late)
        self.pipeline.stirred.append(self._follow_up)
        self.pipeline.failed.append(self._bury)
        self.pipeline.fenced.append(lambda hosted: self._take(hosted.room.number, Fenced()))
        for change in (self.pipeline.committer.away, self.pipeline.committer.back):
            change.append(lambda _: self._follow_outages())

    def __contains__(self, number: int) -> bool:
        return number in self._rooms

    def __iter__(self) -> Iterator[HostedRoom]:
        return iter(list(self._rooms.values()))

    def __len__(self) -> int:
        return len(self._rooms)

    def get(self, number: int) -> HostedRoom | None:
        """Return a room of this node, or None."""
        return self._rooms.get(number)

    def epochs(self) -> dict[int, int]:
        """Return the running rooms, each with the epoch that this node owns it under."""
        return {number: hosted.epoch for number, hosted in self._rooms.items() if not hosted.is_archived}

    def host(self, room: Room, epoch: int) -> HostedRoom:
        """Host a room that this node owns under *epoch*."""
        hosted = self._rooms[room.number] = HostedRoom(room, epoch)
        for why in self._holds:
            self.hold(hosted, why)
        self._follow_outage(hosted)
        self._rearm(hosted)
        self._events.hosted(hosted)
        self._events.changed(hosted)
        return hosted

    @property
    def term(self) -> int | None:
        """Which of its leases, in their order, the node holds; None while everything waits."""
        return self._gate.term

    def is_in_doubt(self, number: int) -> bool:
        """Whether everything of a room waits, because another node may own it by now."""
        return self._gate.bars(number)

    @property
    def doubtful(self) -> frozenset[int]:
        """The rooms that wait while others go on; empty if all of them wait."""
        return frozenset() if self._gate.is_shut else self._gate.doubtful

    def tell(self, number: int, command: commands.Command) -> None:
        """Pass a command to a room of this node, and carry out its effects.

        While another node may own the room, nothing is answered for it: commands that the room must not miss wait,
        requests of viewers do not.
        """
        if not self._gate.bars(number):
            self._take(number, command)
        elif not self._barred.refuse(number, command):
            self._gate.keep(number, lambda: self._take(number, command))

    def _follow_up(self, hosted: HostedRoom, command: Act | Committed) -> None:
        """Carry out what an action or a commit led to besides its frames and its verdict."""
        self._resolve_all(hosted, hosted.room.take())
        if isinstance(command, Committed):
            if points.is_armed:
                self._timers.call_soon(lambda: points.reached("after_flush"))
            self._rearm(hosted)
            if self._is_here(hosted):
                self._events.changed(hosted)

    def _take(self, number: int, command: commands.Command) -> None:
        """Pass a command to a room, past the gate."""
        hosted = self._rooms.get(number)
        if hosted is None:
            return
        if isinstance(command, Act):
            self.pipeline.act(number, command, self._clock.now())
        elif isinstance(command, Lag):
            if hosted.room.measured(command):
                self._rearm(hosted)
        elif not self.attempt(number, self._step, hosted, command):
            self._bury(hosted, command)

    def attempt(self, number: int, step: Callable[P, object], *args: P.args, **kwargs: P.kwargs) -> bool:
        """Call *step* for a room and return whether it succeeded. A bug of one room, or of its game, ends here."""
        try:
            step(*args, **kwargs)
        except Exception:
            logger.exception("room failed room=%s", room_code(number))
            return False
        return True

    def stop(self) -> None:
        """Let no turn time out any more: the server is about to stop, through no fault of the players."""
        self._is_stopping = True

    # --- effects of rooms -------------------------------------------------------------------------------------

    def _step(self, hosted: HostedRoom, command: commands.Command) -> None:
        self._resolve_all(hosted, hosted.room.handle(command, self._clock.now()))
        if isinstance(command, commands.RefRequest):
            self._waiting.add((hosted, command))
        self._rearm(hosted)
        if self._is_here(hosted):
            self._events.changed(hosted)

    def _resolve_all(self, hosted: HostedRoom, asked: Iterable[effects.Effect]) -> None:
        for effect in asked:
            self._resolve(hosted, effect)
        self._counters.take_judged(hosted.room.work)

    def _resolve(self, hosted: HostedRoom, effect: effects.Effect) -> None:
        room = hosted.room
        match effect:
            case effects.Send():
                self._delivery.answer(room.number, effect.viewer, effect.payload, effect.ref)
            case effects.SendAll():
                self._delivery.show(room.number, effect.payload, effect.to)
            case effects.Entered() | effects.Exited():
                self._note_viewer(hosted, effect)
            case Append():
                self.pipeline.append(effect)
            case effects.Save():
                self._events.snapshot_made(hosted, effect)
            case effects.Summon():
                self._summon(hosted, effect)
            case effects.Rematch():
                self._events.rematch_wanted(hosted, effect)
            case effects.Archive():
                self._events.ended(hosted)
            case effects.Drop():
                self._drop(hosted)

    def _note_viewer(self, hosted: HostedRoom, change: effects.Entered | effects.Exited) -> None:
        number, viewer = hosted.room.number, change.viewer
        if isinstance(change, effects.Exited):
            self._delivery.exited(number, viewer)
        elif not self._delivery.entered(number, hosted.epoch, viewer, is_together=change.is_together):
            # In the loop's next turn: the room may be asking for more right now.
            self._timers.call_soon(lambda: self.tell(number, commands.Detach(viewer)))

    def _summon(self, hosted: HostedRoom, summon: effects.Summon) -> None:
        number, opened = hosted.room.number, hosted.room.match.opened

        def answer(is_known: bool) -> None:
            # In the loop's next turn: the room may be asking for more right now.
            self._timers.call_soon(lambda: self.tell(number, commands.Summoned(summon.ticket, is_known)))

        self._events.bot_wanted(BotRequest(number, opened.game, summon.ticket, summon.bot, opened.creator), answer)

    def _drop(self, hosted: HostedRoom) -> None:
        """Drop a room that this node cannot continue; its viewers are sent to the node that does."""
        number, viewers = hosted.room.number, hosted.room.audience.viewers()
        logger.warning("room dropped room=%s viewers=%d", room_code(number), len(viewers))
        if self.pipeline.is_gone(number):
            for code in (codes.NOTICE_LOST, codes.NOTICE_MOVED):
                payload = notice(number, code)
                for viewer in viewers:
                    self._delivery.answer(number, viewer, payload)
            self.remove(hosted)
        else:
            self.lose(hosted)

    def lose(self, hosted: HostedRoom) -> None:
        """Drop a room that continues elsewhere, or here later; its viewers resume then."""
        if not self._take_out(hosted):
            return
        self._refuse_all(hosted, _refusable(hosted), codes.ROOM_MOVING)
        self._delivery.lost(hosted.room.number, hosted.epoch)
        self._events.lost(hosted)

    def remove(self, hosted: HostedRoom) -> None:
        """Remove a room that does not continue, also from the connections of its viewers."""
        if self._take_out(hosted):
            for viewer in hosted.room.audience.viewers():
                self._delivery.exited(hosted.room.number, viewer)

    def _take_out(self, hosted: HostedRoom) -> bool:
        """Stop hosting a room; return False if it was not hosted."""
        if hosted.timer is not None:
            hosted.timer.cancel()
        if not self._is_here(hosted):
            return False
        del self._rooms[hosted.room.number]
        self._events.removed(hosted)
        return True

    def _is_waiting(self, sent: _Sent) -> bool:
        hosted, request = sent
        return self._is_here(hosted) and request in _refusable(hosted)

    def _refuse_late(self, sent: _Sent) -> None:
        """Refuse a request that still waits for the store. An entry that is stored later still counts."""
        hosted, request = sent
        refused = [waiting for waiting in _refusable(hosted) if waiting == request]
        self._gate.bypass(lambda: self._take(hosted.room.number, commands.Withdraw(request.viewer, request.ref)))
        self._refuse_all(hosted, refused, codes.STORE_UNAVAILABLE)

    def _refuse_all(self, hosted: HostedRoom, requests: Iterable[commands.Request], code: str) -> None:
        for request in requests:
            if isinstance(request, Entering) and request.viewer not in hosted.room.audience:
                self._delivery.turn_away(hosted.room.number, request, code)
            else:
                self._delivery.refuse(hosted.room.number, request, code)

    def _is_here(self, hosted: HostedRoom) -> bool:
        """Whether a room is still hosted, and not removed or taken over again meanwhile."""
        return self._rooms.get(hosted.room.number) is hosted

    def fence(self, number: int, epoch: int) -> None:
        """Drop a room that the store refuses to this node under *epoch*, unless it was claimed again since."""
        hosted = self._rooms.get(number)
        if hosted is not None and hosted.epoch == epoch:
            self._gate.bypass(lambda: self._take(number, Fenced()))

    # --- deadlines --------------------------------------------------------------------------------------------

    def _rearm(self, hosted: HostedRoom) -> None:
        wake_at = hosted.room.wake_at
        # While an append is pending, the room leaves out moments at which it wants another entry.
        hosted.has_all_moments = not hosted.pending
        if wake_at == hosted.wake_at:
            return
        if hosted.timer is not None:
            hosted.timer.cancel()
        hosted.timer = None if wake_at is None else self._timers.call_at(wake_at, partial(self._due, hosted))
        hosted.wake_at = wake_at

    def _due(self, hosted: HostedRoom) -> None:
        wake_at = hosted.wake_at
        # The first hop ends with a poll of the sockets, the second runs after what that poll brought.
        self._timers.call_soon(lambda: self._timers.call_soon(lambda: self._expire(hosted, wake_at)))

    def _expire(self, hosted: HostedRoom, wake_at: int | None) -> None:
        if self._is_here(hosted) and hosted.wake_at == wake_at and not self._is_stopping:
            hosted.timer = hosted.wake_at = None
            self.tell(hosted.room.number, commands.Expire(wake_at))

    # --- paused clocks ----------------------------------------------------------------------------------------

    def hold(self, hosted: HostedRoom, why: Hold) -> None:
        """Add a reason to stop a room's clock; it runs again when no reason is left."""
        self._change_holds(hosted, hosted.holds | {why})

    def release(self, hosted: HostedRoom, why: Hold) -> None:
        """Remove one reason to stop a room's clock."""
        if why in hosted.holds:
            self._change_holds(hosted, hosted.holds - {why})

    def _change_holds(self, hosted: HostedRoom, holds: frozenset[Hold]) -> None:
        before = hosted.pause
        hosted.holds = holds
        if hosted.pause != before and self._is_here(hosted):
            self.tell(hosted.room.number, hosted.pause or commands.Unpause())

    def hold_all(self, why: Hold) -> None:
        """Stop the clock of every room, future ones included."""
        self._holds.add(why)
        for hosted in self:
            self.hold(hosted, why)

    def release_all(self, why: Hold) -> None:
        """Remove one reason to stop the clock of every room, except for rooms in doubt."""
        self._holds.discard(why)
        for hosted in self:
            if not self.is_in_doubt(hosted.room.number):
                self.release(hosted, why)

    def _follow_outages(self) -> None:
        for hosted in self:
            self._follow_outage(hosted)

    def _follow_outage(self, hosted: HostedRoom) -> None:
        """Stop a room's clock while the primary that has the room is away."""
        change = self.hold if self.pipeline.committer.is_away(hosted.room.number) else self.release
        change(hosted, Hold.OUTAGE)

    # --- bugs -------------------------------------------------------------------------------------------------

    def _bury(self, hosted: HostedRoom, command: commands.Command) -> None:
        """End a room that raised: properly if it still can, else by dropping it."""
        number = hosted.room.number
        if isinstance(command, Entering) and command.viewer not in hosted.room.audience:
            self._delivery.turn_away(number, command, codes.INTERNAL)
        elif isinstance(command, commands.Request):
            self._delivery.refuse(number, command, codes.INTERNAL)
        if hosted.has_failed:
            self.lose(hosted)
            return
        hosted.has_failed = True
        self.attempt(number, lambda: self._resolve_all(hosted, hosted.room.salvage()))
        self._delivery.show(number, notice(number, codes.NOTICE_INTERNAL), hosted.room.audience.everyone())
        self._timers.call_after(FAILED_ROOM_MS, lambda: self._give_up(hosted))
        self.tell(number, commands.Void(codes.INTERNAL))

    def _give_up(self, hosted: HostedRoom) -> None:
        if not hosted.room.is_over:
            self.lose(hosted)


def _refusable(hosted: HostedRoom) -> list[commands.Request]:
    """Return the unanswered requests of a room; an action is left, because it may count already."""
    return [request for request in hosted.room.unanswered() if not isinstance(request, commands.Act)]
