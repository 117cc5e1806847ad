"""Which other nodes there are, and which of them can take a room."""

from collections.abc import Mapping
from typing import cast

import pytest

from warroom_server.cluster import messages
from warroom_server.cluster.leased_nodes import LeasedNodes
from warroom_server.ports.store import NodeFacts, NodeLease

CHESS, GO = ("chess", 1), ("go", 1)
LEASES = [
    NodeLease("node-d", "", 1, NodeFacts(rules=(CHESS, GO))),
    NodeLease("own", "", 1, NodeFacts(rules=(CHESS, GO))),
    NodeLease("cut-off", "", 1, NodeFacts(rules=(CHESS, GO))),
    NodeLease("node-c", "", 1, NodeFacts(rules=(CHESS, GO), is_draining=True)),
    NodeLease("node-b", "", 1, NodeFacts(rules=(GO,))),
]


class Links:
    """Links to some of the nodes."""

    def nodes(self) -> list[str]:
        """Return these."""
        return ["node-b", "node-c", "node-d"]

    def connect(self, addresses: Mapping[str, str]) -> None:
        """Make no links."""


@pytest.fixture
def nodes() -> LeasedNodes:
    nodes = LeasedNodes("own", cast(messages.Links, Links()))
    nodes.update(LEASES)
    return nodes


def names(leases: list[NodeLease]) -> list[str]:
    """Return the nodes of leases."""
    return [lease.owner for lease in leases]


def test_nodes_that_cannot_be_reached_are_left_out(nodes: LeasedNodes) -> None:
    assert names(nodes.reachable()) == ["node-b", "node-c", "node-d"]


def test_a_room_goes_to_nodes_that_stay_and_have_its_rules(nodes: LeasedNodes) -> None:
    assert names(nodes.staying()) == ["node-b", "node-d"]
    assert (names(nodes.with_rules(GO)), names(nodes.with_rules(CHESS))) == (["node-b", "node-d"], ["node-d"])
    assert nodes.with_rules(("go", 2)) == []


def test_a_node_whose_lease_is_gone_is_forgotten(nodes: LeasedNodes) -> None:
    nodes.update(LEASES[:2])
    assert names(nodes.reachable()) == ["node-d"]
