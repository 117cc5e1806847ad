"""Publishes the feed: one task that takes publications from the queue, and reconnects to the broker.

No room waits for it, and only `close` ends it: trouble with the broker, or even a bug, only costs news.
"""

import asyncio
import logging
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

from warroom_server.feed.cleanup import look_through
from warroom_server.feed.queue import FeedQueue
from warroom_server.loop.tasks import end
from warroom_server.ports.feed import Feed, FeedError, Publication
from warroom_server.ports.listeners import Signal
from warroom_server.ports.store import Store, UnavailableError
from warroom_server.ports.time import Clock

logger = logging.getLogger(__name__)

FIRST_PAUSE_S: Final = 0.1
LONGEST_PAUSE_S: Final = 5.0
"""Between two attempts to connect; each pause is twice the one before, until a connection was steady."""
STEADY_S: Final = 10.0
"""How long a connection must last for the next pause to be short again."""
BEAT_MS: Final = 60_000
"""How often a node publishes its presence."""
SWEEP_MS: Final = 3_600_000
"""How often outdated topics are looked for, besides once per connection."""
DOUBT_MS: Final = 30_000
"""How long after this node lost a room its topics are checked."""
SILENT_MS: Final = 100
"""How often to check whether this node may publish again, after it may have lost its rooms."""
BATCH: Final = 32
"""Rooms per question to the store."""
EXPIRY_S: Final = 180
"""When a broker may forget the presence of a node that was not repeated."""


@dataclass(eq=False)
class Publisher:
    """Keeps the connection and publishes the queue, one publication at a time."""

    _feed: Feed
    queue: FeedQueue
    _store: Store
    _clock: Clock
    _presence: Callable[[], bytes]
    _is_silent: Callable[[], bool]

    def __post_init__(self) -> None:
        self.opened: Signal[[]] = Signal()
        """A connection to the broker was opened; the broker may have lost its retained topics."""
        self._wake = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._is_closing = False
        self._reason = ""
        """Why the last connection ended."""
        self._beat_at = 0
        self._sweep_at = 0

    def start(self) -> asyncio.Task[None]:
        """Start, and return the task, which only `close` ends."""
        self._task = asyncio.get_running_loop().create_task(self._run(), name="feed")
        return self._task

    def wake(self) -> None:
        """Note that there may be something to publish."""
        self._wake.set()

    def publish(self, topic: str, payload: bytes, *, retained: bool = False, expires_s: int | None = None) -> None:
        """Queue news for the broker."""
        self.queue.tell(Publication(topic, payload, retained=retained, qos=1, expires_s=expires_s))
        self._wake.set()

    def sweep_soon(self) -> None:
        """Look for outdated topics in a while, after other nodes have had time to take rooms over."""
        self._sweep_at = min(self._sweep_at, self._clock.now() + DOUBT_MS)
        self._wake.set()

    async def close(self, *, drain_s: float) -> None:
        """Publish the queue for up to *drain_s* seconds, then that this node is gone, and end."""
        self._is_closing = True
        self._wake.set()
        await end(self._task, drain_s=drain_s)
        await self._feed.close()

    # --- connections ------------------------------------------------------------------------------------------------

    async def _run(self) -> None:
        loop = asyncio.get_running_loop()
        pause_s = FIRST_PAUSE_S
        while not self._is_closing:
            began_s = loop.time()
            line = loop.create_task(self._serve(), name="feed line")
            try:
                await asyncio.wait([line])
            finally:
                line.cancel()
            self._note_end(line.exception())
            self.queue.lost()
            await self._feed.close()
            pause_s = FIRST_PAUSE_S if loop.time() - began_s > STEADY_S else min(2 * pause_s, LONGEST_PAUSE_S)
            if not self._is_closing:
                await asyncio.sleep(pause_s)

    def _note_end(self, reason: BaseException | None) -> None:
        """Log why a connection ended, unless the last one ended for the same reason."""
        if reason is None:
            return  # `close` has published everything
        self.queue.counters.failures += 1
        if not isinstance(reason, FeedError):
            logger.error("feed line failed", exc_info=reason)
        elif self.queue.counters.is_open or str(reason) != self._reason:
            logger.warning("feed line lost reason=%r", str(reason))
        self._reason = str(reason)

    async def _serve(self) -> None:
        """Connect and publish until the connection breaks, or everything is published after `close`."""
        await self._feed.open(self._gone())
        logger.info("feed line open")
        self.queue.opened()
        self.opened()
        self._beat_at = self._sweep_at = self._clock.now()
        lost = asyncio.get_running_loop().create_task(self._feed.lost())
        lost.add_done_callback(lambda _: self._wake.set())
        try:
            while not lost.done():
                if not await self._step():
                    if self._is_closing:
                        await self._publish(self._gone())
                        return
                    await self._rest()
        finally:
            lost.cancel()
        raise FeedError("the broker hung up")

    async def _step(self) -> bool:
        """Publish one thing; return whether there was one."""
        self._wake.clear()
        if self._is_silent():
            return False
        now = self._clock.now()
        if now >= self._beat_at:
            self._beat_at = now + BEAT_MS
            await self._publish(self._here())
            return True
        publication = self.queue.next(now)
        if publication is not None:
            await self._publish(publication)
            return True
        if now >= self._sweep_at and not self._is_closing:
            self._sweep_at = now + SWEEP_MS
            await self._sweep()
            return True
        return False

    async def _publish(self, publication: Publication) -> None:
        await self._feed.publish(publication)
        counters = self.queue.counters
        counters.published += 1
        counters.published_bytes += len(publication.payload)
        # A publication may need no waiting at all, so give other tasks a turn.
        await asyncio.sleep(0)

    async def _rest(self) -> None:
        """Wait until there is something to do."""
        moments = [self._beat_at, self._sweep_at]
        if self._is_silent():
            moments = [self._clock.now() + SILENT_MS]
        elif (due_at := self.queue.due_at()) is not None:
            moments.append(due_at)
        with suppress(TimeoutError):
            async with asyncio.timeout(max(min(moments) - self._clock.now(), 1) / 1000):
                await self._wake.wait()

    # --- presence and cleanup ---------------------------------------------------------------------------------------

    def _here(self) -> Publication:
        topic = self.queue.topics.node(self.queue.node)
        return Publication(topic, self._presence(), retained=True, qos=1, expires_s=EXPIRY_S)

    def _gone(self) -> Publication:
        return Publication(self.queue.topics.node(self.queue.node), retained=True, qos=1)

    async def _sweep(self) -> None:
        """Clear the retained topics of rooms that are over, and of nodes that are gone."""
        queue = self.queue
        topics = queue.topics
        found = await self._feed.retained((topics.nodes, topics.abouts, topics.lobbies), self._here())
        remains = look_through(topics, found, node=queue.node, hosted=queue, wall_ms=self._clock.wall_ms())
        queue.clear(remains.wrong)
        try:
            rooms = list(remains.rooms)
            for numbers in (rooms[first : first + BATCH] for first in range(0, len(rooms), BATCH)):
                owners = await self._store.whereabouts(numbers)
                for number, owner in zip(numbers, owners, strict=True):
                    if owner is None and number not in queue:
                        queue.clear(remains.rooms[number])
        except UnavailableError as error:
            logger.warning("feed not swept reason=%r", str(error))
