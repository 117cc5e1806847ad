"""The way of actions past the effects of rooms: what it leaves alone, and what still follows."""

from manual_time import ManualTime
from sealed_bids import GAME
from small_node import FickleStore, LittleNode, verdict_of
from wait_until import until

from warroom_protocol.messages import Expired, Prompt, Update, Verdict
from warroom_server.hosting.hosted_room import HostedRoom

PEEK = {"type": "peek"}


def heard_changes(node: LittleNode) -> list[HostedRoom]:
    """Return the rooms of all changes from now on."""
    heard: list[HostedRoom] = []
    node.events.changed.append(heard.append)
    return heard


async def test_an_action_within_a_turn_asks_nothing_of_the_parts_around_a_room(node: LittleNode) -> None:
    room, (ada, _) = await node.table()
    hosted, changes = node.hosted(room), heard_changes(node)
    timer = hosted.timer
    node.act(ada, room, 1, PEEK)
    await node.settle()
    assert verdict_of(ada, 1).code is None
    assert hosted.timer is timer
    assert changes == []


async def test_a_new_turn_sets_the_timer_of_the_room_anew(node: LittleNode, time: ManualTime) -> None:
    room, players = await node.table()
    hosted, changes = node.hosted(room), heard_changes(node)
    time.advance(1_000)
    before = hosted.wake_at
    for number, player in enumerate(players):
        node.act(player, room, number)
        await node.settle()
    assert hosted.room.match.turn == 2
    assert hosted.wake_at == time.now() + GAME.info.turn_ms + 1 != before
    assert changes != []


async def test_a_time_out_that_had_to_wait_for_an_append_is_not_forgotten(
    node: LittleNode, store: FickleStore, time: ManualTime
) -> None:
    room, (ada, bob) = await node.table()
    store.is_away = True
    node.act(ada, room, 1, PEEK)
    time.advance(GAME.info.turn_ms + 5)
    store.is_away = False
    await until(lambda: bool(ada.of(Verdict)))
    await node.settle()
    assert not bob.of(Expired), "room time stood still"
    time.advance(GAME.info.turn_ms + 1)
    await node.settle()
    time.advance(0)
    await node.settle()
    assert bob.of(Expired)


async def test_actions_of_one_turn_of_the_loop_are_judged_one_after_the_other(node: LittleNode) -> None:
    room, (ada, bob) = await node.table()
    for number in (1, 2):
        node.act(ada, room, number, PEEK)
    node.act(bob, room, 3, PEEK)
    assert node.hosted(room).is_waiting
    await node.settle()
    assert [verdict.id for verdict in ada.of(Verdict)] == [1, 2]
    assert verdict_of(ada, 1).code is None
    assert verdict_of(ada, 2).code == "act.stale", "the first peek was another decision"
    assert verdict_of(bob, 3).code is None
    assert len(ada.of(Prompt)) == 2
    assert len(ada.of(Update)) == len(bob.of(Update))
    assert node.counters.accepted == 2
    assert node.counters.refused == {"act.stale": 1}
