"""A node that takes rooms over tells all others, and does so for many at a time."""

from collections.abc import Awaitable, Callable

from linked_nodes import talk
from small_node import LittleNode
from wait_until import until

from warroom_server.cluster.messages import MAX_ROOMS, Owns
from warroom_server.cluster.owner_news import OwnerNews
from warroom_server.hosting.hosted_room import HostedRoom
from warroom_server.hosting.room_events import RoomEvents


class Links:
    """Links that only note what is sent."""

    def __init__(self) -> None:
        self.sent: list[Owns] = []

    def broadcast(self, message: Owns) -> None:
        """Note a message."""
        self.sent.append(message)


async def hosted_room(node: LittleNode) -> HostedRoom:
    """Return a room of a node."""
    return node.hosted(await node.create(node.greet()))


async def test_rooms_of_one_turn_of_the_loop_are_told_together(node: LittleNode) -> None:
    events, links, turns = RoomEvents(), Links(), list[Callable[[], object]]()
    OwnerNews(events=events, links=links, soon=turns.append)
    hosted = await hosted_room(node)
    for _ in range(MAX_ROOMS + 1):
        events.taken_over(hosted)
    assert (links.sent, len(turns)) == ([], 1)
    turns.pop()()
    assert [len(owns.rooms) for owns in links.sent] == [MAX_ROOMS, 1]
    assert links.sent[1] == Owns(((hosted.room.number, hosted.epoch),))
    events.taken_over(hosted)
    assert len(turns) == 1


async def test_every_node_hears_of_a_new_owner(
    neighbours: Callable[..., Awaitable[list[LittleNode]]],
) -> None:
    leaving, heir, third = await neighbours("node-a", "node-b", "node-c")
    room, _ = await leaving.table()
    leaving.handover.give([(leaving.hosted(room), heir.name)])
    await until(lambda: room in heir.room_host)
    await talk()
    assert room not in leaving.handover
    assert room not in third.room_host
