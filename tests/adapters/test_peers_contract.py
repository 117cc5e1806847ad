"""What links between nodes promise, asked of each adapter alike."""

from collections.abc import AsyncIterator

import pytest
from peer_worlds import MemoryWorld, SocketWorld, World, link_up, settle, wait

from warroom_server.ports.peers import CONGESTED_BYTES, UNSENT_BYTES, RoundTrip

BIG = "x" * (CONGESTED_BYTES // 2)
DIALLED_MS = 1_000
"""How long a node is dialled that does not run yet."""


@pytest.fixture(params=[MemoryWorld, SocketWorld])
async def world(request: pytest.FixtureRequest) -> AsyncIterator[World]:
    made: World = request.param()
    yield made
    await made.close()


async def test_both_ends_hear_of_a_link(world: World) -> None:
    here, there = await link_up(world, "node-a", "node-b")
    assert (here.heard.events, there.heard.events) == ([("linked", "node-b")], [("linked", "node-a")])
    assert (here.peers.nodes(), there.peers.nodes()) == (["node-b"], ["node-a"])


async def test_messages_arrive_in_order_and_never_inside_the_call(world: World) -> None:
    here, there = await link_up(world, "node-a", "node-b")
    sent = [str(number) for number in range(200)]
    for message in sent:
        assert here.peers.send("node-b", message)
    there.peers.broadcast("back")
    assert (here.heard.messages, there.heard.messages) == ([], [])
    await wait(world, lambda: len(there.heard.messages) == len(sent) and bool(here.heard.messages))
    assert (here.heard.messages, there.heard.messages) == (["back"], sent)


async def test_an_unknown_node_cannot_be_reached(world: World) -> None:
    here, _ = await link_up(world, "node-a", "node-b")
    assert not here.peers.send("node-c", "hello")
    assert not here.peers.is_congested("node-c")
    assert here.peers.rtt("node-c") == RoundTrip(0, 0)


async def test_both_ends_lose_a_line_that_is_cut_and_send_nothing_over_it(world: World) -> None:
    here, there = await link_up(world, "node-a", "node-b")
    world.network.cut()
    await wait(world, lambda: not here.peers.nodes() and not there.peers.nodes())
    for near, far in ((here, there), (there, here)):
        assert near.heard.events == [("linked", far.name), ("lost", far.name)]
        assert not near.peers.send(far.name, "hello")


async def test_nodes_link_up_again_by_themselves(world: World) -> None:
    here, there = await link_up(world, "node-a", "node-b")
    world.network.cut()
    await wait(world, lambda: not here.peers.nodes() and not there.peers.nodes())
    world.network.mend()
    await wait(world, lambda: bool(here.peers.nodes() and there.peers.nodes()))
    assert there.peers.send("node-a", "again")
    await wait(world, lambda: here.heard.messages == ["again"])
    assert here.heard.events == [("linked", "node-b"), ("lost", "node-b"), ("linked", "node-b")]


@pytest.mark.parametrize("delay_ms", [0, 50])
async def test_with_a_lost_message_go_all_later_ones_and_then_the_line(world: World, delay_ms: int) -> None:
    here, there = await link_up(world, "node-a", "node-b")
    world.network.delay_ms = delay_ms
    here.peers.send("node-b", "one")
    await wait(world, lambda: there.heard.messages == ["one"])
    world.network.lose_next("node-a", "node-b")
    for message in ("two", "three"):
        here.peers.send("node-b", message)
    await wait(world, lambda: ("lost", "node-b") in here.heard.events and ("lost", "node-a") in there.heard.events)
    await wait(world, lambda: bool(here.peers.nodes() and there.peers.nodes()))
    here.peers.send("node-b", "four")
    await wait(world, lambda: len(there.heard.messages) > 1)
    assert there.heard.messages == ["one", "four"]


@pytest.mark.parametrize("delay_ms", [60, 150])
async def test_a_delay_holds_for_every_message_and_shows_in_the_round_trips(world: World, delay_ms: int) -> None:
    here, there = await link_up(world, "node-a", "node-b")
    world.network.delay_ms = 1
    for member, other in ((here, "node-b"), (there, "node-a")):
        await wait(world, lambda member=member, other=other: member.peers.rtt(other).last_ms > 0)  # type: ignore[misc]
    world.network.delay_ms = delay_ms
    sent_ms = world.time.now()
    here.peers.send("node-b", "slow")
    await settle()
    assert there.heard.messages == []
    await wait(world, lambda: there.heard.messages == ["slow"])
    assert world.time.now() - sent_ms >= delay_ms
    for member, other in ((here, "node-b"), (there, "node-a")):
        await wait(world, lambda member=member, other=other: member.peers.rtt(other).last_ms >= 2 * delay_ms)  # type: ignore[misc]
        assert member.peers.rtt(other).smallest_ms < member.peers.rtt(other).last_ms


async def test_a_link_whose_reader_is_slow_is_congested_until_it_is_drained(world: World) -> None:
    here, there = await link_up(world, "node-a", "node-b")
    world.network.hold("node-a")
    sent = 0
    while not here.peers.is_congested("node-b"):
        assert here.peers.send("node-b", BIG)
        sent += 1
        await settle()
    assert not there.peers.is_congested("node-a")
    world.network.release("node-a")
    await wait(world, lambda: len(there.heard.messages) == sent and not here.peers.is_congested("node-b"))
    assert here.heard.events == [("linked", "node-b"), ("drained", "node-b")]
    assert there.heard.events == [("linked", "node-a")]


async def test_a_link_with_too_much_unsent_is_cut(world: World) -> None:
    here, there = await link_up(world, "node-a", "node-b")
    world.network.hold("node-a")
    sent = 0
    while here.peers.send("node-b", BIG):
        sent += len(BIG)
        await settle()
    assert UNSENT_BYTES - len(BIG) <= sent <= 2 * UNSENT_BYTES
    world.network.release("node-a")
    await wait(world, lambda: ("lost", "node-b") in here.heard.events and ("lost", "node-a") in there.heard.events)


async def test_who_closes_hears_nothing_more_and_the_other_end_loses_it(world: World) -> None:
    here, there = await link_up(world, "node-a", "node-b")
    there.peers.send("node-a", "late")
    await here.peers.close()
    await wait(world, lambda: not there.peers.nodes())
    assert here.heard.events == [("linked", "node-b")]
    assert here.heard.messages == []
    assert not here.peers.send("node-b", "hello")
    assert there.heard.events == [("linked", "node-a"), ("lost", "node-a")]


async def test_a_node_that_starts_later_is_reached(world: World) -> None:
    here = await world.start("node-a")
    here.peers.connect({"node-a": here.address, "node-b": "nowhere"})
    dialled_until = world.time.now() + DIALLED_MS
    await wait(world, lambda: world.time.now() >= dialled_until)
    assert here.peers.nodes() == []
    there = await world.start("node-b")
    here.peers.connect({"node-a": here.address, "node-b": there.address})
    await wait(world, lambda: here.peers.nodes() == ["node-b"] and there.peers.nodes() == ["node-a"])
