"""Links between nodes in one process, for tests: with delays, cuts and losses that a seed repeats."""

import logging
from collections import deque
from collections.abc import Callable, Mapping
from hashlib import blake2b
from typing import Any, Final, TypeVar

from warroom_games.rng import KEY_BYTES, Rng
from warroom_server.ports.peers import CONGESTED_BYTES, UNSENT_BYTES, Codec, PeerListener, Peers, RoundTrip
from warroom_server.ports.time import Clock, Timer, Timers

logger = logging.getLogger(__name__)

M = TypeVar("M")

TICK_MS: Final = 250
"""How often nodes measure their links, and dial those that they miss."""


class MemoryNetwork:
    """The lines between all nodes. Messages arrive over *timers*, in the order in which they were sent on a line.

    As on a TCP line, no message is lost alone: all later ones are lost too, and then both ends lose the line.
    """

    def __init__(self, clock: Clock, timers: Timers, *, seed: int = 0) -> None:
        self.clock = clock
        self.timers = timers
        self.delay_ms = 0
        """The least delay of a message."""
        self.jitter_ms = 0
        """The most additional delay."""
        self.loses_one_in = 0
        """One message of this many is lost, and the line with it; 0: none."""
        self.members: dict[str, MemoryPeers[Any]] = {}
        self.held: set[str] = set()
        """Nodes whose messages are held."""
        self._doomed: set[tuple[str, str]] = set()
        self._cuts: set[frozenset[str]] = set()
        self._is_cut = False
        self._rng = Rng(blake2b(str(seed).encode(), digest_size=KEY_BYTES, person=b"network").digest())

    def cut(self, *nodes: str) -> None:
        """Break the line between two nodes, or all lines, until `mend`."""
        self._is_cut = self._is_cut or not nodes
        if nodes:
            self._cuts.add(frozenset(nodes))
        for end in self._ends():
            if self.is_cut(end.own.name, end.node):
                end.break_off()

    def is_cut(self, one: str, other: str) -> bool:
        """Whether two nodes cannot reach each other."""
        return self._is_cut or {one, other} in self._cuts

    def mend(self) -> None:
        """Allow all lines again."""
        self._is_cut = False
        self._cuts.clear()

    def lose_next(self, sender: str, receiver: str) -> None:
        """Lose the next message of a node to another, and the line with it."""
        self._doomed.add((sender, receiver))

    def hold(self, sender: str) -> None:
        """Delay what a node sends from now on, until `release`."""
        self.held.add(sender)

    def release(self, sender: str) -> None:
        """Deliver what was held."""
        self.held.discard(sender)
        for end in self._ends():
            if end.own.name == sender:
                end.catch_up()

    def carry(self, sender: str, receiver: str, payload: bytes) -> bytes | None:
        """Return the message that arrives; None if it is lost."""
        is_lost = (sender, receiver) in self._doomed or (self.loses_one_in and not self._draw(self.loses_one_in))
        self._doomed.discard((sender, receiver))
        return None if is_lost else payload

    def delay(self) -> int:
        """Draw the delay of one message."""
        return self.delay_ms + self._draw(self.jitter_ms + 1)

    def _draw(self, bound: int) -> int:
        drawn, self._rng = self._rng.below(bound)
        return drawn

    def _ends(self) -> "list[_End]":
        return [end for peers in self.members.values() for end in peers.ends.values()]


class _End:
    """One node's end of a line."""

    def __init__(self, own: "MemoryPeers[Any]", node: str) -> None:
        self.own = own
        self.node = node
        self.other: _End | None = None
        """None once the line is broken."""
        self.unsent_bytes = 0
        self.is_congested = False
        self.rtt: RoundTrip | None = None
        self.arrives_ms = 0
        """When the last message under way arrives."""
        self._queue: deque[bytes | None] = deque()
        """Messages under way; None: there the line breaks."""
        self._held = 0
        """How many of them, counted from the last, are held."""

    def send(self, payload: bytes) -> bool:
        """Deliver a message to the other end later."""
        if self.other is None:
            return False
        network = self.own.network
        self._queue.append(network.carry(self.own.name, self.node, payload))
        self.unsent_bytes += len(payload)
        self.is_congested = self.is_congested or self.unsent_bytes > CONGESTED_BYTES
        if self.unsent_bytes > UNSENT_BYTES:
            self.break_off()
            return False
        if self.own.name in network.held:
            self._held += 1
        else:
            self.arrives_ms = max(self.arrives_ms, network.clock.now() + network.delay())
            network.timers.call_at(self.arrives_ms, self._arrive)
        return True

    def break_off(self) -> None:
        """Break the line; both nodes are told later."""
        other, self.other = self.other, None
        if other is not None:
            other.break_off()
            network = self.own.network
            network.timers.call_at(network.clock.now(), lambda: self.own.broken(self))

    def catch_up(self) -> None:
        """Deliver everything that was held."""
        held, self._held = self._held, 0
        for _ in range(held):
            self.own.network.timers.call_at(max(self.arrives_ms, self.own.network.clock.now()), self._arrive)

    def _arrive(self) -> None:
        if self.other is None:
            return
        payload = self._queue.popleft()
        if payload is None:
            self.break_off()
            return
        self.unsent_bytes -= len(payload)
        self.other.own.arrived(self.other, payload)
        if self.is_congested and self.unsent_bytes <= CONGESTED_BYTES // 4:
            self.is_congested = False
            self.own.drained(self)


class MemoryPeers(Peers[M]):
    """The links of the node *name* over a network in memory. Addresses are ignored."""

    def __init__(self, name: str, network: MemoryNetwork, codec: Codec[M]) -> None:
        self.name = name
        self.network = network
        self.ends: dict[str, _End] = {}
        self._codec = codec
        self._listener: PeerListener[M] | None = None
        self._ticker: Timer | None = None
        self._wanted: list[str] = []
        self._dialled: set[str] = set()

    def start(self, listener: PeerListener[M]) -> None:
        """Make and accept links from now on."""
        self._listener = listener
        self.network.members[self.name] = self
        self._tick()

    def connect(self, addresses: Mapping[str, str]) -> None:
        """Dial the nodes with greater ids that are missing."""
        self._wanted = sorted(node for node in addresses if self.name < node)
        self._dial_missing()

    def send(self, node: str, message: M) -> bool:
        """Send a message; False if there is no link."""
        return node in self.ends and self.ends[node].send(self._codec.encode(message))

    def nodes(self) -> list[str]:
        """Return the reachable nodes."""
        return sorted(self.ends)

    def is_congested(self, node: str) -> bool:
        """Whether much is under way."""
        return node in self.ends and self.ends[node].is_congested

    def rtt(self, node: str) -> RoundTrip:
        """Return the round trips of a link."""
        end = self.ends.get(node)
        return RoundTrip(0, 0) if end is None or end.rtt is None else end.rtt

    async def close(self) -> None:
        """End all links."""
        self._listener = None
        self.network.members.pop(self.name, None)
        if self._ticker is not None:
            self._ticker.cancel()
        for end in self.ends.values():
            end.break_off()
        self.ends.clear()

    # --- for the network --------------------------------------------------------------------------------------------

    def arrived(self, end: _End, payload: bytes) -> None:
        """Pass a message on."""
        if self._listener is not None:
            self._listener.received(end.node, self._codec.decode(payload))

    def drained(self, end: _End) -> None:
        """Pass on that a link is free again."""
        if self._listener is not None:
            self._listener.drained(end.node)

    def broken(self, end: _End) -> None:
        """Report that a node is lost."""
        if self._listener is not None and self.ends.get(end.node) is end:
            del self.ends[end.node]
            self._listener.lost(end.node)

    def opened(self, end: _End) -> None:
        """Use a line."""
        self._dialled.discard(end.node)
        if self._listener is None:
            end.break_off()
        elif end.other is not None:
            self.ends[end.node] = end
            self._measure(end)
            logger.info("link open peer=%s own=%s", end.node, self.name)
            self._listener.linked(end.node)

    def _dial_missing(self) -> None:
        for node in self._wanted:
            if self._listener is not None and node not in self.ends and node not in self._dialled:
                self._dialled.add(node)
                self._later(lambda node=node: self._reach(node))  # type: ignore[misc]

    def _reach(self, node: str) -> None:
        """Make a line to a node if it exists. The other end is linked first, as on an accepted socket."""
        far = self.network.members.get(node)
        if far is None or self.network.is_cut(self.name, node):
            self._dialled.discard(node)
            return
        here, there = _End(self, node), _End(far, self.name)
        here.other, there.other = there, here
        there.arrives_ms = self._later(lambda: self.opened(here))
        far.opened(there)

    def _later(self, callback: Callable[[], None]) -> int:
        when = self.network.clock.now() + self.network.delay()
        self.network.timers.call_at(when, callback)
        return when

    def _tick(self) -> None:
        self._ticker = self.network.timers.call_at(self.network.clock.now() + TICK_MS, self._tick)
        for end in self.ends.values():
            self._measure(end)
        self._dial_missing()

    def _measure(self, end: _End) -> None:
        trip_ms = self.network.delay() + self.network.delay()
        end.rtt = RoundTrip(trip_ms if end.rtt is None else min(end.rtt.smallest_ms, trip_ms), trip_ms)
