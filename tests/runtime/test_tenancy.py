"""The lease: held, lost, found again and given up."""

from collections.abc import Awaitable, Callable

from little_node import FickleStore, LittleNode
from manual_time import ManualTime
from waiting import until

from warroom_protocol import codes
from warroom_protocol.messages import Paused

NewNode = Callable[..., Awaitable[LittleNode]]


async def test_a_living_node_keeps_its_rooms(new_node: NewNode, store: FickleStore, time: ManualTime) -> None:
    node = await new_node()
    await node.tenancy.begin()
    room, _ = await node.table()
    other = await new_node(name="node-b")
    for _ in range(4):
        time.advance(1_000)
        await until(lambda: _has_no_orphans(store))
        await other.tenancy.begin()
        await other.tenancy.suspend()
    assert room in node.driver
    assert room not in other.driver
    await node.tenancy.end()


async def _has_no_orphans(store: FickleStore) -> bool:
    return await store.orphans() == []


async def test_rooms_of_a_node_that_left_are_taken_over_at_once(new_node: NewNode) -> None:
    leaving, staying = await new_node(), await new_node(name="node-b")
    await leaving.tenancy.begin()
    await staying.tenancy.begin()
    room, _ = await leaving.table()
    await leaving.tenancy.end()
    await until(lambda: room in staying.driver)
    await staying.tenancy.end()


async def test_a_node_that_cannot_renew_stops_its_clocks_until_it_can(new_node: NewNode, store: FickleStore) -> None:
    node = await new_node()
    await node.tenancy.begin()
    _, (ada, _) = await node.table()
    store.is_away = True
    await until(lambda: node.tenancy.is_lost)
    assert ada.of(Paused)[-1].reason == codes.PAUSE_STORE
    store.is_away = False
    await until(lambda: not node.tenancy.is_lost)
    assert ada.of(Paused)[-1].reason is None
    await node.tenancy.end()


async def test_a_store_that_is_away_does_not_hinder_the_end(new_node: NewNode, store: FickleStore) -> None:
    node = await new_node()
    await node.tenancy.begin()
    store.is_away = True
    await node.tenancy.end()
    assert await store.orphans() == []
