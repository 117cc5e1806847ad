"""Sending past the transports: each socket gets a beginning of its bytes, and what it did not take is told."""

import os
import socket
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import closing
from typing import NamedTuple, TypeAlias

import pytest
from hypothesis import given
from hypothesis import strategies as st

from warroom_server.adapters.websocket.socket_writes import python_send_each, python_send_many

Unsent: TypeAlias = list[tuple[int, int]]
NOT_OPEN = 2**30
"""A descriptor that no socket made here can get, unlike one that has just been closed."""
KINDS = ("open", "full", "left", "closed", "none")


class Twin(NamedTuple):
    """The functions in one of their two languages."""

    send_many: Callable[[Iterable[int], bytes], Unsent]
    send_each: Callable[[Iterable[int], Iterable[bytes]], Unsent]


@pytest.fixture(scope="module", params=["python", "c"])
def twin(request: pytest.FixtureRequest) -> Twin:
    """Return the specification, and the same in C."""
    if request.param == "python":
        return Twin(python_send_many, python_send_each)
    from warroom_protocol import speedups

    return Twin(speedups.send_many, speedups.send_each)


class Line:
    """A socket of the server, and the client at its other end."""

    def __init__(self, kind: str = "open") -> None:
        self.near, self.far = socket.socketpair()
        self.near.setblocking(False)
        self.far.setblocking(False)
        self.fd = self.near.fileno()
        self.before = b""
        if kind == "full":
            self._fill()
        elif kind == "left":
            self.far.close()
        elif kind == "none":
            self.fd = -1
        elif kind == "closed":
            self.fd = NOT_OPEN
        self.has_room = kind == "open"

    def _fill(self) -> None:
        while True:
            try:
                self.before += b"x" * self.near.send(b"x" * 4096)
            except BlockingIOError:
                return

    def received(self) -> bytes:
        """Return what arrived since the line was made."""
        pieces = []
        try:
            while self.far.fileno() >= 0 and (piece := self.far.recv(1 << 20)):
                pieces.append(piece)
        except BlockingIOError:
            pass
        data = b"".join(pieces)
        assert data.startswith(self.before)
        return data[len(self.before) :]

    def close(self) -> None:
        self.near.close()
        self.far.close()


@pytest.fixture
def line() -> Iterator[Line]:
    with closing(Line()) as line:
        yield line


def test_every_socket_gets_the_bytes_and_nothing_is_left(twin: Twin) -> None:
    lines = [Line() for _ in range(50)]
    assert twin.send_many([line.fd for line in lines], b"news") == []
    assert [line.received() for line in lines] == [b"news"] * 50
    for line in lines:
        line.close()


def test_nobody_is_sent_nothing(twin: Twin) -> None:
    assert twin.send_many([], b"news") == []
    assert twin.send_each([], []) == []


def test_a_socket_that_takes_a_part_is_told_with_its_size(twin: Twin, line: Line) -> None:
    data = os.urandom(8 << 20)
    ((index, sent),) = twin.send_many((line.fd,), data)
    assert index == 0
    assert 0 < sent < len(data)
    assert line.received() == data[:sent]


@pytest.mark.parametrize("kind", ["full", "left", "closed", "none"])
def test_a_socket_that_takes_nothing_keeps_no_other_from_its_bytes(twin: Twin, kind: str) -> None:
    lines = [Line(), Line(kind), Line()]
    assert twin.send_many([line.fd for line in lines], b"news") == [(1, 0)]
    assert [line.received() for line in lines] == [b"news", b"", b"news"]
    for line in lines:
        line.close()


def test_each_socket_gets_its_own_bytes(twin: Twin) -> None:
    lines = [Line(), Line("full"), Line()]
    assert twin.send_each([line.fd for line in lines], [b"a", b"bb", b"ccc"]) == [(1, 0)]
    assert [line.received() for line in lines] == [b"a", b"", b"ccc"]
    for line in lines:
        line.close()


@given(st.lists(st.tuples(st.sampled_from(KINDS), st.binary(min_size=1, max_size=64)), max_size=8), st.booleans())
def test_whatever_the_sockets_are_like_what_arrives_is_what_is_told(
    twin: Twin, wanted: list[tuple[str, bytes]], is_large: bool
) -> None:
    lines = [Line(kind) for kind, _ in wanted]
    chunks = [data * (100_000 if is_large else 1) for _, data in wanted]
    unsent = dict(twin.send_each([line.fd for line in lines], chunks))
    for index, (line, data) in enumerate(zip(lines, chunks, strict=True)):
        sent = unsent.get(index, len(data))
        assert line.received() == data[:sent]
        assert (sent > 0) == line.has_room
        line.close()


def test_as_many_data_as_sockets_are_needed(twin: Twin) -> None:
    with pytest.raises(ValueError, match=r"send_each|zip"):
        twin.send_each([-1, -1], [b"a"])


@pytest.mark.parametrize("fds", [["one"], [None], [2**40], [2**80]])
def test_what_is_no_descriptor_is_a_programmers_mistake(twin: Twin, fds: list[int]) -> None:
    with pytest.raises((TypeError, OverflowError)):
        twin.send_many(fds, b"news")


@pytest.mark.parametrize("data", ["text", None, 1])
def test_what_is_no_bytes_is_a_programmers_mistake(twin: Twin, line: Line, data: bytes) -> None:
    with pytest.raises(TypeError):
        twin.send_many([line.fd], data)
    with pytest.raises(TypeError):
        twin.send_each([line.fd], [data])


def test_c_raises_no_signal_even_where_one_would_kill() -> None:
    code = """
import signal, socket
from warroom_protocol.speedups import send_each, send_many
signal.signal(signal.SIGPIPE, signal.SIG_DFL)
near, far = socket.socketpair()
far.close()
print(send_many([near.fileno()], b"news"), send_each([near.fileno()], [b"news"]))
"""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (run.stdout, run.stderr) == ("[(0, 0)] [(0, 0)]\n", "")
