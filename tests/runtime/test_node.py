"""The node: what happens to connections from the handshake to the end."""

from collections.abc import Awaitable, Callable

from little_node import LittleNode, token_of
from manual_time import ManualTime

from warroom_protocol import codes
from warroom_protocol.messages import Error, GameList, Games, Join, Leave, Notice, Ping, Pong, Seats, Watch
from warroom_server.runtime.node import HELLO_MS
from warroom_server.session.limits import Limits


async def test_whoever_says_no_hello_in_time_is_closed(node: LittleNode, time: ManualTime) -> None:
    silent, polite = node.connect(), node.greet()
    time.advance(HELLO_MS)
    assert silent.closed == codes.CLOSE_HELLO_TIMEOUT
    assert polite.closed is None


async def test_nonsense_closes_its_connection_and_no_other(node: LittleNode) -> None:
    rude, polite = node.greet(), node.greet()
    node.node.received(rude, b"\xc1", node.time.now())
    node.say(polite, Ping(3))
    assert rude.closed == codes.CLOSE_MALFORMED
    assert polite.of(Pong) == [Pong(3)]


async def test_the_games_are_listed_with_their_schemas(node: LittleNode) -> None:
    ada = node.greet()
    node.say(ada, Games(3))
    (games,) = ada.of(GameList)
    assert [game.game for game in games.games] == ["graph_battle", "sealed_bids"]
    assert games.room_options


async def test_a_lost_connection_is_shown_and_its_seat_stays_taken(node: LittleNode, time: ManualTime) -> None:
    room, (ada, bob) = await node.table()
    node.node.closed(ada)
    time.advance(1_000)
    await node.settle()
    seats = bob.of(Seats)[-1].seats
    assert [(seat.connected, seat.player is not None) for seat in seats] == [(False, True), (True, True)]
    back = node.greet("Ada", token_of(ada))
    await node.join(back, room)
    time.advance(1_000)
    await node.settle()
    assert all(seat.connected for seat in bob.of(Seats)[-1].seats)


async def test_what_a_closed_connection_still_says_is_ignored(node: LittleNode) -> None:
    ada = node.greet()
    node.node.closed(ada)
    assert node.say(ada, Ping(3)) == 0
    assert ada.of(Pong) == []
    node.node.drained(ada)
    node.node.closed(ada)
    assert len(node.lines) == 0


async def test_rooms_that_refused_or_were_left_do_not_count_against_the_limit(
    new_node: Callable[..., Awaitable[LittleNode]],
) -> None:
    node = await new_node(limits=Limits(rooms=2))
    room, _ = await node.table()
    ada = node.greet("Ada")
    other = await node.create(ada)
    node.say(ada, Join(1, room))
    node.say(ada, Watch(2, other))
    node.say(ada, Leave(3, other))
    await node.settle()
    assert [error.code for error in ada.of(Error)] == [codes.ROOM_STARTED]
    third = await node.create(ada, ref=78)
    node.say(ada, Watch(4, third))
    await node.settle()
    assert [error.code for error in ada.of(Error)] == [codes.ROOM_STARTED]


async def test_a_draining_node_says_so_and_takes_nothing_new(node: LittleNode) -> None:
    ada = node.greet()
    node.node.drain()
    assert [(notice.room, notice.code) for notice in ada.of(Notice)] == [(None, codes.NOTICE_DRAINING)]
    node.say(ada, Ping(3))
    assert ada.of(Pong) == []


async def test_too_many_messages_make_the_node_read_later(new_node: Callable[..., Awaitable[LittleNode]]) -> None:
    node = await new_node(limits=Limits(messages_per_s=10, messages_burst=2))
    ada = node.greet()
    assert node.say(ada, Ping(1)) == 0
    assert node.say(ada, Ping(2)) == 100
