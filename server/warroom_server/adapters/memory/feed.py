"""A broker in memory: keeps what is retained, as a real one does, and can be away or stop reading."""

import asyncio
from collections.abc import Sequence

from warroom_server.ports.feed import FeedError, Publication


class MemoryBroker:
    """What all lines to it have published, in order, and what is retained."""

    def __init__(self) -> None:
        self.published: list[Publication] = []
        self.kept: dict[str, bytes] = {}
        self.is_away = False
        self.reads = asyncio.Event()
        """Whether it takes anything at the moment."""
        self.reads.set()

    def take(self, publication: Publication) -> None:
        """Take what was published."""
        self.published.append(publication)
        if publication.retained and publication.payload:
            self.kept[publication.topic] = publication.payload
        elif publication.retained:
            self.kept.pop(publication.topic, None)

    def of(self, topic: str) -> list[bytes]:
        """Return what was published under a topic."""
        return [publication.payload for publication in self.published if publication.topic == topic]


class MemoryFeed:
    """A line to a broker in memory."""

    def __init__(self, broker: MemoryBroker) -> None:
        self._broker = broker
        self._will: Publication | None = None
        self._broken = asyncio.Event()

    async def open(self, will: Publication) -> None:
        """Open a line, unless the broker is away."""
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
        """Return what is retained."""
        self._require()
        found = [(topic, kept) for topic, kept in self._broker.kept.items() if any(_fits(topic, f) for f in filters)]
        await self.publish(marker)
        return found

    async def lost(self) -> None:
        """Return once the line was broken."""
        await self._broken.wait()

    async def close(self) -> None:
        """Throw the line away, as a client that says goodbye: there is no will."""
        self._will = None

    def break_off(self) -> None:
        """Break the line, so that the broker publishes the will."""
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
