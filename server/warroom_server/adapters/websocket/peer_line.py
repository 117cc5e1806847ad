"""One websocket between two nodes: handshake, pings, and limits on unproved input and unsent output."""

import asyncio
import logging
from collections import deque
from typing import Final, Protocol, cast

from websockets.client import ClientProtocol
from websockets.frames import Frame, Opcode
from websockets.http11 import Response
from websockets.protocol import State
from websockets.server import ServerProtocol

from warroom_server.adapters.websocket.peer_handshake import Handshake
from warroom_server.ports.peers import CONGESTED_BYTES, UNSENT_BYTES, RoundTrip
from warroom_server.ports.time import Clock

PING_MS: Final = 500
SILENCE_MS: Final = 2_000
"""A line is cut after this time without a byte, or without a proof."""
TRIPS: Final = 64
"""The number of round trips whose minimum is reported."""
UNPROVED_BYTES: Final = 1_024
"""Bytes that the other end may send before its proof."""
HEAD_BYTES: Final = 8_192
"""Further bytes for the HTTP response on a dialled line: proxies add headers."""

logger = logging.getLogger(__name__)
core_logger: Final = logging.getLogger(f"{__name__}.core")
core_logger.setLevel(logging.WARNING)


class LineOwner(Protocol):
    """Listens to a line. Called from the loop."""

    def proved(self, line: "PeerLine") -> None:
        """Both ends have proved themselves."""

    def received(self, line: "PeerLine", payload: bytes) -> None:
        """A message came."""

    def drained(self, line: "PeerLine") -> None:
        """The line is congested no longer."""

    def closed(self, line: "PeerLine", reason: str) -> None:
        """The line is gone, or was never there."""


class PeerLine(asyncio.Protocol):
    """One end of a line; *core* is the websocket protocol of the dialling or the accepting end."""

    def __init__(
        self, owner: LineOwner, handshake: Handshake, core: ClientProtocol | ServerProtocol, clock: Clock
    ) -> None:
        self.handshake = handshake
        self.is_congested = False
        self._owner = owner
        self._core = core
        self._clock = clock
        self._transport: asyncio.Transport | None = None
        self._heard = self._pinged = clock.now()
        self._trips: deque[int] = deque(maxlen=TRIPS)
        self._unproved_bytes = UNPROVED_BYTES + (HEAD_BYTES if handshake.dialled else 0)
        self._reason = ""

    @property
    def node(self) -> str:
        """The node at the other end; empty until it has proved itself."""
        return self.handshake.node

    @property
    def rtt(self) -> RoundTrip:
        """The smallest and the last round trip."""
        return RoundTrip(min(self._trips), self._trips[-1]) if self._trips else RoundTrip(0, 0)

    @property
    def _is_open(self) -> bool:
        return self._transport is not None and not self._transport.is_closing()

    def send(self, payload: bytes) -> bool:
        """Send a message; False if the line is closed, maybe because the other end does not read."""
        if self._is_open:
            self._core.send_binary(payload)
            self._write()
        return self._is_open

    def close(self, reason: str) -> None:
        """Cut the line; the owner hears of it later."""
        self._reason = self._reason or reason
        if self._transport is not None:
            self._transport.abort()

    def refuse(self, reason: str) -> None:
        """Log that the other end broke the protocol, and cut the line."""
        if self._is_open:
            # Escaped: the name is unproved, and must not be able to forge a log line.
            logger.warning("link refused peer=%r reason=%r", self.handshake.claimed, reason)
            self.close(reason)

    def tick(self, now: int) -> None:
        """Ping if it is time, or cut a line that is silent."""
        if now - self._heard >= SILENCE_MS:
            self.close(f"silent for {now - self._heard} ms")
        elif self.node and now - self._pinged >= PING_MS:
            self._ping(now)

    def accept(self, transport: asyncio.Transport, response: Response, rest: bytes) -> None:
        """Take over a line whose upgrade request is answered with *response*; *rest* came after the request."""
        transport.set_protocol(self)
        self._adopt(transport)
        transport.write(response.serialize())
        self.data_received(rest)

    # --- asyncio's side -------------------------------------------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Ask for a websocket on a dialled line."""
        self._adopt(cast(asyncio.Transport, transport))  # uvloop's transports are no subclass
        assert isinstance(self._core, ClientProtocol)
        self._core.send_request(self._core.connect())
        self._write()

    def data_received(self, data: bytes) -> None:
        """Read what the other end is allowed to send."""
        if not self.node:
            allowed, data = data[: self._unproved_bytes], data[self._unproved_bytes :]
            self._unproved_bytes -= len(allowed)
            self._read(allowed)
            if data and not self.node:
                self.refuse("too much data before a proof")
        self._read(data)

    def pause_writing(self) -> None:
        """Mark the line as congested."""
        self.is_congested = True

    def resume_writing(self) -> None:
        """Mark the line as free again."""
        self.is_congested = False
        self._owner.drained(self)

    def connection_lost(self, exc: Exception | None) -> None:
        """Tell the owner."""
        self._transport = None
        self._core.parser.close()
        self._owner.closed(self, self._reason or str(exc or "the other end closed it"))

    # --- inside ---------------------------------------------------------------------------------------------------

    def _adopt(self, transport: asyncio.Transport) -> None:
        self._transport = transport
        transport.set_write_buffer_limits(high=CONGESTED_BYTES)

    def _read(self, data: bytes) -> None:
        if not data or not self._is_open:
            return
        self._core.receive_data(data)
        if self.node:
            self._heard = self._clock.now()
        for event in self._core.events_received():
            if self._is_open:
                self._take(event)
        self._write()
        if self._core.handshake_exc is not None:
            self.refuse(f"no link there: {self._core.handshake_exc}")
        elif self._core.state in (State.CLOSING, State.CLOSED):
            self.close("the other end closed it")

    def _take(self, event: object) -> None:
        if isinstance(event, Response) and self._core.handshake_exc is None:
            self.send(self.handshake.greet())
        elif isinstance(event, Frame) and event.opcode is Opcode.BINARY and event.fin:
            if self.node:
                self._owner.received(self, bytes(event.data))
            else:
                self._shake_hands(bytes(event.data))
        elif isinstance(event, Frame) and event.opcode is Opcode.PONG and self.node:
            self._trips.append(max(0, self._clock.now() - int.from_bytes(event.data)))

    def _shake_hands(self, payload: bytes) -> None:
        try:
            answer = self.handshake.receive(payload)
        except ValueError as error:
            self.refuse(str(error))
            return
        if answer:
            self.send(answer)
        if self.node:
            self._heard = self._clock.now()
            self._ping(self._heard)
            self._owner.proved(self)

    def _ping(self, now: int) -> None:
        self._pinged = now
        if self._is_open:
            self._core.send_ping(now.to_bytes(8))
            self._write()

    def _write(self) -> None:
        if self._transport is not None and self._is_open:
            self._transport.write(b"".join(self._core.data_to_send()))
            if self._transport.get_write_buffer_size() > UNSENT_BYTES:
                self.close("it reads too slowly")
