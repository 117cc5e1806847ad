"""Lines: who is sent what a room shows, and who gets a snapshot later."""

import gc

from manual_time import ManualTime
from small_node import LittleNode

from warroom_protocol import codes
from warroom_protocol.messages import Notice, Snapshot, Watch
from warroom_server.hosting.connections import HELLO_MS, SLOW_MS, Client


async def test_a_slow_viewer_gets_nothing_of_a_room_that_is_gone(node: LittleNode) -> None:
    room, (ada, bob) = await node.table(rounds=2, cards=4)
    node.act(ada, room, 1)
    ada.is_congested = True
    node.act(bob, room, 2)
    await node.settle()
    hosted = node.room_host.get(room)
    assert hosted is not None
    before = len(ada.frames)
    assert node.connections.caught_up(ada.id) == {room}
    node.room_host.remove(hosted)
    assert node.connections.caught_up(ada.id) == set()
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


async def test_a_viewer_that_keeps_up_again_is_not_closed_later(node: LittleNode, time: ManualTime) -> None:
    """A frame may still be skipped between the end of the congestion and the snapshot."""
    room, (ada, _) = await node.table()
    ada.is_congested = True
    node.connections.show(room, b"missed", [ada])
    ada.is_congested = False
    assert node.connections.caught_up(ada.id) == {room}
    node.connections.show(room, b"too early", [ada])
    assert node.connections.entered(room, ada.id)
    time.advance(SLOW_MS + 1)
    assert ada.closed is None


async def test_a_viewer_that_missed_a_frame_costs_no_other_viewer_any(node: LittleNode) -> None:
    room, (ada, bob) = await node.table()
    ada.is_congested = True
    node.connections.show(room, b"missed", [ada, bob])
    ada.is_congested = False
    node.connections.show(room, b"later", [ada, bob])
    node.connections.show(room + 1, b"elsewhere", [ada, bob])
    assert [ada.frames[-1:], bob.frames[-3:]] == [[b"elsewhere"], [b"missed", b"later", b"elsewhere"]]
    assert node.connections.entered(room, ada.id)
    node.connections.show(room, b"again", [ada, bob])
    assert [ada.frames[-1], bob.frames[-1]] == [b"again"] * 2


async def test_a_room_holds_no_connection_that_is_gone(node: LittleNode, time: ManualTime) -> None:
    room, (ada, bob) = await node.table()
    time.advance(HELLO_MS)
    watcher = node.greet("Watcher")
    node.say(watcher, Watch(5, room))
    node.act(ada, room, 1)
    await node.settle()
    for gone in (bob, watcher):
        node.dispatcher.closed(gone)
    await node.settle()
    gc.collect()
    assert not [each for each in gc.get_objects() if isinstance(each, Client) and each.connection is bob]
