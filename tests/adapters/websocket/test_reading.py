"""How fast a connection is read: in slices, as fast as the handler allows, and never at the others' expense."""

import asyncio
import gc
import itertools
import logging
from collections.abc import Iterator

import pytest
from manual_time import ManualTime
from transport_double import TransportDouble
from wait_until import until
from websocket_peer import BINARY, CONT, PING, PONG, Recorder, frame, site
from websockets.protocol import Protocol

from warroom_server.adapters.websocket.connection import WebSocketConnection, flush
from warroom_server.adapters.websocket.listener_state import Limits, Shell
from warroom_server.ports.connections import Connection

TINY_BYTES = 6
PER_SLICE = 2048 // TINY_BYTES + 1


class Ticker:
    """Moves time on by a millisecond in every turn of the loop."""

    def __init__(self, time: ManualTime) -> None:
        self._time = time
        self._loop = asyncio.get_running_loop()
        self._handle = self._loop.call_soon(self._tick)

    def _tick(self) -> None:
        self._time.advance(1)
        self._handle = self._loop.call_soon(self._tick)

    def stop(self) -> None:
        self._handle.cancel()


def _parsers() -> int:
    return sum(type(each) is Protocol for each in gc.get_objects())


class TestParsers:
    async def test_a_connection_between_frames_has_no_parser(self) -> None:
        async with site() as here:
            peer, connection = await here.open()
            before = _parsers()
            connection.data_received(frame(BINARY, b"a", fin=False))
            assert _parsers() == before + 1
            connection.data_received(frame(PING, b"p"))
            connection.data_received(frame(CONT, b"b")[:3])
            assert _parsers() == before + 1
            connection.data_received(frame(CONT, b"b")[3:])
            assert here.handler.messages == [b"ab"]
            connection.data_received(frame(PONG, b"unsolicited"))
            connection.data_received(frame(PING, b"p") + frame(BINARY, b"c"))
            assert here.handler.messages == [b"ab", b"c"]
            assert _parsers() == before
            assert await peer.frame() == (PONG, b"p")

    async def test_a_new_message_inside_another_breaks_the_protocol(self) -> None:
        async with site() as here:
            peer, connection = await here.open()
            connection.data_received(frame(BINARY, b"a", fin=False))
            connection.data_received(frame(BINARY, b"b"))
            assert (await peer.closed())[0] == 1002
            assert here.handler.messages == []


class TestSlices:
    async def test_a_flood_of_tiny_messages_leaves_the_loop_turning(self) -> None:
        time = ManualTime()
        async with site(time) as here:
            turns: list[int] = []

            def note_turn(connection: Connection, message: bytes) -> int:
                turns.append(time.now())
                return 0

            here.handler.on_received = note_turn
            peer, _ = await here.open()
            ticker = Ticker(time)
            peer.send(frame(BINARY) * 20_000)
            await until(lambda: len(turns) == 20_000)
            ticker.stop()
            # The last slice of one read and the first of the next may fall into one turn.
            assert max(turns.count(turn) for turn in set(turns)) <= 2 * PER_SLICE

    async def test_every_message_of_one_read_has_the_time_of_the_read_and_its_place(self) -> None:
        time = ManualTime()
        async with site(time) as here:
            _, connection = await here.open()
            numbers = [b"%05d" % number for number in range(3_000)]
            ticker = Ticker(time)
            read_at = time.now()
            connection.data_received(b"".join(frame(BINARY, number) for number in numbers))
            assert len(here.handler.messages) < 300
            await until(lambda: len(here.handler.messages) == 3_000)
            ticker.stop()
            assert here.handler.messages == numbers
            assert set(here.handler.arrivals) == {read_at}

    async def test_nothing_more_is_read_while_slices_wait(self) -> None:
        time = ManualTime()
        async with site(time) as here:
            peer, connection = await here.open()
            connection.data_received(frame(BINARY, b"first") * 2_000)
            later = time.now() + 50
            time.advance(50)
            peer.send(frame(BINARY, b"second"))
            await until(lambda: b"second" in here.handler.messages)
            assert here.handler.messages[-1] == b"second"
            assert here.handler.arrivals[-1] == later

    async def test_a_message_across_slices_is_whole(self) -> None:
        async with site(limits=Limits(slice_bytes=100)) as here:
            peer, _ = await here.open()
            message = bytes(range(256)) * 16
            peer.send(frame(BINARY, message))
            await until(lambda: here.handler.messages == [message])

    async def test_a_connection_lost_among_its_slices_says_nothing_more(self) -> None:
        async with site() as here:
            _, connection = await here.open()
            connection.data_received(frame(BINARY, b"a") * 2_000)
            connection.abort()
            await until(lambda: here.handler.closed_ == [connection])
            heard = len(here.handler.messages)
            other, _ = await here.open()
            other.send(frame(BINARY, b"other"))
            await until(lambda: here.handler.messages[-1] == b"other")
            assert len(here.handler.messages) == heard + 1


class WorkClock:
    """Time that only work takes: a millisecond for every message."""

    def __init__(self) -> None:
        self.ns = 0

    def work(self, connection: Connection, message: bytes) -> int:
        self.ns += 1_000_000
        return 0

    def read(self) -> int:
        return self.ns


class TestStints:
    async def open(self, count: int) -> tuple[Recorder, list[WebSocketConnection]]:
        """Return *count* connections whose every message is a millisecond's work."""
        self.time, work, handler = ManualTime(), WorkClock(), Recorder()
        handler.on_received = work.work
        shell = Shell(
            handler,
            self.time,
            self.time,
            limits=Limits(),
            forget=lambda connection: None,
            flush=flush,
            read_ns=work.read,
        )
        connections = []
        for number in range(count):
            connection = WebSocketConnection(shell, TransportDouble(), id=number)
            connection.start(b"101", b"")
            connections.append(connection)
        await asyncio.sleep(0)
        return handler, connections

    async def test_a_burst_gets_five_milliseconds_of_work_a_turn_and_keeps_order_and_arrival(self) -> None:
        handler, (connection,) = await self.open(1)
        numbers = [b"%03d" % number for number in range(180)]
        arrived = self.time.now()
        connection.data_received(b"".join(frame(BINARY, number) for number in numbers))
        heard = [0, len(handler.messages)]
        for _ in range(len(numbers) // 5):
            self.time.advance(1)
            await asyncio.sleep(0)
            heard.append(len(handler.messages))
        assert max(after - before for before, after in itertools.pairwise(heard)) == 5
        assert handler.messages == numbers
        assert set(handler.arrivals) == {arrived}

    async def test_a_crowd_shares_twenty_milliseconds_and_each_gets_one_message_through(self) -> None:
        handler, crowd = await self.open(30)
        for connection in crowd:
            connection.data_received(frame(BINARY, b"%03d" % connection.id) * 20)
        assert len(handler.messages) == 4 * 5 + 26
        await until(lambda: len(handler.messages) == 30 * 20)

    async def test_what_waits_for_the_next_turn_goes_with_its_connection(self) -> None:
        handler, (connection,) = await self.open(1)
        connection.data_received(frame(BINARY, b"a") * 20)
        connection.connection_lost(None)
        for _ in range(3):
            await asyncio.sleep(0)
        assert len(handler.messages) == 5


class TestHoldingOff:
    async def test_the_handler_decides_when_to_read_on(self) -> None:
        time = ManualTime()
        async with site(time) as here:
            here.handler.on_received = lambda connection, message: 100 if message == b"2" else 0
            peer, _ = await here.open()
            began = time.now()
            peer.send(*(frame(BINARY, b"%d" % number) for number in range(1, 5)))
            await until(lambda: here.handler.messages == [b"1", b"2"])
            time.advance(99)
            assert here.handler.messages == [b"1", b"2"]
            time.advance(1)
            assert here.handler.messages == [b"1", b"2", b"3", b"4"]
            assert here.handler.arrivals == [began] * 4

    async def test_a_hold_after_every_message_lets_one_through_at_a_time(self) -> None:
        time = ManualTime()
        async with site(time) as here:
            here.handler.on_received = lambda connection, message: 10
            peer, _ = await here.open()
            peer.send(frame(BINARY, b"a") * 1_000)
            await until(lambda: len(here.handler.messages) == 1)
            for count in range(2, 50):
                time.advance(10)
                await until(lambda count=count: len(here.handler.messages) == count)
            assert here.traffic.held_reads == 49

    async def test_a_held_connection_is_not_read_from(self) -> None:
        time = ManualTime()
        async with site(time) as here:
            here.handler.on_received = lambda connection, message: 1_000
            peer, connection = await here.open()
            peer.send(frame(BINARY, b"a"))
            await until(lambda: len(here.handler.messages) == 1)
            read = here.traffic.bytes_in
            peer.send(frame(BINARY, b"b"))
            other, _ = await here.open()
            other.send(frame(PING))
            assert (await other.frame())[0] == PONG
            assert here.traffic.bytes_in == read + TINY_BYTES
            time.advance(1_000)
            await until(lambda: here.handler.messages == [b"a", b"b"])
            assert here.handler.arrivals[1] == time.now()
            assert connection not in here.handler.closed_

    async def test_a_held_connection_can_be_closed(self) -> None:
        time = ManualTime()
        async with site(time) as here:
            here.handler.on_received = lambda connection, message: 60_000
            peer, connection = await here.open()
            peer.send(frame(BINARY, b"a") * 2_000, frame(8, b"\x03\xe8"))
            await until(lambda: len(here.handler.messages) == 1)
            connection.close(1000, "enough")
            assert await peer.closed() == (1000, "enough")
            assert len(here.handler.messages) == 1

    async def test_a_held_connection_can_be_lost(self) -> None:
        time = ManualTime()
        async with site(time) as here:
            here.handler.on_received = lambda connection, message: 1_000
            peer, connection = await here.open()
            peer.send(frame(BINARY, b"a") * 3)
            await until(lambda: len(here.handler.messages) == 1)
            connection.abort()
            await until(lambda: here.handler.closed_ == [connection])
            time.advance(2_000)
            assert len(here.handler.messages) == 1

    async def test_what_follows_a_hold_and_an_error_is_dropped(self) -> None:
        async with site() as here:
            here.handler.on_received = lambda connection, message: 1_000
            peer, _ = await here.open()
            peer.send(frame(BINARY, b"a"), frame(BINARY, b"b"), frame(3))
            assert await peer.closed() == (1002, "invalid opcode")
            assert here.handler.messages == [b"a"]


class TestControlFrames:
    async def test_pings_beyond_the_limit_wait_for_the_next_second(self) -> None:
        time = ManualTime()
        async with site(time, limits=Limits(first_ping_ms=600_000, slice_bytes=60)) as here:
            peer, _ = await here.open()
            peer.send(frame(PING) * 100, frame(BINARY, b"done"))
            for second in range(3):
                await until(lambda second=second: here.traffic.held_reads == second + 1)
                assert here.handler.messages == []
                time.advance(1_000)
            await until(lambda: here.handler.messages == [b"done"])


@pytest.fixture
def quiet(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """Keep the traceback of a planted bug out of the output."""
    with caplog.at_level(logging.CRITICAL, logger="asyncio"):
        yield


class TestBugs:
    @pytest.mark.usefixtures("quiet")
    @pytest.mark.parametrize("count", [1, 1_000])
    async def test_a_bug_in_the_handler_ends_only_its_own_connection(self, count: int) -> None:
        def stumble(connection: Connection, message: bytes) -> int:
            if len(here.handler.messages) == count:
                raise RuntimeError("planted")
            return 0

        async with site() as here:
            here.handler.on_received = stumble
            bystander, _ = await here.open()
            peer, connection = await here.open()
            peer.send(frame(BINARY, b"a") * 1_000)
            await until(lambda: here.handler.closed_ == [connection])
            assert len(here.handler.messages) == count
            bystander.send(frame(PING, b"fine?"))
            assert await bystander.frame() == (PONG, b"fine?")
