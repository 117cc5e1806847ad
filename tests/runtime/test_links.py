"""Links between nodes stay what they are, whoever else answers at an address or knocks."""

from collections.abc import Awaitable, Callable

from link_pairs import Network, PairedLine
from little_node import FickleStore, LittleNode
from manual_time import ManualTime
from neighbours import let_pass, meet, seat_two
from waiting import until

from warroom_protocol.messages import Paused
from warroom_server.ports import NodeLease
from warroom_server.runtime.links import STRANGERS
from warroom_server.runtime.tenancy import LEASE_MS

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
    assert there.links.peers() == [here.name]


async def test_nodes_link_up_while_strangers_hold_all_the_lines_they_can(
    new_node: NewNode, network: Network, store: FickleStore, time: ManualTime
) -> None:
    nodes = [await new_node(name=name, network=network) for name in ("node-a", "node-b")]
    for node in nodes:
        await store.renew(node.name, node.name, lease_ms=LEASE_MS)
        for _ in range(2 * STRANGERS):
            knock(node)
    await meet(nodes, store)
    await until(lambda: all(node.links.has_peers for node in nodes))


def knock(node: LittleNode) -> None:
    """Open a line to a node as anybody can, and say nothing."""
    handler = node.links.accept()
    if handler is not None:
        handler.opened(PairedLine(handler))
