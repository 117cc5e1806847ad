"""Requests that wait for the store: each is answered once, whatever happens, and only so many wait."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest
from small_node import LittleNode, NotedConnection

from warroom_protocol import codes
from warroom_protocol.codec import encode
from warroom_protocol.messages import Done, Error
from warroom_server.hosting.store_requests import RequestTasks
from warroom_server.ports.store import Trouble, UnavailableError


async def found() -> bytes:
    return encode(Done(1))


async def nothing_yet() -> None:
    return None


async def away() -> bytes:
    raise UnavailableError("it is away", Trouble.AWAY)


async def buggy() -> bytes:
    raise ZeroDivisionError("planted")


def answers(connection: NotedConnection) -> list[str | None]:
    """Return the codes of all answers; None for one without an error."""
    return [message.code if isinstance(message, Error) else None for message in connection.messages[1:]]


@pytest.mark.parametrize(
    ("find", "answer"),
    [
        pytest.param(found, [None], id="an answer"),
        pytest.param(nothing_yet, [], id="an answer that comes later in another way"),
        pytest.param(away, [codes.STORE_UNAVAILABLE], id="no store"),
        pytest.param(buggy, [codes.INTERNAL], id="a bug"),
    ],
)
async def test_a_request_is_answered_once(
    node: LittleNode, find: Callable[[], Awaitable[bytes | None]], answer: list[str | None]
) -> None:
    ada = node.greet()
    requests = RequestTasks(node.connections, limit=1)
    task = requests.begin(ada.id, 1, find)
    assert task is not None
    await asyncio.wait([task])
    await asyncio.sleep(0)
    assert (answers(ada), len(requests)) == (answer, 0)


async def test_one_request_too_many_is_refused_at_once_and_not_begun(node: LittleNode) -> None:
    ada = node.greet()
    requests = RequestTasks(node.connections, limit=1)
    assert requests.begin(ada.id, 1, found) is not None
    assert requests.begin(ada.id, 2, buggy) is None
    assert answers(ada) == [codes.STORE_UNAVAILABLE]
    await requests.close()
    assert len(requests) == 0
