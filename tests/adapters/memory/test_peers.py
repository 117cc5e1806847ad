"""The network in memory: a seed decides what it delays and loses, and it can part some nodes from others."""

import pytest
from memory_peers import MemoryNetwork, MemoryPeers
from peer_worlds import CODEC, Member, MemoryWorld, link_up, settle, wait


async def played(seed: int) -> list[tuple[int, str]]:
    """Return when which messages and losses reach a node, over a bad network."""
    world = MemoryWorld(seed=seed)
    here, there = await link_up(world, "node-a", "node-b")
    world.network.jitter_ms, world.network.loses_one_in = 40, 8
    seen: list[tuple[int, str]] = []
    for number in range(60):
        here.peers.send("node-b", str(number))
        world.time.advance(20)
        story = [*there.heard.messages, *(event for event, _ in there.heard.events)]
        seen += [(number, told) for told in story[len(seen) :]]
    await world.close()
    return seen


async def test_the_same_seed_gives_the_same_delays_and_losses() -> None:
    assert await played(1) == await played(1)
    assert len({tuple(await played(seed)) for seed in range(5)}) > 1


async def test_a_lossy_network_delivers_a_beginning_of_what_was_sent_over_each_line() -> None:
    world = MemoryWorld(seed=3)
    here, there = await link_up(world, "node-a", "node-b")
    world.network.loses_one_in = 10
    for number in range(500):
        here.peers.send("node-b", str(number))
        world.time.advance(100)
        await settle()
    losses = there.heard.events.count(("lost", "node-a"))
    arrived = [int(message) for message in there.heard.messages]
    assert losses > 5
    assert arrived == sorted(set(arrived))
    assert 0 < len(arrived) < 500
    await world.close()


async def test_two_nodes_can_be_parted_while_a_third_reaches_both() -> None:
    world = MemoryWorld()
    first, second, third = await link_up(world, "node-a", "node-b", "node-c")
    world.network.cut("node-a", "node-b")
    await wait(world, lambda: first.peers.nodes() == ["node-c"] and second.peers.nodes() == ["node-c"])
    assert third.peers.nodes() == ["node-a", "node-b"]
    world.network.mend()
    await wait(world, lambda: first.peers.nodes() == ["node-b", "node-c"])
    await world.close()


@pytest.mark.parametrize("is_released_first", [True, False])
async def test_messages_that_were_held_arrive_before_later_ones(is_released_first: bool) -> None:
    world = MemoryWorld()
    here, there = await link_up(world, "node-a", "node-b")
    world.network.delay_ms = 50
    here.peers.send("node-b", "one")
    world.network.hold("node-a")
    here.peers.send("node-b", "two")
    world.network.delay_ms = 0
    if is_released_first:
        world.network.release("node-a")
    here.peers.send("node-b", "three")
    world.network.release("node-a")
    await wait(world, lambda: len(there.heard.messages) == 3)
    assert there.heard.messages == ["one", "two", "three"]
    await world.close()


async def test_a_node_that_closes_while_it_dials_leaves_no_half_of_a_link() -> None:
    world = MemoryWorld()
    here, there = await world.start("node-a"), await world.start("node-b")
    world.network.delay_ms = 100
    here.peers.connect({"node-b": ""})
    world.time.advance(150)
    assert there.peers.nodes() == ["node-a"]
    await here.peers.close()
    await wait(world, lambda: not there.peers.nodes())
    await world.close()


async def test_a_node_that_has_not_started_is_not_reached() -> None:
    world = MemoryWorld()
    here = await world.start("node-a")
    idle = Member("node-b", MemoryPeers("node-b", world.network, CODEC))
    here.peers.connect({"node-b": ""})
    for _ in range(10):
        world.time.advance(100)
    assert isinstance(world.network, MemoryNetwork)
    assert (here.peers.nodes(), idle.peers.nodes()) == ([], [])
    await world.close()
