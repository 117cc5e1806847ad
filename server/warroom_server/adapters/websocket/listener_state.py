"""What all connections of a listener share: limits, counters, and one write per turn of the loop."""

import asyncio
import logging
import time
from collections.abc import Callable
from dataclasses import InitVar, dataclass
from functools import partial
from typing import TYPE_CHECKING, Annotated

from msgspec import Struct

from warroom_protocol.limits import MAX_CLIENT_BYTES
from warroom_server.ports.connections import ConnectionHandler
from warroom_server.ports.time import Clock, Timers

if TYPE_CHECKING:
    from warroom_server.adapters.websocket.connection import WebSocketConnection

core_logger = logging.getLogger(f"{__name__}.core")
core_logger.setLevel(logging.WARNING)

FLUSHES_PER_TURN = 1024
"""Connections written to per turn of the loop; the others wait, so that many cannot block it."""
SLICE_NS = 5_000_000
"""The time slice of one connection's messages."""
TURN_NS = 20_000_000
"""The time for messages of all connections per turn of the loop; each connection may always send one."""


class Limits(Struct, frozen=True, kw_only=True):
    """The limits of a listener and its connections."""

    connections: int = 10_000
    per_address: int = 5_000
    """Websockets from one address, so that one client cannot take all."""
    handshakes: int = 4096
    """Connections whose request is incomplete; one more drops the oldest one of the address that has the most.

    As many may be accepted in one turn of the loop, so clients that come back at once do not push each other out.
    """
    message_bytes: int = MAX_CLIENT_BYTES
    fragments: int = 16
    slice_bytes: int = 2048
    """How much is parsed per turn of the loop."""
    gets_per_s: int = 300
    """Plain GETs per second from one address; more are refused with Retry-After."""
    controls_per_s: int = 32
    """Pings and pongs of a client per second; after more, nothing is read for the rest of that second."""
    congested_bytes: int = 64 * 1024
    """A connection with more than this unsent is congested until the kernel has taken most of it."""
    unsent_bytes: int = 1024 * 1024
    """A connection with more than this unsent is closed."""
    first_ping_ms: int = 500
    """Until the first ping; it doubles between the next ones, so that the round trip is known early."""
    ping_ms: int = 10_000
    """The longest time between two pings, unless the answer takes longer."""
    pong_ms: int = 15_000
    """For the peer to answer a ping; then its connection is closed."""
    close_ms: int = 5_000
    """For the peer to answer a close frame and to disconnect."""
    slow_close_ms: int = 1_000
    """The same for a peer that is closed because it does not read."""

    def ping_after(self, answers: int, connection: int = 0) -> int:
        """Return how long to wait before the next ping, after *answers* pongs.

        It is up to a quarter less, by the number of the connection: clients that came at once must not answer at once.
        """
        longest_ms = min(self.first_ping_ms << min(answers, 16), max(self.ping_ms, self.first_ping_ms))
        return longest_ms - longest_ms * (connection % 64) // 256


class Traffic(Struct):
    """The counters of a listener, each with the help text of its metric; they only rise."""

    opened: Annotated[int, "Websockets opened."] = 0
    refused: Annotated[int, "Lines and handshakes refused."] = 0
    evicted_handshakes: Annotated[int, "Lines without a websocket dropped for newer ones."] = 0
    messages_in: Annotated[int, "Messages received."] = 0
    bytes_in: Annotated[int, "Bytes received on websockets."] = 0
    frames_out: Annotated[int, "Frames written."] = 0
    bytes_out: Annotated[int, "Bytes written."] = 0
    writes: Annotated[int, "Writes to sockets."] = 0
    held_reads: Annotated[int, "Times a connection was not read from because it said too much."] = 0
    slow_viewers: Annotated[int, "Connections closed because they did not read."] = 0
    idle_peers: Annotated[int, "Connections closed because a ping was not answered."] = 0
    failed_connections: Annotated[int, "Connections that broke the websocket protocol."] = 0
    """They also include those that broke a limit of it."""


class TimeSlices:
    """Share each turn of the loop among the connections with messages to handle."""

    def __init__(self, loop: asyncio.AbstractEventLoop, read_ns: Callable[[], int]) -> None:
        self._loop = loop
        self._read_ns = read_ns
        self._turn_ends: int | None = None

    def begin(self) -> int:
        """Return when the time slice of a connection that begins now is over."""
        now = self._read_ns()
        if self._turn_ends is None:
            self._turn_ends = now + TURN_NS
            self._loop.call_soon(self._next_turn)
        return min(now + SLICE_NS, self._turn_ends)

    def is_over(self, end: int) -> bool:
        """Whether a time slice that ends at *end* is over."""
        return self._read_ns() >= end

    def _next_turn(self) -> None:
        self._turn_ends = None


@dataclass(eq=False)
class Shell:
    """What a connection needs from its listener, which *forget*s it once.

    *flush* writes what connections have queued. *read_ns* is the clock of time slices.
    """

    handler: ConnectionHandler
    clock: Clock
    timers: Timers
    limits: Limits
    forget: Callable[["WebSocketConnection"], None]
    flush: InitVar[Callable[["Shell"], None]]
    read_ns: InitVar[Callable[[], int]] = time.monotonic_ns

    def __post_init__(self, flush: Callable[["Shell"], None], read_ns: Callable[[], int]) -> None:
        self.traffic = Traffic()
        self.loop = asyncio.get_running_loop()
        self.due: list[WebSocketConnection] = []
        """Connections with data to send at the end of this turn of the loop."""
        self.is_flush_due = False
        """Whether `flush_soon` was called in this turn."""
        self.flush_soon = partial(self.loop.call_soon, flush, self)
        """Writes at the end of this turn of the loop what connections have queued by then."""
        self.time_slices = TimeSlices(self.loop, read_ns)
