"""Opening a connection to whatever listens at an address."""

import asyncio
import socket
import time
from contextlib import suppress
from threading import Thread

import pytest
import uvloop

from warroom_client.connection import open_connection
from warroom_client.errors import DisconnectedError


@pytest.mark.parametrize("make_loop", [uvloop.new_event_loop, asyncio.new_event_loop])
def test_an_immediate_close_is_reported_by_any_loop(make_loop: type[asyncio.AbstractEventLoop]) -> None:
    """A busy loop sees the connection open and break at the same time."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        Thread(target=_hang_up, args=(listener,), daemon=True).start()
        with asyncio.Runner(loop_factory=make_loop) as runner:
            runner.run(_be_busy_and_call(listener.getsockname()[1]))
        listener.shutdown(socket.SHUT_RDWR)


def _hang_up(listener: socket.socket) -> None:
    with suppress(OSError):
        while True:
            listener.accept()[0].close()


async def _be_busy_and_call(port: int) -> None:
    async def be_busy() -> None:
        while True:
            time.sleep(0.002)  # noqa: ASYNC251 - the loop has to be kept busy
            await asyncio.sleep(0)

    busy = asyncio.create_task(be_busy())
    with pytest.raises(DisconnectedError, match=f"cannot reach ws://127.0.0.1:{port}/ws"):
        await open_connection(f"ws://127.0.0.1:{port}/ws")
    busy.cancel()


@pytest.mark.parametrize(
    ("header", "wait_s"),
    [
        pytest.param(b"Retry-After: 3\r\n", 3.0, id="seconds"),
        pytest.param(b"", 0.0, id="nothing"),
        pytest.param(
            b"Retry-After: Wed, 21 Oct 2026 07:28:00 GMT\r\n", 0.0, id="a date, which our servers do not send"
        ),
    ],
)
async def test_a_server_at_its_limit_says_when_to_come_again(header: bytes, wait_s: float) -> None:
    async def refuse(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 503 Service Unavailable\r\n" + header + b"Content-Length: 0\r\n\r\n")
        await writer.drain()
        writer.close()

    async with await asyncio.start_server(refuse, "127.0.0.1", 0) as listener:
        with pytest.raises(DisconnectedError, match="HTTP 503") as refused:
            await open_connection(f"ws://127.0.0.1:{listener.sockets[0].getsockname()[1]}/ws")
    assert refused.value.retry_after_s == wait_s
