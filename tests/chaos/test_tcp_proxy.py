"""Connections through a proxy: cuts, freezes, delays and slow readers, and nothing else."""

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress

import pytest
from wait_until import until
from websocket_peer import frame

from warroom_chaos.network_conditions import NetworkConditions
from warroom_chaos.tcp_proxy import LOOPBACK, Proxy, Target

HEAD = b"GET /link HTTP/1.1\r\n\r\n"
PING = frame(9, b"ping")
BIG = bytes(range(256)) * 4_096


class Echo:
    """An upstream that sends everything back."""

    def __init__(self) -> None:
        self.conditions = NetworkConditions()
        self.port = 0
        self.lines = 0
        self.received = b""

    async def serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.lines += 1
        try:
            while some := await reader.read(65_536):
                self.received += some
                writer.write(some)
                await writer.drain()
        except OSError:
            pass
        finally:
            writer.close()

    async def dial(self, protocol: asyncio.Protocol) -> None:
        await asyncio.get_running_loop().create_connection(lambda: protocol, LOOPBACK, self.port)


@asynccontextmanager
async def _proxy(*, of_websockets: bool = False) -> AsyncIterator[tuple[Proxy, Echo]]:
    echo = Echo()
    server = await asyncio.start_server(echo.serve, LOOPBACK, 0)
    echo.port = server.sockets[0].getsockname()[1]
    proxy = Proxy(lambda: Target(0, echo.dial, echo.conditions), of_websockets=of_websockets)
    await proxy.open()
    try:
        yield proxy, echo
    finally:
        await proxy.close()
        server.close()


@asynccontextmanager
async def _line(proxy: Proxy) -> AsyncIterator[tuple[asyncio.StreamReader, asyncio.StreamWriter]]:
    reader, writer = await asyncio.open_connection(LOOPBACK, proxy.port)
    try:
        yield reader, writer
    finally:
        writer.close()


async def test_everything_goes_through_unchanged_and_the_end_as_well() -> None:
    async with _proxy() as (proxy, _), _line(proxy) as (reader, writer):
        writer.write(BIG)
        assert await reader.readexactly(len(BIG)) == BIG
        writer.close()
        await until(lambda: not proxy.connections)


async def test_a_cut_breaks_lines_and_new_ones_work() -> None:
    async with _proxy() as (proxy, _):
        async with _line(proxy) as (reader, writer):
            writer.write(b"one")
            assert await reader.readexactly(3) == b"one"
            proxy.cut()
            with pytest.raises((ConnectionError, asyncio.IncompleteReadError)):
                await reader.readexactly(1)
        async with _line(proxy) as (reader, writer):
            writer.write(b"two")
            assert await reader.readexactly(3) == b"two"


async def test_a_frozen_connection_loses_nothing_and_continues() -> None:
    async with _proxy() as (proxy, echo), _line(proxy) as (reader, writer):
        writer.write(b"before ")
        assert await reader.readexactly(7) == b"before "
        echo.conditions.is_frozen = True
        writer.write(b"after")
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(reader.read(1), 0.2)
        echo.conditions.is_frozen = False
        proxy.apply_conditions()
        assert await reader.readexactly(5) == b"after"


async def test_a_delay_holds_in_each_direction_and_keeps_the_order() -> None:
    async with _proxy() as (proxy, echo), _line(proxy) as (reader, writer):
        with echo.conditions.delayed(50):
            began = time.monotonic()
            for number in range(20):
                writer.write(b"%03d" % number)
                await asyncio.sleep(0.002)
            assert await reader.readexactly(60) == b"".join(b"%03d" % number for number in range(20))
            assert time.monotonic() - began >= 0.1


async def test_a_refusing_proxy_cuts_new_connections() -> None:
    async with _proxy() as (proxy, echo):
        echo.conditions.refuses = True
        async with _line(proxy) as (reader, _):
            with pytest.raises((ConnectionError, asyncio.IncompleteReadError)):
                await reader.readexactly(1)
        assert echo.lines == 0


async def test_a_reader_that_stalls_holds_its_sender_up() -> None:
    async with _proxy() as (proxy, _), _line(proxy) as (reader, writer):
        writer.write(b"x")
        assert await reader.readexactly(1) == b"x"
        for line in proxy.connections:
            line.inward.is_stalled = True
            line.flush()
        writer.write(BIG)
        with pytest.raises(TimeoutError):
            await asyncio.wait_for(reader.read(1), 0.2)
        for line in proxy.connections:
            line.inward.is_stalled = False
            line.flush()
        assert await reader.readexactly(len(BIG)) == BIG


async def test_an_unreachable_upstream_ends_the_connection() -> None:
    async with _proxy() as (proxy, echo):
        echo.port = 1
        async with _line(proxy) as (reader, _):
            with pytest.raises((ConnectionError, asyncio.IncompleteReadError)):
                await reader.readexactly(1)
        assert not proxy.connections


@pytest.mark.parametrize("count", [1, 2, 3, 4])
async def test_a_lost_message_takes_all_later_ones_and_the_line_with_it(count: int) -> None:
    """Each message comes back, so the first counts on its way out, the second on its way back, and so on."""
    async with _proxy(of_websockets=True) as (proxy, _):
        async with _line(proxy) as (reader, writer):
            writer.write(HEAD)
            assert await reader.readexactly(len(HEAD)) == HEAD
            proxy.lose(count)
            got = b""
            with suppress(ConnectionError):
                for number in range(5):
                    writer.write(PING + frame(2, b"%d" % number))
                    while some := await reader.read(1):
                        got += some
                        if got.endswith(frame(2, b"%d" % number)):
                            break
                    else:
                        break
            assert got.replace(PING, b"") == b"".join(frame(2, b"%d" % number) for number in range((count - 1) // 2))
        assert proxy.lost == 1
        await until(lambda: not proxy.connections)
        async with _line(proxy) as (reader, writer):
            writer.write(HEAD + frame(2, b"again"))
            assert await reader.readexactly(len(HEAD)) == HEAD
            assert await reader.readexactly(len(frame(2, b"again"))) == frame(2, b"again")
        assert proxy.lost == 1


async def test_what_was_sent_before_a_lost_message_still_arrives() -> None:
    async with _proxy(of_websockets=True) as (proxy, echo), _line(proxy) as (reader, writer):
        writer.write(HEAD)
        assert await reader.readexactly(len(HEAD)) == HEAD
        with echo.conditions.delayed(30):
            proxy.lose(3)
            writer.write(frame(2, b"1") + frame(2, b"2") + frame(2, b"3") + frame(2, b"4"))
            with suppress(ConnectionError):
                await reader.read()
        assert echo.received == HEAD + frame(2, b"1") + frame(2, b"2")
        assert proxy.lost == 1


async def test_websockets_pass_unchanged_in_whole_frames() -> None:
    async with _proxy(of_websockets=True) as (proxy, _), _line(proxy) as (reader, writer):
        sent = HEAD + PING + frame(2, BIG) + frame(2, b"")
        for first in range(0, len(sent), 50_000):
            writer.write(sent[first : first + 50_000])
        assert await reader.readexactly(len(sent)) == sent
        assert proxy.lost == 0
