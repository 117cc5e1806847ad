"""What is stored behind the scenes, and for which no player waits: snapshots and the replays of finished matches."""

import asyncio
import logging
from collections.abc import Callable, Sequence
from typing import TypeAlias

from msgspec import Struct

from warroom_protocol.rooms import room_code
from warroom_server.ports import LogEntry, Store, UnavailableError
from warroom_server.runtime.crashpoints import points

logger = logging.getLogger(__name__)

RETRY_S = 0.5

Seal: TypeAlias = Callable[[Sequence[LogEntry]], bytes | None]
"""Makes a replay of a log; None if that cannot be done, and the log is to stay as it is."""


class _Snapshot(Struct, frozen=True):
    room: int
    epoch: int
    rev: int
    snapshot: bytes


class _Finished(Struct, frozen=True):
    room: int
    epoch: int
    seal: Seal
    done: Callable[[], None]


class Upkeep:
    """One task that stores snapshots and replays, one after the other.

    Of a room's snapshots only the latest waits, so the queue is never longer than the node's rooms. A snapshot is given
    up when the store is away (the next one comes soon); a replay is tried again until it is kept.
    """

    def __init__(self, store: Store, *, owner: str, keep_s: int) -> None:
        self._store = store
        self._owner = owner
        self._keep_s = keep_s
        self._snapshots: dict[int, _Snapshot] = {}
        self._finished: dict[int, _Finished] = {}
        self._wake = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._closing = False
        self.retries = 0
        """How often a replay could not be stored."""

    def start(self) -> None:
        """Begin to serve; needs a running loop."""
        self._task = asyncio.get_running_loop().create_task(self._run(), name="upkeep")

    def save(self, room: int, epoch: int, *, rev: int, snapshot: bytes) -> None:
        """Keep a snapshot when there is time; a later one of the same room takes its place."""
        self._snapshots[room] = _Snapshot(room, epoch, rev, snapshot)
        self._wake.set()

    def archive(self, room: int, epoch: int, *, seal: Seal, done: Callable[[], None]) -> None:
        """Make the replay of a finished match from its log, keep it, and call *done*."""
        self._snapshots.pop(room, None)
        self._finished[room] = _Finished(room, epoch, seal, done)
        self._wake.set()

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
        while True:
            if self._finished:
                await self._archive_next()
            elif self._snapshots:
                await self._save_next()
            elif self._closing:
                return
            else:
                self._wake.clear()
                await self._wake.wait()

    async def _save_next(self) -> None:
        item = self._snapshots.pop(next(iter(self._snapshots)))
        points.reached("before_save")
        try:
            await self._store.save(item.room, self._owner, item.epoch, rev=item.rev, snapshot=item.snapshot)
        except UnavailableError as error:
            logger.warning("snapshot given up room=%s rev=%d reason=%r", room_code(item.room), item.rev, str(error))
            return
        points.reached("after_save")

    async def _archive_next(self) -> None:
        item = self._finished[next(iter(self._finished))]
        points.reached("before_archive")
        try:
            log = await self._store.log(item.room)
            # An empty log was archived before, by an owner that died before it could say so.
            replay = item.seal(log) if log else None
            if replay is not None:
                await self._store.archive(item.room, self._owner, item.epoch, replay=replay, keep_s=self._keep_s)
        except UnavailableError as error:
            self.retries += 1
            logger.warning("replay waits room=%s reason=%r", room_code(item.room), str(error))
            await asyncio.sleep(RETRY_S)
            return
        points.reached("after_archive")
        del self._finished[item.room]
        item.done()
