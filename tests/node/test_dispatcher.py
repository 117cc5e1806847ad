"""The node: what happens to connections from the handshake to the end."""

import asyncio
from collections.abc import Awaitable, Callable

import msgspec
from manual_time import ManualTime
from sealed_bids import Options, SealedBids, State
from small_node import LittleNode, token_of, verdict_of

from warroom_games.rng import Rng
from warroom_protocol import codes
from warroom_protocol.messages import (
    Act,
    Create,
    Created,
    Done,
    Error,
    GameList,
    Games,
    Join,
    Joined,
    Leave,
    Legal,
    Notice,
    Ping,
    Pong,
    Rooms,
    Seats,
    Start,
    Verdict,
    Watch,
)
from warroom_server.hosting.connections import HELLO_MS
from warroom_server.session.limits import Limits


async def test_whoever_says_no_hello_in_time_is_closed(node: LittleNode, time: ManualTime) -> None:
    silent, polite = node.connect(), node.greet()
    time.advance(HELLO_MS)
    assert silent.closed == codes.CLOSE_HELLO_TIMEOUT
    assert polite.closed is None


async def test_nonsense_closes_its_connection_and_no_other(node: LittleNode) -> None:
    rude, polite = node.greet(), node.greet()
    node.dispatcher.received(rude, b"\xc1", node.time.now(), node.time.now())
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
    node.dispatcher.closed(ada)
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
    node.dispatcher.closed(ada)
    assert node.say(ada, Ping(3)) == 0
    assert ada.of(Pong) == []
    node.dispatcher.drained(ada)
    node.dispatcher.closed(ada)
    assert len(node.connections) == 0


async def test_rooms_that_refused_or_were_left_do_not_count_against_the_limit(
    new_node: Callable[..., Awaitable[LittleNode]],
) -> None:
    node = await new_node(limits=Limits(rooms_per_connection=2))
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


async def test_matches_by_the_hundred_lock_nobody_out(new_node: Callable[..., Awaitable[LittleNode]]) -> None:
    node = await new_node(limits=Limits(rooms_per_connection=3))
    bot = node.greet("Bot")
    line = node.connections.clients.get(bot.id)
    assert line is not None
    for match in range(8):
        rival = node.greet("Rival")
        room = await node.create(rival, ref=100 + match, rounds=1, cards=2)
        assert isinstance(await node.join(bot, room), Joined)
        await node.join(rival, room)
        await node.settle()
        for player in (bot, rival):
            node.act(player, room, 10 + match)
        await node.settle()
        node.say(bot, Leave(5_000 + match, room))
        assert room not in line.session.following
        hosted = node.hosted(room)
        node.room_host.remove(hosted)
    assert line.session.following == set()


async def test_a_room_that_refused_is_forgotten_at_once(node: LittleNode) -> None:
    room, _ = await node.table()
    late = node.greet()
    line = node.connections.clients.get(late.id)
    assert line is not None
    assert isinstance(await node.join(late, room), Error)
    assert isinstance(await node.join(late, 4_000_000_000), Error)
    assert line.session.following == set()


async def test_a_full_connection_forgets_rooms_that_went_while_it_left_them(
    new_node: Callable[..., Awaitable[LittleNode]],
) -> None:
    node = await new_node(limits=Limits(rooms_per_connection=1))
    room, players = await node.table(rounds=1)
    ada = players[0]
    node.act(ada, room, 1)
    assert ada.of(Verdict) == []
    node.say(ada, Leave(8, room))
    line = node.connections.clients.get(ada.id)
    assert line is not None
    assert line.session.following == {room}
    await node.settle()
    assert ada.of(Done) == [Done(8)]
    other = await node.create(players[1], ref=90)
    assert isinstance(await node.join(ada, other), Joined)
    assert line.session.following == {other}


async def test_a_draining_node_answers_everything_once(node: LittleNode) -> None:
    room, (ada, _) = await node.table()
    before = len(ada.frames)
    node.dispatcher.drain()
    for message in (Ping(3), Games(4), Rooms(5), Create(6, "sealed_bids"), Watch(7, 12), Legal(8, room), Start(9, 1)):
        node.say(ada, message)
    await node.settle()
    notice, pong, *refused = ada.messages[before:]
    assert isinstance(notice, Notice)
    assert (notice.room, notice.code, pong) == (None, codes.NOTICE_DRAINING, Pong(3))
    told = [(error.ref, error.code) for error in refused if isinstance(error, Error)]
    assert told == [(ref, codes.SERVER_DRAINING) for ref in range(4, 10)]
    assert len(refused) == len(told)


async def test_while_a_node_drains_an_action_keeps_its_one_verdict(node: LittleNode) -> None:
    room, (ada, bob) = await node.table()
    actions = [node.first(player, room) for player in (ada, bob)]
    node.act(ada, room, 1, actions[0])
    await node.settle()
    again = node.greet("Ada", token_of(ada))
    await node.join(again, room)
    node.dispatcher.drain()
    node.act(bob, room, 2, actions[1])
    node.say(again, Act(room, 1, 1, msgspec.Raw(msgspec.msgpack.encode(actions[0]))))
    await node.settle()
    assert [verdict_of(player, number).code for player, number in ((ada, 1), (bob, 2), (again, 1))] == [None] * 3


class CountedBids(SealedBids):
    """Sealed bids, counting how often they are set up."""

    def __init__(self) -> None:
        self.setups = 0

    def setup(self, seats: int, options: Options, rng: Rng) -> State:
        self.setups += 1
        return super().setup(seats, options, rng)


async def test_of_many_rooms_wished_for_at_once_one_is_considered_in_a_turn(
    new_node: Callable[..., Awaitable[LittleNode]],
) -> None:
    game = CountedBids()
    node = await new_node(games=[game], rooms_per_player=50)
    ada = node.greet()
    for ref in range(20):
        node.say(ada, Create(ref, "sealed_bids"))
    before = game.setups
    while len(ada.of(Created)) < 20:
        await asyncio.sleep(0)
        assert game.setups <= before + 1
        before = game.setups


async def test_too_many_messages_make_the_node_read_later(new_node: Callable[..., Awaitable[LittleNode]]) -> None:
    node = await new_node(limits=Limits(messages_per_s=10, messages_burst=2))
    ada = node.greet()
    assert node.say(ada, Ping(1)) == 0
    assert node.say(ada, Ping(2)) == 100
