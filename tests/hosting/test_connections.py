"""Lines: who is sent what a room shows, and who gets a snapshot later."""

from small_node import LittleNode

from warroom_protocol import codes
from warroom_protocol.messages import Notice, Snapshot


async def test_a_slow_viewer_gets_nothing_of_a_room_that_is_gone(node: LittleNode) -> None:
    room, (ada, bob) = await node.table(rounds=2, cards=4)
    node.act(ada, room, 1)
    ada.is_congested = True
    node.act(bob, room, 2)
    await node.settle()
    line = node.connections.get(ada.id)
    hosted = node.room_host.get(room)
    assert line is not None
    assert hosted is not None
    before = len(ada.frames)
    assert line.stale == {room}
    node.room_host.remove(hosted)
    assert line.stale == set()
    ada.is_congested = False
    node.dispatcher.drained(ada)
    assert len(ada.frames) == before


async def test_a_slow_viewer_that_stays_gets_a_snapshot(node: LittleNode) -> None:
    room, (ada, bob) = await node.table(rounds=2, cards=4)
    node.act(ada, room, 1)
    ada.is_congested = True
    node.act(bob, room, 2)
    await node.settle()
    shown = len(ada.of(Snapshot))
    ada.is_congested = False
    node.dispatcher.drained(ada)
    assert [notice.code for notice in ada.of(Notice)] == [codes.NOTICE_SLOW]
    assert len(ada.of(Snapshot)) == shown + 1
