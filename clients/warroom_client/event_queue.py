"""A bounded queue between the connection, which never waits, and the program, which may be slow."""

import asyncio
from collections import deque

from warroom_client.errors import ClientError
from warroom_client.events import Ended, Event, Prompted, Skipped

NEWS_LIMIT = 256


class EventQueue:
    """The events of one room for one reader: those of the match, then those after it.

    If the reader falls behind by more than *limit*, the oldest events are dropped and one `Skipped` counts them. A
    prompt is never dropped, only replaced by the next one; the end of the match is never dropped.
    """

    def __init__(self, limit: int = NEWS_LIMIT) -> None:
        self._limit = limit
        self._events: deque[Event] = deque()
        self._skipped = 0
        self._is_closed = False
        self._error: ClientError | None = None
        self._changed = asyncio.Event()

    def put(self, event: Event) -> None:
        """Add an event; ignored after `close`."""
        if self._is_closed:
            return
        if isinstance(event, Prompted):
            self._events = deque(old for old in self._events if not isinstance(old, Prompted))
        self._events.append(event)
        if len(self._events) > self._limit:
            self._drop_oldest()
        self._changed.set()

    def close(self, error: ClientError | None = None) -> None:
        """End the feed after the queued events, with *error* if given."""
        self._is_closed = True
        self._error = self._error or error
        self._changed.set()

    async def get(self) -> Event:
        """Return the next event; raise `StopAsyncIteration` at the end, or the error that ended the feed."""
        while not (self._events or self._skipped):
            if self._is_closed:
                raise self._error or StopAsyncIteration
            self._changed.clear()
            await self._changed.wait()
        if self._skipped:
            count, self._skipped = self._skipped, 0
            return Skipped(count)
        return self._events.popleft()

    def _drop_oldest(self) -> None:
        oldest = next(index for index, old in enumerate(self._events) if not isinstance(old, Prompted | Ended))
        del self._events[oldest]
        self._skipped += 1
