"""Queuing a payload for many connections at once: what the Python function does, and the one in C as well."""

from collections.abc import Callable
from typing import Any, TypeAlias

import pytest
from hypothesis import given
from hypothesis import strategies as st

from warroom_protocol.frames import frame
from warroom_server.adapters.websocket.connection import python_broadcast

Twin: TypeAlias = Callable[[Any, Any], Any]
FRAME = frame(b"news")


def c_broadcast(payload: Any, connections: Any) -> Any:
    from warroom_protocol import speedups

    return speedups.broadcast(payload, connections)


@pytest.fixture(scope="module", params=[python_broadcast, c_broadcast], ids=["python", "c"])
def broadcast(request: pytest.FixtureRequest) -> Twin:
    """Return the specification, and the same in C."""
    twin: Twin = request.param
    return twin


class ShellDouble:
    """The part of a listener that the connections share."""

    def __init__(self) -> None:
        self.due: list[Any] = []
        self.is_flush_due = False
        self.flushes = 0

    def flush_soon(self) -> None:
        self.flushes += 1


class Line:
    """A connection as far as queuing is concerned."""

    def __init__(
        self, shell: ShellDouble, *queued: bytes, is_closing: bool = False, is_congested: bool = False
    ) -> None:
        self.shell = shell
        self.out = list(queued) or None
        self.is_closing = is_closing
        self.is_congested = is_congested


@pytest.fixture
def shell() -> ShellDouble:
    return ShellDouble()


def test_who_had_nothing_queued_becomes_due(broadcast: Twin, shell: ShellDouble) -> None:
    idle, busy = Line(shell), Line(shell, b"first")
    shell.due.append(busy)
    assert broadcast(b"news", [idle, busy]) == []
    assert (idle.out, busy.out, shell.due) == ([FRAME], [b"first", FRAME], [busy, idle])


def test_one_flush_is_scheduled_for_all_that_is_queued_in_a_turn(broadcast: Twin, shell: ShellDouble) -> None:
    lines = [Line(shell), Line(shell)]
    broadcast(b"news", lines)
    broadcast(b"more news", lines)
    assert shell.flushes == 1


def test_nothing_is_scheduled_where_nothing_is_queued(broadcast: Twin, shell: ShellDouble) -> None:
    assert broadcast(b"news", [Line(shell, is_closing=True)]) == []
    assert broadcast(b"news", []) == []
    assert shell.flushes == 0


def test_a_congested_connection_gets_nothing_and_is_returned(broadcast: Twin, shell: ShellDouble) -> None:
    slow, fine = Line(shell, is_congested=True), Line(shell)
    assert broadcast(b"news", (slow, fine)) == [slow]
    assert (slow.out, fine.out, shell.due) == (None, [FRAME], [fine])


def test_a_closing_connection_gets_nothing(broadcast: Twin, shell: ShellDouble) -> None:
    closing, fine = Line(shell, is_closing=True), Line(shell)
    assert broadcast(b"news", [closing, fine]) == []
    assert (closing.out, fine.out, shell.due) == (None, [FRAME], [fine])


@pytest.mark.parametrize("connections", [7, [None], "a"])
def test_what_is_no_connection_is_a_programmers_mistake(broadcast: Twin, connections: Any) -> None:
    with pytest.raises((AttributeError, TypeError)):
        broadcast(b"news", connections)


@pytest.mark.parametrize("payload", [None, "news"])
def test_what_is_no_payload_is_a_programmers_mistake(broadcast: Twin, shell: ShellDouble, payload: Any) -> None:
    with pytest.raises(TypeError):
        broadcast(payload, [Line(shell)])


@given(st.lists(st.tuples(st.booleans(), st.booleans(), st.lists(st.binary(max_size=2), max_size=2))), st.booleans())
def test_both_do_the_same(kinds: list[tuple[bool, bool, list[bytes]]], is_flush_due: bool) -> None:
    found = []
    twins: tuple[Twin, ...] = (python_broadcast, c_broadcast)
    for twin in twins:
        shell = ShellDouble()
        shell.is_flush_due = is_flush_due
        lines = [Line(shell, *queued, is_closing=closing, is_congested=slow) for closing, slow, queued in kinds]
        left = twin(b"news", lines)
        due = [lines.index(line) for line in shell.due]
        found.append(([line.out for line in lines], due, [lines.index(line) for line in left], shell.flushes))
    assert found[0] == found[1]
