"""The rooms of one node: gives them commands, and does what they ask for.

There is no task, timer or lock per room: one dictionary, one heap of deadlines, one committer for each primary.
"""

import logging
from collections.abc import Callable, Iterable, Iterator, Sequence

from warroom_games.replay import seal
from warroom_protocol import codes
from warroom_protocol.rooms import room_code
from warroom_server.counters import Counters
from warroom_server.hosting.connections import Connections
from warroom_server.hosting.held_requests import HeldRequests
from warroom_server.hosting.hosted_room import Hold, HostedRoom
from warroom_server.hosting.ownership_gate import OwnershipGate
from warroom_server.hosting.room_events import RoomEvents
from warroom_server.hosting.vacancy import BotRequest
from warroom_server.hosting.writer import Writer
from warroom_server.loop.crashpoints import points
from warroom_server.ports.clock import Clock, Timers
from warroom_server.ports.store import LogEntry, Store
from warroom_server.room import commands, effects
from warroom_server.room.commands import Entering
from warroom_server.room.room import Room
from warroom_server.session.notices import notice
from warroom_server.storage.archiver import Archiver
from warroom_server.storage.log_repair import LogRepair
from warroom_server.storage.match_records import record_of
from warroom_server.storage.measured_appends import count_judged
from warroom_server.storage.outages import Outages

logger = logging.getLogger(__name__)


FAILED_ROOM_MS = 5_000
"""How long a room that failed may take to end properly before it is thrown out."""


class RoomHost:
    """Owns the node's rooms. *soon* runs something in the loop's next turn, after a poll of the sockets."""

    def __init__(
        self,
        *,
        owner: str,
        store: Store,
        clock: Clock,
        timers: Timers,
        connections: Connections,
        archiver: Archiver,
        events: RoomEvents,
        counters: Counters,
        gate: OwnershipGate,
        soon: Callable[[Callable[[], object]], object],
        log_repair: LogRepair,
    ) -> None:
        self._outages = Outages(
            store.primary_of,
            counters,
            rooms=lambda: list(self._rooms),
            hold=lambda number: self.hold(self._rooms[number], Hold.OUTAGE),
            release=self._end_outage,
        )
        self._rooms: dict[int, HostedRoom] = {}
        self._log_repair = log_repair
        self.writer = Writer(
            log_repair,
            owner=owner,
            counters=counters,
            gate=gate,
            hosted=self._rooms.get,
            tell=self.tell,
            outages=self._outages,
            primary_of=store.primary_of,
        )
        self._events = events
        self.on_absent: Callable[[int, commands.Command], bool] = lambda _, __: False
        """Called with a command for a room that is not here; returns whether it was taken."""
        self.on_entering: Callable[[int, Entering], None] = lambda number, command: connections.refuse(
            number, command, codes.ROOM_UNKNOWN
        )
        """Called for whoever wanted to enter a room that left while that had to wait."""
        self._counters = counters
        self._gate = gate
        self._held_requests = HeldRequests(
            gate, connections=connections, clock=clock, timers=timers, tell=self._take, is_inside=self._is_inside
        )
        self._clock = clock
        self._timers = timers
        self._connections = connections
        self._archiver = archiver
        self._soon = soon
        self._is_stopping = False
        self._holds: set[Hold] = set()

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
        """Take a room in that this node owns under *epoch*."""
        hosted = self._rooms[room.number] = HostedRoom(room, epoch)
        for why in self._holds:
            self.hold(hosted, why)
        self._outages.arrived(room.number)
        self._rearm(hosted)
        self._events.hosted(hosted)
        self._events.changed(hosted)
        return hosted

    @property
    def is_silent(self) -> bool:
        """Whether everything waits, because nobody can tell whether the rooms here are still this node's."""
        return self._gate.is_shut

    @property
    def term(self) -> int | None:
        """Which of its leases, in their order, the node holds; None while everything waits."""
        return self._gate.term

    def is_in_doubt(self, number: int) -> bool:
        """Whether everything of a room waits, because nobody can tell whether it is still this node's."""
        return self._gate.bars(number)

    @property
    def doubtful(self) -> frozenset[int]:
        """The rooms that stand still while others go on; where all of them do, none is better than another."""
        return frozenset() if self._gate.is_shut else self._gate.doubtful

    def tell(self, number: int, command: commands.Command) -> None:
        """Give a room a command and do what it asks for; if it is not here, lead its viewers to where it is."""
        if self._gate.bars(number):
            self._held_requests.keep(number, command)
        else:
            self._take(number, command)

    def _take(self, number: int, command: commands.Command) -> None:
        """Do what a command asks for that has passed the gate; looked at again, it might wait behind later ones."""
        hosted = self._rooms.get(number)
        if hosted is None:
            if self.on_absent(number, command):
                return
            if isinstance(command, Entering):
                self.on_entering(number, command)
            elif isinstance(command, commands.Request):
                self._connections.send_back(number, command)
        elif not self.attempt(number, lambda: self._step(hosted, command)):
            self._bury(hosted, command)

    def attempt(self, number: int, step: Callable[[], object]) -> bool:
        """Do *step* for a room and return whether it went well. A bug of one room, or of its game, ends here."""
        try:
            step()
        except Exception:
            logger.exception("room failed room=%s", room_code(number))
            return False
        return True

    def stop(self) -> None:
        """Let nobody run out of time any more: the server is about to stop, and the players cannot help it."""
        self._is_stopping = True

    # --- what rooms ask for -----------------------------------------------------------------------------------

    def _step(self, hosted: HostedRoom, command: commands.Command) -> None:
        is_commit = isinstance(command, commands.Committed)
        asked = hosted.room.handle(command, self._clock.now())
        if is_commit:
            points.reached("after_adopt")
        self._resolve_all(hosted, asked)
        if is_commit:
            points.reached("after_verdict")
            if points.is_armed:
                self._soon(lambda: points.reached("after_flush"))
        self._rearm(hosted)
        if self._is_here(hosted):
            self._events.changed(hosted)

    def _resolve_all(self, hosted: HostedRoom, asked: Iterable[effects.Effect]) -> None:
        for effect in asked:
            self._resolve(hosted, effect)
        count_judged(hosted.room.work, self._counters)

    def _resolve(self, hosted: HostedRoom, effect: effects.Effect) -> None:
        room = hosted.room
        match effect:
            case effects.Send():
                self._answer(room.number, effect)
            case effects.SendSeat():
                self._connections.show(room.number, effect.to, effect.payload)
            case effects.SendAll():
                self._show(room.number, effect.to, effect.payload)
            case effects.Append():
                self.writer.append(hosted, effect)
            case effects.Save():
                self._archiver.save(room.number, hosted.epoch, rev=effect.rev, snapshot=effect.snapshot)
            case effects.Summon():
                self._summon(hosted, effect)
            case effects.Rematch():
                self._events.rematch_wanted(hosted, effect)
            case effects.Archive():
                self._archive(hosted)
            case effects.Drop():
                self._drop(hosted)

    def _answer(self, number: int, send: effects.Send) -> None:
        if send.connection == commands.FEED:
            self._events.fed(number, send.payload)
        else:
            self._connections.answer(send.connection, send.payload)

    def _show(self, number: int, viewers: tuple[int, ...], payload: bytes) -> None:
        self._connections.show(number, viewers, payload)
        if commands.FEED in viewers:
            self._events.fed(number, payload)

    def _summon(self, hosted: HostedRoom, summon: effects.Summon) -> None:
        number, opened = hosted.room.number, hosted.room.match.opened

        def answer(is_known: bool) -> None:
            # In the loop's next turn: the room may be asking for more right now.
            self._soon(lambda: self.tell(number, commands.Summoned(summon.ticket, is_known)))

        self._events.bot_wanted(BotRequest(number, opened.game, summon.ticket, summon.bot, opened.creator), answer)

    def _archive(self, hosted: HostedRoom) -> None:
        number = hosted.room.number
        result = hosted.room.match.result
        reason, ranks = ("", ()) if result is None else (result.reason, result.ranks)
        logger.info("match over room=%s reason=%s ranks=%s", room_code(number), reason, ",".join(map(str, ranks)))

        def make(log: Sequence[LogEntry]) -> bytes | None:
            replays: list[bytes] = []
            self.attempt(number, lambda: replays.append(seal(log)))
            return replays[0] if replays else None

        def done() -> None:
            hosted.is_archived = True

        record = record_of(hosted.room.match, ended_ms=self._clock.wall_ms())
        match = hosted.room.match
        self._archiver.archive(hosted.epoch, (match.rev, match.chain), record, seal=make, done=done)

    def _drop(self, hosted: HostedRoom) -> None:
        """Let a room go that this node cannot go on with; its viewers are led to where it goes on."""
        number, viewers = hosted.room.number, list(hosted.room.audience.everyone())
        logger.warning("room dropped room=%s viewers=%d", room_code(number), len(viewers))
        if self._log_repair.is_gone(number):
            for code in (codes.NOTICE_LOST, codes.NOTICE_MOVED):
                payload = notice(number, code)
                for viewer in viewers:
                    self._connections.answer(viewer, payload)
            self.remove(hosted)
        else:
            self.lose(hosted)

    def lose(self, hosted: HostedRoom) -> None:
        """Let a room go that belongs to another node from now on."""
        self._events.lost(hosted)
        self.remove(hosted)

    def remove(self, hosted: HostedRoom) -> None:
        """Forget a room, and let its viewers' connections forget it."""
        if hosted.timer is not None:
            hosted.timer.cancel()
        number = hosted.room.number
        if self._is_here(hosted):
            del self._rooms[number]
            self._connections.lose(number, hosted.room.audience.everyone())
            self._events.removed(hosted)

    def _is_inside(self, number: int, connection: int) -> bool | None:
        """Whether a connection is in a room; None if that is not here, and so cannot tell."""
        hosted = self._rooms.get(number)
        return None if hosted is None else connection in hosted.room.audience

    def _is_here(self, hosted: HostedRoom) -> bool:
        """Whether a room is hosted, and not forgotten or taken in anew meanwhile."""
        return self._rooms.get(hosted.room.number) is hosted

    # --- deadlines --------------------------------------------------------------------------------------------

    def _rearm(self, hosted: HostedRoom) -> None:
        wake_at = hosted.room.wake_at
        if wake_at == hosted.wake_at:
            return
        if hosted.timer is not None:
            hosted.timer.cancel()
        hosted.timer = None if wake_at is None else self._timers.call_at(wake_at, lambda: self._due(hosted, wake_at))
        hosted.wake_at = wake_at

    def _due(self, hosted: HostedRoom, wake_at: int) -> None:
        # The first hop ends with a poll of the sockets, the second runs after what that poll brought.
        self._soon(lambda: self._soon(lambda: self._expire(hosted, wake_at)))

    def _expire(self, hosted: HostedRoom, wake_at: int) -> None:
        is_current = self._is_here(hosted) and hosted.wake_at == wake_at
        if is_current and not self._is_stopping:
            hosted.timer = hosted.wake_at = None
            self.tell(hosted.room.number, commands.Expire())

    # --- standing still ---------------------------------------------------------------------------------------

    def hold(self, hosted: HostedRoom, why: Hold) -> None:
        """Stop a room's clock, for as long as there is any reason to."""
        self._change_holds(hosted, hosted.holds | {why})

    def release(self, hosted: HostedRoom, why: Hold) -> None:
        """Take back one reason to stop a room's clock."""
        self._change_holds(hosted, hosted.holds - {why})

    def _change_holds(self, hosted: HostedRoom, holds: frozenset[Hold]) -> None:
        before = hosted.pause
        hosted.holds = holds
        if hosted.pause != before and self._is_here(hosted):
            self.tell(hosted.room.number, hosted.pause or commands.Unpause())

    def hold_all(self, why: Hold) -> None:
        """Stop the clock of every room, those to come included."""
        self._holds.add(why)
        for hosted in self:
            self.hold(hosted, why)

    def release_all(self, why: Hold) -> None:
        """Take back one reason to stop the clock of every room, but for those that are in doubt."""
        self._holds.discard(why)
        for hosted in self:
            if not self.is_in_doubt(hosted.room.number):
                self.release(hosted, why)

    def _end_outage(self, number: int) -> None:
        if (hosted := self._rooms.get(number)) is not None:
            self.release(hosted, Hold.OUTAGE)

    # --- bugs -------------------------------------------------------------------------------------------------

    def _bury(self, hosted: HostedRoom, command: commands.Command) -> None:
        """End a room that raised: properly if it still can, else by forgetting it."""
        number = hosted.room.number
        self._connections.refuse(number, command, codes.INTERNAL)
        if hosted.has_failed:
            self.remove(hosted)
            return
        hosted.has_failed = True
        self.attempt(number, lambda: self._resolve_all(hosted, hosted.room.salvage()))
        self._show(number, hosted.room.audience.everyone(), notice(number, codes.NOTICE_INTERNAL))
        self._timers.call_at(self._clock.now() + FAILED_ROOM_MS, lambda: self._give_up(hosted))
        self.tell(number, commands.Void(codes.INTERNAL))

    def _give_up(self, hosted: HostedRoom) -> None:
        if not hosted.room.is_over:
            self.remove(hosted)
