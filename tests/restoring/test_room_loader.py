"""A node that is alone needs to load rooms, too: after each start its clients wait for them."""

from collections.abc import Awaitable, Callable

from small_node import FickleStore, LittleNode, token_of
from wait_until import until

from warroom_protocol.messages import Join, Snapshot, Watch, Welcome

NewNode = Callable[..., Awaitable[LittleNode]]


async def test_clients_of_a_node_that_is_alone_wait_until_their_rooms_are_loaded(
    new_node: NewNode, store: FickleStore
) -> None:
    before = await new_node()
    room, (ada, _) = await before.table()
    await store.release(before.name)
    node = await new_node(name="node-b", is_alone=True)
    back, eve = node.greet("Ada", token_of(ada)), node.greet("Eve")
    await until(lambda: bool(back.of(Welcome)))
    node.say(back, Join(1, room))
    node.say(eve, Watch(2, room))
    assert len(node.waiting_clients.entering(room)) == 2
    await node.lease.begin()
    await until(lambda: bool(back.of(Snapshot)) and bool(eve.of(Snapshot)))
    assert (room in node.room_host, len(node.room_loader), room in node.waiting_clients) == (True, 0, False)
    await node.lease.end()
