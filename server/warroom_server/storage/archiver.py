"""Stores what no player waits for: snapshots, and the records and replays of finished matches."""

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Mapping, Sequence
from typing import Protocol, TypeAlias

from msgspec import Struct, field
from msgspec.structs import replace

from warroom_protocol.rooms import room_code
from warroom_server.loop.crashpoints import points
from warroom_server.loop.tasks import end
from warroom_server.ports.listeners import Signal
from warroom_server.ports.records import MatchRecord, Records
from warroom_server.ports.store import LogEntry, Store, UnavailableError

logger = logging.getLogger(__name__)

FIRST_PAUSE_S = 0.25
LONGEST_PAUSE_S = 30.0
"""Between two attempts to store the same replay; each pause is twice the one before."""

REMEMBERED_S = 60.0
"""How long after a replay was stored it can be made again, if the store turns out to lack it."""

Seal: TypeAlias = Callable[[Sequence[LogEntry]], bytes | None]
"""Makes a replay of a log; None if that is impossible and the log must stay as it is."""


LastEntry: TypeAlias = tuple[int, bytes]
"""The revision and the chain of the entry with which a match ended."""


class Rewriter(Protocol):
    """Appends entries again that the store lacks."""

    async def rewrite(self, epochs: Mapping[int, int]) -> None:
        """Append the newest entry of rooms once more, under these epochs."""


class _Snapshot(Struct, frozen=True):
    room: int
    epoch: int
    rev: int
    snapshot: bytes


class _Finished(Struct, eq=False, kw_only=True):
    """A match whose replay is to be stored, and the pause before the next attempt."""

    epoch: int
    last: LastEntry
    record: MatchRecord
    seal: Seal
    done: Callable[[], None]
    is_recheck: bool = False
    """Whether its replay was stored before, and may be missing."""
    pause_s: float = field(default_factory=lambda: FIRST_PAUSE_S)
    stored: asyncio.Event = field(default_factory=asyncio.Event)

    @property
    def room(self) -> int:
        return self.record.room


class Archiver:
    """One task that stores snapshots and replays by turns, one at a time.

    Only the latest snapshot of a room waits, so the queue is never longer than the node's rooms. A snapshot is dropped
    when the store is away, since the next one comes soon. A replay is tried again until it is stored, and others are
    stored meanwhile.
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
        self._recent: deque[tuple[float, _Finished]] = deque()
        """The matches whose replays were stored in the last minute, and when."""
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
        """Store a snapshot when there is time; a later one of the same room replaces it."""
        self._snapshots[room] = _Snapshot(room, epoch, rev, snapshot)
        self._wake.set()

    def archive(
        self, epoch: int, last: LastEntry, record: MatchRecord, *, seal: Seal, done: Callable[[], None]
    ) -> None:
        """Store the record of a match and the replay made from its log, which ends with *last*; then call *done*."""
        self._snapshots.pop(record.room, None)
        self._add(_Finished(epoch=epoch, last=last, record=record, seal=seal, done=done))

    def recheck(self) -> None:
        """Look for the replays of the last minute in the store, and make those again that are missing."""
        self._forget_old()
        recent, self._recent = self._recent, deque()
        for _, item in recent:
            if item.room not in self._finished:
                self._add(replace(item, is_recheck=True, pause_s=FIRST_PAUSE_S, stored=asyncio.Event()))

    async def archived(self, room: int) -> None:
        """Wait until no replay of *room* is left to be stored."""
        while (item := self._finished.get(room)) is not None:
            await item.stored.wait()

    async def close(self, *, drain_s: float = 5.0) -> None:
        """Finish what waits, for up to *drain_s* seconds; the node that takes a room over does the rest."""
        self._closing = True
        self._wake.set()
        await end(self._task, drain_s=drain_s)

    async def _run(self) -> None:
        while not (self._closing and not self._snapshots and not self._finished):
            if not self._snapshots and not self._ready:
                self._wake.clear()
                await self._wake.wait()
            if self._ready:
                await self._archive(self._ready.popleft())
            if self._snapshots:
                await self._save(self._snapshots.pop(next(iter(self._snapshots))))

    def _add(self, item: _Finished) -> None:
        self._finished[item.room] = item
        self._make_ready(item)

    def _make_ready(self, item: _Finished) -> None:
        self._ready.append(item)
        self._wake.set()

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
            return  # the history was cut back, and the match has ended in another life since
        points.reached("before_archive")
        try:
            log = await self._whole_log(item)
            # An empty log was archived before, by an owner that died before it could say so.
            replay = item.seal(log) if log else None
            if replay is not None:
                await self._store_replay(item, replay)
        except UnavailableError as error:
            self._retry_later(item, str(error))
            return
        points.reached("after_archive")
        self._finish(item)
        item.done()

    def _finish(self, item: _Finished) -> None:
        if self._finished.get(item.room) is item:
            del self._finished[item.room]
        item.stored.set()
        self._forget_old()
        self._recent.append((asyncio.get_running_loop().time(), item))

    def _forget_old(self) -> None:
        oldest_s = asyncio.get_running_loop().time() - REMEMBERED_S
        while self._recent and self._recent[0][0] < oldest_s:
            self._recent.popleft()

    async def _whole_log(self, item: _Finished) -> Sequence[LogEntry]:
        log = await self._store.log(item.room)
        rev, chain = item.last
        is_whole = len(log) >= rev and log[rev - 1].chain == chain
        if not is_whole and (log or await self._store.replay(item.room) is None):
            await self._log_repair.rewrite({item.room: item.epoch})
            raise UnavailableError(f"the store has {len(log)} entries, and not the {rev} with which the match ended")
        return log

    async def _store_replay(self, item: _Finished, replay: bytes) -> None:
        # The record first: nobody would come back to the match once the log is gone. A second record changes nothing.
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
        """Make sure that a room which was not archived is another node's: this one may have raised its epoch."""
        (found,) = await self._store.whereabouts([item.room])
        if found is not None and found.owner == self._owner:
            item.epoch = found.epoch
            raise UnavailableError(f"the room continues under epoch {found.epoch}")

    def _retry_later(self, item: _Finished, reason: str) -> None:
        """Try one replay again later; others are stored meanwhile."""
        if item.is_recheck and item.pause_s == LONGEST_PAUSE_S:
            self._finish(item)  # the node that has the room now stores its replay
            return
        self.retries += 1
        logger.warning("replay waits room=%s reason=%r pause_s=%g", room_code(item.room), reason, item.pause_s)
        asyncio.get_running_loop().call_later(item.pause_s, self._make_ready, item)
        item.pause_s = min(2 * item.pause_s, LONGEST_PAUSE_S)
