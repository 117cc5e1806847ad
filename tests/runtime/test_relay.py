"""Rooms on one node and viewers on another: led there, kept there, and led on when the room moves."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest
from link_pairs import Network
from little_node import FickleStore, LittleNode, NotedConnection, token_of, verdict_of
from manual_time import ManualTime
from waiting import until

from warroom_protocol import codes
from warroom_protocol.messages import (
    Done,
    Joined,
    Legal,
    LegalList,
    Paused,
    Prompt,
    Resumed,
    Say,
    Update,
    Verdict,
    Welcome,
)
from warroom_server.runtime.tenancy import LEASE_MS

STEP_MS = 100

NewNode = Callable[..., Awaitable[LittleNode]]
Neighbours = Callable[..., Awaitable[list[LittleNode]]]


@pytest.fixture
def network() -> Network:
    """Return what links nodes up."""
    return Network()


@pytest.fixture
def neighbours(new_node: NewNode, network: Network, store: FickleStore) -> Neighbours:
    """Return what starts nodes that know each other."""

    async def start(*names: str) -> list[LittleNode]:
        nodes = [await new_node(name=name, network=network) for name in names]
        for node in nodes:
            await store.renew(node.name, node.name, lease_ms=LEASE_MS)
        await meet(nodes, store)
        return nodes

    return start


async def meet(nodes: list[LittleNode], store: FickleStore) -> None:
    """Let nodes link up."""
    for node in nodes:
        node.links.know(await store.nodes())
    await until(lambda: all(len(node.links.peers()) == len(nodes) - 1 for node in nodes))


async def let_pass(time: ManualTime, delay_ms: int) -> None:
    """Let time pass in steps, in which nodes can talk to each other."""
    for _ in range(0, delay_ms, STEP_MS):
        time.advance(STEP_MS)
        for _ in range(20):
            await asyncio.sleep(0)


async def seat_two(here: LittleNode, there: LittleNode) -> tuple[int, NotedConnection, NotedConnection]:
    """Return a running match on *here* with one player on each node."""
    ada, bob = here.greet("Ada"), there.greet("Bob")
    room = await here.create(ada)
    for node, player in ((here, ada), (there, bob)):
        assert isinstance(await node.join(player, room), Joined)
    await until(lambda: bool(bob.of(Prompt)) and bool(ada.of(Prompt)))
    return room, ada, bob


async def choose(node: LittleNode, player: NotedConnection, room: int) -> object:
    """Return the first legal action of a player."""
    answers = len(player.of(LegalList))
    node.say(player, Legal(5_000 + answers, room))
    await until(lambda: len(player.of(LegalList)) > answers)
    return player.of(LegalList)[-1].actions[0]


async def play(node: LittleNode, player: NotedConnection, room: int, action_id: int) -> Verdict:
    """Play the first legal action and return its verdict."""
    node.act(player, room, action_id, await choose(node, player, room))
    await until(lambda: any(verdict.id == action_id for verdict in player.of(Verdict)))
    return verdict_of(player, action_id)


async def test_a_guest_plays_like_anybody(neighbours: Neighbours) -> None:
    here, there = await neighbours("node-a", "node-b")
    room, ada, bob = await seat_two(here, there)
    assert (await play(there, bob, room, 1)).code is None
    assert (await play(here, ada, room, 2)).code is None
    await until(lambda: len(bob.of(Update)) == len(ada.of(Update)) > 0)
    assert room not in there.driver
    there.say(bob, Say(7, room, "hello"))
    await until(lambda: any(done.ref == 7 for done in bob.of(Done)))


async def test_a_guest_is_led_to_the_node_that_takes_its_room_over(
    neighbours: Neighbours, store: FickleStore, time: ManualTime
) -> None:
    dying, edge, heir = await neighbours("node-a", "node-b", "node-c")
    room, ada, bob = await seat_two(dying, edge)
    assert (await play(edge, bob, room, 1)).code is None
    await dying.stop()
    await until(lambda: bob.of(Paused)[-1].reason == codes.PAUSE_MOVING)
    edge.act(bob, room, 9, {"type": "bid", "card": 1})
    await let_pass(time, LEASE_MS)
    await heir.take_over()
    cara = heir.greet("Ada", token_of(ada))
    await until(lambda: bool(cara.of(Welcome)))
    assert isinstance(await heir.join(cara, room), Joined)
    await until(lambda: bob.of(Paused)[-1].reason is None)
    await until(lambda: len(bob.of(Verdict)) == 2)
    assert [verdict.id for verdict in bob.of(Verdict)] == [1, 9]
    assert (len(bob.of(Joined)), bob.of(Resumed)) == (1, [])
    assert (await play(heir, cara, room, 2)).code is None
    assert (await play(edge, bob, room, 3)).code is None


async def test_a_guest_whose_own_node_takes_the_room_over_goes_on_there(
    neighbours: Neighbours, store: FickleStore, time: ManualTime
) -> None:
    dying, heir = await neighbours("node-a", "node-b")
    room, ada, bob = await seat_two(dying, heir)
    assert (await play(heir, bob, room, 1)).code is None
    await dying.stop()
    await until(lambda: bob.of(Paused)[-1].reason == codes.PAUSE_MOVING)
    await let_pass(time, LEASE_MS)
    await heir.take_over()
    cara = heir.greet("Ada", token_of(ada))
    await until(lambda: bool(cara.of(Welcome)))
    assert isinstance(await heir.join(cara, room), Joined)
    await until(lambda: bob.of(Paused)[-1].reason is None)
    assert (await play(heir, cara, room, 2)).code is None
    assert (await play(heir, bob, room, 3)).code is None
    assert [verdict.id for verdict in bob.of(Verdict)] == [1, 3]
