"""The loops that the tests of this folder run on, and little nodes for them."""

from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from typing import Any

import pytest
from linked_nodes import meet
from loop_factories import pytest_asyncio_loop_factories
from manual_time import ManualTime
from memory_links import Network
from small_node import GAMES, POOR, FickleStore, LittleNode

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


@pytest.fixture
def network(time: ManualTime) -> Network:
    """Return what links the nodes of a test up."""
    return Network(time)


@pytest.fixture
def neighbours(
    new_node: Callable[..., Awaitable[LittleNode]], network: Network, store: FickleStore
) -> Callable[..., Awaitable[list[LittleNode]]]:
    """Return what starts nodes that know each other; those that are *poor* lack the rules of what tests play."""

    async def start(*names: str, poor: Sequence[str] = ()) -> list[LittleNode]:
        nodes = [await new_node(name=name, network=network, games=POOR if name in poor else GAMES) for name in names]
        for node in nodes:
            await node.renew()
        await meet(nodes, store)
        return nodes

    return start
