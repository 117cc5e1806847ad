"""A room followed through an MQTT broker alone, without a connection to a server."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Final

from warroom_client import events
from warroom_client.base_room import BaseRoom
from warroom_client.errors import ClientError
from warroom_client.feed_mirror import FeedMirror
from warroom_protocol import messages as wire
from warroom_protocol.rooms import parse_invitation, room_code
from warroom_protocol.topics import DEFAULT_PREFIX, Topics

PATIENCE_S: Final = 10.0
"""Time limit for the first messages of the broker."""


class FeedRoom(BaseRoom):
    """One room. `async for event in room` yields its events and ends with the match, like a room of a client."""

    def __init__(self, number: int, topics: Topics) -> None:
        super().__init__()
        self.number: int = number
        """The number of the room on the wire."""
        self.code: str = room_code(number)
        """Its code, for people."""
        self._mirror = FeedMirror(number, topics)
        self._loop = asyncio.get_running_loop()
        self._is_lost = False
        self._reason = ""
        self._complete = asyncio.Event()

    # --- current state -----------------------------------------------------------------------------------------------

    @property
    def about(self) -> wire.About | None:
        """What never changes about the room."""
        return self._mirror.about

    @property
    def public(self) -> wire.View:
        """The public view; None before the match starts."""
        return self._mirror.mirror.public

    @property
    def position(self) -> wire.Position | None:
        """The position in the stream; None while a snapshot is due."""
        return self._mirror.mirror.position

    @property
    def phase(self) -> str:
        """`lobby`, `playing` or `ended`."""
        return self._mirror.mirror.phase

    @property
    def seats(self) -> tuple[wire.SeatState, ...]:
        """Who sits where."""
        return self._mirror.mirror.seats

    @property
    def watching(self) -> int:
        """Number of spectators on the server."""
        return self._mirror.mirror.watching

    @property
    def turn(self) -> int:
        """The game's turn."""
        return self._mirror.mirror.clock.turn

    @property
    def paused(self) -> str | None:
        """Why the clock is paused; None while it runs."""
        return self._mirror.mirror.paused

    @property
    def ended(self) -> wire.Ended | None:
        """The result, after the match."""
        return self._mirror.mirror.ended

    @property
    def moved(self) -> wire.Moved | None:
        """The room of the rematch, once there is one."""
        return self._mirror.mirror.moved

    def remaining_ms(self) -> int | None:
        """Return the estimated time left in the turn; None while no turn is running."""
        return self._mirror.mirror.remaining_ms(self._now())

    # --- start -------------------------------------------------------------------------------------------------------

    async def ready(self, patience_s: float) -> None:
        """Wait until the room is complete; raise `ClientError` after the time limit."""
        try:
            async with asyncio.timeout(patience_s):
                await self._complete.wait()
        except TimeoutError as error:
            why = self._reason or "it has no data about the room; check the code, and that the room may be watched"
            raise ClientError(f"cannot follow room {self.code} from the broker: {why}") from error

    # --- messages ----------------------------------------------------------------------------------------------------

    def heard(self, topic: str, payload: bytes) -> None:
        """Handle one message of the broker."""
        wall_ms = time.time_ns() // 1_000_000
        for event in self._mirror.receive(topic, payload, now=self._now(), wall_ms=wall_ms):
            self._queue.put(event)
        if self._mirror.is_complete:
            self._complete.set()
        if self._mirror.is_gone:
            self._queue.close()

    def opened(self) -> None:
        """Note that the connection is open."""
        if self._is_lost:
            self._queue.put(events.Reconnected())
        self._is_lost, self._reason = False, ""

    def lost(self, reason: str) -> None:
        """Note that the connection is lost."""
        if not self._is_lost and self._complete.is_set():
            self._queue.put(events.Disconnected(reason))
        self._is_lost, self._reason = True, reason

    def is_missing_something(self) -> bool:
        """Whether the retained messages should be sent again."""
        return not self._mirror.is_complete

    def end(self, error: ClientError | None) -> None:
        """End the events; readers get *error* if given."""
        self._queue.close(error)

    def _now(self) -> int:
        return int(self._loop.time() * 1000)


@asynccontextmanager
async def follow_feed(
    url: str, room: str | int, *, prefix: str = DEFAULT_PREFIX, ca: str | None = None, patience_s: float = PATIENCE_S
) -> AsyncIterator[FeedRoom]:
    """Follow a room, by code or number, through the broker at *url* (`mqtt://` or `mqtts://`) alone.

    *ca* is a file with trusted certificates. Raises `ClientError` if the broker has no data about the room.
    """
    # Imported late: programs without a broker need not load its client.
    from warroom_client.mqtt_subscription import MqttSubscription

    number = room if isinstance(room, int) else parse_invitation(room)[0]
    topics = Topics(prefix)
    followed = FeedRoom(number, topics)
    line = MqttSubscription(url, [topics.whole_room(number)], ca=ca)
    listening = asyncio.create_task(line.run(followed))
    listening.add_done_callback(lambda task: followed.end(_failure(task)))
    ready = asyncio.create_task(followed.ready(patience_s))
    try:
        await asyncio.wait((listening, ready), return_when=asyncio.FIRST_COMPLETED)
        if listening.done():
            listening.result()
        await ready
        yield followed
    finally:
        for task in (listening, ready):
            task.cancel()
        await asyncio.wait((listening, ready))


def _failure(task: asyncio.Task[None]) -> ClientError | None:
    error = None if task.cancelled() else task.exception()
    return error if isinstance(error, ClientError) else None
