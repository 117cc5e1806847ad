"""The line to a broker through which the world is told."""

from collections.abc import Sequence
from typing import Protocol

from msgspec import Struct


class FeedError(Exception):
    """The broker cannot be reached, or did not take something in time; the line to it is of no use any more."""


class Publication(Struct, frozen=True):
    """Something to be published; without a payload it takes back what is *retained* under the topic."""

    topic: str
    payload: bytes = b""
    retained: bool = False
    qos: int = 0
    expires_s: int | None = None
    """For how long it is of use to anybody, for brokers that look at it."""


class Feed(Protocol):
    """A line to the broker through which the world is told. Only one call at a time; any may raise `FeedError`.

    After that error the line is closed and opened anew: whatever was not taken is gone.
    """

    async def open(self, will: Publication) -> None:
        """Open a line; should it break, the broker publishes *will*."""
        ...

    async def publish(self, publication: Publication) -> None:
        """Publish, and return once the broker has it (QoS 1) or the system has taken it (QoS 0)."""
        ...

    async def retained(self, filters: Sequence[str], marker: Publication) -> list[tuple[str, bytes]]:
        """Publish *marker*, which is under one of *filters*, and return what was retained under them before."""
        ...

    async def lost(self) -> None:
        """Return once the line is broken."""
        ...

    async def close(self) -> None:
        """Throw the line away, if there is one; this never fails, and takes no longer than a moment."""
        ...
