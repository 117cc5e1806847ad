"""The links of this node to all others: one each, made anew when it breaks."""

import logging
from collections.abc import Callable, Coroutine
from typing import Final, Protocol

from warroom_server.cluster.messages import LinkError, Message
from warroom_server.cluster.peer_link import PING_MS, PeerLink
from warroom_server.loop.tasks import Tasks
from warroom_server.ports.clock import Clock, Timer, Timers
from warroom_server.ports.connections import PeerConnection, PeerConnectionHandler
from warroom_server.ports.entropy import Entropy
from warroom_server.ports.store import NodeLease

logger = logging.getLogger(__name__)

NONCE_BYTES: Final = 16
TICK_MS: Final = PING_MS // 2
FIRST_PAUSE_MS: Final = 100
LONGEST_PAUSE_MS: Final = 2_000
"""How long to wait after a line that could not be opened; at first short, then twice as long each time."""
CONGESTED_BYTES: Final = 1 << 20
"""A link with more than this unsent carries nothing that a snapshot makes up for."""
UNSENT_BYTES: Final = 32 << 20
"""A link with more than this unsent is cut: memory is bounded, and guests find their way back."""
TOGETHER_MS: Final = 1_000
"""Lines between two nodes that are used for less than this when another one opens were dialled at the same time."""
STRANGERS: Final = 64
"""Lines that others may have open at a time without having proved anything; for one more the oldest is cut."""

Dial = Callable[[str, PeerConnectionHandler], Coroutine[None, None, None]]


class PeerHandler(Protocol):
    """What the node does with what comes over its links."""

    def linked(self, peer: str) -> None:
        """A node can be reached."""
        ...

    def unlinked(self, peer: str) -> None:
        """A node cannot be reached any more."""
        ...

    def received(self, peer: str, message: Message) -> None:
        """A node says something."""
        ...

    def drained(self, peer: str) -> None:
        """A link that was congested carries everything again."""
        ...


class _End:
    """This node's end of one link: the core, the line under it, and whom it was dialled for."""

    def __init__(self, peers: "Peers", link: PeerLink, dialled: str | None) -> None:
        self.link = link
        self.line: PeerConnection | None = None
        self.dialled = dialled
        self.used_since = 0
        self.was_congested = False
        self._peers = peers

    def opened(self, line: PeerConnection) -> None:
        """Say what the core wants to say first."""
        self.line = line
        self.flush()

    def received(self, payload: bytes) -> None:
        """Let the core read, and pass on what is for the node."""
        self._peers.read(self, payload)

    def drained(self) -> None:
        """Let the node go on to send everything."""
        self._peers.drained(self)

    def closed(self, reason: str) -> None:
        """Let the node know."""
        self._peers.closed(self, reason)

    def flush(self) -> None:
        """Write what the core has to say."""
        if self.line is not None:
            for payload in self.link.take():
                self.line.send(payload)

    def cut(self, reason: str) -> None:
        """End the line."""
        if self.line is not None:
            self.line.close(reason)


class Peers:
    """Dials every node that holds a lease, and is dialled by others; of two lines to one node the newer one counts.

    Two nodes may dial each other at the same time: then that of the node with the smaller id is used.
    """

    def __init__(
        self,
        *,
        own: str,
        key: bytes,
        dial: Dial,
        clock: Clock,
        timers: Timers,
        entropy: Entropy,
    ) -> None:
        self.neighbours: PeerHandler | None = None
        self.tasks = Tasks()
        self._own = own
        self._key = key
        self._dial = dial
        self._clock = clock
        self._timers = timers
        self._entropy = entropy
        self._ends: dict[str, _End] = {}
        """By node, the link to it, once both ends have proved who they are."""
        self._strangers: dict[_End, None] = {}
        """Ends whose other end is not known yet, in the order in which they came."""
        self._addresses: dict[str, str] = {}
        self._pauses: dict[str, tuple[int, int]] = {}
        """By node that could not be dialled: not before when, and how long it was waited."""
        self._ticker: Timer | None = None
        self._is_closed = False

    def __contains__(self, peer: str) -> bool:
        return peer in self._ends

    @property
    def has_peers(self) -> bool:
        """Whether any other node can be reached."""
        return bool(self._ends)

    def peers(self) -> list[str]:
        """Return the nodes that can be reached, this one apart."""
        return sorted(self._ends)

    def is_alive(self, peer: str) -> bool:
        """Whether a node holds a lease, as far as this one knows, reachable or not."""
        return peer in self._addresses

    def rtt_ms(self, peer: str) -> tuple[int, int]:
        """Return the smallest and the last round trip of a link; 0 for one that is not there."""
        end = self._ends.get(peer)
        return (0, 0) if end is None else (end.link.rtt_ms, end.link.last_rtt_ms)

    # --- saying something -----------------------------------------------------------------------------------------

    def send(self, peer: str, message: Message) -> bool:
        """Send something to a node; False if there is no link."""
        end = self._ends.get(peer)
        if end is None or end.line is None:
            return False
        end.link.send(message)
        end.flush()
        if end.line.unsent_bytes > UNSENT_BYTES:
            end.cut("it reads too slowly")
            return False
        return True

    def broadcast(self, message: Message) -> None:
        """Send something to every other node."""
        for peer in self.peers():
            self.send(peer, message)

    def is_congested(self, peer: str) -> bool:
        """Whether nothing droppable should be sent to a node."""
        end = self._ends.get(peer)
        if end is None or end.line is None:
            return False
        is_congested = end.line.unsent_bytes > CONGESTED_BYTES
        end.was_congested = end.was_congested or is_congested
        return is_congested

    def _hear(self, peer: str, message: Message) -> None:
        assert self.neighbours is not None
        self.neighbours.received(peer, message)

    # --- making links ---------------------------------------------------------------------------------------------

    def know(self, nodes: list[NodeLease]) -> None:
        """Take note of the nodes that there are, and dial those that are not linked."""
        if self._is_closed:
            return
        self._addresses = {node.owner: node.address for node in nodes if node.address and node.owner != self._own}
        for peer in self._pauses.keys() - self._addresses.keys():
            del self._pauses[peer]
        if self._ticker is None:
            self._tick()
        self._dial_all()

    def accept(self) -> PeerConnectionHandler | None:
        """Return who handles a line that another node opens; None if this one makes no more."""
        if self._is_closed:
            return None
        # Anybody can knock, and a node proves itself at once: who says nothing must not keep it out.
        knocking = [end for end in self._strangers if end.dialled is None]
        if len(knocking) >= STRANGERS:
            del self._strangers[knocking[0]]
            knocking[0].cut("too many lines that prove nothing")
        return self._new_end(None)

    async def close(self) -> None:
        """End all links, and make no more."""
        self._is_closed = True
        if self._ticker is not None:
            self._ticker.cancel()
        self._addresses.clear()
        await self.tasks.close()
        for end in [*self._ends.values(), *self._strangers]:
            end.cut("the node stops")

    def _new_end(self, dialled: str | None) -> _End:
        link = PeerLink(
            self._own,
            key=self._key,
            nonce=self._entropy.bytes(NONCE_BYTES),
            dialled=dialled,
            now=self._clock.now(),
        )
        end = _End(self, link, dialled)
        self._strangers[end] = None
        return end

    def _dial_all(self) -> None:
        dialled = {end.dialled for end in self._strangers}
        now = self._clock.now()
        for peer, address in self._addresses.items():
            is_due = now >= self._pauses.get(peer, (0, 0))[0]
            if is_due and peer not in self._ends and peer not in dialled:
                self.tasks.begin(self._dial(address, self._new_end(peer)))

    def _tick(self) -> None:
        now = self._clock.now()
        self._ticker = self._timers.call_at(now + TICK_MS, self._tick)
        for end in [*self._ends.values(), *self._strangers]:
            try:
                end.link.tick(now)
            except LinkError as error:
                end.cut(str(error))
            else:
                end.flush()
        self._dial_all()

    # --- what becomes of them ---------------------------------------------------------------------------------------

    def read(self, end: _End, payload: bytes) -> None:
        """Take what came over a line."""
        was_open = end.link.is_open
        try:
            message = end.link.receive(payload, self._clock.now())
        except LinkError as error:
            logger.warning("link refused peer=%s reason=%r", end.link.peer, str(error))
            end.cut(str(error))
            return
        end.flush()
        if end.link.is_open and not was_open:
            self._settle(end)
        elif message is not None and self._ends.get(end.link.peer) is end:
            self._hear(end.link.peer, message)

    def _settle(self, end: _End) -> None:
        """Use a link from now on, in the place of any other one to the same node."""
        peer = end.link.peer
        rivals = [other for other in self._strangers if other.dialled == peer and other is not end]
        if end.dialled is None and rivals and self._own < peer:
            end.cut("this node has dialled as well, and has the smaller id")
            return
        for rival in rivals:
            rival.cut("the other node has dialled as well")
        before = self._ends.get(peer)
        if before is not None and self._is_better(before, end):
            end.cut("a line of the node with the smaller id is there")
            return
        if before is not None:
            del self._ends[peer]
            before.cut("a newer line is there")
            self._tell_unlinked(peer)
        self._strangers.pop(end, None)
        self._ends[peer], end.used_since = end, self._clock.now()
        self._pauses.pop(peer, None)
        logger.info("link open peer=%s own=%s", peer, self._own)
        assert self.neighbours is not None
        self.neighbours.linked(peer)

    def _is_better(self, before: _End, end: _End) -> bool:
        """Whether the line in use is to stay, because both nodes have dialled: else each would cut one of the two.

        An older one gives way: the other node would not dial if it still had that.
        """
        is_own, is_new_own = before.dialled is not None, end.dialled is not None
        is_of_smaller = is_own == (self._own < end.link.peer)
        return is_own != is_new_own and is_of_smaller and self._clock.now() - before.used_since < TOGETHER_MS

    def closed(self, end: _End, reason: str) -> None:
        """Take note that a line is gone."""
        end.line = None
        self._strangers.pop(end, None)
        if end.dialled is not None and not end.link.is_open:
            _, waited_ms = self._pauses.get(end.dialled, (0, 0))
            pause_ms = min(max(FIRST_PAUSE_MS, 2 * waited_ms), LONGEST_PAUSE_MS)
            self._pauses[end.dialled] = (self._clock.now() + pause_ms, pause_ms)
            logger.info("link not opened peer=%s reason=%r", end.dialled, reason)
        if self._ends.get(end.link.peer) is end:
            logger.warning("link lost peer=%s reason=%r", end.link.peer, reason)
            del self._ends[end.link.peer]
            self._tell_unlinked(end.link.peer)

    def drained(self, end: _End) -> None:
        """Take note that a line has sent what it had."""
        if end.was_congested and self._ends.get(end.link.peer) is end:
            end.was_congested = False
            assert self.neighbours is not None
            self.neighbours.drained(end.link.peer)

    def _tell_unlinked(self, peer: str) -> None:
        assert self.neighbours is not None
        self.neighbours.unlinked(peer)
