"""The line of a link to another node: a websocket, dialled or accepted, without a task or queue per message."""

import asyncio
import logging
import socket
import ssl
from contextlib import suppress
from typing import Final, cast

from websockets.client import ClientProtocol
from websockets.exceptions import InvalidURI
from websockets.frames import Frame, Opcode
from websockets.http11 import Response
from websockets.protocol import State
from websockets.server import ServerProtocol
from websockets.uri import parse_uri

from warroom_server.ports.connections import PeerConnectionHandler

CONGESTED_BYTES: Final = 256 * 1024
"""A line with more than this unsent is told to the handler once it is drained."""
DIAL_S: Final = 2.0
"""How long a node may take to be reached, and to answer the opening handshake."""

_core_logger = logging.getLogger(f"{__name__}.core")
_core_logger.setLevel(logging.WARNING)


def server_core(max_bytes: int) -> ServerProtocol:
    """Return the core of a line that another node opens."""
    return ServerProtocol(state=State.OPEN, max_size=max_bytes, logger=_core_logger)


class WebSocketPeerConnection(asyncio.Protocol):
    """A `LinkLine` under a plain protocol; *core* is that of whoever accepted or dialled."""

    def __init__(self, handler: PeerConnectionHandler, core: ClientProtocol | ServerProtocol) -> None:
        self._handler = handler
        self._core = core
        self._transport: asyncio.Transport | None = None
        self._out: list[bytes] = []
        self._is_paused = False
        """Whether so much is unsent that the transport will say when most of it is gone."""
        self._is_open = False
        self._handshake_timer: asyncio.TimerHandle | None = None
        """Ends a line that was dialled, unless it is open in time."""
        self._reason = ""

    # --- sending --------------------------------------------------------------------------------------------------

    @property
    def unsent_bytes(self) -> int:
        """How much was given to it and is not with the system yet."""
        buffered = 0 if self._transport is None else self._transport.get_write_buffer_size()
        return buffered + sum(map(len, self._out))

    def send(self, payload: bytes) -> None:
        """Send one message; what is sent in one turn of the loop goes out in one write."""
        if self._core.state is State.OPEN and self._transport is not None:
            self._core.send_binary(payload)
            self._queue()

    def close(self, reason: str) -> None:
        """End the line at once: whoever is at the other end finds its way back by itself."""
        self._reason = self._reason or reason
        if self._transport is not None:
            self._write()
            self._transport.abort()

    def _queue(self) -> None:
        data = self._core.data_to_send()
        if data and not self._out:
            asyncio.get_running_loop().call_soon(self._flush)
        self._out += data

    def _flush(self) -> None:
        self._write()
        # What was to be written counted as unsent, and the transport is silent about what it got rid of at once.
        if not self._is_paused:
            self._handler.drained()

    def _write(self) -> None:
        out, self._out = self._out, []
        if out and self._transport is not None and not self._transport.is_closing():
            self._transport.write(b"".join(out))

    def pause_writing(self) -> None:
        """Much is unsent."""
        self._is_paused = True

    def resume_writing(self) -> None:
        """Most of what was unsent is gone."""
        self._is_paused = False
        self._handler.drained()

    # --- the line ---------------------------------------------------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Ask for a websocket, on a line that was dialled."""
        self._adopt(cast(asyncio.Transport, transport))
        assert isinstance(self._core, ClientProtocol)
        self._core.send_request(self._core.connect())
        self._queue()
        # No handler has the line yet that could end it.
        self._handshake_timer = asyncio.get_running_loop().call_later(DIAL_S, self.close, "no answer to the handshake")

    def accept(self, transport: asyncio.Transport, response: bytes, rest: bytes) -> None:
        """Go on with a line whose opening handshake is answered with *response*."""
        self._adopt(transport)
        transport.set_protocol(self)
        transport.write(response)
        self._open()
        if rest:
            self.data_received(rest)

    def data_received(self, data: bytes) -> None:
        """Take whole messages; links have no fragments."""
        self._core.receive_data(data)
        for event in self._core.events_received():
            if isinstance(event, Response):
                if self._core.handshake_exc is not None:
                    self.close(f"no link there: {self._core.handshake_exc}")
                    return
                self._open()
            elif isinstance(event, Frame) and event.opcode is Opcode.BINARY and event.fin:
                self._handler.received(bytes(event.data))
        self._queue()
        if self._core.state is not State.OPEN and self._is_open:
            self.close("the other end closed it")

    def eof_received(self) -> None:
        """The other end is gone."""
        self.close("the other end is gone")

    def connection_lost(self, exc: Exception | None) -> None:
        """Tell the handler, once."""
        self._transport = None
        self._stop_waiting()
        self._core.parser.close()
        self._handler.closed(self._reason or (str(exc) if exc else "the line broke"))

    def _adopt(self, transport: asyncio.Transport) -> None:
        self._transport = transport
        transport.set_write_buffer_limits(high=CONGESTED_BYTES)
        line: socket.socket | None = transport.get_extra_info("socket")
        if line is not None:
            with suppress(OSError):
                line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)

    def _open(self) -> None:
        self._is_open = True
        self._stop_waiting()
        self._handler.opened(self)

    def _stop_waiting(self) -> None:
        if self._handshake_timer is not None:
            self._handshake_timer.cancel()


async def dial(address: str, handler: PeerConnectionHandler, max_bytes: int) -> None:
    """Open a line to the node at a ws:// or wss:// URL; the handler is told whether and when it is there."""
    try:
        uri = parse_uri(address)
        core = ClientProtocol(uri, max_size=max_bytes, logger=_core_logger)
        context = ssl.create_default_context() if uri.secure else None
        async with asyncio.timeout(DIAL_S):
            await asyncio.get_running_loop().create_connection(
                lambda: WebSocketPeerConnection(handler, core), uri.host, uri.port, ssl=context
            )
    except (OSError, InvalidURI, TimeoutError) as error:
        handler.closed(f"{address}: {error or 'no answer'}")
