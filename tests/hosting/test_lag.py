"""What the node measures of a line reaches the rooms, and becomes credit there."""

from manual_time import ManualTime
from small_node import LittleNode, NotedConnection, token_of, verdict_of

from warroom_protocol.messages import Expired, Join, Prompt, Receipt, Watch
from warroom_server.room.viewer_addresses import Local

TURN_MS = 10_000
"""The usual turn of sealed bids."""


async def act_late(node: LittleNode, player: NotedConnection, room: int, *, by: int) -> Receipt | None:
    """Let a player act so long after the deadline; return the verdict's receipt."""
    deadline = player.of(Prompt)[-1].deadline
    action = node.first(player, room)
    hosted = node.hosted(room)
    node.time.advance(deadline + by - hosted.room.match.at)
    node.act(player, room, 9, action)
    await node.settle()
    verdict = verdict_of(player, 9)
    assert verdict.code is None, verdict
    return verdict.receipt


async def test_a_line_that_was_measured_before_the_room_was_entered_has_credit(node: LittleNode) -> None:
    players = [node.greet("Ada"), node.greet("Bob")]
    node.dispatcher.measured(players[0], 60)
    room = await node.create(players[0])
    for player in players:
        await node.join(player, room)
    await node.settle()
    assert await act_late(node, players[0], room, by=45) == Receipt(TURN_MS, 60, TURN_MS + 45, TURN_MS + 45)


async def test_a_line_that_is_measured_in_the_room_has_credit_there(node: LittleNode) -> None:
    room, (ada, _) = await node.table()
    node.dispatcher.measured(ada, 5)
    node.dispatcher.measured(ada, 90)
    receipt = await act_late(node, ada, room, by=70)
    assert receipt is not None
    assert receipt.credit == 90


async def test_a_measurement_while_the_room_is_being_entered_is_made_up_for_by_the_next(node: LittleNode) -> None:
    room, (ada, _) = await node.table()
    back = node.greet("Ada", token_of(ada))
    node.dispatcher.closed(ada)
    node.say(back, Join(5, room))
    node.dispatcher.measured(back, 80)
    await node.settle()
    node.dispatcher.measured(back, 80)
    assert await act_late(node, back, room, by=80) == Receipt(TURN_MS, 80, TURN_MS + 80, TURN_MS + 80)


async def test_a_line_that_was_never_measured_has_none(node: LittleNode, time: ManualTime) -> None:
    _, (ada, bob) = await node.table()
    node.dispatcher.measured(bob, 80)
    time.advance(TURN_MS + 1)
    await node.settle()
    assert [expired.receipt.credit for expired in ada.of(Expired)] == [0]
    assert bob.of(Expired) == []
    time.advance(80)
    await node.settle()
    assert [expired.receipt for expired in bob.of(Expired)] == [Receipt(TURN_MS, 80, None, TURN_MS + 81)]


async def test_what_is_measured_of_a_connection_that_is_gone_is_nothing(node: LittleNode) -> None:
    room, (ada, _) = await node.table()
    node.dispatcher.closed(ada)
    node.dispatcher.measured(ada, 80)
    assert ada.id not in node.connections.clients
    hosted = node.hosted(room)
    assert hosted.room.wake_at is not None


async def test_a_room_hears_only_of_measurements_that_are_news(node: LittleNode) -> None:
    room, (ada, _) = await node.table()
    viewer, hosted = Local(ada.id), node.hosted(room)
    assert hosted.room.is_news(viewer, 60)
    node.dispatcher.measured(ada, 60)
    assert not hosted.room.is_news(viewer, 60)
    assert hosted.room.is_news(viewer, 61)


async def test_nobody_measures_the_lag_of_spectators(node: LittleNode) -> None:
    room, _ = await node.table()
    eve = node.greet("Eve")
    node.say(eve, Watch(1, room))
    assert not node.hosted(room).room.is_news(Local(eve.id), 60)


async def test_a_measurement_moves_the_expiry_of_a_seat_that_is_to_act(node: LittleNode) -> None:
    room, (ada, bob) = await node.table()
    hosted = node.hosted(room)
    before = hosted.wake_at
    assert before is not None
    for player in (ada, bob):
        node.dispatcher.measured(player, 60)
    assert hosted.wake_at == hosted.room.wake_at == before + 60
