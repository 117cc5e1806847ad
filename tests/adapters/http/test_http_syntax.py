"""Plain GETs on the websocket's port, and requests that are none."""

import asyncio
import logging
import socket
import struct
from collections.abc import Callable

import pytest
from manual_time import ManualTime
from wait_until import until
from websocket_peer import GET, Peer, site

from warroom_server.adapters.http.http_syntax import (
    MAX_HEAD_BYTES,
    SAFE,
    HttpError,
    parse_head,
    render,
    split_head,
    split_target,
)
from warroom_server.ports.connections import HttpResponse


async def answer_to(peer: Peer, request: bytes) -> tuple[bytes, dict[bytes, bytes], bytes]:
    """Send a request and return status line, header fields and body of the answer."""
    peer.send(request)
    head, _, body = (await peer.rest()).partition(b"\r\n\r\n")
    status, *lines = head.split(b"\r\n")
    return status, dict(line.split(b": ", 1) for line in lines), body


class TestGets:
    async def test_the_handler_answers_with_path_and_query(self) -> None:
        async with site() as here:
            here.handler.on_http = lambda path: HttpResponse(
                200, b"{}", "application/json", {"Cache-Control": "no-store"}
            )
            status, fields, body = await answer_to(await here.connect(), GET % b"/api/rooms?game=x%20y")
            assert here.handler.gets == [("/api/rooms", "game=x%20y")]
            assert (status, body) == (b"HTTP/1.1 200 OK", b"{}")
            del fields[b"Date"]
            assert fields == {
                **{name.encode(): value.encode() for name, value in SAFE.items()},
                b"Connection": b"close",
                b"Content-Type": b"application/json",
                b"Content-Length": b"2",
                b"Cache-Control": b"no-store",
            }

    @pytest.mark.parametrize("status", [200, 404])
    async def test_head_is_answered_with_the_headers_of_get_and_without_a_body(self, status: int) -> None:
        async with site() as here:
            here.handler.on_http = lambda path: HttpResponse(status, b"{}", "application/json", {"ETag": '"7"'})
            got = await answer_to(await here.connect(), GET % b"/api/rooms?game=x")
            head = await answer_to(await here.connect(), b"HEAD" + (GET % b"/api/rooms?game=x")[3:])
            assert here.handler.gets == [("/api/rooms", "game=x")] * 2
            for _, fields, _ in (got, head):
                del fields[b"Date"]
            assert head == (*got[:2], b"")

    async def test_head_opens_no_websocket(self) -> None:
        async with site() as here:
            upgrade = b"HEAD /ws HTTP/1.1\r\nHost: a\r\nUpgrade: websocket\r\n\r\n"
            status, fields, _ = await answer_to(await here.connect(), upgrade)
            assert (status, fields[b"Allow"]) == (b"HTTP/1.1 405 Method Not Allowed", b"GET, HEAD")

    async def test_an_answer_may_come_later(self) -> None:
        async with site() as here:
            asked: asyncio.Future[HttpResponse] = asyncio.get_running_loop().create_future()
            here.handler.on_http = lambda path: asked
            peer = await here.connect()
            peer.send(GET % b"/")
            await until(lambda: here.handler.gets == [("/", "")])
            asked.set_result(HttpResponse(404, b"none"))
            assert (await peer.rest()).startswith(b"HTTP/1.1 404 Not Found\r\n")

    async def test_an_answer_may_come_after_the_client_ended_its_side(self) -> None:
        async with site() as here:
            asked: asyncio.Future[HttpResponse] = asyncio.get_running_loop().create_future()
            here.handler.on_http = lambda path: asked
            peer = await here.connect()
            peer.send(GET % b"/")
            peer.writer.write_eof()
            await until(lambda: here.handler.gets == [("/", "")])
            asyncio.get_running_loop().call_later(0.01, asked.set_result, HttpResponse(200, b"late"))
            assert (await peer.rest()).endswith(b"late")

    async def test_an_answer_that_takes_too_long_is_given_up(self) -> None:
        time = ManualTime()
        async with site(time) as here:
            asked: asyncio.Future[HttpResponse] = asyncio.get_running_loop().create_future()
            here.handler.on_http = lambda path: asked
            peer = await here.connect()
            peer.send(GET % b"/")
            await until(lambda: here.handler.gets == [("/", "")])
            time.advance(10_000)
            assert (await peer.rest()).startswith(b"HTTP/1.1 504 Gateway Timeout\r\n")
            assert asked.cancelled()

    async def test_a_client_that_hangs_up_cancels_its_answer(self) -> None:
        async with site() as here:
            asked: asyncio.Future[HttpResponse] = asyncio.get_running_loop().create_future()
            here.handler.on_http = lambda path: asked
            peer = await here.connect()
            peer.send(GET % b"/")
            await until(lambda: here.handler.gets == [("/", "")])
            # A reset: the end of the stream alone would only say that the client has asked its last question.
            line = peer.writer.get_extra_info("socket")
            line.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            peer.writer.transport.abort()
            await until(asked.cancelled)

    async def test_a_bug_behind_an_answer_is_logged_and_not_shown(self, caplog: pytest.LogCaptureFixture) -> None:
        async def stumble() -> HttpResponse:
            raise RuntimeError("a secret")

        async with site() as here:
            here.handler.on_http = lambda path: stumble()
            status, _, body = await answer_to(await here.connect(), GET % b"/")
            assert (status, body) == (b"HTTP/1.1 500 Internal Server Error", b"internal error\n")
            assert [record.levelno for record in caplog.records] == [logging.ERROR]

    async def test_a_large_body_arrives_whole(self) -> None:
        async with site() as here:
            here.handler.on_http = lambda path: HttpResponse(200, bytes(3_000_000))
            _, _, body = await answer_to(await here.connect(), GET % b"/")
            assert len(body) == 3_000_000

    async def test_a_client_that_does_not_read_its_answer_is_cut(self) -> None:
        time = ManualTime()
        async with site(time) as here:
            here.handler.on_http = lambda path: HttpResponse(200, bytes(30_000_000))
            peer = await here.connect()
            peer.send(GET % b"/")
            await until(lambda: here.handler.gets == [("/", "")])
            time.advance(10_000)
            assert len(await peer.rest()) < 30_000_000

    async def test_only_one_request_is_answered(self) -> None:
        async with site() as here:
            peer = await here.connect()
            peer.send(GET % b"/one", GET % b"/two")
            assert (await peer.rest()).count(b"HTTP/1.1") == 1
            assert here.handler.gets == [("/one", "")]

    async def test_a_head_in_pieces_is_read(self) -> None:
        async with site() as here:
            peer = await here.connect()
            for octet in GET % b"/":
                peer.send(bytes((octet,)))
                await asyncio.sleep(0)
            assert (await peer.rest()).endswith(b"hi\n")


BAD = {
    "no request line": (b"hello\r\n", b"400 Bad Request"),
    "another protocol": (b"\x16\x03\x01\x02\x00\x01\r\n", b"400 Bad Request"),
    "no version": (b"GET /\r\n\r\n", b"400 Bad Request"),
    "HTTP/2": (b"GET / HTTP/2\r\n\r\n", b"400 Bad Request"),
    "two spaces": (b"GET  / HTTP/1.1\r\nHost: a\r\n\r\n", b"400 Bad Request"),
    "no host": (b"GET / HTTP/1.1\r\n\r\n", b"400 Bad Request"),
    "two hosts": (b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", b"400 Bad Request"),
    "a field without a colon": (b"GET / HTTP/1.1\r\nHost: a\r\nbroken\r\n\r\n", b"400 Bad Request"),
    "a folded field": (b"GET / HTTP/1.1\r\nHost: a\r\n more\r\n\r\n", b"400 Bad Request"),
    "a bare line feed": (b"GET / HTTP/1.1\r\nHost: a\nX: y\r\n\r\n", b"400 Bad Request"),
    "a body": (b"GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc", b"400 Bad Request"),
    "a body in chunks": (b"GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n", b"400 Bad Request"),
    "a target that is no path": (b"GET * HTTP/1.1\r\nHost: a\r\n\r\n", b"400 Bad Request"),
    "POST with a body": (b"POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\nabc", b"405 Method Not Allowed"),
    "a method nobody knows": (b"BREW / HTTP/1.1\r\nHost: a\r\n\r\n", b"405 Method Not Allowed"),
    "a head too long": (GET % (b"/" + b"a" * MAX_HEAD_BYTES), b"431 Request Header Fields Too Large"),
    "a head without end": (b"a" * 100_000, b"431 Request Header Fields Too Large"),
    "fields without end": (
        b"GET / HTTP/1.1\r\nHost: a\r\n" + b"a: b\r\n" * 200 + b"\r\n",
        b"431 Request Header Fields Too Large",
    ),
}


class TestBadRequests:
    @pytest.mark.parametrize(("request_", "status"), BAD.values(), ids=BAD.keys())
    async def test_the_answer_says_what_is_wrong(self, request_: bytes, status: bytes) -> None:
        async with site() as here:
            got, fields, body = await answer_to(await here.connect(), request_)
            assert got == b"HTTP/1.1 " + status
            assert fields[b"Connection"] == b"close"
            assert fields.get(b"Allow") == (b"GET, HEAD" if status.startswith(b"405") else None)
            assert body
            assert here.handler.gets == []

    async def test_a_connection_that_says_nothing_may_leave(self) -> None:
        async with site() as here:
            peer = await here.connect()
            await until(lambda: here.listener.handshakes == 1)
            peer.writer.write_eof()
            assert await peer.rest() == b""
            await until(lambda: here.listener.handshakes == 0)

    async def test_an_answer_nobody_waits_for_frees_the_line(self) -> None:
        time = ManualTime()
        async with site(time) as here:
            peer = await here.connect()
            peer.send(GET % b"/")
            assert await peer.rest()
            time.advance(10_000)
            await here.listener.stop(timeout_s=5)
            assert here.handler.gets == [("/", "")]


class TestParsing:
    @pytest.mark.parametrize(
        ("target", "parts"),
        [
            ("/", ("/", "")),
            ("/a/b?c=d?e", ("/a/b", "c=d?e")),
            ("//host/a", ("//host/a", "")),
            ("http://host", ("/", "")),
            ("http://host/a?b", ("/a", "b")),
        ],
    )
    def test_a_target_is_a_path_and_a_query(self, target: str, parts: tuple[str, str]) -> None:
        assert split_target(target) == parts

    @pytest.mark.parametrize("target", ["*", "host:80", "ftp://host/", "http://[broken/"])
    def test_other_targets_are_refused(self, target: str) -> None:
        with pytest.raises(HttpError):
            split_target(target)

    @pytest.mark.parametrize("parse", [parse_head, split_head])
    def test_a_binary_greeting_is_refused(self, parse: Callable[[bytearray], object]) -> None:
        with pytest.raises(HttpError, match="no HTTP/1"):
            parse(bytearray(b"\x00\x01\x02\r\nabc"))

    def test_an_old_client_needs_no_host(self) -> None:
        assert parse_head(b"GET / HTTP/1.0\r\n\r\n").path == "/"

    def test_what_follows_the_head_is_kept(self) -> None:
        assert split_head(bytearray(b"GET / HTTP/1.1\r\n\r\nrest")) == (b"GET / HTTP/1.1\r\n\r\n", b"rest")

    def test_fields_of_a_response_may_be_replaced(self) -> None:
        assert b"Connection: upgrade\r\n" in render(HttpResponse(200, b"", headers={"Connection": "upgrade"}))
