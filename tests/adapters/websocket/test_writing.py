"""What goes out: one write per turn of the loop, and no more than the peer reads."""

import asyncio
import socket
from contextlib import ExitStack

import pytest
from manual_time import ManualTime
from transport_double import TransportDouble
from wait_until import until
from websocket_peer import BINARY, CLOSE, PING, PONG, Recorder, Site, frame, site

from warroom_protocol.codes import CLOSE_SLOW
from warroom_protocol.frames import frame as build_frame
from warroom_server.adapters.websocket.connection import WebSocketConnection, flush, python_write_each, write_each
from warroom_server.adapters.websocket.listener_state import FLUSHES_PER_TURN, Limits, Shell
from warroom_server.ports.connections import Connection

BIG = bytes(32 * 1024)


class Bench:
    """Connections on transports without sockets."""

    def __init__(self, limits: Limits | None = None) -> None:
        self.time = ManualTime()
        self.handler = Recorder()
        self.shell = Shell(
            self.handler, self.time, self.time, limits=limits or Limits(), forget=lambda connection: None, flush=flush
        )

    async def open(self) -> tuple[WebSocketConnection, TransportDouble]:
        connection, transport = self.add()
        await turn()
        assert transport.writes == [b"101"]
        transport.writes.clear()
        return connection, transport

    def add(self) -> tuple[WebSocketConnection, TransportDouble]:
        transport = TransportDouble()
        connection = WebSocketConnection(self.shell, transport, id=1)
        connection.start(b"101", b"")
        return connection, transport


async def turn() -> None:
    """Let the loop turn once."""
    await asyncio.sleep(0)


class TestOneWrite:
    async def test_frames_of_one_turn_are_one_write(self) -> None:
        connection, transport = await Bench().open()
        for payload in (b"verdict", b"private", b"public"):
            connection.send(payload)
        assert transport.writes == []
        await turn()
        assert transport.writes == [build_frame(b"verdict") + build_frame(b"private") + build_frame(b"public")]

    async def test_the_next_turn_is_the_next_write(self) -> None:
        connection, transport = await Bench().open()
        for payload in (b"a", b"b"):
            connection.send(payload)
            await turn()
        assert transport.writes == [build_frame(b"a"), build_frame(b"b")]

    async def test_a_lone_frame_is_written_as_it_is(self) -> None:
        bench = Bench()
        connection, transport = await bench.open()
        connection.send(b"a")
        await turn()
        assert transport.writes == [build_frame(b"a")]
        assert bench.shell.traffic.writes == 2
        assert bench.shell.traffic.bytes_out == len(b"101") + len(build_frame(b"a"))

    async def test_pongs_join_what_is_sent(self) -> None:
        connection, transport = await Bench().open()
        connection.send(b"a")
        connection.data_received(frame(PING, b"p"))
        await turn()
        assert transport.writes == [build_frame(b"a") + b"\x8a\x01p"]

    async def test_a_crowd_is_served_in_portions(self) -> None:
        bench = Bench()
        crowd = [bench.add() for _ in range(FLUSHES_PER_TURN + 10)]
        await turn()
        assert sum(len(transport.writes) for _, transport in crowd) == FLUSHES_PER_TURN
        await turn()
        assert [transport.writes for _, transport in crowd] == [[b"101"]] * len(crowd)

    async def test_a_connection_lost_before_the_flush_is_left_alone(self) -> None:
        bench = Bench()
        connection, transport = await bench.open()
        other, other_transport = await bench.open()
        connection.send(b"a")
        other.send(b"b")
        connection.connection_lost(None)
        await turn()
        assert transport.writes == []
        assert other_transport.writes == [build_frame(b"b")]


class SocketDouble(TransportDouble):
    """A transport on a socket; one *is_broken* refuses what is written to it."""

    def __init__(self, near: socket.socket) -> None:
        super().__init__()
        self.near = near
        self.is_broken = False

    def get_extra_info(self, name: str, default: object = None) -> object:
        return self.near if name == "socket" else default

    def write(self, data: bytes | bytearray | memoryview) -> None:
        if self.is_broken or not isinstance(data, bytes):
            raise TypeError("broken")
        self.near.sendall(data)


@pytest.fixture(params=[python_write_each, write_each], ids=["python", "c"])
def with_each_twin(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("warroom_server.adapters.websocket.connection.write_each", request.param)


@pytest.mark.usefixtures("with_each_twin")
class TestFailures:
    @pytest.mark.parametrize("failing", ["frame", "buffered", "nothing"])
    async def test_one_that_fails_costs_no_other_its_frames(self, failing: str) -> None:
        """However it fails: on the way to its socket, or where it writes for itself."""
        errors: list[dict[str, object]] = []
        asyncio.get_running_loop().set_exception_handler(lambda _, context: errors.append(context))
        bench = Bench()
        with ExitStack() as stack:
            pairs = [[stack.enter_context(end) for end in socket.socketpair()] for _ in range(5)]
            transports = [SocketDouble(near) for near, _ in pairs]
            lines = [WebSocketConnection(bench.shell, transport, id=1) for transport in transports]
            for line, transport in zip(lines, transports, strict=True):
                transport.unsent = 1 if failing == "buffered" else 0
                line.send(b"first")
            transports[2].is_broken = failing != "nothing"
            if failing == "frame":
                lines[2].out = ["text"]  # type: ignore[list-item]
            await turn()
            await turn()
            assert len(errors) == (failing != "nothing")
            assert not bench.shell.is_flush_due
            assert bench.shell.due == []
            transports[2].is_broken = False
            for line in lines:
                line.send(b"second")
            await turn()
            both = build_frame(b"first") + build_frame(b"second")
            arrived = [far.recv(100) for _, far in pairs]
        assert arrived[:2] + arrived[3:] == [both] * 4
        assert arrived[2] == (both if failing == "nothing" else build_frame(b"second"))


class TestFullBuffers:
    async def test_too_much_unsent_ends_with_a_close_frame_instead_of_what_was_queued(self) -> None:
        bench = Bench()
        connection, transport = await bench.open()
        transport.unsent = 1024 * 1024 + 1
        connection.send(b"one more")
        await turn()
        assert transport.writes == [b"\x88\x12" + CLOSE_SLOW.to_bytes(2, "big") + b"reads too slowly"]
        assert bench.shell.traffic.slow_viewers == 1
        bench.time.advance(999)
        assert not transport.is_aborted
        bench.time.advance(1)
        assert transport.is_aborted

    async def test_a_closing_peer_that_does_not_read_cannot_ask_for_more(self) -> None:
        bench = Bench()
        connection, transport = await bench.open()
        connection.close(1000, "")
        await turn()
        transport.unsent = 1024 * 1024 + 1
        connection.data_received(frame(PING, b"p"))
        await turn()
        assert transport.is_aborted
        assert len(transport.writes) == 1

    async def test_as_much_as_allowed_is_still_sent(self) -> None:
        connection, transport = await Bench().open()
        transport.unsent = 1024 * 1024
        connection.send(b"one more")
        await turn()
        assert transport.writes == [build_frame(b"one more")]


async def fill(here: Site, connection: Connection) -> int:
    """Send until the connection is congested; return how many frames that took."""
    count = 0
    while not connection.is_congested:
        connection.send(BIG)
        count += 1
        await turn()
    assert not here.handler.closed_
    return count


class TestSlowReaders:
    async def test_a_reader_that_catches_up_is_reported_once(self) -> None:
        async with site() as here:
            peer, connection = await here.open()
            count = await fill(here, connection)
            assert here.handler.drained_ == []
            for _ in range(count):
                assert await peer.frame() == (BINARY, BIG)
            await until(lambda: here.handler.drained_ == [connection])
            assert not connection.is_congested

    async def test_a_slow_reader_learns_why_it_was_closed(self) -> None:
        time = ManualTime()
        async with site(time, limits=Limits(unsent_bytes=256 * 1024)) as here:
            peer, connection = await here.open()
            while not here.traffic.slow_viewers:
                connection.send(BIG)
                await turn()
            while (received := await peer.frame()) == (BINARY, BIG):
                pass
            assert received == (CLOSE, CLOSE_SLOW.to_bytes(2, "big") + b"reads too slowly")

    async def test_a_peer_that_does_not_read_is_cut_and_costs_the_others_nothing(self) -> None:
        time = ManualTime()
        async with site(time, limits=Limits(unsent_bytes=256 * 1024)) as here:
            peer, connection = await here.open()
            bystander, watching = await here.open()
            while not here.traffic.slow_viewers:
                connection.send(BIG)
                watching.send(b"tick")
                assert await bystander.frame() == (BINARY, b"tick")
            assert connection.is_congested
            assert not watching.is_congested
            time.advance(1_000)
            await until(lambda: here.handler.closed_ == [connection])
            bystander.send(frame(PING, b"fine?"))
            while (received := await bystander.frame()) != (PONG, b"fine?"):
                assert received[0] == PING
            peer.writer.transport.abort()

    async def test_pings_of_a_peer_that_reads_no_pongs_end(self) -> None:
        limits = Limits(unsent_bytes=16 * 1024, controls_per_s=1_000_000)
        async with site(limits=limits) as here:
            peer, _ = await here.open()
            peer.reader._transport.pause_reading()  # type: ignore[attr-defined]
            flood = frame(PING, bytes(125)) * 100
            while not here.traffic.slow_viewers:
                peer.send(flood)
                await turn()
            assert here.traffic.slow_viewers == 1
