"""Lines that never get to the point: half-open ones by the thousand, slow ones, and requests that are none of ours."""

import resource
import selectors
import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest
from independent_client import Stranger
from process_metrics import gauge, memory_bytes
from raw_websocket import RawLine
from server_process import ServerProcess
from wait_until import until
from websocket_peer import HANDSHAKE

HALF_OPEN = 1_000
SPARE_FILES = 256
PATIENCE_S = 30
MOST_GROWTH_BYTES = 16_000_000
OK, NOT_FOUND, TOO_MANY = 200, 404, 429


@pytest.fixture
def lines() -> Iterator[Callable[[ServerProcess, bytes], socket.socket]]:
    """Return what opens a line and says something on it; all are closed after the test."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = HALF_OPEN + SPARE_FILES
    if soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
    with ExitStack() as stack:

        def connect(server: ServerProcess, said: bytes) -> socket.socket:
            line = stack.enter_context(socket.create_connection(("127.0.0.1", server.port), PATIENCE_S))
            line.sendall(said)
            return line

        yield connect


def _cut(lines: list[socket.socket]) -> int:
    """Return how many lines are at their end."""
    with selectors.DefaultSelector() as selector:
        for line in lines:
            selector.register(line, selectors.EVENT_READ)
        return sum(_is_at_end(key.fileobj) for key, _ in selector.select(0))


def _is_at_end(line: object) -> bool:
    assert isinstance(line, socket.socket)
    try:
        return line.recv(1, socket.MSG_PEEK) == b""
    except ConnectionError:
        return True


def _answer(line: socket.socket) -> bytes:
    """Read an HTTP answer to its end."""
    answer = b""
    while some := line.recv(65_536):
        answer += some
    return answer


def _status(answer: bytes) -> int:
    return int(answer.split(b" ", 2)[1])


async def test_a_thousand_half_open_handshakes_keep_nobody_out(
    server: ServerProcess, lines: Callable[[ServerProcess, bytes], socket.socket]
) -> None:
    memory = memory_bytes(server.pid)
    opened = [lines(server, said) for _ in range(HALF_OPEN // 2) for said in (b"", HANDSHAKE[:-2])]
    ada, bob = Stranger(server.url, "Ada"), Stranger(server.url, "Bob")
    room = ada.ask("create", "graph_battle", 2, {}, {"turn_ms": 60_000})[2]
    for player in (ada, bob):
        assert player.ask("join", room)[0] == "joined"
    assert gauge(server, "handshakes") <= HALF_OPEN
    assert memory_bytes(server.pid) - memory < MOST_GROWTH_BYTES
    await until(lambda: _cut(opened[-2:]) == 2, within_s=PATIENCE_S)  # those of whom the server learned last
    await until(lambda: _cut(opened) == HALF_OPEN, within_s=PATIENCE_S)
    assert gauge(server, "handshakes") == 0
    assert gauge(server, "connections") == 2
    for player in (ada, bob):
        player.close()


async def test_a_head_that_comes_byte_by_byte_is_cut_in_time(
    shared_server: ServerProcess, lines: Callable[[ServerProcess, bytes], socket.socket]
) -> None:
    slow = lines(shared_server, b"GET / HTTP/1.1\r\nHost: localhost\r\nX: ")

    def drip() -> bool:
        try:
            slow.sendall(b"a")
        except ConnectionError:
            return True
        return _cut([slow]) == 1

    await until(drip, within_s=PATIENCE_S)
    assert _is_at_end(slow)


@pytest.mark.parametrize(
    ("request_", "status"),
    [
        pytest.param(b"GET / HTTP/1.1\r\nHost: a\r\nX: " + bytes(9000) + b"\r\n\r\n", 431, id="a giant field"),
        pytest.param(b"GET / HTTP/1.1\r\nHost: a\r\n" + 3000 * b"a: b\r\n", 431, id="fields without end"),
        pytest.param(b"GET /" + 9000 * b"a" + b" HTTP/1.1\r\nHost: a\r\n\r\n", 431, id="a giant path"),
        pytest.param(b"PUT / HTTP/1.1\r\nHost: a\r\n\r\n", 405, id="PUT"),
        pytest.param(b"POST /api/rooms HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nabcd", 405, id="POST"),
        pytest.param(b"GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\n\r\nabcd", 400, id="a GET with a body"),
        pytest.param(b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n", 400, id="two hosts"),
        pytest.param(b"GET / HTTP/9.9\r\nHost: a\r\n\r\n", 400, id="another HTTP"),
        pytest.param(b"GET /../../etc/passwd HTTP/1.1\r\nHost: a\r\n\r\n", 404, id="a path upwards"),
        pytest.param(b"GET /api/replays/%00%ff HTTP/1.1\r\nHost: a\r\n\r\n", 404, id="no code"),
        pytest.param(b"GET /api/rooms?game=%00&phase=x HTTP/1.1\r\nHost: a\r\n\r\n", 400, id="no filter"),
        pytest.param(b"GET http://[ HTTP/1.1\r\nHost: a\r\n\r\n", 400, id="no URL"),
        pytest.param(b"GET /ws HTTP/1.1\r\nHost: a\r\n\r\n", 426, id="no handshake"),
    ],
)
def test_a_request_that_cannot_be_answered_gets_its_status(
    shared_server: ServerProcess,
    lines: Callable[[ServerProcess, bytes], socket.socket],
    request_: bytes,
    status: int,
) -> None:
    assert _status(_answer(lines(shared_server, request_))) == status


def test_paths_by_the_thousand_leave_nothing_behind(
    shared_server: ServerProcess, lines: Callable[[ServerProcess, bytes], socket.socket]
) -> None:
    def ask(number: int) -> int:
        request = b"GET /api/replays/%07d?%d HTTP/1.1\r\nHost: a\r\n\r\n" % (number, number)
        with lines(shared_server, request) as line:
            return _status(_answer(line))

    assert {ask(number) for number in range(200)} <= {NOT_FOUND, TOO_MANY}
    before = memory_bytes(shared_server.pid)
    assert {ask(number) for number in range(200, 1_200)} <= {NOT_FOUND, TOO_MANY}
    assert memory_bytes(shared_server.pid) - before < MOST_GROWTH_BYTES
    with RawLine(shared_server.port) as line:
        assert line.greet()[0] == "welcome"
