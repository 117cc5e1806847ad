"""Nodes that link up, over a network in memory or over sockets, for the contract of `Peers`.

Time moves only while a test waits. Between sockets stands a proxy that delays, holds, cuts and loses as asked.
"""

import asyncio
from collections.abc import Callable
from functools import partial
from typing import Protocol, cast

from manual_time import ManualTime
from memory_links import LoopTimers
from memory_peers import MemoryNetwork, MemoryPeers
from small_node import CountingEntropy
from wait_until import until
from websocket_peer import Recorder

from warroom_chaos.websocket_frames import FrameSplitter
from warroom_server.adapters.websocket.listener import LINK_PATH, WebSocketListener
from warroom_server.adapters.websocket.peers import WebSocketPeers
from warroom_server.ports.peers import Codec, Peers

CODEC: Codec[str] = Codec(1, 8 << 20, str.encode, bytes.decode)
LOOPBACK = "127.0.0.1"
STEP_MS = 10
STEP_S = 0.001
"""How long a step really takes: all ends of all sockets are in this process, so what is sent is soon there."""
_OPCODE, _BINARY = 0x0F, 2


class NotingListener:
    """Notes what happens on the links of a node."""

    def __init__(self) -> None:
        self.events: list[tuple[str, str]] = []
        self.messages: list[str] = []

    def linked(self, node: str) -> None:
        self.events.append(("linked", node))

    def lost(self, node: str) -> None:
        self.events.append(("lost", node))

    def received(self, node: str, message: str) -> None:
        self.messages.append(message)

    def drained(self, node: str) -> None:
        self.events.append(("drained", node))


class Member:
    """A node: its links, and what it hears."""

    def __init__(self, name: str, peers: Peers[str]) -> None:
        self.name = name
        self.address = name
        self.peers = peers
        self.heard = NotingListener()


class Faults(Protocol):
    """What a test can do to the network."""

    delay_ms: int

    def cut(self) -> None: ...

    def mend(self) -> None: ...

    def lose_next(self, sender: str, receiver: str) -> None: ...

    def hold(self, sender: str) -> None: ...

    def release(self, sender: str) -> None: ...


class World(Protocol):
    """Some nodes and the network between them."""

    time: ManualTime

    @property
    def network(self) -> Faults: ...

    async def start(self, name: str) -> Member: ...

    async def close(self) -> None: ...


async def link_up(world: World, *names: str) -> list[Member]:
    """Start nodes and let them find each other."""
    members = [await world.start(name) for name in names]
    for member in members:
        member.peers.connect({each.name: each.address for each in members})
    await wait(world, lambda: all(len(member.peers.nodes()) == len(names) - 1 for member in members))
    return members


async def wait(world: World, condition: Callable[[], bool]) -> None:
    """Let time pass in small steps until a condition holds; each step polls the sockets."""

    def step() -> bool:
        world.time.advance(STEP_MS)
        return condition()

    await until(step, every_s=STEP_S)


async def settle() -> None:
    """Let everything arrive that needs no time."""
    for _ in range(50):
        await asyncio.sleep(0)


class MemoryWorld:
    """Nodes on a network in memory."""

    def __init__(self, *, seed: int = 0) -> None:
        self.time = ManualTime()
        self.network = MemoryNetwork(self.time, LoopTimers(self.time), seed=seed)
        self._members: list[Member] = []

    async def start(self, name: str) -> Member:
        """Start a node."""
        member = Member(name, MemoryPeers(name, self.network, CODEC))
        member.peers.start(member.heard)
        self._members.append(member)
        return member

    async def close(self) -> None:
        """Stop all nodes."""
        for member in self._members:
            await member.peers.close()


class SocketMember(Member):
    """A node that listens behind a proxy."""

    def __init__(self, name: str, peers: WebSocketPeers[str], time: ManualTime) -> None:
        super().__init__(name, peers)
        handler = Recorder()
        self.listener = WebSocketListener(handler, time, time, get=handler.http, links=peers)


class SocketWorld:
    """Nodes on sockets of the loopback."""

    def __init__(self) -> None:
        self.time = ManualTime()
        self.network = Proxies(self.time)
        self._members: list[SocketMember] = []

    async def start(self, name: str, *, key: bytes = b"key", codec: Codec[str] = CODEC) -> SocketMember:
        """Start a node, and a proxy before it."""
        entropy = CountingEntropy(sum(name.encode()))
        peers = WebSocketPeers(name, key=key, codec=codec, clock=self.time, timers=self.time, entropy=entropy)
        member = SocketMember(name, peers, self.time)
        await member.listener.start(LOOPBACK, 0)
        port = await self.network.before(name, member.listener.port)
        member.address = f"ws://{LOOPBACK}:{port}{LINK_PATH}"
        peers.start(member.heard)
        self._members.append(member)
        return member

    async def close(self) -> None:
        """Stop all nodes and proxies."""
        for member in self._members:
            await member.peers.close()
        await self.network.close()
        for member in self._members:
            await member.listener.stop()


class Proxies:
    """A proxy before each node. Of two nodes the one with the smaller name dials, so names tell the direction."""

    def __init__(self, time: ManualTime) -> None:
        self.time = time
        self.delay_ms = 0
        self.is_cut = False
        self.made = 0
        """How many lines there were."""
        self.held: set[str] = set()
        self.doomed: set[tuple[str, str]] = set()
        self.lines: set[_Line] = set()
        self._servers: list[asyncio.Server] = []

    async def before(self, node: str, port: int) -> int:
        """Listen before a node, for the one other node that dials it, and return the port."""
        server = await asyncio.get_running_loop().create_server(lambda: _Line(self, node, port).near, LOOPBACK, 0)
        self._servers.append(server)
        listening: int = server.sockets[0].getsockname()[1]
        return listening

    def cut(self) -> None:
        """Break all lines and refuse new ones."""
        self.is_cut = True
        for line in tuple(self.lines):
            line.cut()

    def mend(self) -> None:
        """Let lines be made again."""
        self.is_cut = False

    def lose_next(self, sender: str, receiver: str) -> None:
        """Lose the next message of a node to another, and the line with it."""
        self.doomed.add((sender, receiver))

    def hold(self, sender: str) -> None:
        """Read nothing more of a node."""
        self.held.add(sender)
        self._look_again()

    def release(self, sender: str) -> None:
        """Read on."""
        self.held.discard(sender)
        self._look_again()

    async def close(self) -> None:
        """Stop."""
        self.cut()
        for server in self._servers:
            server.close()

    def _look_again(self) -> None:
        for line in self.lines:
            line.near.look()
            line.far.look()


class _Line:
    """One connection through a proxy."""

    def __init__(self, proxies: Proxies, node: str, port: int) -> None:
        self.proxies = proxies
        other = "node-a" if node != "node-a" else "node-b"
        self.near, self.far = _Socket(self, other, node), _Socket(self, node, other)
        self.near.other, self.far.other = self.far, self.near
        self.port = port
        self.dialling: asyncio.Task[object] | None = None

    def opened(self) -> None:
        """Go on to the node."""
        if self.proxies.is_cut:
            self.cut()
            return
        self.proxies.lines.add(self)
        self.proxies.made += 1
        self.dialling = asyncio.get_running_loop().create_task(self._dial())

    async def _dial(self) -> None:
        try:
            await asyncio.get_running_loop().create_connection(lambda: self.far, LOOPBACK, self.port)
        except OSError:
            self.cut()  # the node listens no more

    def cut(self) -> None:
        """Break both ends."""
        self.proxies.lines.discard(self)
        for end in (self.near, self.far):
            if end.transport is not None:
                end.transport.abort()


class _Socket(asyncio.Protocol):
    """One end of a line through a proxy; what it reads comes from *sender*."""

    def __init__(self, line: _Line, sender: str, receiver: str) -> None:
        self.other: _Socket
        self.transport: asyncio.Transport | None = None
        self._line = line
        self._sender, self._receiver = sender, receiver
        self._frames = FrameSplitter()
        self._waiting = b""
        self._due = 0

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.Transport, transport)  # uvloop's are no subclass of it
        if self is self._line.near:
            self._line.opened()
        self.write(b"")
        self.look()

    def look(self) -> None:
        """Read, or do not."""
        if self.transport is not None and not self.transport.is_closing():
            held = self._sender in self._line.proxies.held
            (self.transport.pause_reading if held else self.transport.resume_reading)()

    def data_received(self, data: bytes) -> None:
        proxies = self._line.proxies
        for frame in self._frames.feed(data):
            way = (self._sender, self._receiver)
            if way in proxies.doomed and frame[0] & _OPCODE == _BINARY:
                proxies.doomed.discard(way)
                self._later(self._line.cut)
                return
            self._later(partial(self.other.write, frame))

    def write(self, data: bytes) -> None:
        """Pass on, once the other socket is there."""
        self._waiting += data
        if self.transport is not None and self._waiting:
            self.transport.write(self._waiting)
            self._waiting = b""

    def connection_lost(self, exc: Exception | None) -> None:
        self._line.cut()

    def _later(self, callback: Callable[[], None]) -> None:
        proxies = self._line.proxies
        self._due = max(self._due, proxies.time.now() + proxies.delay_ms)
        LoopTimers(proxies.time).call_at(self._due, callback)
