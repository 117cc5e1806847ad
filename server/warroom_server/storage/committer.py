"""Group commit: while one batch of appends is with the store, the next one gathers."""

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Sequence
from typing import Protocol, TypeAlias

from warroom_server.ports.store import AppendAnswer, AppendRequest, UnavailableError

logger = logging.getLogger(__name__)

FIRST_PAUSE_S = 0.02
LONGEST_PAUSE_S = 1.0

Answered: TypeAlias = Callable[[AppendRequest, AppendAnswer], None]


class Appender(Protocol):
    """The part of the store that a committer needs."""

    async def append(self, batch: Sequence[AppendRequest]) -> list[AppendAnswer]:
        """Append one entry each to many rooms, as one round trip; answers in order."""
        ...


class Committer:
    """Append to one store primary, one batch in flight at a time.

    *answered* is called in the loop, once for each request and in the order they were submitted; it must not raise, and
    what it submits joins the very next batch. While the store cannot be reached the batch in flight is asked again
    under the same nonces; *on_away* is called once when that begins and *on_back* once when the store answers again.
    """

    def __init__(
        self,
        store: Appender,
        answered: Answered,
        *,
        on_away: Callable[[str], None],
        on_back: Callable[[], None],
        max_batch: int = 256,
    ) -> None:
        if max_batch < 1:
            raise ValueError(f"max_batch is {max_batch}, expected at least 1")
        self._store = store
        self._answered = answered
        self._on_away = on_away
        self._on_back = on_back
        self._max_batch = max_batch
        self._waiting: deque[AppendRequest] = deque()
        self._in_flight: list[AppendRequest] = []
        self._wake = asyncio.Event()
        self._closing = False
        self._closed = False
        self._task: asyncio.Task[None] | None = None

    @property
    def backlog(self) -> int:
        """How many requests have no answer yet."""
        return len(self._waiting) + len(self._in_flight)

    def start(self) -> asyncio.Task[None]:
        """Begin to serve, and return the task, which ends only by `close` or by a bug; needs a running loop."""
        if self._task is not None:
            raise RuntimeError("the committer was started before")
        self._task = asyncio.get_running_loop().create_task(self._run(), name="committer")
        return self._task

    def submit(self, request: AppendRequest) -> None:
        """Queue an entry for the next batch; never blocks. The caller bounds the queue: one append per room."""
        if self._closed or (self._task is not None and self._task.done()):
            raise RuntimeError(f"room {request.room}: the committer has stopped")
        self._waiting.append(request)
        self._wake.set()

    async def close(self, *, drain_s: float = 5.0) -> list[AppendRequest]:
        """Stop: answer what is queued for up to *drain_s* seconds, then give up and return what has no answer.

        An abandoned request may or may not be in the log. No callback comes after this returns.
        """
        self._closing = True
        self._wake.set()
        if self._task is not None:
            await self._finish(self._task, drain_s)
        return self._abandon()

    async def _finish(self, task: asyncio.Task[None], drain_s: float) -> None:
        await asyncio.wait([task], timeout=drain_s)
        task.cancel()
        await asyncio.wait([task])

    def _abandon(self) -> list[AppendRequest]:
        self._closed = True
        abandoned = [*self._in_flight, *self._waiting]
        self._in_flight = []
        self._waiting.clear()
        return abandoned

    async def _run(self) -> None:
        while await self._gather():
            answers = await self._commit(self._in_flight)
            self._deliver(answers)

    async def _gather(self) -> bool:
        """Move what has gathered into the batch in flight; False once closed and drained."""
        while not self._waiting:
            if self._closing:
                return False
            self._wake.clear()
            await self._wake.wait()
        size = min(len(self._waiting), self._max_batch)
        self._in_flight = [self._waiting.popleft() for _ in range(size)]
        return True

    async def _commit(self, batch: list[AppendRequest]) -> list[AppendAnswer]:
        try:
            return await self._store.append(batch)
        except UnavailableError as error:
            reason, trouble = str(error), error.trouble
        logger.warning("store away trouble=%s reason=%r unanswered=%d", trouble, reason, self.backlog)
        self._on_away(reason)
        answers = await self._ask_again(batch)
        self._on_back()
        return answers

    async def _ask_again(self, batch: list[AppendRequest]) -> list[AppendAnswer]:
        retries, pause_s = 0, FIRST_PAUSE_S
        while True:
            await asyncio.sleep(pause_s)
            retries, pause_s = retries + 1, min(2 * pause_s, LONGEST_PAUSE_S)
            try:
                answers = await self._store.append(batch)
            except UnavailableError as error:
                logger.info("store still away trouble=%s reason=%r", error.trouble, str(error))
            else:
                logger.warning("store back retries=%d unanswered=%d", retries, self.backlog)
                return answers

    def _deliver(self, answers: list[AppendAnswer]) -> None:
        batch, self._in_flight = self._in_flight, []
        for request, answer in zip(batch, answers, strict=True):
            self._answered(request, answer)
