"""Where the node's numbers are taken: beside the work, which knows nothing of it."""

import asyncio
from collections.abc import Sequence

from warroom_server.counters import Counters
from warroom_server.loop.crashpoints import points
from warroom_server.ports.store import AppendAnswer, AppendRequest, UnavailableError
from warroom_server.room.counters import RoomCounters
from warroom_server.storage.committer import Appender


class MeasuredAppender:
    """The store's appends, with a look at the clock before and after each batch."""

    def __init__(self, store: Appender, counters: Counters) -> None:
        self._store = store
        self._counters = counters

    async def append(self, batch: Sequence[AppendRequest]) -> list[AppendAnswer]:
        """Append one entry each to many rooms, as one round trip; answers in order."""
        loop = asyncio.get_running_loop()
        asked_s = loop.time()
        try:
            answers = await points.reached_during("batch_sent", self._store.append(batch))
        except UnavailableError as error:
            failures = self._counters.store_failures
            failures[error.trouble] = failures.get(error.trouble, 0) + 1
            raise
        self._counters.batch_sizes.observe(len(batch))
        self._counters.append_ms.observe((loop.time() - asked_s) * 1000)
        return answers


def count_judged(work: RoomCounters, counters: Counters) -> None:
    """Move what a room has judged since the last time to the node's numbers."""
    for code in work.judged:
        counters.verdict(code)
    work.judged.clear()
    counters.expired_turns += work.expired
    work.expired = 0
