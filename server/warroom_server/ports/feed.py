"""The connection to a message broker."""

from collections.abc import Sequence
from typing import Protocol

from msgspec import Struct


class FeedError(Exception):
    """The broker cannot be reached, or did not accept something in time; the connection is unusable."""


class Publication(Struct, frozen=True):
    """A message for a topic; a *retained* one without a payload removes the retained message."""

    topic: str
    payload: bytes = b""
    retained: bool = False
    qos: int = 0
    expires_s: int | None = None
    """How long it is useful, for brokers that support message expiry."""


class Feed(Protocol):
    """A connection to a broker. One call at a time; any may raise `FeedError`.

    After that error the connection is closed and opened again; messages that were not accepted are lost.
    """

    async def open(self, will: Publication) -> None:
        """Connect; if the connection breaks, the broker publishes *will*."""

    async def publish(self, publication: Publication) -> None:
        """Publish, and return once the broker has it (QoS 1) or the operating system does (QoS 0)."""

    async def retained(self, filters: Sequence[str], marker: Publication) -> list[tuple[str, bytes]]:
        """Publish *marker*, which is under one of *filters*, and return what was retained under them before."""

    async def lost(self) -> None:
        """Return once the connection is broken."""

    async def close(self) -> None:
        """Disconnect, if connected; this never fails and never blocks for long."""
