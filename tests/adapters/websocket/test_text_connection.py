"""Connections of text, for debugging: who gets one, and that only their edge differs from binary ones."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Sequence

import pytest
from transport_double import TransportDouble
from wait_until import until
from websocket_peer import BINARY, CONT, HANDSHAKE, PING, PONG, TEXT, Peer, Recorder, Site, frame, site

from warroom_protocol.codec import decode_client, encode
from warroom_protocol.codes import CLOSE_PROTOCOL, CLOSE_TEXT, CLOSE_TOO_LARGE
from warroom_protocol.limits import MAX_CLIENT_BYTES
from warroom_protocol.messages import Error, Ping, Pong, Said
from warroom_server.adapters.http.http_syntax import parse_head
from warroom_server.adapters.websocket import connection as binary
from warroom_server.adapters.websocket.connection import broadcast, python_broadcast, python_write_each, write_each
from warroom_server.adapters.websocket.listener import INSPECTOR_PATH, JSON
from warroom_server.adapters.websocket.text_connection import TextConnection
from warroom_server.counted_address import is_loopback
from warroom_server.ports.connections import Connection

TARGET = JSON.encode()
INSPECTOR = INSPECTOR_PATH.encode()
HELLO = Said(7, None, "ubr6c4hon62ikwlx", "Ada", 0, "hello")


@pytest.fixture
async def here() -> AsyncIterator[Site]:
    async with site(inspector=Recorder()) as running:
        yield running


@pytest.fixture(params=["c", "python"], autouse=True)
def _twin(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Write in C, if it is built, and in Python."""
    if request.param == "python":
        monkeypatch.setattr(binary, "write_each", python_write_each)
    else:
        assert write_each is not python_write_each, "the C module is not built"


async def answer_to(here: Site, request: bytes) -> bytes:
    peer = await here.connect()
    peer.send(request)
    return await peer.rest()


async def said(peer: Peer) -> object:
    opcode, payload = await peer.frame()
    assert opcode == TEXT
    return json.loads(payload)


class TestTranslation:
    async def test_a_text_is_handled_as_the_message_that_it_stands_for(self, here: Site) -> None:
        peer, _ = await here.open(TARGET)
        peer.send(frame(TEXT, b'{"type":"ping","ref":5}'))
        await until(lambda: here.handler.messages != [])
        assert list(map(decode_client, here.handler.messages)) == [Ping(5)]
        assert here.traffic.messages_in == 1

    async def test_what_is_sent_to_it_arrives_as_text(self, here: Site) -> None:
        peer, connection = await here.open(TARGET)
        connection.send(encode(Pong(5)))
        assert await said(peer) == {"type": "pong", "ref": 5}

    @pytest.mark.parametrize("send", [broadcast, python_broadcast])
    async def test_one_broadcast_reaches_both_kinds_each_in_its_form(
        self, here: Site, send: Callable[[bytes, Sequence[Connection]], object]
    ) -> None:
        (ada, hers), (bob, his) = await here.open(TARGET), await here.open()
        send(encode(HELLO), [hers, his])
        hers.send(encode(Pong(1)))
        shown = await said(ada)
        assert isinstance(shown, dict)
        assert (shown["type"], shown["room"], shown["text"]) == ("said", 7, "hello")
        assert await said(ada) == {"type": "pong", "ref": 1}
        assert await bob.frame() == (BINARY, encode(HELLO))

    @pytest.mark.parametrize("length", [1, 200, 100_000])
    async def test_long_messages_keep_every_character(self, here: Site, length: int) -> None:
        peer, connection = await here.open(TARGET)
        connection.send(encode(Error(1, "room.busy", "é" * length)))
        assert await said(peer) == {"type": "error", "ref": 1, "code": "room.busy", "detail": "é" * length}

    async def test_fragments_make_one_message(self, here: Site) -> None:
        peer, _ = await here.open(TARGET)
        peer.send(frame(TEXT, b'{"type":"pi', fin=False), frame(CONT, b'ng","ref":5}'), frame(TEXT, b'{"type":"ping"}'))
        await until(lambda: len(here.handler.messages) == 2)
        assert decode_client(here.handler.messages[0]) == Ping(5)

    async def test_pings_are_answered_between_messages(self, here: Site) -> None:
        peer, _ = await here.open(TARGET)
        for number in (b"1", b"2"):
            peer.send(frame(TEXT, b'{"type":"ping","ref":5}'), frame(PING, number))
            assert await peer.frame() == (PONG, number)
        assert len(here.handler.messages) == 2

    async def test_a_message_that_came_with_the_handshake_is_not_lost(self, here: Site) -> None:
        peer = await here.connect()
        peer.send(HANDSHAKE.replace(b"/ws", TARGET), frame(TEXT, b'{"type":"ping","ref":5}'))
        await until(lambda: here.handler.messages == [encode(Ping(5))])

    async def test_a_closed_connection_is_forgotten(self, here: Site) -> None:
        peer, connection = await here.open(TARGET)
        connection.close(4001, "enough")
        assert await peer.frame() == (8, (4001).to_bytes(2, "big") + b"enough")
        peer.writer.close()
        await until(lambda: here.handler.closed_ == [connection])
        assert here.listener.connections == 0

    async def test_what_has_no_text_ends_its_connection_and_no_other(self, here: Site) -> None:
        (ada, hers), (bob, his) = await here.open(TARGET), await here.open(TARGET)
        errors: list[object] = []
        asyncio.get_running_loop().set_exception_handler(lambda _, context: errors.append(context))
        hers.send(b"\xc1")
        his.send(encode(Pong(1)))
        assert await said(bob) == {"type": "pong", "ref": 1}
        assert await ada.rest() == b""
        await until(lambda: here.handler.closed_ == [hers])
        assert len(errors) == 1


class TestLimits:
    async def test_a_binary_frame_is_refused(self, here: Site) -> None:
        peer, _ = await here.open(TARGET)
        peer.send(frame(BINARY, encode(Ping(5))))
        assert await peer.closed() == (CLOSE_TEXT, "messages are text")
        assert here.handler.messages == []

    async def test_a_text_may_be_as_long_as_a_message(self, here: Site) -> None:
        longest = b'{"type":"ping","ref":5' + b" " * (MAX_CLIENT_BYTES - 23) + b"}"
        peer, _ = await here.open(TARGET)
        peer.send(frame(TEXT, longest))
        await until(lambda: here.handler.messages == [encode(Ping(5))])
        peer.send(frame(TEXT, longest + b" "))
        refusal = await said(peer)
        assert isinstance(refusal, dict)
        assert (refusal["type"], refusal["code"]) == ("error", "message.too_large")
        assert (await peer.closed())[0] == CLOSE_TOO_LARGE

    async def test_it_is_held_back_like_any_connection(self, here: Site) -> None:
        here.handler.on_received = lambda connection, message: 1_000
        peer, _ = await here.open(TARGET)
        peer.send(frame(TEXT, b'{"type":"ping","ref":1}'), frame(TEXT, b'{"type":"ping","ref":2}'))
        await until(lambda: here.traffic.held_reads == 1)
        assert list(map(decode_client, here.handler.messages)) == [Ping(1)]

    async def test_broken_frames_close_it(self, here: Site) -> None:
        peer, _ = await here.open(TARGET)
        peer.send(frame(TEXT, b"{}", masked=False))
        assert (await peer.closed())[0] == CLOSE_PROTOCOL


FORWARDED = [
    b"Forwarded: for=192.0.2.1\r\n",
    b"X-Forwarded-For: 192.0.2.1\r\n",
    b"x-forwarded-host: warroom.example\r\n",
    b"X-Forwarded-Proto: https\r\n",
    b"X-Real-IP: 192.0.2.1\r\n",
    b"Via: 1.1 proxy\r\n",
]


class TestWhoGetsOne:
    @pytest.mark.parametrize("target", [TARGET, b"/ws?format=xml", b"/ws?format="])
    async def test_without_debugging_a_format_is_refused_in_clear_words(self, target: bytes) -> None:
        async with site() as plain:
            answer = await answer_to(plain, HANDSHAKE.replace(b"/ws", target))
            assert answer.startswith(b"HTTP/1.1 403 Forbidden\r\n")
            assert b"use format=json, on a server with --debug or WARROOM_DEBUG=true" in answer
            assert plain.handler.opened_ == []

    @pytest.mark.parametrize(
        "target", [b"/ws?format=xml", b"/ws?x=1&format=xml", b"/ws?format", b"/ws?format=json&format=xml"]
    )
    async def test_with_debugging_other_formats_are_refused(self, here: Site, target: bytes) -> None:
        assert b"403 Forbidden" in await answer_to(here, HANDSHAKE.replace(b"/ws", target))

    @pytest.mark.parametrize("target", [b"/ws?x=1&format=json", b"/ws?format=json&x=1", b"/ws?format=%6Ason"])
    async def test_other_parameters_may_stand_beside_the_format(self, here: Site, target: bytes) -> None:
        _, connection = await here.open(target)
        assert isinstance(connection, TextConnection)

    @pytest.mark.parametrize("target", [b"/ws?x=1", b"/ws?formats=json", b"/ws?x=format=json"])
    async def test_without_a_format_messages_are_binary(self, here: Site, target: bytes) -> None:
        _, connection = await here.open(target)
        assert not isinstance(connection, TextConnection)

    async def test_without_debugging_there_is_no_inspector(self) -> None:
        async with site() as plain:
            await answer_to(plain, HANDSHAKE.replace(b"/ws", INSPECTOR))
            assert plain.handler.gets == [(INSPECTOR_PATH, "")]
            assert plain.handler.opened_ == []

    @pytest.mark.parametrize(
        "header",
        [b"", b"Origin: http://localhost\r\n", pytest.param(b"Origin: https://localhost\r\n", id="behind TLS")],
    )
    async def test_the_inspector_hears_programs_and_pages_of_this_machine(self, header: bytes) -> None:
        inspector = Recorder()
        async with site(inspector=inspector) as here:
            peer = await here.connect()
            peer.send(HANDSHAKE[:-2].replace(b"/ws", INSPECTOR), header, b"\r\n", frame(TEXT, b"what?"))
            await until(lambda: inspector.messages == [b"what?"])
            inspector.opened_[0].send(b"that")
            assert b"101" in await peer.until(peer.reader.readuntil(b"\r\n\r\n"))
            assert await peer.frame() == (TEXT, b"that")
            assert here.handler.opened_ == []

    @pytest.mark.parametrize(
        "header", [*FORWARDED, b"Origin: http://other.example\r\n", b"Origin: http://localhost:1\r\n", b"Origin: \r\n"]
    )
    async def test_it_is_hidden_from_proxies_and_from_pages_of_others(self, here: Site, header: bytes) -> None:
        await answer_to(here, HANDSHAKE[:-2].replace(b"/ws", INSPECTOR) + header + b"\r\n")
        assert here.handler.gets == [(INSPECTOR_PATH, "")]

    @pytest.mark.parametrize("host", [b"localhost:8000", b"127.0.0.1:8000", b"[::1]:8000", b"127.0.0.1"])
    async def test_this_machine_has_several_names(self, host: bytes) -> None:
        inspector = Recorder()
        async with site(inspector=inspector) as here:
            peer = await here.connect()
            request = HANDSHAKE[:-2].replace(b"/ws", INSPECTOR).replace(b"localhost", host)
            peer.send(request, b"Origin: http://", host, b"\r\n\r\n")
            await until(lambda: len(inspector.opened_) == 1)

    @pytest.mark.parametrize(
        "host", [b"other.example", b"other.example:8000", b"[", b"", b":80", b"127.0.0.1.example:80"]
    )
    async def test_a_name_that_was_made_to_lead_here_is_none_of_them(self, here: Site, host: bytes) -> None:
        request = HANDSHAKE[:-2].replace(b"/ws", INSPECTOR).replace(b"localhost", host)
        await answer_to(here, request + b"Origin: http://" + host + b"\r\n\r\n")
        assert here.listener.connections == 0
        assert here.handler.gets == [(INSPECTOR_PATH, "")]

    async def test_two_origins_are_one_too_many(self, here: Site) -> None:
        origins = b"Origin: http://localhost\r\nOrigin: http://other.example\r\n\r\n"
        await answer_to(here, HANDSHAKE[:-2].replace(b"/ws", INSPECTOR) + origins)
        assert here.handler.gets == [(INSPECTOR_PATH, "")]

    async def test_a_question_may_be_longer_than_a_message(self) -> None:
        inspector = Recorder()
        async with site(inspector=inspector) as here:
            peer = await here.connect()
            await peer.shake_hands(INSPECTOR)
            peer.send(frame(TEXT, b"x" * 200_000))
            await until(lambda: inspector.messages == [b"x" * 200_000])
            peer.send(frame(TEXT, b"x" * ((1 << 20) + 1)))
            await peer.frame()
            assert (await peer.closed())[0] == CLOSE_TOO_LARGE

    @pytest.mark.parametrize("host", ["192.0.2.1", "10.0.0.1", "2001:db8::1", "::ffff:192.0.2.1", ""])
    async def test_it_is_hidden_from_other_machines(self, here: Site, host: str) -> None:
        request = parse_head(HANDSHAKE.replace(b"/ws", INSPECTOR))
        answer = here.listener.answer(TransportDouble((host, 5000)), request, b"")
        assert answer == here.handler.on_http(INSPECTOR_PATH)
        assert here.listener.connections == 0


@pytest.mark.parametrize(
    ("host", "is_near"),
    [
        ("127.0.0.1", True),
        ("127.8.9.1", True),
        ("::1", True),
        ("::ffff:127.0.0.1", True),
        ("localhost", True),
        ("0.0.0.0", False),
        ("::", False),
        ("", False),
        ("192.0.2.1", False),
        ("::2", False),
        ("127.example", False),
    ],
)
def test_near_is_only_what_other_machines_cannot_reach(host: str, is_near: bool) -> None:
    assert is_loopback(host) == is_near
