"""What rooms append: on its way to the store, and the store's answers on their way back to the rooms."""

import asyncio
from collections.abc import Callable

from msgspec.structs import replace

from warroom_server.counters import Counters
from warroom_server.hosting.hosted_room import HostedRoom
from warroom_server.hosting.ownership_gate import OwnershipGate
from warroom_server.loop.crashpoints import points
from warroom_server.ports.store import NONCE_BYTES, AppendAnswer, AppendRequest, Fenced
from warroom_server.room import commands, effects
from warroom_server.storage.committer import Appender
from warroom_server.storage.committers import Committers
from warroom_server.storage.measured_appends import MeasuredAppender
from warroom_server.storage.outages import Outages


class Writer:
    """Appends for rooms, one entry of each at a time, under the epoch of this node.

    *hosted* finds a room of this node, *take* gives it the store's answer, past the gate. An answer under an epoch
    that is not the room's any more is none: what it was about was asked again, or the room is another's.
    """

    def __init__(
        self,
        store: Appender,
        *,
        owner: str,
        counters: Counters,
        gate: OwnershipGate,
        hosted: Callable[[int], HostedRoom | None],
        take: Callable[[int, commands.Command], None],
        outages: Outages,
        primary_of: Callable[[int], str],
    ) -> None:
        self.committer = Committers(
            MeasuredAppender(store, counters),
            self._answered,
            primary_of=primary_of,
            on_away=outages.began,
            on_back=outages.ended,
        )
        self._owner = owner
        self._gate = gate
        self._hosted = hosted
        self._take = take
        self._settled = asyncio.Event()
        self._settled.set()

    async def settled(self) -> None:
        """Wait until the store has answered everything."""
        await self._settled.wait()

    def append(self, hosted: HostedRoom, append: effects.Append) -> None:
        """Send an entry of a room to the store."""
        points.reached("before_append")
        request = AppendRequest(
            room=hosted.room.number,
            owner=self._owner,
            epoch=hosted.epoch,
            rev=append.rev,
            nonce=append.chain[:NONCE_BYTES],
            entry=append.entry,
            chain=append.chain,
        )
        self._submit(hosted, request)

    def raise_epoch(self, hosted: HostedRoom, epoch: int) -> None:
        """Go on with a room under another epoch: what the store owes an answer to is asked again under that."""
        hosted.epoch = epoch
        if hosted.pending is not None:
            self._submit(hosted, replace(hosted.pending, epoch=epoch))

    def _submit(self, hosted: HostedRoom, request: AppendRequest) -> None:
        hosted.pending = request
        self.committer.submit(request)
        self._settled.clear()

    def _answered(self, request: AppendRequest, answer: AppendAnswer) -> None:
        if self._gate.bars(request.room):
            self._gate.keep(request.room, lambda: self._pass_on(request, answer))
        else:
            self._pass_on(request, answer)
        if not self.committer.backlog:
            self._settled.set()

    def _pass_on(self, request: AppendRequest, answer: AppendAnswer) -> None:
        hosted = self._hosted(request.room)
        if hosted is None or hosted.epoch != request.epoch:
            return
        hosted.pending = None
        if isinstance(answer, Fenced):
            self._take(request.room, commands.Fenced())
        else:
            points.reached("after_append")
            self._take(request.room, commands.Committed(request.rev))
