"""The loops that the tests of this folder run on, and little nodes for them."""

from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import pytest
from little_node import FickleStore, LittleNode
from loops import pytest_asyncio_loop_factories
from manual_time import ManualTime

__all__ = ["pytest_asyncio_loop_factories"]


@pytest.fixture
def time() -> ManualTime:
    """Return the clock of every node of a test."""
    return ManualTime()


@pytest.fixture
def store(time: ManualTime) -> FickleStore:
    """Return the store that the nodes of a test share."""
    return FickleStore(time)


@pytest.fixture
async def new_node(store: FickleStore, time: ManualTime) -> AsyncIterator[Callable[..., Awaitable[LittleNode]]]:
    """Return what starts nodes on the shared store; all are stopped after the test."""
    nodes: list[LittleNode] = []

    async def start(**settings: Any) -> LittleNode:
        node = LittleNode(store, time, **settings)
        nodes.append(node)
        await node.start()
        return node

    yield start
    for node in nodes:
        await node.stop()


@pytest.fixture
async def node(new_node: Callable[..., Awaitable[LittleNode]]) -> LittleNode:
    """Return a running node."""
    return await new_node()
