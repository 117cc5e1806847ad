"""TCP proxies that can cut, freeze or delay connections, stop reading, and repeat or drop messages."""

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Final, Protocol, TypeAlias, cast

from msgspec import Struct

from warroom_chaos.network_conditions import NetworkConditions
from warroom_chaos.websocket_frames import FrameSplitter, is_binary

LOOPBACK: Final = "127.0.0.1"
MOST_HELD_BYTES: Final = 65_536
"""Buffer limit per direction; a full buffer pauses the sender."""

Dial: TypeAlias = Callable[[asyncio.Protocol], Awaitable[object]]
"""Connects a protocol to the upstream behind the proxy; raises OSError if it cannot be reached."""
Transform: TypeAlias = Callable[[bytes], bytes]


class Target(Struct, frozen=True):
    """The upstream of a connection, and the network conditions to it."""

    node: int
    dial: Dial
    conditions: NetworkConditions


class Tap(Protocol):
    """Inspects and may change the data of one connection."""

    def outward(self, data: bytes) -> bytes:
        """Return the data to send upstream, given data from the client."""
        ...

    def inward(self, data: bytes) -> bytes:
        """Return the data to send to the client, given data from upstream."""
        ...


class _Direct:
    """A tap that changes nothing."""

    def outward(self, data: bytes) -> bytes:
        return data

    def inward(self, data: bytes) -> bytes:
        return data


class Proxy:
    """A proxy on one listening port; each new connection goes to the target chosen at that moment.

    With *of_websockets*, data is forwarded in whole frames, so that single messages can be dropped.
    """

    def __init__(
        self,
        choose: Callable[[], Target | None],
        make_tap: Callable[[], Tap] = _Direct,
        *,
        of_websockets: bool = False,
    ) -> None:
        self._choose = choose
        self._make_tap = make_tap
        self.of_websockets = of_websockets
        self.lost = 0
        """Number of dropped messages, each with its connection."""
        self._server: asyncio.Server | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._count = 0
        self.connections: set[ProxiedConnection] = set()
        self.port = 0

    async def open(self) -> None:
        """Listen on any free port."""
        loop = asyncio.get_running_loop()
        self._server = await loop.create_server(self._accept, LOOPBACK, 0, backlog=2048)
        self.port = self._server.sockets[0].getsockname()[1]

    async def close(self) -> None:
        """Stop listening, and cut all connections."""
        if self._server is not None:
            self._server.close()
        self.cut()
        for task in tuple(self._tasks):
            task.cancel()
        if self._tasks:
            await asyncio.wait(self._tasks)

    def some(self, node: int | None = None, share: int = 100) -> "list[ProxiedConnection]":
        """Return *share* percent of the connections to a node (None: to any), always the same ones."""
        return [
            connection
            for connection in self.connections
            if node in (None, connection.node) and connection.number * 37 % 100 < share
        ]

    def cut(self, node: int | None = None, share: int = 100) -> None:
        """Abort *share* percent of the connections to a node, without a close handshake."""
        for connection in self.some(node, share):
            connection.cut()

    def lose(self, count: int) -> None:
        """Drop message number *count* from now on every connection, and then the connection.

        TCP never loses a single message and goes on.
        """
        for connection in self.connections:
            connection.loses_in = count

    def apply_conditions(self) -> None:
        """Apply changed network conditions to every connection."""
        for connection in tuple(self.connections):
            connection.flush()

    def _accept(self) -> "_Endpoint":
        self._count += 1
        connection = ProxiedConnection(self, self._count, self._make_tap())
        task = asyncio.get_running_loop().create_task(self._connect(connection))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        return connection.client_end

    async def _connect(self, connection: "ProxiedConnection") -> None:
        target = self._choose()
        if target is None or target.conditions.refuses:
            connection.cut()
            return
        connection.node, connection.conditions = target.node, target.conditions
        self.connections.add(connection)
        try:
            await target.dial(connection.upstream_end)
        except OSError:
            connection.cut()


class ProxiedConnection:
    """One connection through a proxy, with a socket on either side."""

    def __init__(self, proxy: Proxy, number: int, tap: Tap) -> None:
        self.number = number
        self.node = -1
        self.conditions = NetworkConditions()
        self.proxy = proxy
        self.loses_in = 0
        """Number of messages, in both directions together, until one is dropped; 0: none."""
        self._is_over = False
        self.outward = _Direction(self, tap.outward)
        self.inward = _Direction(self, tap.inward)
        self.client_end = _Endpoint(self, reads=self.outward, writes=self.inward)
        self.upstream_end = _Endpoint(self, reads=self.inward, writes=self.outward)

    def cut(self) -> None:
        """Abort both sockets at once; buffered data is lost."""
        self._is_over = True
        self.proxy.connections.discard(self)
        for direction in (self.outward, self.inward):
            direction.drop()
        for end in (self.client_end, self.upstream_end):
            if end.transport is not None:
                end.transport.abort()

    def flush(self) -> None:
        """Forward all data that is due."""
        self.outward.flush()
        self.inward.flush()

    def opened(self, end: "_Endpoint") -> None:
        """Handle a connected socket."""
        if self._is_over:
            assert end.transport is not None
            end.transport.abort()
        else:
            self.flush()

    def closed(self, end: "_Endpoint") -> None:
        """Handle a closed socket; the other one still gets what was sent before."""
        (self.outward if end is self.client_end else self.inward).finish()
        (self.inward if end is self.client_end else self.outward).drop()
        if all(each.is_gone for each in (self.client_end, self.upstream_end)):
            self._is_over = True
            self.proxy.connections.discard(self)


class _Direction:
    """One direction of a connection, with its buffer and the due time of each piece."""

    def __init__(self, connection: ProxiedConnection, transform: Transform) -> None:
        self.source: _Endpoint
        self.sink: _Endpoint
        self.is_stalled = False
        """Whether the reader has stopped reading."""
        self._connection = connection
        self._transform = transform
        self._waiting: deque[tuple[float, bytes]] = deque()
        self._held_bytes = 0
        self._is_finished = False
        self._timer: asyncio.TimerHandle | None = None
        self._frames = FrameSplitter() if connection.proxy.of_websockets else None

    def push(self, data: bytes) -> None:
        """Buffer received data, unless a message was dropped."""
        data = self._transform(data)
        for piece in [data] if self._frames is None else self._frames.feed(data):
            if self._is_finished:
                return
            if self._is_lost(piece):
                self._connection.proxy.lost += 1
                self.finish()
                return
            self._waiting.append((asyncio.get_running_loop().time() + self._connection.conditions.delay_s, piece))
            self._held_bytes += len(piece)
        self.flush()

    def _is_lost(self, piece: bytes) -> bool:
        connection = self._connection
        if not connection.loses_in or not is_binary(piece):
            return False
        connection.loses_in -= 1
        return connection.loses_in == 0

    def finish(self) -> None:
        """Accept no more data; close the other socket once everything is delivered."""
        self._is_finished = True
        self.flush()

    def drop(self) -> None:
        """Discard the buffer."""
        self._waiting.clear()
        self._held_bytes = 0
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def flush(self) -> None:
        """Deliver what is due, unless the direction is blocked."""
        loop = asyncio.get_running_loop()
        transport = self.sink.transport
        is_open = not (self.is_stalled or self._connection.conditions.is_frozen or self.sink.is_full)
        if transport is not None and is_open:
            now = loop.time()
            while self._waiting and self._waiting[0][0] <= now:
                _, data = self._waiting.popleft()
                self._held_bytes -= len(data)
                transport.write(data)
            if self._waiting:
                self._call_back(loop, self._waiting[0][0])
            elif self._is_finished:
                transport.close()
        self.source.pause(is_wanted=self._held_bytes > MOST_HELD_BYTES or self.is_stalled)

    def _call_back(self, loop: asyncio.AbstractEventLoop, when: float) -> None:
        if self._timer is None:
            self._timer = loop.call_at(when, self._wake)

    def _wake(self) -> None:
        self._timer = None
        self.flush()


class _Endpoint(asyncio.Protocol):
    """One of the two sockets of a connection."""

    def __init__(self, connection: ProxiedConnection, *, reads: _Direction, writes: _Direction) -> None:
        self.transport: asyncio.Transport | None = None
        self.is_full = False
        self.is_gone = False
        self._connection = connection
        self._reads = reads
        self._writes = writes
        self._is_paused = False
        reads.source = self
        writes.sink = self

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Start to read and write."""
        self.transport = cast(asyncio.Transport, transport)  # uvloop's transports are not a subclass
        self._connection.opened(self)

    def data_received(self, data: bytes) -> None:
        """Forward the data."""
        self._reads.push(data)

    def connection_lost(self, error: Exception | None) -> None:
        """Close the other socket."""
        self.is_gone = True
        self.transport = None
        self._connection.closed(self)

    def pause_writing(self) -> None:
        """Stop writing to this socket."""
        self.is_full = True

    def resume_writing(self) -> None:
        """Write to this socket again."""
        self.is_full = False
        self._writes.flush()

    def pause(self, *, is_wanted: bool) -> None:
        """Pause or resume reading."""
        if self.transport is None or is_wanted == self._is_paused or self.transport.is_closing():
            return
        self._is_paused = is_wanted
        if is_wanted:
            self.transport.pause_reading()
        else:
            self.transport.resume_reading()
