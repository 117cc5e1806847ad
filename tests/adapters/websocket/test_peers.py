"""Links on sockets: who gets one, and what strangers can do. The contract of all adapters is beside this folder."""

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from itertools import pairwise

import pytest
from msgspec.msgpack import encode
from peer_worlds import CODEC, LOOPBACK, STEP_MS, SocketMember, SocketWorld, link_up, settle, wait
from wait_until import until
from websocket_peer import BINARY, GET, HANDSHAKE, PING, Peer, frame

from warroom_server.adapters.websocket.peer_handshake import NONCE_BYTES, Greeting
from warroom_server.adapters.websocket.peer_line import SILENCE_MS, UNPROVED_BYTES
from warroom_server.adapters.websocket.peers import LONGEST_BACKOFF_MS, UNPROVED_LINES
from warroom_server.ports.peers import Codec

NONCE = b"n" * NONCE_BYTES
REQUEST = HANDSHAKE.replace(b"/ws", b"/link")


@pytest.fixture
async def world() -> AsyncIterator[SocketWorld]:
    made = SocketWorld()
    yield made
    await made.close()


@asynccontextmanager
async def knock(member: SocketMember, request: bytes = REQUEST) -> AsyncIterator[Peer]:
    """Open a line to a node as anybody can."""
    peer = Peer(*await asyncio.open_connection(LOOPBACK, member.listener.port))
    peer.send(request)
    yield peer
    peer.writer.transport.abort()


async def open_line(peer: Peer) -> None:
    """Read the answer to the handshake."""
    assert b" 101 " in await peer.until(peer.reader.readuntil(b"\r\n\r\n"))


def connect(*members: SocketMember) -> None:
    """Tell nodes of each other."""
    for member in members:
        member.peers.connect({each.name: each.address for each in members})


class TestStrangers:
    async def test_a_node_with_another_key_gets_no_link(self, world: SocketWorld) -> None:
        here, there = await world.start("node-a"), await world.start("node-b", key=b"another")
        connect(here, there)
        await wait(world, lambda: world.network.made > 2)
        assert (here.heard.events, there.heard.events) == ([], [])

    async def test_a_greeting_cannot_forge_a_line_of_the_log(
        self, world: SocketWorld, caplog: pytest.LogCaptureFixture
    ) -> None:
        here = await world.start("node-a")
        async with knock(here) as stranger:
            await open_line(stranger)
            stranger.send(frame(BINARY, encode(Greeting(9, "x\nlevel=INFO link open peer=evil", NONCE))))
            assert await stranger.rest() == b""
        (line,) = [record.getMessage() for record in caplog.records if "refused" in record.getMessage()]
        assert "\n" not in line
        assert r"peer='x\nlevel=INFO link open peer=evil'" in line

    @pytest.mark.parametrize("pieces", [1, 8])
    async def test_before_a_proof_a_line_may_send_1_kb_in_all(
        self, world: SocketWorld, pieces: int, caplog: pytest.LogCaptureFixture
    ) -> None:
        here = await world.start("node-a")
        message, size = frame(BINARY, bytes(2 * UNPROVED_BYTES)), UNPROVED_BYTES // pieces
        async with knock(here) as stranger:
            await open_line(stranger)
            for first in range(0, UNPROVED_BYTES, size):
                stranger.send(message[first : first + size])
                await settle()
            assert caplog.records == []
            stranger.send(message[UNPROVED_BYTES : UNPROVED_BYTES + 1])
            assert await stranger.rest() == b""
        assert "link refused peer='' reason='too much data before a proof'" in caplog.text

    async def test_the_messages_right_after_a_proof_do_not_count(self, world: SocketWorld) -> None:
        here, there = await link_up(world, "node-a", "node-b")
        there.heard.messages.clear()
        world.network.cut()
        await wait(world, lambda: not here.peers.nodes() and not there.peers.nodes())
        big = "x" * (4 * UNPROVED_BYTES)
        here.heard.linked = lambda node: here.peers.broadcast(big)  # type: ignore[method-assign]
        world.network.mend()
        await wait(world, lambda: there.heard.messages == [big])

    async def test_nodes_link_up_while_strangers_hold_all_the_lines_they_can(self, world: SocketWorld) -> None:
        members = [await world.start(name) for name in ("node-a", "node-b")]
        async with AsyncExitStack() as lines:
            for member in members:
                strangers = [await lines.enter_async_context(knock(member)) for _ in range(UNPROVED_LINES + 3)]
                for stranger in strangers[:3]:
                    await open_line(stranger)
                    assert await stranger.rest() == b""
            connect(*members)
            await wait(world, lambda: all(member.peers.nodes() for member in members))

    async def test_a_line_without_a_proof_is_cut_in_two_seconds_whatever_it_sends(self, world: SocketWorld) -> None:
        here = await world.start("node-a")
        async with knock(here) as stranger:
            await open_line(stranger)
            began_ms = world.time.now()
            reading = asyncio.create_task(stranger.rest())

            def is_cut() -> bool:
                if (world.time.now() - began_ms) % (50 * STEP_MS) == 0:
                    stranger.send(frame(PING))
                return reading.done()

            await wait(world, is_cut)
        assert SILENCE_MS <= world.time.now() - began_ms <= 2 * SILENCE_MS

    async def test_a_request_that_is_no_handshake_is_answered(self, world: SocketWorld) -> None:
        here = await world.start("node-a")
        async with knock(here, GET % b"/link") as peer:
            assert (await peer.until(peer.reader.readline())).startswith(b"HTTP/1.1 426 ")

    async def test_a_node_that_stops_takes_no_more_links(self, world: SocketWorld) -> None:
        here = await world.start("node-a")
        await here.peers.close()
        async with knock(here) as peer:
            assert (await peer.until(peer.reader.readline())).startswith(b"HTTP/1.1 503 ")


class TestDialling:
    async def test_the_node_with_the_smaller_id_dials(self, world: SocketWorld) -> None:
        here, there = await world.start("node-a"), await world.start("node-b")
        there.peers.connect({"node-a": here.address, "node-b": there.address})
        for _ in range(20):
            world.time.advance(LONGEST_BACKOFF_MS)
            await settle()
        assert (there.peers.nodes(), world.network.lines) == ([], set())
        here.peers.connect({"node-a": here.address, "node-b": there.address})
        await wait(world, lambda: bool(here.peers.nodes() and there.peers.nodes()))
        assert len(world.network.lines) == 1

    async def test_a_node_that_accepts_no_lines_dials_also_nodes_with_smaller_ids(self, world: SocketWorld) -> None:
        here, there = await world.start("node-a"), await world.start("node-b")
        connect(here, there)
        await wait(world, lambda: bool(here.peers.nodes() and there.peers.nodes()))
        there.listener.stop_accepting()
        world.network.cut()
        await wait(world, lambda: not here.peers.nodes() and not there.peers.nodes())
        world.network.mend()
        await wait(world, lambda: bool(here.peers.nodes() and there.peers.nodes()))
        assert there.peers.send("node-a", "the next owner")
        await wait(world, lambda: here.heard.messages == ["the next owner"])

    async def test_a_node_that_takes_a_line_and_never_answers_is_dialled_again(self, world: SocketWorld) -> None:
        knocks: list[asyncio.StreamWriter] = []
        server = await asyncio.start_server(lambda _, writer: knocks.append(writer), LOOPBACK, 0)
        here = await world.start("node-a")
        here.peers.connect({"node-b": f"ws://{LOOPBACK}:{server.sockets[0].getsockname()[1]}/link"})
        await wait(world, lambda: len(knocks) > 1)
        server.close()
        for writer in knocks:
            writer.close()

    @pytest.mark.parametrize("address", ["nonsense", "ws://127.0.0.1:port/link", "ws://127.0.0.1:1/link"])
    async def test_a_node_that_cannot_be_dialled_is_tried_less_and_less_often(
        self, world: SocketWorld, address: str, caplog: pytest.LogCaptureFixture
    ) -> None:
        caplog.set_level(logging.INFO)
        here = await world.start("node-a")
        here.peers.connect({"node-b": address})
        times: list[int] = []

        def has_tried_often() -> bool:
            tries = sum("link not opened peer=node-b" in record.getMessage() for record in caplog.records)
            times.extend([world.time.now()] * (tries - len(times)))
            return tries == 7

        await wait(world, has_tried_often)
        pauses = [later - earlier for earlier, later in pairwise(times)]
        assert pauses[0] < LONGEST_BACKOFF_MS <= pauses[-1]

    async def test_another_node_at_an_address_is_not_taken_for_the_dead_one(self, world: SocketWorld) -> None:
        here, there = await link_up(world, "node-a", "node-b")
        here.peers.connect({"node-b": there.address, "node-before-it-died": there.address})
        for _ in range(5):
            world.time.advance(SILENCE_MS // 4)
            await settle()
        assert here.peers.nodes() == ["node-b"]
        assert here.heard.events == [("linked", "node-b")]

    async def test_a_newer_line_of_a_node_replaces_the_one_it_lost(self, world: SocketWorld) -> None:
        _, there = await link_up(world, "node-a", "node-b")
        again = await world.start("node-a")
        again.peers.connect({"node-b": there.address})
        await wait(world, lambda: again.peers.nodes() == ["node-b"])
        await wait(world, lambda: len(there.heard.events) == 3)
        assert there.heard.events == [("linked", "node-a"), ("lost", "node-a"), ("linked", "node-a")]
        again.peers.send("node-b", "hello")
        await wait(world, lambda: there.heard.messages == ["hello"])

    async def test_nodes_of_different_versions_do_not_link_up(
        self, world: SocketWorld, caplog: pytest.LogCaptureFixture
    ) -> None:
        here = await world.start("node-a")
        there = await world.start("node-b", codec=Codec(2, CODEC.max_bytes, CODEC.encode, CODEC.decode))
        connect(here, there)
        await wait(world, lambda: "link refused" in caplog.text)
        assert "the other end has version 1, this node has 2" in caplog.text
        assert here.peers.nodes() == []


class TestOpenLines:
    async def test_a_line_that_is_silent_for_two_seconds_is_lost(self, world: SocketWorld) -> None:
        here, there = await link_up(world, "node-a", "node-b")
        for node in ("node-a", "node-b"):
            world.network.hold(node)
        began_ms = world.time.now()
        await wait(world, lambda: not here.peers.nodes())
        assert SILENCE_MS - STEP_MS <= world.time.now() - began_ms <= 2 * SILENCE_MS
        await wait(world, lambda: not there.peers.nodes())

    async def test_an_idle_line_stays(self, world: SocketWorld) -> None:
        here, there = await link_up(world, "node-a", "node-b")
        end_ms = world.time.now() + 3 * SILENCE_MS
        await wait(world, lambda: world.time.now() >= end_ms)
        assert (here.heard.events, there.heard.events) == ([("linked", "node-b")], [("linked", "node-a")])

    async def test_bytes_that_are_no_message_cut_the_link(
        self, world: SocketWorld, caplog: pytest.LogCaptureFixture
    ) -> None:
        here = await world.start("node-a", codec=Codec(1, CODEC.max_bytes, lambda _: b"\xff", CODEC.decode))
        there = await world.start("node-b")
        connect(here, there)
        await wait(world, lambda: bool(here.peers.nodes() and there.peers.nodes()))
        here.peers.send("node-b", "anything")
        await wait(world, lambda: ("lost", "node-a") in there.heard.events)
        assert "link refused peer='node-a'" in caplog.text
        assert there.heard.messages == []

    async def test_much_that_the_system_takes_at_once_still_ends_in_a_drained_link(self, world: SocketWorld) -> None:
        here, _ = await link_up(world, "node-a", "node-b")
        while not here.peers.is_congested("node-b"):
            here.peers.send("node-b", "x" * (1 << 20))
        await until(lambda: not here.peers.is_congested("node-b"))
        await until(lambda: here.heard.events == [("linked", "node-b"), ("drained", "node-b")])
