"""Queuing a frame for many connections at once: what the Python function does, and the one in C as well."""

from collections.abc import Callable
from typing import Any, TypeAlias

import pytest
from hypothesis import given
from hypothesis import strategies as st

from warroom_server.adapters.websocket.connection import python_queue_each

Twin: TypeAlias = Callable[[bytes, Any, Any], list[Any]]


def c_queue_each(data: bytes, connections: Any, due: Any) -> list[Any]:
    from warroom_protocol import speedups

    return speedups.queue_each(data, connections, due)


@pytest.fixture(scope="module", params=[python_queue_each, c_queue_each], ids=["python", "c"])
def queue_each(request: pytest.FixtureRequest) -> Twin:
    """Return the specification, and the same in C."""
    twin: Twin = request.param
    return twin


class Line:
    """A connection as far as queuing is concerned."""

    def __init__(self, *queued: bytes, is_closing: bool = False, is_congested: bool = False) -> None:
        self.out = list(queued)
        self.is_closing = is_closing
        self.is_congested = is_congested


def test_who_had_nothing_queued_becomes_due(queue_each: Twin) -> None:
    idle, busy = Line(), Line(b"first")
    due: list[Line] = [busy]
    assert queue_each(b"frame", [idle, busy], due) == []
    assert (idle.out, busy.out, due) == ([b"frame"], [b"first", b"frame"], [busy, idle])


def test_a_congested_connection_gets_nothing_and_is_returned(queue_each: Twin) -> None:
    slow, fine = Line(is_congested=True), Line()
    due: list[Line] = []
    assert queue_each(b"frame", (slow, fine), due) == [slow]
    assert (slow.out, fine.out, due) == ([], [b"frame"], [fine])


def test_a_closing_connection_gets_nothing(queue_each: Twin) -> None:
    closing, due = Line(is_closing=True), list[Line]()
    assert queue_each(b"frame", [closing], due) == []
    assert (closing.out, due) == ([], [])


@pytest.mark.parametrize("connections", [None, [None], [Line(), object()]])
def test_what_is_no_connection_is_a_programmers_mistake(queue_each: Twin, connections: Any) -> None:
    with pytest.raises((AttributeError, TypeError)):
        queue_each(b"frame", connections, [])


@given(st.lists(st.tuples(st.booleans(), st.booleans(), st.lists(st.binary(max_size=2), max_size=2))))
def test_both_do_the_same(kinds: list[tuple[bool, bool, list[bytes]]]) -> None:
    found = []
    twins: tuple[Twin, ...] = (python_queue_each, c_queue_each)  # type: ignore[assignment]
    for twin in twins:
        lines = [Line(*queued, is_closing=closing, is_congested=slow) for closing, slow, queued in kinds]
        due: list[Any] = []
        left = twin(b"frame", lines, due)
        found.append([[line.out for line in lines], list(map(lines.index, due)), list(map(lines.index, left))])
    assert found[0] == found[1]
