"""Lines between nodes of one process: what one end sends, the other one gets in a later turn of the loop."""

import asyncio
from collections.abc import Callable

from manual_time import ManualTime

from warroom_server.cluster.peers import Peers
from warroom_server.ports.connections import PeerConnectionHandler


class PairedLine:
    """One end of a line, that of the node *at*; a test may cut it, or hold back what it sends."""

    def __init__(self, handler: PeerConnectionHandler, at: str = "", network: "Network | None" = None) -> None:
        self.handler = handler
        self.at = at
        self._network = network
        self.other: PairedLine | None = None
        self.unsent_bytes = 0
        self.sent: list[bytes] = []
        self.swallowed: bytes | None = None
        """What is lost on its way, if a message has it."""
        self._held: list[bytes] | None = None
        self._is_closed = False

    @property
    def is_open(self) -> bool:
        """Whether this end has not been closed."""
        return not self._is_closed

    def send(self, payload: bytes) -> None:
        """Let the other end have it."""
        self.sent.append(payload)
        if self.swallowed is not None and self.swallowed in payload:
            return
        if self._held is not None:
            self._held.append(payload)
        else:
            self._pass(payload)

    def hold(self) -> None:
        """Keep what is sent from now on, as a network would that lost its way."""
        self._held = []

    def release(self) -> None:
        """Let everything through that was held back."""
        held, self._held = self._held or [], None
        for payload in held:
            self._pass(payload)

    def close(self, reason: str) -> None:
        """End the line; the other end learns of it after what was sent before."""
        self._end(reason)
        if self.other is not None:
            asyncio.get_running_loop().call_soon(self.other._end, reason)

    def _end(self, reason: str) -> None:
        if not self._is_closed:
            self._is_closed = True
            asyncio.get_running_loop().call_soon(self.handler.closed, reason)

    def lose(self) -> None:
        """End the line at this end alone: the other one learns nothing of it."""
        self._end("lost by the test")

    def _pass(self, payload: bytes) -> None:
        other = self.other
        assert other is not None

        def deliver() -> None:
            if not other._is_closed:
                other.handler.received(payload)

        if self._network is not None and self._network.delay_ms:
            self._network.call_later(deliver)
        else:
            asyncio.get_running_loop().call_soon(deliver)


class Network:
    """Where nodes find each other by address; it can be parted, and by the clock of a test it can be slow."""

    def __init__(self, time: ManualTime | None = None) -> None:
        self.delay_ms = 0
        """How long everything takes one way."""
        self._time = time
        self.nodes: dict[str, Peers] = {}
        self.connections: list[PairedLine] = []
        self.is_cut = False
        self._parted: set[frozenset[str]] = set()

    async def dial(self, at: str, address: str, handler: PeerConnectionHandler) -> None:
        """Open a line from the node *at* to that at an address."""
        peers = self.nodes.get(address)
        is_cut = self.is_cut or {at, address} in self._parted
        accepted = None if peers is None or is_cut else peers.accept()
        if accepted is None:
            handler.closed("nobody is there")
            return
        near, far = PairedLine(handler, at, self), PairedLine(accepted, address, self)
        near.other, far.other = far, near
        self.connections += [near, far]
        accepted.opened(far)
        handler.opened(near)

    def call_later(self, deliver: Callable[[], None]) -> None:
        """Let something arrive after the time that the way takes."""
        assert self._time is not None, "a network that is slow needs a clock"
        self._time.call_at(self._time.now() + self.delay_ms, deliver)

    def cut(self) -> None:
        """Cut all lines, and let nobody dial."""
        self.is_cut = True
        for line in self.connections:
            line.close("cut by the test")
        self.connections.clear()

    def part(self, one: str, other: str) -> None:
        """Cut the lines between two nodes, which can still reach all others."""
        self._parted.add(frozenset({one, other}))
        for line in self.connections:
            if line.other is not None and {line.at, line.other.at} == {one, other}:
                line.close("cut by the test")

    def swallow(self, part: bytes) -> None:
        """Lose every message from now on that has a part like this."""
        for line in self.connections:
            line.swallowed = part

    def mend(self) -> None:
        """Let nodes dial again."""
        self.is_cut = False
