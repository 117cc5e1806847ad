"""Quick matches: who is led where."""

import asyncio
from collections.abc import Awaitable, Callable

from little_node import FickleStore, LittleNode, NotedConnection
from manual_time import ManualTime
from waiting import until

from warroom_protocol import codes
from warroom_protocol.messages import Created, Error, Joined, Kick, Quick
from warroom_server.runtime.quick import HELD_MS, SWEEP

GAME = "sealed_bids"


async def quick(
    node: LittleNode, connection: NotedConnection, ref: int = 5, seats: int = 2, **room_options: object
) -> int:
    """Ask for a quick match, and return the room."""
    before = len(connection.of(Created))
    node.say(connection, Quick(ref, GAME, seats, {}, room_options))
    await until(lambda: len(connection.of(Created)) > before)
    return connection.of(Created)[-1].room


async def refused(node: LittleNode, connection: NotedConnection, wish: Quick) -> Error:
    """Ask for a quick match, and return the refusal."""
    node.say(connection, wish)
    await until(lambda: bool(connection.of(Error)))
    return connection.of(Error)[-1]


async def test_two_who_want_the_same_meet(node: LittleNode) -> None:
    ada, bob = node.greet("Ada"), node.greet("Bob")
    room = await quick(node, ada)
    assert await quick(node, bob) == room
    for player in (ada, bob):
        assert isinstance(await node.join(player, room), Joined)
    await node.settle()
    hosted = node.driver.get(room)
    assert hosted is not None
    assert hosted.room.match.phase == "playing"


async def test_two_who_come_at_the_same_moment_meet(node: LittleNode) -> None:
    people = [node.greet(), node.greet()]
    rooms = await asyncio.gather(*(quick(node, person) for person in people))
    assert rooms[0] == rooms[1]


async def test_a_third_does_not_take_a_seat_that_is_held(node: LittleNode, time: ManualTime) -> None:
    first = await quick(node, node.greet())
    assert await quick(node, node.greet()) == first
    assert await quick(node, node.greet()) != first
    time.advance(HELD_MS)
    assert await quick(node, node.greet()) == first


async def test_the_same_wish_leads_to_the_same_room(node: LittleNode) -> None:
    ada = node.greet()
    room = await quick(node, ada)
    assert await quick(node, ada) == room
    assert len(node.driver) == 1


async def test_whoever_sits_in_an_open_room_is_led_back_to_it(node: LittleNode) -> None:
    ada = node.greet()
    room = await quick(node, ada, ref=5, seats=3)
    await node.join(ada, room)
    assert await quick(node, ada, ref=6, seats=3) == room


async def test_who_wants_something_else_gets_another_room(node: LittleNode) -> None:
    rooms = [
        await quick(node, node.greet()),
        await quick(node, node.greet(), seats=3),
        await quick(node, node.greet(), turn_ms=500),
    ]
    assert len(set(rooms)) == 3


async def test_the_fuller_room_comes_first(node: LittleNode, time: ManualTime) -> None:
    emptier = await quick(node, node.greet())
    await quick(node, node.greet())
    bob = node.greet()
    fuller = await quick(node, bob)
    assert fuller != emptier
    await node.join(bob, fuller)
    time.advance(HELD_MS)
    assert await quick(node, node.greet()) == fuller


async def test_a_room_that_began_is_not_offered(node: LittleNode) -> None:
    ada, bob = node.greet(), node.greet()
    room = await quick(node, ada)
    await quick(node, bob)
    for player in (ada, bob):
        await node.join(player, room)
    await node.settle()
    assert await quick(node, node.greet()) != room


async def test_whoever_was_sent_away_is_led_elsewhere(node: LittleNode) -> None:
    ada, eve = node.greet(), node.greet()
    room = await quick(node, ada, seats=3)
    await node.join(ada, room)
    assert await quick(node, eve, seats=3) == room
    await node.join(eve, room)
    node.say(ada, Kick(9, room, 1))
    await node.settle()
    assert await quick(node, eve, ref=6, seats=3) != room


async def test_the_room_of_a_quick_match_is_filled_after_a_while(node: LittleNode) -> None:
    room = node.driver.get(await quick(node, node.greet()))
    assert room is not None
    assert room.room.match.opened.room_options.fill_after_ms == room.room.game.info.fill_after_ms
    other = node.driver.get(await quick(node, node.greet(), fill_after_ms=500))
    assert other is not None
    assert other.room.match.opened.room_options.fill_after_ms == 500


async def test_a_quick_match_cannot_be_private(node: LittleNode) -> None:
    answer = await refused(node, node.greet(), Quick(5, GAME, 2, {}, {"private": True}))
    assert (answer.ref, answer.code) == (5, codes.ROOM_OPTIONS)


async def test_a_wish_that_cannot_be_fulfilled_is_refused(node: LittleNode, store: FickleStore) -> None:
    assert (await refused(node, node.greet(), Quick(5, "chess"))).code == codes.GAME_UNKNOWN
    store.is_away = True
    assert (await refused(node, node.greet(), Quick(5, GAME, 2))).code == codes.STORE_UNAVAILABLE


async def test_open_rooms_are_found_again_after_a_restart(
    new_node: Callable[..., Awaitable[LittleNode]], time: ManualTime
) -> None:
    first = await new_node()
    room = await quick(first, first.greet())
    await first.stop()
    second = await new_node(name="second")
    time.advance(10_000)
    await second.take_over()
    assert await quick(second, second.greet()) == room


async def test_kinds_that_nobody_asks_for_again_are_forgotten_with_their_rooms(node: LittleNode) -> None:
    matchmaker = node.node.matchmaker
    for number in range(3 * SWEEP):
        room = await quick(node, node.greet(), turn_ms=1_000 + number)
        hosted = node.driver.get(room)
        assert hosted is not None
        node.driver.remove(hosted)
    assert len(matchmaker) <= SWEEP
    room = await quick(node, node.greet(), turn_ms=999)
    assert await quick(node, node.greet(), turn_ms=999) == room, "what is still open is found"
