"""Group commit: while one batch of appends is with the store, the next one gathers.

Each primary of the store has batches of its own, so that an outage of one delays no room of another.
"""

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Sequence
from typing import Final, Protocol

from msgspec import Struct, field

from warroom_server.counters import Counters
from warroom_server.loop.crashpoints import points
from warroom_server.loop.tasks import end
from warroom_server.ports.event_signal import Signal
from warroom_server.ports.store import Append, AppendAnswer, UnavailableError

logger = logging.getLogger(__name__)

FIRST_PAUSE_S: Final = 0.02
LONGEST_PAUSE_S: Final = 1.0
MAX_BATCH: Final = 256


class Appender(Protocol):
    """The part of the store that a committer needs."""

    async def append(self, batch: Sequence[Append]) -> list[AppendAnswer]:
        """Append one entry each to many rooms, as one round trip; answers in order."""
        ...


class _Lane(Struct):
    """The appends to one primary that have no answer yet."""

    waiting: deque[Append] = field(default_factory=deque)
    in_flight: list[Append] = []
    wake: asyncio.Event = field(default_factory=asyncio.Event)
    is_away: bool = False

    @property
    def unanswered(self) -> list[Append]:
        return [*self.in_flight, *self.waiting]


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
        self._counters = counters
        self._max_batch = max_batch
        self._lanes: dict[str, _Lane] = {}
        self._group: asyncio.TaskGroup | None = None
        self._closing = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    @property
    def backlog(self) -> int:
        """How many appends have no answer yet."""
        return sum(len(lane.unanswered) for lane in self._lanes.values())

    def is_away(self, room: int) -> bool:
        """Whether the primary that has a room does not answer."""
        lane = self._lanes.get(self._primary_of(room))
        return lane is not None and lane.is_away

    def start(self) -> asyncio.Task[None]:
        """Begin to serve, and return the task, which ends only by `close` or by a bug; needs a running loop."""
        self._task = asyncio.get_running_loop().create_task(self._run(), name="committer")
        return self._task

    def submit(self, append: Append) -> None:
        """Queue an entry for the next batch; never blocks. The caller bounds the queue: one append per room."""
        if self._task is not None and self._task.done():
            raise RuntimeError(f"room {append.room}: the committer has stopped")
        primary = self._primary_of(append.room)
        lane = self._lanes.get(primary)
        if lane is None:
            lane = self._lanes[primary] = _Lane()
            if self._group is not None:
                self._group.create_task(self._serve(primary, lane))
        lane.waiting.append(append)
        lane.wake.set()

    async def close(self, *, drain_s: float = 5.0) -> list[Append]:
        """Stop: answer what is queued for up to *drain_s* seconds, then give up and return what has no answer.

        An abandoned append may or may not be in the log. No listener is called after this returns.
        """
        self._closing.set()
        for lane in self._lanes.values():
            lane.wake.set()
        await end(self._task, drain_s=drain_s)
        return [append for lane in self._lanes.values() for append in lane.unanswered]

    async def _run(self) -> None:
        async with asyncio.TaskGroup() as self._group:
            for primary, lane in self._lanes.items():
                self._group.create_task(self._serve(primary, lane))
            await self._closing.wait()

    async def _serve(self, primary: str, lane: _Lane) -> None:
        while await self._gather(lane):
            answers = await self._commit(primary, lane)
            batch, lane.in_flight = lane.in_flight, []
            for append, answer in zip(batch, answers, strict=True):
                self.answered(append, answer)

    async def _gather(self, lane: _Lane) -> bool:
        """Move what has gathered into the batch in flight; False once closed and drained."""
        while not lane.waiting:
            if self._closing.is_set():
                return False
            lane.wake.clear()
            await lane.wake.wait()
        size = min(len(lane.waiting), self._max_batch)
        lane.in_flight = [lane.waiting.popleft() for _ in range(size)]
        return True

    async def _commit(self, primary: str, lane: _Lane) -> list[AppendAnswer]:
        """Return the answers to the batch in flight, which is sent until the primary answers."""
        retries, pause_s = 0, FIRST_PAUSE_S
        while True:
            try:
                answers = await self._append(lane.in_flight)
            except UnavailableError as error:
                self._note_outage(primary, lane, error)
            else:
                if lane.is_away:
                    logger.warning("store back retries=%d unanswered=%d", retries, self.backlog)
                    self._set_away(lane, is_away=False)
                    self.back(primary)
                return answers
            await asyncio.sleep(pause_s)
            retries, pause_s = retries + 1, min(2 * pause_s, LONGEST_PAUSE_S)

    async def _append(self, batch: Sequence[Append]) -> list[AppendAnswer]:
        loop = asyncio.get_running_loop()
        sent_s = loop.time()
        answers = await points.reached_during("batch_sent", self._store.append(batch))
        self._counters.batch_sizes.observe(len(batch))
        self._counters.append_ms.observe((loop.time() - sent_s) * 1000)
        return answers

    def _note_outage(self, primary: str, lane: _Lane, error: UnavailableError) -> None:
        failures = self._counters.store_failures
        failures[error.trouble] = failures.get(error.trouble, 0) + 1
        if lane.is_away:
            logger.info("store still away trouble=%s reason=%r", error.trouble, str(error))
            return
        logger.warning("store away trouble=%s reason=%r unanswered=%d", error.trouble, str(error), self.backlog)
        self._set_away(lane, is_away=True)
        self.away(primary)

    def _set_away(self, lane: _Lane, *, is_away: bool) -> None:
        lane.is_away = is_away
        self._counters.primaries_away = sum(each.is_away for each in self._lanes.values())
