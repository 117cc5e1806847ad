"""A broker in memory: keeps retained messages, as a real one does, and can be away or stop reading."""

import asyncio
from collections.abc import Sequence

from warroom_server.ports.feed import FeedError, Publication


class MemoryBroker:
    """All published messages in order, and the retained ones."""

    def __init__(self) -> None:
        self.published: list[Publication] = []
        self.kept: dict[str, bytes] = {}
        self.is_away = False
        self.reads = asyncio.Event()
        """Whether it accepts messages at the moment."""
        self.reads.set()

    def take(self, publication: Publication) -> None:
        """Accept a message."""
        self.published.append(publication)
        if publication.retained and publication.payload:
            self.kept[publication.topic] = publication.payload
        elif publication.retained:
            self.kept.pop(publication.topic, None)

    def of(self, topic: str) -> list[bytes]:
        """Return the messages of a topic."""
        return [publication.payload for publication in self.published if publication.topic == topic]


class MemoryFeed:
    """A connection to a broker in memory."""

    def __init__(self, broker: MemoryBroker) -> None:
        self._broker = broker
        self._will: Publication | None = None
        self._broken = asyncio.Event()

    async def open(self, will: Publication) -> None:
        """Connect, unless the broker is away."""
        await asyncio.sleep(0)
        if self._broker.is_away:
            raise FeedError("the broker is away")
        self._will = will
        self._broken = asyncio.Event()

    async def publish(self, publication: Publication) -> None:
        """Publish, once the broker reads."""
        await self._broker.reads.wait()
        self._require()
        self._broker.take(publication)

    async def retained(self, filters: Sequence[str], marker: Publication) -> list[tuple[str, bytes]]:
        """Return the retained messages."""
        self._require()
        found = [(topic, kept) for topic, kept in self._broker.kept.items() if any(_fits(topic, f) for f in filters)]
        await self.publish(marker)
        return found

    async def lost(self) -> None:
        """Return once the connection is broken."""
        await self._broken.wait()

    async def close(self) -> None:
        """Disconnect properly: the will is not published."""
        self._will = None

    def break_off(self) -> None:
        """Break the connection, so that the broker publishes the will."""
        will, self._will = self._will, None
        if will is not None:
            self._broker.take(will)
        self._broken.set()

    def _require(self) -> None:
        if self._will is None or self._broker.is_away:
            raise FeedError("there is no line to the broker")


def _fits(topic: str, wanted: str) -> bool:
    levels, asked = topic.split("/"), wanted.split("/")
    return len(levels) == len(asked) and all(ask in ("+", level) for level, ask in zip(levels, asked, strict=True))
