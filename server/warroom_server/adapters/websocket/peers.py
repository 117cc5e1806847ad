"""Links between nodes as websockets. Of two nodes the one with the smaller id dials, or the one that stops."""

import asyncio
import logging
import ssl
from collections.abc import Mapping
from http import HTTPStatus
from typing import Final, TypeVar

from websockets.client import ClientProtocol
from websockets.exceptions import InvalidURI
from websockets.http11 import Request, Response
from websockets.protocol import State
from websockets.server import ServerProtocol
from websockets.uri import WebSocketURI, parse_uri

from warroom_server.adapters.websocket.peer_handshake import NONCE_BYTES, Handshake
from warroom_server.adapters.websocket.peer_line import PING_MS, PeerLine, core_logger
from warroom_server.ports.entropy import Entropy
from warroom_server.ports.peers import NO_MESSAGE, Codec, PeerListener, Peers, RoundTrip
from warroom_server.ports.time import Clock, Timer, Timers

logger = logging.getLogger(__name__)

M = TypeVar("M")

TICK_MS: Final = PING_MS // 2
DIAL_S: Final = 2.0
FIRST_BACKOFF_MS: Final = 100
LONGEST_BACKOFF_MS: Final = 2_000
"""The pause after a failed dial: short at first, then doubled each time."""
UNPROVED_LINES: Final = 64
"""The most accepted lines without a proof. For one more the oldest is cut: real nodes prove themselves at once."""


class WebSocketPeers(Peers[M]):
    """Dials nodes with greater ids and is dialled by the others. So there is one line between any two nodes.

    A node that accepts no more lines dials all nodes that are missing: it needs links to hand its rooms over.
    """

    def __init__(
        self, own: str, *, key: bytes, codec: Codec[M], clock: Clock, timers: Timers, entropy: Entropy
    ) -> None:
        self._own = own
        self._key = key
        self._codec = codec
        self._clock = clock
        self._timers = timers
        self._entropy = entropy
        self._listener: PeerListener[M] | None = None
        """None before the start and after the end."""
        self._is_accepting = True
        self._ticker: Timer | None = None
        self._lines: dict[str, PeerLine] = {}
        self._unproved: dict[PeerLine, asyncio.Task[None] | None] = {}
        """Lines without a proof, oldest first, each with the task that dials it, if any."""
        self._addresses: dict[str, str] = {}
        self._backoffs: dict[str, tuple[int, int]] = {}
        """By node: when to dial again, and the last pause."""

    # --- the port -------------------------------------------------------------------------------------------------

    def start(self, listener: PeerListener[M]) -> None:
        """Make and accept links from now on."""
        self._listener = listener
        self._tick()

    def connect(self, addresses: Mapping[str, str]) -> None:
        """Dial the missing nodes that this one dials."""
        self._addresses = {node: address for node, address in addresses.items() if address and node != self._own}
        self._backoffs = {node: backoff for node, backoff in self._backoffs.items() if node in self._addresses}
        self._dial_missing()

    def send(self, node: str, message: M) -> bool:
        """Send a message; False if there is no link."""
        line = self._lines.get(node)
        return line is not None and line.send(self._codec.encode(message))

    def nodes(self) -> list[str]:
        """Return the reachable nodes."""
        return sorted(self._lines)

    def is_congested(self, node: str) -> bool:
        """Whether much is unsent."""
        return node in self._lines and self._lines[node].is_congested

    def rtt(self, node: str) -> RoundTrip:
        """Return the round trips of a link."""
        return self._lines[node].rtt if node in self._lines else RoundTrip(0, 0)

    async def close(self) -> None:
        """End all links."""
        self._listener = None
        if self._ticker is not None:
            self._ticker.cancel()
        for line in (*self._lines.values(), *self._unproved):
            line.close("the node stops")
        self._lines.clear()
        dials = [task for task in self._unproved.values() if task is not None]
        for task in dials:
            task.cancel()
        await asyncio.gather(*dials, return_exceptions=True)

    # --- making lines -----------------------------------------------------------------------------------------------

    def accept(self, transport: asyncio.Transport, request: Request, rest: bytes) -> Response | None:
        """Take over a line that another node opened; or return the response to its *request*."""
        core = ServerProtocol(state=State.OPEN, max_size=self._codec.max_bytes, logger=core_logger)
        if self._listener is None:
            return core.reject(HTTPStatus.SERVICE_UNAVAILABLE, "no links here; try again later\n")
        response = core.accept(request)
        if response.status_code != HTTPStatus.SWITCHING_PROTOCOLS:
            return response
        accepted = [line for line in self._unproved if line.handshake.dialled is None]
        if len(accepted) >= UNPROVED_LINES:
            del self._unproved[accepted[0]]
            accepted[0].close("too many lines without a proof")
        self._new_line(core, None).accept(transport, response, rest)
        return None

    def stop_accepting(self) -> None:
        """Dial all missing nodes from now on, because none can dial this one any more."""
        self._is_accepting = False
        self._dial_missing()

    def _new_line(self, core: ClientProtocol | ServerProtocol, dialled: str | None) -> PeerLine:
        nonce = self._entropy.bytes(NONCE_BYTES)
        handshake = Handshake(self._own, key=self._key, version=self._codec.version, nonce=nonce, dialled=dialled)
        line = PeerLine(self, handshake, core, self._clock)
        self._unproved[line] = None
        return line

    def _dial_missing(self) -> None:
        now, there = self._clock.now(), {*self._lines, *(line.handshake.dialled for line in self._unproved)}
        for node, address in self._addresses.items():
            is_due = now >= self._backoffs.get(node, (0, 0))[0] and (self._own < node or not self._is_accepting)
            if self._listener is not None and is_due and node not in there:
                self._dial(node, address)

    def _dial(self, node: str, address: str) -> None:
        try:
            uri = parse_uri(address)
        except (ValueError, InvalidURI) as error:
            self._back_off(node, str(error))
            return
        line = self._new_line(ClientProtocol(uri, max_size=self._codec.max_bytes, logger=core_logger), node)
        self._unproved[line] = asyncio.get_running_loop().create_task(self._open(line, uri))

    async def _open(self, line: PeerLine, uri: WebSocketURI) -> None:
        context = ssl.create_default_context() if uri.secure else None
        try:
            async with asyncio.timeout(DIAL_S):
                await asyncio.get_running_loop().create_connection(lambda: line, uri.host, uri.port, ssl=context)
        except (OSError, ValueError) as error:
            self.closed(line, str(error) or "no answer")

    def _back_off(self, node: str, reason: str) -> None:
        logger.info("link not opened peer=%s reason=%r", node, reason)
        pause_ms = min(max(FIRST_BACKOFF_MS, 2 * self._backoffs.get(node, (0, 0))[1]), LONGEST_BACKOFF_MS)
        self._backoffs[node] = (self._clock.now() + pause_ms, pause_ms)

    def _tick(self) -> None:
        now = self._clock.now()
        self._ticker = self._timers.call_at(now + TICK_MS, self._tick)
        for line in (*self._lines.values(), *self._unproved):
            line.tick(now)
        self._dial_missing()

    # --- what happens on them -------------------------------------------------------------------------------------

    def proved(self, line: PeerLine) -> None:
        """Use a line. An older one to the same node is dead, or that node would not have dialled again."""
        node = line.node
        if (before := self._lines.get(node)) is not None:
            before.close("there is a newer line")
            self.closed(before, "there is a newer line")
        del self._unproved[line]
        self._lines[node] = line
        self._backoffs.pop(node, None)
        logger.info("link open peer=%s own=%s", node, self._own)
        assert self._listener is not None
        self._listener.linked(node)

    def received(self, line: PeerLine, payload: bytes) -> None:
        """Pass a message on."""
        try:
            message = self._codec.decode(payload)
        except NO_MESSAGE as error:
            line.refuse(f"not a message: {error}")
            return
        if self._listener is not None:
            self._listener.received(line.node, message)

    def drained(self, line: PeerLine) -> None:
        """Pass on that a link is free again."""
        if self._listener is not None and self._lines.get(line.node) is line:
            self._listener.drained(line.node)

    def closed(self, line: PeerLine, reason: str) -> None:
        """Report that a node is lost, or dial it again later."""
        node, dialled = line.node, line.handshake.dialled
        self._unproved.pop(line, None)
        if self._listener is not None and self._lines.get(node) is line:
            del self._lines[node]
            logger.warning("link lost peer=%s reason=%r", node, reason)
            self._listener.lost(node)
        elif dialled is not None and not node:
            self._back_off(dialled, reason)
