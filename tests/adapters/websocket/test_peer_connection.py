"""The lines of links on real sockets."""

import asyncio
from contextlib import AsyncExitStack
from functools import partial

import pytest
from manual_time import ManualTime
from small_node import CountingEntropy
from wait_until import until
from websocket_peer import site

from warroom_server.adapters.websocket.peer_connection import dial
from warroom_server.cluster.messages import MAX_BYTES, Batch, Message
from warroom_server.cluster.peers import LONGEST_PAUSE_MS, Peers
from warroom_server.ports.store import NodeLease


class Noting:
    """Notes what becomes of links."""

    def __init__(self) -> None:
        self.linked_: list[str] = []
        self.drained_: list[str] = []
        self.messages: list[Message] = []

    def linked(self, peer: str) -> None:
        self.linked_.append(peer)

    def unlinked(self, peer: str) -> None:
        self.linked_.remove(peer)

    def received(self, peer: str, message: Message) -> None:
        self.messages.append(message)

    def drained(self, peer: str) -> None:
        self.drained_.append(peer)


def make_links(own: str, time: ManualTime, neighbours: Noting | None = None) -> Peers:
    """Return the links of a node, over real sockets."""
    peers = Peers(
        own=own,
        key=b"key",
        dial=partial(dial, max_bytes=MAX_BYTES),
        clock=time,
        timers=time,
        entropy=CountingEntropy(1),
    )
    peers.neighbours = neighbours
    return peers


async def test_a_node_that_takes_a_line_and_never_answers_is_dialled_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("warroom_server.adapters.websocket.peer_connection.DIAL_S", 0.01)
    knocks: list[asyncio.StreamWriter] = []
    server = await asyncio.start_server(lambda _, writer: knocks.append(writer), "127.0.0.1", 0)
    host, port = server.sockets[0].getsockname()
    time = ManualTime()
    peers = make_links("node-a", time)
    peers.know([NodeLease("node-b", f"ws://{host}:{port}/link", 0)])

    def is_dialled_again() -> bool:
        time.advance(LONGEST_PAUSE_MS)
        return len(knocks) > 1

    await until(is_dialled_again)
    await peers.close()
    server.close()
    for writer in knocks:
        writer.close()


async def test_a_link_that_had_much_to_write_at_once_is_drained_also_if_the_system_took_all_of_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Nothing of it ever waited in the transport, which therefore never says that it can go on."""
    monkeypatch.setattr("warroom_server.cluster.peers.CONGESTED_BYTES", 1_024)
    here, there = Noting(), Noting()
    async with site() as listening, AsyncExitStack() as stack:
        time = ManualTime()
        near, far = make_links("node-a", time, here), make_links("node-b", time, there)
        stack.push_async_callback(near.close)
        stack.push_async_callback(far.close)
        listening.listener.accept_link, listening.listener.link_bytes = far.accept, MAX_BYTES
        near.know([NodeLease("node-b", f"ws://127.0.0.1:{listening.listener.port}/link", 0)])
        await until(lambda: here.linked_ == ["node-b"] and there.linked_ == ["node-a"])
        near.send("node-b", Batch((bytes(4 * 1_024),), ()))
        assert near.is_congested("node-b")
        await until(lambda: len(there.messages) == 1)
        await until(lambda: here.drained_ == ["node-b"])
        assert not near.is_congested("node-b")
        assert there.drained_ == []
