"""The other end of a websocket, in raw bytes; and a handler that notes what it is told."""

import asyncio
import struct
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import TypeVar

from manual_time import ManualTime

from warroom_server.adapters.websocket.connection import WebSocketConnection
from warroom_server.adapters.websocket.listener import WebSocketListener
from warroom_server.adapters.websocket.listener_state import Limits, Traffic
from warroom_server.ports.connections import Connection, ConnectionHandler, HttpResponse

T = TypeVar("T")
PATIENCE_S = 10.0
CONT, TEXT, BINARY, CLOSE, PING, PONG = 0, 1, 2, 8, 9, 10
MASK = b"\x37\xfa\x21\x3d"
HANDSHAKE = (
    b"GET /ws HTTP/1.1\r\nHost: localhost\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)
GET = b"GET %b HTTP/1.1\r\nHost: localhost\r\n\r\n"


def frame(opcode: int, payload: bytes = b"", *, fin: bool = True, rsv: int = 0, masked: bool = True) -> bytes:
    """Return a client's frame, right or wrong."""
    size = len(payload)
    mask_bit = 0x80 if masked else 0
    head = bytes(((0x80 if fin else 0) | rsv << 4 | opcode,))
    if size < 126:
        head += bytes((mask_bit | size,))
    elif size < 1 << 16:
        head += struct.pack("!BH", mask_bit | 126, size)
    else:
        head += struct.pack("!BQ", mask_bit | 127, size)
    if not masked:
        return head + payload
    return head + MASK + bytes(byte ^ MASK[index % 4] for index, byte in enumerate(payload))


class Peer:
    """A client that sends whatever bytes it is given."""

    def __init__(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, *, patience_s: float = PATIENCE_S
    ) -> None:
        self._patience_s = patience_s
        self.reader = reader
        self.writer = writer

    async def shake_hands(self, target: bytes = b"/ws") -> None:
        """Open the websocket."""
        self.send(HANDSHAKE.replace(b"/ws", target))
        head = await self.until(self.reader.readuntil(b"\r\n\r\n"))
        assert head.startswith(b"HTTP/1.1 101 "), head

    def send(self, *chunks: bytes) -> None:
        """Send bytes."""
        self.writer.write(b"".join(chunks))

    async def frame(self) -> tuple[int, bytes]:
        """Read one frame of the server: opcode and payload."""
        first, second = await self.until(self.reader.readexactly(2))
        assert first & 0x70 == 0
        assert second & 0x80 == 0, "a server does not mask"
        size = second
        if second == 126:
            (size,) = struct.unpack("!H", await self.until(self.reader.readexactly(2)))
        elif second == 127:
            (size,) = struct.unpack("!Q", await self.until(self.reader.readexactly(8)))
        assert first & 0x80, "a server does not fragment"
        return first & 0x0F, await self.until(self.reader.readexactly(size))

    async def closed(self) -> tuple[int, str]:
        """Read up to the close frame and the end of the line, and return the close frame's code and reason."""
        while True:
            opcode, payload = await self.frame()
            if opcode == CLOSE:
                assert await self.until(self.reader.read()) == b""
                return (int.from_bytes(payload[:2], "big"), payload[2:].decode()) if payload else (1005, "")

    async def rest(self) -> bytes:
        """Read up to the end of the line; a line that was cut ends there too."""
        received = b""
        try:
            while data := await self.until(self.reader.read(1 << 16)):
                received += data
        except ConnectionError:
            pass
        return received

    async def until(self, awaitable: Awaitable[T]) -> T:
        """Await, but not for ever."""
        return await asyncio.wait_for(awaitable, self._patience_s)


def echo(connection: Connection, message: bytes) -> int:
    """Send back what was received."""
    connection.send(message)
    return 0


class Recorder:
    """A handler that notes everything and does what the test put into its hooks."""

    def __init__(self) -> None:
        self.opened_: list[Connection] = []
        self.messages: list[bytes] = []
        self.arrivals: list[int] = []
        self.drained_: list[Connection] = []
        self.measured_: list[int] = []
        self.closed_: list[Connection] = []
        self.gets: list[tuple[str, str]] = []
        self.on_received: Callable[[Connection, bytes], int] = lambda connection, message: 0
        self.on_opened: Callable[[Connection], None] = lambda connection: None
        self.on_http: Callable[[str], HttpResponse | Awaitable[HttpResponse]] = lambda path: HttpResponse(200, b"hi\n")

    def opened(self, connection: Connection) -> None:
        self.opened_.append(connection)
        self.on_opened(connection)

    def received(self, connection: Connection, message: bytes, arrived: int, now: int) -> int:
        self.messages.append(message)
        self.arrivals.append(arrived)
        return self.on_received(connection, message)

    def drained(self, connection: Connection) -> None:
        self.drained_.append(connection)

    def measured(self, connection: Connection, rtt_ms: int) -> None:
        self.measured_.append(rtt_ms)

    def closed(self, connection: Connection) -> None:
        self.closed_.append(connection)

    def http(self, path: str, query: str) -> HttpResponse | Awaitable[HttpResponse]:
        self.gets.append((path, query))
        return self.on_http(path)


class Site:
    """A listener on a free port of the loopback, and those who connect to it."""

    def __init__(self, listener: WebSocketListener, handler: Recorder) -> None:
        self.listener = listener
        self.handler = handler
        self.peers: list[Peer] = []

    @property
    def traffic(self) -> Traffic:
        """What the listener counted."""
        return self.listener.traffic

    async def connect(self) -> Peer:
        """Open a line and say nothing."""
        peer = Peer(*await asyncio.open_connection("127.0.0.1", self.listener.port))
        self.peers.append(peer)
        return peer

    async def open(self, target: bytes = b"/ws") -> tuple[Peer, WebSocketConnection]:
        """Open a websocket and return both ends of it."""
        peer = await self.connect()
        await peer.shake_hands(target)
        connection = self.handler.opened_[-1]
        assert isinstance(connection, WebSocketConnection)
        return peer, connection


@asynccontextmanager
async def site(
    time: ManualTime | None = None,
    *,
    limits: Limits | None = None,
    origins: list[str] | None = None,
    inspector: ConnectionHandler | None = None,
) -> AsyncIterator[Site]:
    """Run a listener whose time stands still unless the test moves it."""
    time = time or ManualTime()
    handler = Recorder()
    listener = WebSocketListener(
        handler, time, time, get=handler.http, limits=limits, origins=origins, inspector=inspector
    )
    await listener.start("127.0.0.1", 0)
    running = Site(listener, handler)
    try:
        yield running
    finally:
        for peer in running.peers:
            peer.writer.transport.abort()
        await listener.stop()
