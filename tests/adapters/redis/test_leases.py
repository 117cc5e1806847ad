"""What the value of a lease says, also to a node of another version."""

import pytest
from msgspec.msgpack import encode

from warroom_server.adapters.redis.store import LeaseValue, node_lease
from warroom_server.ports.store import NodeFacts, NodeLease


def test_a_lease_says_what_was_put_in() -> None:
    facts = NodeFacts((("chess", 2),), {"chess": ("greedy",)}, 3, is_draining=True, version="1.2")
    assert node_lease("node-a", encode(LeaseValue("host:1", facts)), 7) == NodeLease("node-a", "host:1", 7, facts)


@pytest.mark.parametrize(
    ("value", "lease"),
    [
        pytest.param(b"host:1", NodeLease("node-a", "", 7), id="no document"),
        pytest.param(encode({"address": 5}), NodeLease("node-a", "", 7), id="of another type"),
        pytest.param(
            encode({"address": "host:1", "more": 1}), NodeLease("node-a", "host:1", 7), id="of a newer version"
        ),
    ],
)
def test_a_node_whose_lease_cannot_be_read_holds_it_all_the_same(value: bytes, lease: NodeLease) -> None:
    assert node_lease("node-a", value, 7) == lease
