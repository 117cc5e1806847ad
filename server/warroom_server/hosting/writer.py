"""Sends what rooms append to the store, and brings them the answers."""

import asyncio
from collections.abc import Callable

from msgspec.structs import replace

from warroom_server.hosting.hosted_room import HostedRoom
from warroom_server.hosting.ownership_gate import OwnershipGate
from warroom_server.loop.crashpoints import points
from warroom_server.ports.store import Append, AppendAnswer, Committed
from warroom_server.room import commands
from warroom_server.storage.committer import Committer


class Writer:
    """Appends for rooms, one entry of each at a time, under the epoch of this node.

    *hosted* finds a room of this node, *take* gives it the store's answer, past the gate. An answer under an epoch
    that the room does not have any more is ignored: the entry was sent again, or the room has another owner.
    """

    def __init__(
        self,
        committer: Committer,
        *,
        owner: str,
        gate: OwnershipGate,
        hosted: Callable[[int], HostedRoom | None],
        take: Callable[[int, commands.Command], None],
    ) -> None:
        self.committer = committer
        self._owner = owner
        self._gate = gate
        self._hosted = hosted
        self._take = take
        self._settled = asyncio.Event()
        self._settled.set()
        committer.answered.append(self._answered)

    async def settled(self) -> None:
        """Wait until the store has answered everything."""
        await self._settled.wait()

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
        hosted = self._hosted(append.room)
        if hosted is None or hosted.epoch != append.epoch:
            return
        hosted.pending = None
        if isinstance(answer, Committed):
            points.reached("after_append")
        self._take(append.room, answer)
