"""What the node counts: each thing once, where it happens."""

import msgspec
import sealed_bids
from manual_time import ManualTime
from small_node import LittleNode

from warroom_protocol import codes
from warroom_protocol.messages import Act, Verdict


async def test_an_action_is_counted_once_however_often_it_is_sent(node: LittleNode) -> None:
    room, (ada, _) = await node.table()
    action = node.first(ada, room)
    sent = Act(room, 1, 1, msgspec.Raw(msgspec.msgpack.encode(action)))
    for _ in range(3):
        node.say(ada, sent)
        await node.settle()
    for _ in range(3):
        node.say(ada, Act(room, 2, 99, sent.action))
    await node.settle()
    assert [verdict.code for verdict in ada.of(Verdict)] == [None] * 3 + [codes.ACT_STALE] * 3
    assert (node.counters.accepted, node.counters.refused) == (1, {codes.ACT_STALE: 1})


async def test_a_turn_that_the_clock_ended_is_counted_for_each_seat(node: LittleNode, time: ManualTime) -> None:
    await node.table(rounds=1)
    time.advance(sealed_bids.GAME.info.turn_ms + 1)
    await node.settle()
    assert node.counters.expired_turns == 2
    assert (node.counters.accepted, node.counters.refused) == (0, {})
