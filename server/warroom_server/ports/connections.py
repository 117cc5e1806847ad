"""Connections to clients, and the handler of their messages."""

from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Protocol, TypeAlias

from msgspec import Struct


class Connection(Protocol):
    """One open websocket."""

    id: int

    @property
    def peer(self) -> str:
        """The address and port of the client; empty if they are unknown."""

    @property
    def is_congested(self) -> bool:
        """Whether so much is unsent that droppable frames should be left out."""

    def send(self, payload: bytes) -> None:
        """Queue a payload, as one frame, for the one write at the end of this turn of the loop."""

    def close(self, code: int, reason: str) -> None:
        """Send what is queued, then a close frame; cut the connection if the peer does not answer it in time."""


Broadcast: TypeAlias = Callable[[bytes, Sequence[Connection]], Sequence[Connection]]
"""Queue a payload, as one frame built once, for the one write to each connection at the end of this turn.

Congested connections do not get it, and are returned. There is at least one connection.
"""


class HttpResponse(Struct, frozen=True):
    """The answer to a plain GET on the websocket's port."""

    status: int
    body: bytes
    content_type: str = "text/plain; charset=utf-8"
    headers: Mapping[str, str] = {}
    compressed: bytes | None = None
    """The body in gzip, for clients that accept it."""


Get: TypeAlias = Callable[[str, str], HttpResponse | Awaitable[HttpResponse]]
"""Answer a GET for a path with a query, at once or after asking the store."""


class ConnectionHandler(Protocol):
    """Handles connections; the listener calls it from the loop, one call at a time."""

    def opened(self, connection: Connection) -> None:
        """The opening handshake is done."""

    def received(self, connection: Connection, message: bytes, arrived: int, now: int) -> int:
        """Handle one whole binary message; return for how many milliseconds to stop reading (0: go on)."""

    def drained(self, connection: Connection) -> None:
        """A connection that was congested can take frames again."""

    def measured(self, connection: Connection, rtt_ms: int) -> None:
        """A connection was measured again: *rtt_ms* is the median of its last round trips."""

    def closed(self, connection: Connection) -> None:
        """The connection is gone; called once for each `opened`."""
