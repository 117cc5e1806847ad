"""Writing to many connections at once: each gets its frames in order, once, whatever the others are like."""

import gc
import os
import socket
import subprocess
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import ExitStack, closing, suppress
from copy import copy
from typing import Any, TypeAlias

import pytest
from hypothesis import given
from hypothesis import strategies as st

from warroom_server.adapters.websocket.connection import python_write_each

Twin: TypeAlias = Callable[[Iterable[Any]], tuple[list[Any], int, int]]
IDLE = ("open", "full", "left", "encrypted")
LATE = ("lost", "closed", "buffered", "closing", "empty")
NOT_OPEN = 2**30
"""A descriptor that no socket made here can get, unlike one that has just been closed."""


def c_write_each(connections: Iterable[Any]) -> tuple[list[Any], int, int]:
    from warroom_protocol import speedups

    return speedups.write_each(connections)


@pytest.fixture(scope="module", params=[python_write_each, c_write_each], ids=["python", "c"])
def write_each(request: pytest.FixtureRequest) -> Twin:
    """Return the specification, and the same in C."""
    twin: Twin = request.param
    return twin


class Wire:
    """A transport: it keeps what its socket does not take."""

    def __init__(self, near: socket.socket) -> None:
        self.near = near
        self.writes: list[bytes] = []
        self.unsent = b""
        self.is_closed = False

    def is_closing(self) -> bool:
        return self.is_closed

    def get_write_buffer_size(self) -> int:
        return len(self.unsent)

    def write(self, data: bytes) -> None:
        self.writes.append(data)
        self.unsent += data
        self.pump()

    def pump(self) -> None:
        """Send as much as the socket takes; a broken one takes nothing."""
        with suppress(OSError):
            while self.unsent:
                self.unsent = self.unsent[self.near.send(self.unsent) :]


class Line:
    """A connection of the server, and the client at its other end."""

    def __init__(self, kind: str = "open", frames: Iterable[bytes] = (b"news",)) -> None:
        self.near, self.far = socket.socketpair()
        self.near.setblocking(False)
        self.far.setblocking(False)
        self.kind = kind
        self.before = b""
        self.wire = Wire(self.near)
        self.transport: Any = None if kind == "lost" else self.wire
        self.wire.is_closed = kind == "closed"
        self.is_closing: Any = kind == "closing"
        self.fd: Any = -1 if kind == "encrypted" else self.near.fileno()
        self.out: Any = None if kind == "empty" else [*frames] or None
        self.counted = 0, 0
        if kind == "full":
            self._fill()
        elif kind == "left":
            self.far.close()
        elif kind == "buffered":
            self.before = self.wire.unsent = b"before"

    def _fill(self) -> None:
        with suppress(BlockingIOError):
            while True:
                self.before += b"x" * self.near.send(b"x" * 4096)

    def flush(self) -> None:
        """Write as a connection does for itself."""
        out, self.out = self.out, None
        if out and self.transport is not None and not self.transport.is_closing():
            self.counted = len(out), len(b"".join(out))
            self.transport.write(b"".join(out))

    def received(self) -> bytes:
        """Return what arrives since the line was made, until the transport has nothing left."""
        data = b""
        self.wire.pump()
        with suppress(BlockingIOError):
            while self.far.fileno() >= 0 and (piece := self.far.recv(1 << 20)):
                data += piece
                self.wire.pump()
        assert data.startswith(self.before)
        return data[len(self.before) :]

    def close(self) -> None:
        self.near.close()
        self.far.close()


@pytest.fixture
def open_line() -> Iterator[Callable[..., Line]]:
    with ExitStack() as lines:
        yield lambda *arguments: lines.enter_context(closing(Line(*arguments)))


OpenLine: TypeAlias = Callable[..., Line]


def test_every_connection_gets_its_frames_and_none_is_left(write_each: Twin, open_line: OpenLine) -> None:
    lines = [open_line("open", [b"a%d" % number, b"bb", b"", b"ccc"]) for number in range(50)]
    late, frames, size = write_each(iter(lines))
    assert (late, frames) == ([], 200)
    assert size == sum(len(b"a%dbbccc" % number) for number in range(50))
    assert [line.out for line in lines] == [None] * 50
    assert [line.received() for line in lines] == [b"a%dbbccc" % number for number in range(50)]


def test_nobody_is_written_nothing(write_each: Twin) -> None:
    assert write_each([]) == ([], 0, 0)


@pytest.mark.parametrize("kind", LATE)
def test_who_cannot_be_written_to_now_is_left_as_it_is(write_each: Twin, open_line: OpenLine, kind: str) -> None:
    lines = [open_line(), open_line(kind), open_line()]
    queued = copy(lines[1].out)
    assert write_each(lines) == ([lines[1]], 2, 8)
    assert lines[1].out == queued
    assert lines[1].wire.writes == []
    assert [line.received() for line in lines] == [b"news", b"", b"news"]


@pytest.mark.parametrize("kind", IDLE)
def test_what_a_socket_does_not_take_is_left_to_its_transport(write_each: Twin, open_line: OpenLine, kind: str) -> None:
    lines = [open_line(), open_line(kind, [b"a", b"bb"]), open_line()]
    late, frames, size = write_each(lines)
    for line in late:
        assert line is lines[1]
        assert line.out == ([b"abb"] if kind != "encrypted" else [b"a", b"bb"])
        line.flush()
    assert frames + lines[1].counted[0] == 4
    assert size + lines[1].counted[1] == 11
    assert lines[1].wire.writes in ([], [b"abb"])
    assert [line.received() for line in lines] == [b"news", b"abb" if kind != "left" else b"", b"news"]


def test_an_encrypted_connection_is_never_passed_by(write_each: Twin, open_line: OpenLine) -> None:
    line = open_line("encrypted")
    for late in write_each([line])[0]:
        late.flush()
    assert line.wire.writes == [b"news"]


def test_a_socket_that_takes_a_part_gets_the_rest_after_it(write_each: Twin, open_line: OpenLine) -> None:
    sent = [os.urandom(3 << 20) for _ in range(3)]
    line = open_line("open", sent)
    late, frames, size = write_each([line])
    if late:
        (rest,) = line.out
        assert (frames, size) == (2, (9 << 20) - len(rest))
        assert size > 0
    line.out = [*(line.out or ()), b"last"]
    line.flush()
    assert line.received() == b"".join(sent) + b"last"


def test_a_connection_named_twice_is_written_to_once(write_each: Twin, open_line: OpenLine) -> None:
    line = open_line()
    assert write_each([line, line]) == ([line], 1, 4)
    assert line.received() == b"news"


def test_who_has_no_descriptor_though_its_transport_is_open_is_left(open_line: OpenLine) -> None:
    line = open_line()
    line.fd = NOT_OPEN
    assert c_write_each([line]) == ([line], 0, 0)
    assert line.out == [b"news"]


@given(st.lists(st.tuples(st.sampled_from(IDLE + LATE), st.lists(st.binary(max_size=64), max_size=4)), max_size=8))
def test_in_the_end_both_have_written_and_counted_the_same(wanted: list[tuple[str, list[bytes]]]) -> None:
    ends = []
    twins: tuple[Any, ...] = (python_write_each, c_write_each)
    for twin in twins:
        with ExitStack() as stack:
            lines = [stack.enter_context(closing(Line(kind, frames))) for kind, frames in wanted]
            late, frames, size = twin(lines)
            for line in late:
                line.flush()
            total = frames + sum(line.counted[0] for line in lines), size + sum(line.counted[1] for line in lines)
            ends.append((total, [(line.out, line.received()) for line in lines]))
    assert ends[0] == ends[1]


# --- what it is given -------------------------------------------------------------------------------------------


def fail(*_: object) -> Any:
    raise LookupError("broken")


class Broken:
    __bool__ = fail


def break_line(line: Line, how: str) -> None:
    match how:
        case "text":
            line.out = ["text"]
        case "text behind bytes":
            line.out = [b"news", "text"]
        case "no list":
            line.out = 7
        case "no queue":
            del line.out
        case "truth":
            line.is_closing = Broken()
        case "closing":
            line.transport.is_closing = fail
        case "size":
            line.transport.get_write_buffer_size = fail
        case _:
            line.transport = object()


BREAKS = ("text", "text behind bytes", "no list", "no queue", "truth", "closing", "size", "foreign")


@pytest.mark.parametrize("how", BREAKS)
def test_an_error_costs_no_other_connection_its_frames(write_each: Twin, open_line: OpenLine, how: str) -> None:
    lines = [open_line(), open_line(), open_line()]
    break_line(lines[1], how)
    with pytest.raises((TypeError, AttributeError, LookupError)):
        write_each(lines)
    assert [lines[0].out, lines[2].out] == [None, [b"news"]]
    assert [line.received() for line in lines] == [b"news", b"", b""]


@pytest.mark.parametrize("fd", ["one", None, 2**40, 2**80, -(2**80), 1.5])
def test_what_is_no_descriptor_is_a_programmers_mistake(open_line: OpenLine, fd: object) -> None:
    line = open_line()
    line.fd = fd
    with pytest.raises((TypeError, OverflowError)):
        c_write_each([line])
    assert line.out == [b"news"]


@pytest.mark.parametrize("connections", [None, 1, [None]])
def test_what_is_no_connection_is_a_programmers_mistake(write_each: Twin, connections: Any) -> None:
    with pytest.raises((TypeError, AttributeError)):
        write_each(connections)


def test_a_transport_that_is_dropped_meanwhile_lives_until_its_bytes_are_sent(open_line: OpenLine) -> None:
    """Not even its finalizer, which closes the descriptor, may run between the question and the send."""

    class Closer(Wire):
        def __del__(self) -> None:
            self.near.close()

    first, second = lines = [open_line(), open_line()]
    first.wire = first.transport = Closer(first.near)
    del first.wire

    def meddle() -> bool:
        lines.clear()
        first.transport, first.out = None, None
        gc.collect()
        return False

    second.wire.is_closing = meddle  # type: ignore[method-assign]
    assert c_write_each(lines) == ([], 2, 8)
    assert first.far.recv(10) == b"news"
    assert first.near.fileno() == -1


JUNK = st.sampled_from([None, False, True, 0, 7, -1, NOT_OPEN, 2**31, 2**80, 1.5, "text", b"", b"news", (), Broken()])
QUEUES = st.lists(st.binary(max_size=8) | JUNK, max_size=5) | JUNK


@given(st.lists(st.tuples(QUEUES, JUNK, JUNK, JUNK, st.sampled_from(IDLE + LATE), st.sets(st.integers(0, 3)))))
def test_c_survives_whatever_its_connections_are(wanted: list[tuple[Any, Any, Any, Any, str, set[int]]]) -> None:
    with ExitStack() as stack:
        lines = []
        for *junk, kind, odd in wanted:
            line = stack.enter_context(closing(Line(kind)))
            for index in odd:
                # A small number could be a descriptor of this process.
                is_own = index == 1 and isinstance(junk[1], int) and 0 <= junk[1] < NOT_OPEN
                setattr(line, ("out", "fd", "is_closing", "transport")[index], NOT_OPEN if is_own else junk[index])
            lines.append(line)
        with suppress(TypeError, AttributeError, LookupError, OverflowError):
            late, _, _ = c_write_each(lines)
            assert all(any(line is other for other in lines) for line in late)


def test_c_raises_no_signal_even_where_one_would_kill() -> None:
    code = """
import signal, socket
from types import SimpleNamespace
from warroom_protocol.speedups import write_each
signal.signal(signal.SIGPIPE, signal.SIG_DFL)
near, far = socket.socketpair()
far.close()
transport = SimpleNamespace(is_closing=lambda: False, get_write_buffer_size=lambda: 0)
line = SimpleNamespace(fd=near.fileno(), out=[b"news"], is_closing=False, transport=transport)
print(write_each([line]) == ([line], 0, 0), line.out)
"""
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert (run.stdout, run.stderr) == ("True [b'news']\n", "")
