"""Drives rooms through their actions: from the request to the store, and from its answer to the viewers.

This is the hot path of a node, so it makes few calls. Everything else that a room does goes through `RoomHost`.
"""

import logging
from dataclasses import dataclass

from msgspec.structs import replace

from warroom_protocol.rooms import room_code
from warroom_server.hosting.delivery import Delivery
from warroom_server.hosting.hosted_room import HostedRoom
from warroom_server.hosting.ownership_gate import OwnershipGate
from warroom_server.loop.crashpoints import points
from warroom_server.ports.listeners import Signal
from warroom_server.ports.store import Append, AppendAnswer, Committed, Fenced
from warroom_server.ports.time import Clock
from warroom_server.room.commands import Act
from warroom_server.room.effects import ActionOutput
from warroom_server.storage.committer import Committer
from warroom_server.storage.log_repair import LogRepair

logger = logging.getLogger(__name__)


@dataclass(eq=False)
class ActionPipeline:
    """Judges actions for the *rooms* of this node, and appends their entries."""

    committer: Committer
    _log_repair: LogRepair
    _gate: OwnershipGate
    _delivery: Delivery
    _clock: Clock
    _owner: str
    rooms: dict[int, HostedRoom]

    def __post_init__(self) -> None:
        self.stirred: Signal[HostedRoom, Act | Committed] = Signal()
        """An action or a commit led to more than frames and a verdict: effects, or another schedule of the room."""
        self.failed: Signal[HostedRoom, Act | Committed] = Signal()
        """A room raised."""
        self.fenced: Signal[HostedRoom] = Signal()
        """The store refuses an entry because the room has another owner."""
        self.output = ActionOutput(self.append, self._delivery.show, self._delivery.answer)
        """Carries the consequences of actions of all rooms."""
        self._counters = self.committer.counters
        self.committer.answered.append(self._answered)

    def act(self, number: int, act: Act, now: int) -> bool:
        """Let a room judge an action; return False if it is not hosted here, or another node may own it."""
        hosted = self.rooms.get(number)
        if hosted is None or (self._gate.is_guarded and self._gate.bars(number)):
            return False
        try:
            if hosted.room.act(act, now, self.output):
                self.stirred(hosted, act)
        except Exception:
            logger.exception("room failed room=%s", room_code(number))
            self.failed(hosted, act)
        return True

    def append(self, append: Append) -> None:
        """Send an entry of a room to the store, under the epoch of this node."""
        if points.is_armed:
            points.reached("before_append")
        hosted = self.rooms[append.room]
        pending = replace(append, owner=self._owner, epoch=hosted.epoch)
        hosted.pending = (*hosted.pending, pending)
        self.committer.submit(pending)

    def raise_epoch(self, hosted: HostedRoom, epoch: int) -> None:
        """Continue a room under another epoch, and send its unanswered appends again under that."""
        hosted.epoch = epoch
        hosted.pending = tuple(replace(append, epoch=epoch) for append in hosted.pending)
        for append in hosted.pending:
            self.committer.submit(append)

    def is_gone(self, room: int) -> bool:
        """Whether the store has lost a room, and this node cannot restore it."""
        return self._log_repair.is_gone(room)

    def _answered(self, append: Append, answer: AppendAnswer) -> None:
        """Let a room adopt the entry that the store has, unless the room has another epoch by now."""
        if self._gate.is_guarded and self._gate.bars(append.room):
            self._gate.keep(append.room, lambda: self._answered(append, answer))
            return
        hosted = self.rooms.get(append.room)
        if hosted is None or hosted.epoch != append.epoch:
            return
        hosted.pending = hosted.pending[1:]
        if isinstance(answer, Fenced):
            self.fenced(hosted)
            return
        if points.is_armed:
            points.reached("after_append")
        room = hosted.room
        try:
            has_more = room.committed(self._clock.now(), self.output)
            if points.is_armed:
                points.reached("after_adopt")
                points.reached("after_verdict")
            # A room with another append is asked for its moments after that one.
            if has_more or not (hosted.pending or hosted.has_all_moments) or points.is_armed:
                self.stirred(hosted, answer)
        except Exception:
            logger.exception("room failed room=%s", room_code(append.room))
            self.failed(hosted, answer)
        self._counters.accepted += room.work.accepted
        room.work.accepted = 0
