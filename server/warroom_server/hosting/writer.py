"""Appends the entries of rooms to the store, and passes the store's answers back to the rooms."""

import asyncio
from collections.abc import Callable

from msgspec.structs import replace

from warroom_server.counters import Counters
from warroom_server.hosting.hosted_room import HostedRoom
from warroom_server.hosting.ownership_gate import OwnershipGate
from warroom_server.loop.crashpoints import points
from warroom_server.loop.signal import Signal
from warroom_server.ports.store import NONCE_BYTES, AppendAnswer, AppendRequest, Fenced
from warroom_server.room import commands, effects
from warroom_server.storage.committers import Committers
from warroom_server.storage.log_repair import LogRepair
from warroom_server.storage.measured_appends import MeasuredAppender
from warroom_server.storage.outages import Outages


class Writer:
    """Appends for the *rooms* of this node, one entry of each at a time, under the epoch of this node.

    An answer under an old epoch of its room is ignored: its entry was submitted again, or the room is another node's.
    """

    def __init__(
        self,
        log: LogRepair,
        *,
        owner: str,
        rooms: dict[int, HostedRoom],
        gate: OwnershipGate,
        primary_of: Callable[[int], str],
        counters: Counters,
    ) -> None:
        self.rooms = rooms
        self.answered: Signal[int, commands.Command] = Signal()
        """The store answered for a room."""
        self.stalled: Signal[int] = Signal()
        """The primary of a room does not answer."""
        self.resumed: Signal[int] = Signal()
        """The primary of a room answers again."""
        self.outages = Outages(primary_of, counters, rooms=lambda: list(rooms), hold=self.stalled, release=self.resumed)
        self.committer = Committers(
            MeasuredAppender(log, counters),
            self._answered,
            primary_of=primary_of,
            on_away=self.outages.began,
            on_back=self.outages.ended,
        )
        self._log = log
        self._owner = owner
        self._gate = gate
        self._settled = asyncio.Event()
        self._settled.set()

    async def settled(self) -> None:
        """Wait until the store has answered everything."""
        await self._settled.wait()

    def is_gone(self, room: int) -> bool:
        """Whether the store has lost a room, and this node cannot restore it."""
        return self._log.is_gone(room)

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
        """Continue a room under another epoch, and submit its unanswered entry again under that."""
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
        hosted = self.rooms.get(request.room)
        if hosted is None or hosted.epoch != request.epoch:
            return
        hosted.pending = None
        if isinstance(answer, Fenced):
            self.answered(request.room, commands.Fenced())
        else:
            points.reached("after_append")
            self.answered(request.room, commands.Committed(request.rev))
