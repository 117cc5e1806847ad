"""What is stored behind the scenes, and for which no player waits: snapshots and the replays of finished matches."""

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import Protocol, TypeAlias

from msgspec import Struct

from warroom_protocol.rooms import room_code
from warroom_server.loop.crashpoints import points
from warroom_server.ports.records import MatchRecord, Records
from warroom_server.ports.signal import Signal
from warroom_server.ports.store import LogEntry, Store, UnavailableError

logger = logging.getLogger(__name__)

FIRST_PAUSE_S = 0.25
LONGEST_PAUSE_S = 30.0
"""Between two attempts to store the same replay; each pause is twice the one before."""

REMEMBERED_S = 60.0
"""For how long after a replay was kept it is made again if the store turns out to have lost it."""

Seal: TypeAlias = Callable[[Sequence[LogEntry]], bytes | None]
"""Makes a replay of a log; None if that cannot be done, and the log is to stay as it is."""


LastEntry: TypeAlias = tuple[int, bytes]
"""The revision and the chain of the entry with which a match ended."""


class Rewriter(Protocol):
    """Writes again what the store forgot."""

    async def rewrite(self, epochs: Mapping[int, int]) -> None:
        """Append the newest entry of rooms once more, under these epochs."""
        ...


class _Snapshot(Struct, frozen=True):
    room: int
    epoch: int
    rev: int
    snapshot: bytes


class _Finished:
    """A match whose replay is to be kept, and how patient to be with it."""

    __slots__ = ("done", "epoch", "is_again", "kept", "last", "pause_s", "record", "room", "seal")

    def __init__(
        self,
        epoch: int,
        last: LastEntry,
        record: MatchRecord,
        seal: Seal,
        done: Callable[[], None],
        *,
        is_again: bool = False,
    ) -> None:
        self.room = record.room
        self.epoch = epoch
        self.last = last
        self.record = record
        self.seal = seal
        self.done = done
        self.is_again = is_again
        """Whether its replay was kept before, and may be lost."""
        self.pause_s = FIRST_PAUSE_S
        self.kept = asyncio.Event()

    def again(self) -> "_Finished":
        """Return it as one whose replay may have to be made once more."""
        return _Finished(self.epoch, self.last, self.record, self.seal, self.done, is_again=True)


class Archiver:
    """One task that stores snapshots and replays by turns, one at a time.

    Of a room's snapshots only the latest waits, so the queue is never longer than the node's rooms. A snapshot is given
    up when the store is away (the next one comes soon); a replay that cannot be stored rests while others go on, and
    is tried again until it is kept.
    """

    def __init__(self, store: Store, records: Records, *, owner: str, keep_s: int, log_repair: Rewriter) -> None:
        self.published: Signal[MatchRecord] = Signal()
        """The record of a match is stored, and its result may count; this may happen twice for one match."""
        self._store = store
        self._records = records
        self._owner = owner
        self._keep_s = keep_s
        self._log_repair = log_repair
        self._snapshots: dict[int, _Snapshot] = {}
        self._finished: dict[int, _Finished] = {}
        self._ready: deque[_Finished] = deque()
        self._lately: deque[tuple[float, _Finished]] = deque()
        """What was finished a short while ago, and when."""
        self._wake = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._closing = False
        self.retries = 0
        """How often a replay could not be stored."""

    def start(self) -> asyncio.Task[None]:
        """Begin to serve, and return the task, which ends only by `close` or by a bug; needs a running loop."""
        self._task = asyncio.get_running_loop().create_task(self._run(), name="archiver")
        return self._task

    def save(self, room: int, epoch: int, *, rev: int, snapshot: bytes) -> None:
        """Keep a snapshot when there is time; a later one of the same room takes its place."""
        self._snapshots[room] = _Snapshot(room, epoch, rev, snapshot)
        self._wake.set()

    def archive(
        self, epoch: int, last: LastEntry, record: MatchRecord, *, seal: Seal, done: Callable[[], None]
    ) -> None:
        """Note a finished match, make its replay from its log, which ends with *last*, keep that, and call *done*."""
        self._snapshots.pop(record.room, None)
        item = self._finished[record.room] = _Finished(epoch, last, record, seal, done)
        self._make_ready(item)

    def recheck(self) -> None:
        """Look for the replays of the last minute in the store, and make those again that are missing."""
        self._forget_old()
        lately, self._lately = self._lately, deque()
        for _, item in lately:
            if item.room not in self._finished:
                again = self._finished[item.room] = item.again()
                self._make_ready(again)

    async def archived(self, room: int) -> None:
        """Wait until no replay of *room* is left to be kept."""
        while (item := self._finished.get(room)) is not None:
            await item.kept.wait()

    async def close(self, *, drain_s: float = 5.0) -> None:
        """Finish what waits, for up to *drain_s* seconds; what is left is done by whoever restores the room."""
        self._closing = True
        self._wake.set()
        if self._task is None:
            return
        await asyncio.wait([self._task], timeout=drain_s)
        self._task.cancel()
        await asyncio.wait([self._task])

    async def _run(self) -> None:
        while not (self._closing and not self._snapshots and not self._finished):
            if not self._snapshots and not self._ready:
                self._wake.clear()
                await self._wake.wait()
            if self._ready:
                await self._archive(self._ready.popleft())
            if self._snapshots:
                await self._save(self._snapshots.pop(next(iter(self._snapshots))))

    async def _save(self, item: _Snapshot) -> None:
        points.reached("before_save")
        try:
            await self._store.save(item.room, self._owner, item.epoch, rev=item.rev, snapshot=item.snapshot)
        except UnavailableError as error:
            logger.warning("snapshot given up room=%s rev=%d reason=%r", room_code(item.room), item.rev, str(error))
            return
        points.reached("after_save")

    async def _archive(self, item: _Finished) -> None:
        if self._finished.get(item.room) is not item:
            return  # its history was cut back, and the match has ended in another life since
        points.reached("before_archive")
        try:
            log = await self._whole_log(item)
            # An empty log was archived before, by an owner that died before it could say so.
            replay = item.seal(log) if log else None
            if replay is not None:
                await self._keep(item, replay)
        except UnavailableError as error:
            self._rest(item, str(error))
            return
        points.reached("after_archive")
        self._finish(item)
        item.done()

    def _finish(self, item: _Finished) -> None:
        """Be done with a match, and remember it for a while."""
        if self._finished.get(item.room) is item:
            del self._finished[item.room]
        item.kept.set()
        self._forget_old()
        self._lately.append((asyncio.get_running_loop().time(), item))

    def _forget_old(self) -> None:
        oldest_s = asyncio.get_running_loop().time() - REMEMBERED_S
        while self._lately and self._lately[0][0] < oldest_s:
            self._lately.popleft()

    async def _whole_log(self, item: _Finished) -> Sequence[LogEntry]:
        log = await self._store.log(item.room)
        rev, chain = item.last
        is_whole = len(log) >= rev and log[rev - 1].chain == chain
        if not is_whole and (log or await self._store.replay(item.room) is None):
            await self._log_repair.rewrite({item.room: item.epoch})
            raise UnavailableError(f"the store has {len(log)} entries, and not the {rev} with which the match ended")
        return log

    async def _keep(self, item: _Finished, replay: bytes) -> None:
        # Noted first: nobody would come back to it once the log is gone; and what is noted twice is one match.
        await self._records.publish(item.record, keep_s=self._keep_s)
        points.reached("after_publish")
        ended_ms = item.record.ended_ms
        is_gone = await self._store.archive(
            item.room, self._owner, item.epoch, replay=replay, ended_ms=ended_ms, keep_s=self._keep_s
        )
        if not is_gone:
            await self._follow_epoch(item)
        self.published(item.record)

    async def _follow_epoch(self, item: _Finished) -> None:
        """Make sure that a room which was not let go is another node's: this one may have raised its epoch."""
        (found,) = await self._store.whereabouts([item.room])
        if found is not None and found.owner == self._owner:
            item.epoch = found.epoch
            raise UnavailableError(f"the room goes on under epoch {found.epoch}")

    def _rest(self, item: _Finished, reason: str) -> None:
        """Try one replay again later, and go on with the others meanwhile."""
        if item.is_again and item.pause_s == LONGEST_PAUSE_S:
            self._finish(item)  # whoever has the room now keeps its replay
            return
        self.retries += 1
        logger.warning("replay waits room=%s reason=%r pause_s=%g", room_code(item.room), reason, item.pause_s)
        asyncio.get_running_loop().call_later(item.pause_s, self._make_ready, item)
        item.pause_s = min(2 * item.pause_s, LONGEST_PAUSE_S)

    def _make_ready(self, item: _Finished) -> None:
        self._ready.append(item)
        self._wake.set()
