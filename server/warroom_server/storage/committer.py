"""Group commit: while one batch of appends is with the store, the next one gathers.

Each primary of the store has batches of its own, so that an outage of one delays no room of another.
"""

import asyncio
import logging
from bisect import bisect_left
from collections.abc import Callable, Sequence
from typing import Final, Protocol

from msgspec import Struct

from warroom_server.counters import Counters
from warroom_server.loop.crashpoints import points
from warroom_server.loop.tasks import end
from warroom_server.ports.listeners import Signal
from warroom_server.ports.store import Append, AppendAnswer, UnavailableError

logger = logging.getLogger(__name__)

FIRST_PAUSE_S: Final = 0.02
LONGEST_PAUSE_S: Final = 1.0
MAX_BATCH: Final = 256


class Appender(Protocol):
    """The part of the store that a committer needs."""

    async def append(self, batch: Sequence[Append]) -> list[AppendAnswer]:
        """Append entries to many rooms, those of a room in order, as one round trip; answers in order."""


class _Lane(Struct):
    """The appends to one primary that have no answer yet."""

    waiting: list[Append] = []
    in_flight: list[Append] = []
    sleeping: asyncio.Future[None] | None = None
    """Ends the sleep of the lane's task, if it sleeps."""
    is_away: bool = False

    def wake(self) -> None:
        """Let the task of the lane look for work."""
        if self.sleeping is not None and not self.sleeping.done():
            self.sleeping.set_result(None)


class Committer:
    """Appends entries, with one batch in flight for each primary.

    *primary_of* returns the name of the primary that has a room now. While a primary is away, its batch in flight is
    sent again until it is answered. What a listener submits while it hears of an answer joins the very next batch.
    """

    def __init__(
        self, store: Appender, *, primary_of: Callable[[int], str], counters: Counters, max_batch: int = MAX_BATCH
    ) -> None:
        self.answered: Signal[Append, AppendAnswer] = Signal()
        """The store answered an append: once for each, for one primary in the order of submission."""
        self.away: Signal[str] = Signal()
        """A primary does not answer: once for each outage."""
        self.back: Signal[str] = Signal()
        """A primary, or its successor, answers again."""
        self._store = store
        self._primary_of = primary_of
        self.counters = counters
        self._max_batch = max_batch
        self._lanes: dict[str, _Lane] = {}
        self._group: asyncio.TaskGroup | None = None
        self._closing = asyncio.Event()
        self._is_closing = False
        self._task: asyncio.Task[None] | None = None
        self._settling: list[asyncio.Future[None]] = []

    @property
    def backlog(self) -> int:
        """How many appends have no answer yet."""
        return sum(len(lane.in_flight) + len(lane.waiting) for lane in self._lanes.values())

    async def settled(self) -> None:
        """Wait until the store has answered everything."""
        while self.backlog:
            self._settling.append(asyncio.get_running_loop().create_future())
            await self._settling[-1]

    def is_away(self, room: int) -> bool:
        """Whether the primary that has a room does not answer."""
        lane = self._lanes.get(self._primary_of(room))
        return lane is not None and lane.is_away

    def start(self) -> asyncio.Task[None]:
        """Begin to serve, and return the task, which ends only by `close` or by a bug; needs a running loop."""
        self._task = asyncio.get_running_loop().create_task(self._run(), name="committer")
        return self._task

    def submit(self, append: Append) -> None:
        """Queue an entry for the next batch; never blocks. The caller bounds the queue: a few appends per room."""
        if self._task is not None and self._task.done():
            raise RuntimeError(f"room {append.room}: the committer has stopped")
        primary = self._primary_of(append.room)
        lane = self._lanes.get(primary)
        if lane is None:
            lane = self._lanes[primary] = _Lane()
            if self._group is not None:
                self._group.create_task(self._serve(primary, lane))
        lane.waiting.append(append)
        if lane.sleeping is not None and not lane.sleeping.done():  # as in `wake`, without a call
            lane.sleeping.set_result(None)

    async def close(self, *, drain_s: float = 5.0) -> list[Append]:
        """Stop: answer what is queued for up to *drain_s* seconds, then give up and return what has no answer.

        An abandoned append may or may not be in the log. No listener is called after this returns.
        """
        self._is_closing = True
        self._closing.set()
        for lane in self._lanes.values():
            lane.wake()
        await end(self._task, drain_s=drain_s)
        return [append for lane in self._lanes.values() for append in (*lane.in_flight, *lane.waiting)]

    async def _run(self) -> None:
        async with asyncio.TaskGroup() as self._group:
            for primary, lane in self._lanes.items():
                self._group.create_task(self._serve(primary, lane))
            await self._closing.wait()

    async def _serve(self, primary: str, lane: _Lane) -> None:
        loop, limit = asyncio.get_running_loop(), self._max_batch
        sizes, times = self.counters.batch_sizes, self.counters.append_ms
        while True:
            while not lane.waiting:
                if self._is_closing:
                    return
                lane.sleeping = loop.create_future()
                await lane.sleeping
            batch = lane.in_flight = lane.waiting[:limit]
            del lane.waiting[:limit]
            sent_s = loop.time()
            try:
                appending = self._store.append(batch)
                answers = await (points.reached_during("batch_sent", appending) if points.is_armed else appending)
            except UnavailableError as error:
                answers = await self._retry(primary, lane, error)
            # Without calls: a batch often has one entry.
            took_ms = (loop.time() - sent_s) * 1000
            sizes.counts[bisect_left(sizes.bounds, len(batch))] += 1
            sizes.total += len(batch)
            times.counts[bisect_left(times.bounds, took_ms)] += 1
            times.total += took_ms
            lane.in_flight = []
            for append, answer in zip(batch, answers, strict=True):
                for listen in self.answered:
                    listen(append, answer)
            for waiter in self._settling:
                if not waiter.done():  # nobody waits any more for one that was cancelled
                    waiter.set_result(None)
            self._settling.clear()

    async def _retry(self, primary: str, lane: _Lane, error: UnavailableError) -> list[AppendAnswer]:
        """Send the batch in flight until the primary answers; return the answers."""
        retries, pause_s = 0, FIRST_PAUSE_S
        while True:
            self._note_outage(primary, lane, error)
            await asyncio.sleep(pause_s)
            retries, pause_s = retries + 1, min(2 * pause_s, LONGEST_PAUSE_S)
            try:
                answers = await self._store.append(lane.in_flight)
            except UnavailableError as again:
                error = again
                continue
            logger.warning("store back retries=%d unanswered=%d", retries, self.backlog)
            self._set_away(lane, is_away=False)
            self.back(primary)
            return answers

    def _note_outage(self, primary: str, lane: _Lane, error: UnavailableError) -> None:
        failures = self.counters.store_failures
        failures[error.trouble] = failures.get(error.trouble, 0) + 1
        if lane.is_away:
            logger.info("store still away trouble=%s reason=%r", error.trouble, str(error))
            return
        logger.warning("store away trouble=%s reason=%r unanswered=%d", error.trouble, str(error), self.backlog)
        self._set_away(lane, is_away=True)
        self.away(primary)

    def _set_away(self, lane: _Lane, *, is_away: bool) -> None:
        lane.is_away = is_away
        self.counters.primaries_away = sum(each.is_away for each in self._lanes.values())
