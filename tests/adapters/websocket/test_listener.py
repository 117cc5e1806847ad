"""The listener and the life of a connection: opening, closing, keeping alive, being lost."""

import asyncio
import socket

import pytest
from manual_time import ManualTime
from wait_until import until
from websocket_peer import BINARY, CLOSE, GET, HANDSHAKE, PING, PONG, TEXT, Peer, Site, frame, site

from warroom_protocol.codes import CLOSE_GOING_AWAY, CLOSE_IDLE
from warroom_protocol.frames import frame as build_frame
from warroom_server.adapters.websocket.listener_state import Limits


async def status_of(here: Site, request: bytes) -> bytes:
    peer = await here.connect()
    peer.send(request)
    return (await peer.rest()).split(b"\r\n", 1)[0]


class TestOpening:
    async def test_the_handler_learns_of_the_connection_and_its_peer(self) -> None:
        async with site() as here:
            peer, connection = await here.open()
            host, port = peer.writer.get_extra_info("sockname")
            assert connection.peer == f"{host}:{port}"
            assert here.listener.connections == 1
            assert here.listener.handshakes == 0

    async def test_every_connection_has_a_number_of_its_own(self) -> None:
        async with site() as here:
            numbers = [(await here.open())[1].id for _ in range(3)]
            assert numbers == [1, 2, 3]

    async def test_frames_of_opened_follow_the_handshake_in_one_write(self) -> None:
        async with site() as here:
            here.handler.on_opened = lambda connection: connection.send(b"welcome")
            peer, _ = await here.open()
            assert await peer.frame() == (BINARY, b"welcome")
            assert here.traffic.writes == 1

    async def test_frames_that_came_with_the_handshake_are_not_lost(self) -> None:
        async with site() as here:
            peer = await here.connect()
            peer.send(HANDSHAKE, frame(BINARY, b"early"))
            await until(lambda: here.handler.messages == [b"early"])

    async def test_small_frames_are_not_held_back_by_the_kernel(self) -> None:
        async with site() as here:
            _, connection = await here.open()
            assert connection.transport is not None
            line = connection.transport.get_extra_info("socket")
            assert line.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY) != 0

    @pytest.mark.parametrize(
        ("old", "new", "status"),
        [
            (b"Upgrade: websocket\r\n", b"", b"HTTP/1.1 426 Upgrade Required"),
            (b"Connection: Upgrade\r\n", b"", b"HTTP/1.1 426 Upgrade Required"),
            (b"Version: 13", b"Version: 12", b"HTTP/1.1 400 Bad Request"),
            (b"Key: dGhlIHNhbXBsZSBub25jZQ==", b"Key: short", b"HTTP/1.1 400 Bad Request"),
            (b"GET", b"POST", b"HTTP/1.1 405 Method Not Allowed"),
        ],
    )
    async def test_a_wrong_handshake_is_refused(self, old: bytes, new: bytes, status: bytes) -> None:
        async with site() as here:
            assert await status_of(here, HANDSHAKE.replace(old, new)) == status
            assert here.handler.opened_ == []

    async def test_compression_is_not_negotiated(self) -> None:
        async with site() as here:
            peer = await here.connect()
            peer.send(HANDSHAKE[:-2], b"Sec-WebSocket-Extensions: permessage-deflate\r\n\r\n")
            head = await peer.until(peer.reader.readuntil(b"\r\n\r\n"))
            assert b"101" in head
            assert b"Extensions" not in head

    @pytest.mark.parametrize(
        ("origin", "status"),
        [
            (b"", b"HTTP/1.1 101 Switching Protocols"),
            (b"Origin: https://play.example\r\n", b"HTTP/1.1 101 Switching Protocols"),
            (b"Origin: https://evil.example\r\n", b"HTTP/1.1 403 Forbidden"),
        ],
    )
    async def test_an_allow_list_keeps_other_pages_out(self, origin: bytes, status: bytes) -> None:
        async with site(origins=["https://play.example"]) as here:
            peer = await here.connect()
            peer.send(HANDSHAKE[:-2], origin, b"\r\n")
            assert (await peer.until(peer.reader.readline())).rstrip() == status

    async def test_any_page_may_connect_without_a_list(self) -> None:
        async with site() as here:
            peer = await here.connect()
            peer.send(HANDSHAKE[:-2], b"Origin: https://any.example\r\n\r\n")
            assert b"101" in await peer.until(peer.reader.readline())


class TestCrowds:
    async def test_a_line_beyond_the_limit_is_told_to_come_back_later(self) -> None:
        async with site(limits=Limits(connections=2)) as here:
            for _ in range(2):
                await here.open()
            assert await status_of(here, HANDSHAKE) == b"HTTP/1.1 503 Service Unavailable"
            assert here.traffic.refused == 1

    async def test_one_address_has_so_many_websockets_and_pages_all_the_same(self) -> None:
        async with site(limits=Limits(per_address=2)) as here:
            peers = [(await here.open())[0] for _ in range(2)]
            assert await status_of(here, HANDSHAKE) == b"HTTP/1.1 429 Too Many Requests"
            assert here.traffic.refused == 1
            assert await status_of(here, GET % b"/api/rooms") == b"HTTP/1.1 200 OK"
            peers[0].writer.transport.abort()
            await until(lambda: here.listener.connections == 1)
            await here.open()

    async def test_an_address_gets_so_many_pages_a_second_and_probes_always(self) -> None:
        time = ManualTime()
        async with site(time, limits=Limits(gets_per_s=2)) as here:
            for _ in range(2):
                assert await status_of(here, GET % b"/api/rooms") == b"HTTP/1.1 200 OK"
            assert await status_of(here, GET % b"/api/rooms") == b"HTTP/1.1 429 Too Many Requests"
            assert await status_of(here, GET % b"/readyz") == b"HTTP/1.1 200 OK"
            assert here.handler.gets == [("/api/rooms", ""), ("/api/rooms", ""), ("/readyz", "")]
            time.advance(1_000)
            assert await status_of(here, GET % b"/api/rooms") == b"HTTP/1.1 200 OK"

    async def test_a_line_that_ends_makes_room(self) -> None:
        async with site(limits=Limits(connections=1)) as here:
            peer, _ = await here.open()
            peer.writer.transport.abort()
            await until(lambda: here.listener.connections == 0)
            await here.open()
            assert here.listener.connections == 1

    async def test_whoever_was_answered_and_does_not_go_makes_room_for_newcomers(self) -> None:
        async with site(limits=Limits(connections=20)) as here:
            member, _ = await here.open()
            for number in range(60):
                peer = await here.connect()
                peer.send(GET % b"/")
                await until(lambda asked=number + 1: len(here.handler.gets) == asked)
            assert here.traffic.refused == 0
            assert here.traffic.evicted_handshakes >= 40
            await here.open()
            member.send(frame(BINARY, b"still here"))
            await until(lambda: here.handler.messages == [b"still here"])

    async def test_half_open_lines_by_the_hundred_keep_nobody_out(self) -> None:
        async with site(limits=Limits(handshakes=50)) as here:
            idlers = [await here.connect() for _ in range(300)]
            for idler in idlers:
                idler.send(HANDSHAKE[:40])
            await here.open()
            assert here.listener.handshakes <= 50
            assert here.traffic.evicted_handshakes >= 250
            assert await idlers[0].rest() == b""

    async def test_half_open_lines_of_one_address_do_not_push_out_another(self) -> None:
        async with site(limits=Limits(handshakes=50)) as here:
            elsewhere = await asyncio.open_connection("127.0.0.1", here.listener.port, local_addr=("127.0.0.2", 0))
            slow = Peer(*elsewhere)
            slow.send(HANDSHAKE[:40])
            await until(lambda: here.listener.handshakes == 1)
            idlers = [await here.connect() for _ in range(100)]
            assert await idlers[0].rest() == b""
            slow.send(HANDSHAKE[40:])
            assert b"101" in await slow.until(slow.reader.readline())
            slow.writer.transport.abort()

    async def test_a_handshake_that_takes_too_long_is_cut(self) -> None:
        time = ManualTime()
        async with site(time) as here:
            peer = await here.connect()
            peer.send(HANDSHAKE[:-1])
            await until(lambda: here.listener.handshakes == 1)
            time.advance(4_999)
            assert here.listener.handshakes == 1
            time.advance(1)
            assert await peer.rest() == b""
            assert here.listener.handshakes == 0

    async def test_an_open_websocket_is_not_cut_by_the_handshakes_time(self) -> None:
        time = ManualTime()
        async with site(time) as here:
            peer, _ = await here.open()
            time.advance(6_000)
            peer.send(frame(BINARY, b"still here"))
            await until(lambda: here.handler.messages == [b"still here"])


class TestClosing:
    async def test_what_is_queued_goes_before_the_close_frame_in_one_write(self) -> None:
        async with site() as here:
            peer, connection = await here.open()
            writes = here.traffic.writes
            connection.send(b"last words")
            connection.close(4001, "because")
            connection.send(b"too late")
            assert await peer.frame() == (BINARY, b"last words")
            assert await peer.frame() == (CLOSE, (4001).to_bytes(2, "big") + b"because")
            assert here.traffic.writes == writes + 1
            peer.send(frame(CLOSE, (4001).to_bytes(2, "big")))
            assert await peer.rest() == b""
            await until(lambda: here.handler.closed_ == [connection])

    async def test_messages_after_our_close_frame_are_not_delivered(self) -> None:
        async with site() as here:
            peer, connection = await here.open()
            connection.close(1000, "")
            connection.close(1001, "only the first counts")
            peer.send(frame(BINARY, b"late"), frame(CLOSE, b"\x03\xe8"))
            assert await peer.closed() == (1000, "")
            assert here.handler.messages == []

    async def test_a_peer_that_does_not_answer_the_close_frame_is_cut(self) -> None:
        time = ManualTime()
        async with site(time) as here:
            peer, connection = await here.open()
            connection.close(1000, "")
            await peer.frame()
            time.advance(4_999)
            assert here.handler.closed_ == []
            time.advance(1)
            assert await peer.rest() == b""
            await until(lambda: here.handler.closed_ == [connection])

    async def test_a_peer_that_never_closes_its_side_is_cut(self) -> None:
        time = ManualTime()
        async with site(time) as here:
            peer, connection = await here.open()
            peer.send(frame(TEXT, b"no"))
            assert await peer.closed() == (1003, "messages are binary")
            peer.send(b"and on it talks")
            time.advance(4_999)
            assert here.handler.closed_ == []
            time.advance(1)
            await until(lambda: here.handler.closed_ == [connection])

    async def test_a_reason_of_any_length_fits(self) -> None:
        async with site() as here:
            peer, connection = await here.open()
            connection.close(1000, "ä" * 100)
            assert await peer.frame() == (CLOSE, b"\x03\xe8" + "ä".encode() * 60)

    @pytest.mark.parametrize("said", [b"", frame(BINARY, b"half")[:-2], frame(BINARY, b"a", fin=False)])
    async def test_the_end_of_the_stream_at_any_point_ends_the_connection(self, said: bytes) -> None:
        async with site() as here:
            peer, connection = await here.open()
            connection.send(b"queued")
            peer.send(said)
            peer.writer.write_eof()
            assert await peer.rest() == build_frame(b"queued")
            await until(lambda: here.handler.closed_ == [connection])
            assert here.listener.connections == 0

    async def test_a_reset_line_is_closed_once(self) -> None:
        async with site() as here:
            peer, connection = await here.open()
            peer.writer.transport.abort()
            await until(lambda: here.handler.closed_ == [connection])
            connection.send(b"nobody hears")
            connection.close(1000, "nobody cares")
            assert here.handler.closed_ == [connection]

    async def test_stopping_closes_everybody(self) -> None:
        async with site() as here:
            peer, _ = await here.open()
            other = await here.connect()
            peer.send(frame(CLOSE, b"\x03\xe9"))
            await here.listener.stop(reason="restart")
            assert (await peer.closed())[0] == CLOSE_GOING_AWAY
            assert await other.rest() == b""
            with pytest.raises(ConnectionError):
                await here.connect()

    async def test_stopping_does_not_wait_for_those_who_do_not_answer(self) -> None:
        async with site() as here:
            _, connection = await here.open()
            await here.listener.stop(timeout_s=0.01)
            await until(lambda: here.handler.closed_ == [connection])


class TestKeepingAlive:
    def test_the_time_between_pings_doubles_and_differs_between_connections(self) -> None:
        limits = Limits()
        assert [limits.ping_after(answers) for answers in range(7)] == [500, 1000, 2000, 4000, 8000, 10_000, 10_000]
        times_ms = {limits.ping_after(9, connection) for connection in range(1000)}
        assert len(times_ms) == 64
        assert 7_500 < min(times_ms) < max(times_ms) == 10_000

    async def test_pings_come_often_at_first_and_the_median_of_the_last_eight_is_handed_on(self) -> None:
        time = ManualTime()
        async with site(time) as here:
            peer, connection = await here.open()
            trips = (90, 10, 30, 20, 50, 40, 70, 60, 200, 210)
            for number, (trip, before) in enumerate(zip(trips, (0, *trips), strict=False)):
                time.advance(Limits().ping_after(number, connection.id) - before)
                opcode, payload = await peer.frame()
                assert opcode == PING
                time.advance(trip)
                peer.send(frame(PONG, payload))
                await until(lambda number=number: len(here.handler.measured_) == number + 1)
            assert here.handler.measured_ == [90, 10, 30, 20, 30, 30, 40, 40, 40, 50]

    async def test_only_the_answer_to_the_ping_under_way_counts_and_once(self) -> None:
        time = ManualTime()
        async with site(time) as here:
            peer, connection = await here.open()
            ping_ms = Limits().ping_after(0, connection.id)
            peer.send(frame(PONG, (time.now() + ping_ms).to_bytes(8, "big")), frame(BINARY, b"guessed before"))
            await until(lambda: len(here.handler.messages) == 1)
            time.advance(ping_ms)
            _, payload = await peer.frame()
            time.advance(30)
            peer.send(frame(PONG), frame(PONG, b"not it"), frame(PONG, payload[::-1]), frame(BINARY, b"wrong"))
            await until(lambda: len(here.handler.messages) == 2)
            assert here.handler.measured_ == []
            peer.send(frame(PONG, payload), frame(PONG, payload), frame(BINARY, b"twice"))
            await until(lambda: len(here.handler.messages) == 3)
            assert here.handler.measured_ == [30]

    async def test_a_slow_line_is_measured_not_closed(self) -> None:
        time = ManualTime()
        async with site(time) as here:
            peer, connection = await here.open()
            time.advance(Limits().ping_after(0, connection.id))
            _, payload = await peer.frame()
            time.advance(14_999)
            peer.send(frame(PONG, payload))
            await until(lambda: here.handler.measured_ == [14_999])
            assert here.traffic.idle_peers == 0
            time.advance(1_000)
            assert (await peer.frame())[0] == PING

    async def test_a_peer_that_answers_no_ping_is_closed(self) -> None:
        time = ManualTime()
        async with site(time) as here:
            peer, connection = await here.open()
            time.advance(500)
            time.advance(15_000)
            assert (await peer.frame())[0] == PING
            assert await peer.frame() == (CLOSE, CLOSE_IDLE.to_bytes(2, "big") + b"no answer to a ping")
            time.advance(5_000)
            await until(lambda: here.handler.closed_ == [connection])
            assert here.traffic.idle_peers == 1

    async def test_an_answer_that_comes_after_the_close_does_not_keep_the_line(self) -> None:
        time = ManualTime()
        async with site(time) as here:
            peer, connection = await here.open()
            time.advance(500)
            _, payload = await peer.frame()
            connection.close(1000, "")
            peer.send(frame(PONG, payload))
            assert (await peer.frame())[0] == CLOSE
            time.advance(5_000)
            await until(lambda: here.handler.closed_ == [connection])
            assert here.handler.measured_ == []

    async def test_a_peer_that_is_not_read_from_is_not_blamed_for_its_silence(self) -> None:
        time = ManualTime()
        async with site(time) as here:
            here.handler.on_received = lambda connection, message: 60_000
            peer, _ = await here.open()
            peer.send(frame(BINARY, b"a"))
            await until(lambda: len(here.handler.messages) == 1)
            time.advance(59_999)
            assert here.traffic.idle_peers == 0
            for _ in range(4):
                opcode, payload = await peer.frame()
                assert opcode == PING
            peer.send(frame(PONG, payload))
            time.advance(1)
            await until(lambda: len(here.handler.measured_) == 1)
