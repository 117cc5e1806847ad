"""Sends the entries of rooms to the store, and passes the answers back to the rooms."""

import asyncio

from msgspec.structs import replace

from warroom_server.hosting.hosted_room import HostedRoom
from warroom_server.hosting.ownership_gate import OwnershipGate
from warroom_server.loop.crashpoints import points
from warroom_server.ports.event_signal import Signal
from warroom_server.ports.store import Append, AppendAnswer, Committed
from warroom_server.room import commands
from warroom_server.storage.committer import Committer
from warroom_server.storage.log_repair import LogRepair


class Writer:
    """Appends for the *rooms* of this node, one entry of each at a time, under the epoch of this node.

    An answer under an epoch that the room does not have any more is ignored: the entry was sent again, or the room has
    another owner.
    """

    def __init__(
        self,
        committer: Committer,
        log_repair: LogRepair,
        gate: OwnershipGate,
        *,
        owner: str,
        rooms: dict[int, HostedRoom],
    ) -> None:
        self.answered: Signal[int, commands.Command] = Signal()
        """The store answered for a room."""
        self.committer = committer
        self.rooms = rooms
        self._log_repair = log_repair
        self._gate = gate
        self._owner = owner
        self._settled = asyncio.Event()
        self._settled.set()
        committer.answered.append(self._answered)

    async def settled(self) -> None:
        """Wait until the store has answered everything."""
        await self._settled.wait()

    def is_gone(self, room: int) -> bool:
        """Whether the store has lost a room, and this node cannot restore it."""
        return self._log_repair.is_gone(room)

    def append(self, hosted: HostedRoom, append: Append) -> None:
        """Send an entry of a room to the store."""
        points.reached("before_append")
        self._submit(hosted, replace(append, owner=self._owner, epoch=hosted.epoch))

    def raise_epoch(self, hosted: HostedRoom, epoch: int) -> None:
        """Continue a room under another epoch, and send its unanswered append again under that."""
        hosted.epoch = epoch
        if hosted.pending is not None:
            self._submit(hosted, replace(hosted.pending, epoch=epoch))

    def _submit(self, hosted: HostedRoom, append: Append) -> None:
        hosted.pending = append
        self.committer.submit(append)
        self._settled.clear()

    def _answered(self, append: Append, answer: AppendAnswer) -> None:
        if self._gate.bars(append.room):
            self._gate.keep(append.room, lambda: self._pass_on(append, answer))
        else:
            self._pass_on(append, answer)
        if not self.committer.backlog:
            self._settled.set()

    def _pass_on(self, append: Append, answer: AppendAnswer) -> None:
        hosted = self.rooms.get(append.room)
        if hosted is None or hosted.epoch != append.epoch:
            return
        hosted.pending = None
        if isinstance(answer, Committed):
            points.reached("after_append")
        self.answered(append.room, answer)
