"""Links between nodes stay what they are, whoever else answers at an address or knocks."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest
from linked_nodes import let_pass, meet, seat_two, talk
from manual_time import ManualTime
from memory_links import Network, PairedLine
from small_node import FickleStore, LittleNode
from wait_until import until

from warroom_protocol.messages import Paused
from warroom_server.cluster.lease import LEASE_MS
from warroom_server.cluster.peers import STRANGERS, TOGETHER_MS
from warroom_server.ports.store import NodeLease

Neighbours = Callable[..., Awaitable[list[LittleNode]]]
NewNode = Callable[..., Awaitable[LittleNode]]


async def test_a_node_at_the_address_of_a_dead_one_is_linked_once(
    neighbours: Neighbours, store: FickleStore, time: ManualTime
) -> None:
    here, there = await neighbours("node-a", "node-b")
    _, _, bob = await seat_two(here, there)
    there.neighbourhood.know([*await store.nodes(), NodeLease("node-a-before-it-was-killed", here.name, LEASE_MS)])
    await let_pass(time, LEASE_MS)
    assert bob.of(Paused) == []
    assert there.peers.peers() == [here.name]


async def test_nodes_link_up_while_strangers_hold_all_the_lines_they_can(
    new_node: NewNode, network: Network, store: FickleStore, time: ManualTime
) -> None:
    nodes = [await new_node(name=name, network=network) for name in ("node-a", "node-b")]
    for node in nodes:
        await node.renew()
        for _ in range(2 * STRANGERS):
            knock(node)
    await meet(nodes, store)
    await until(lambda: all(node.peers.has_peers for node in nodes))


@pytest.mark.parametrize("apart", range(8))
@pytest.mark.parametrize("first", ["node-a", "node-b"])
async def test_of_two_lines_that_are_dialled_at_the_same_time_one_stays(
    new_node: NewNode, network: Network, store: FickleStore, time: ManualTime, first: str, apart: int
) -> None:
    nodes = [await new_node(name=name, network=network) for name in ("node-a", "node-b")]
    for node in nodes:
        await node.renew()
    leases = await store.nodes()
    for node in sorted(nodes, key=lambda node: node.name != first):
        node.peers.know(leases)
        for _ in range(apart):
            await asyncio.sleep(0)
    await talk()
    assert [node.peers.peers() for node in nodes] == [["node-b"], ["node-a"]]
    dialled = len(network.connections)
    await let_pass(time, LEASE_MS)
    assert [node.peers.peers() for node in nodes] == [["node-b"], ["node-a"]]
    assert (len(network.connections), sum(line.is_open for line in network.connections)) == (dialled, 2)


async def test_a_line_that_only_one_end_still_has_gives_way_to_a_new_one(
    neighbours: Neighbours, network: Network, store: FickleStore, time: ManualTime
) -> None:
    here, there = await neighbours("node-a", "node-b")
    await let_pass(time, TOGETHER_MS)
    before = [line for line in network.connections if line.is_open]
    (lost,) = [line for line in before if line.at == there.name]
    lost.lose()
    await talk()
    assert (here.peers.peers(), there.peers.peers()) == (["node-b"], [])
    there.neighbourhood.know(await store.nodes())
    await until(lambda: there.peers.peers() == ["node-a"])
    await talk()
    assert here.peers.peers() == ["node-b"]
    assert not any(line.is_open for line in before)


def knock(node: LittleNode) -> None:
    """Open a line to a node as anybody can, and say nothing."""
    handler = node.peers.accept()
    if handler is not None:
        handler.opened(PairedLine(handler))
