"""Quick matches: who is led where."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

from manual_time import ManualTime
from msgspec.structs import replace
from sealed_bids import SealedBids
from small_node import FickleStore, LittleNode, NotedConnection, token_of
from wait_until import until

from warroom_protocol import codes
from warroom_protocol.messages import Created, Error, Joined, Kick, Quick
from warroom_server.lobby.room_factory import WISHES
from warroom_server.lobby.seat_reservations import HELD_MS, REST_MS

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
    hosted = node.hosted(room)
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
    assert len(node.room_host) == 1


async def test_whoever_sits_in_an_open_room_is_led_back_to_it(node: LittleNode) -> None:
    ada = node.greet()
    room = await quick(node, ada, ref=5, seats=3)
    await node.join(ada, room)
    assert await quick(node, ada, ref=6, seats=3) == room


async def test_nobody_is_led_into_a_room_that_is_in_doubt_while_others_go_on(node: LittleNode) -> None:
    ada, bob = node.greet(), node.greet()
    room = await quick(node, ada, ref=5, seats=3)
    await node.join(ada, room)
    node.gate.extend(2**60)
    node.gate.open([room])
    other = await quick(node, bob, seats=3)
    assert other != room
    assert await quick(node, ada, ref=6, seats=3) == other
    node.gate.open()
    assert await quick(node, node.greet(), seats=3) == room


async def test_while_the_whole_node_is_in_doubt_people_who_want_the_same_still_meet(node: LittleNode) -> None:
    ada, bob = node.greet(), node.greet()
    room = await quick(node, ada)
    node.lease.lose()
    assert await quick(node, bob) == room


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
    room = node.room_host.get(await quick(node, node.greet()))
    assert room is not None
    assert room.room.match.opened.room_options.fill_after_ms == room.room.game.info.fill_after_ms
    other = node.room_host.get(await quick(node, node.greet(), fill_after_ms=500))
    assert other is not None
    assert other.room.match.opened.room_options.fill_after_ms == 500


class Televised(SealedBids):
    """Shows spectators all hands a while later, unless a room wants it otherwise."""

    info = replace(SealedBids.info, watch="all", delay=2)


async def test_a_quick_match_can_be_rated_whatever_spectators_of_its_game_see(
    new_node: Callable[..., Awaitable[LittleNode]],
) -> None:
    node = await new_node(games=[Televised()])
    wishes: list[dict[str, Any]] = [{}, {"watch": "all", "delay": 3}]
    shown = []
    for room_options in wishes:
        hosted = node.room_host.get(await quick(node, node.greet(), **room_options))
        assert hosted is not None
        options = hosted.room.match.opened.room_options
        shown.append((options.watch, options.delay))
    assert shown == [("public", 0), ("all", 3)]


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


async def test_rooms_that_began_or_are_gone_are_forgotten_with_their_kinds(node: LittleNode) -> None:
    matchmaker = node.dispatcher.matchmaker
    for number in range(10):
        room = await quick(node, node.greet(), turn_ms=1_000 + number)
        hosted = node.hosted(room)
        node.room_host.remove(hosted)
    assert len(matchmaker) == 0
    people = [node.greet(), node.greet()]
    rooms = [await quick(node, person, turn_ms=999) for person in people]
    assert (len(set(rooms)), len(matchmaker)) == (1, 1)
    for person in people:
        await node.join(person, rooms[0])
    await node.settle()
    assert len(matchmaker) == 0


async def test_a_bug_is_told_to_whom_it_hit_and_to_nobody_else(node: LittleNode, store: FickleStore) -> None:
    people = [node.greet() for _ in range(3)]
    store.create_bugs = [ZeroDivisionError("a bug")]
    for person in people:
        node.say(person, Quick(5, GAME, 2))
    await until(lambda: all(person.of(Error) or person.of(Created) for person in people))
    assert [[error.code for error in person.of(Error)] for person in people] == [[codes.INTERNAL], [], []]
    assert len({person.of(Created)[0].room for person in people[1:]}) == 1


async def test_no_more_people_wait_for_the_store_than_may(node: LittleNode, store: FickleStore) -> None:
    store.answers_creations.clear()
    people = [node.greet() for _ in range(WISHES + 1)]
    for person in people[:-1]:
        node.say(person, Quick(5, GAME, 2))
    await until(lambda: store.creations == 1)
    for _ in range(2 * WISHES):
        await asyncio.sleep(0)  # all of them were considered, and wait
    node.say(people[-1], Quick(5, GAME, 2))
    assert [error.code for error in people[-1].of(Error)] == [codes.STORE_UNAVAILABLE]
    store.is_away = True
    store.answers_creations.set()
    await until(lambda: all(person.of(Error) for person in people))
    assert {error.code for person in people for error in person.of(Error)} == {codes.STORE_UNAVAILABLE}
    assert store.creations == 1, "what the first one was told holds for all who waited"
    store.is_away = False
    assert await quick(node, people[1]) in node.room_host


async def test_whoever_hangs_up_while_waiting_has_no_seat_held(node: LittleNode, store: FickleStore) -> None:
    ada, gone, bob = (node.greet() for _ in range(3))
    store.answers_creations.clear()
    for person in (ada, gone):
        node.say(person, Quick(5, GAME, 2))
    await until(lambda: store.creations == 1)
    node.dispatcher.closed(gone)
    store.answers_creations.set()
    await until(lambda: bool(ada.of(Created)))
    assert await quick(node, bob) == ada.of(Created)[0].room


async def test_a_wish_told_again_after_a_restart_finds_the_room_that_it_made(
    new_node: Callable[..., Awaitable[LittleNode]], time: ManualTime
) -> None:
    first = await new_node()
    ada, bob = first.greet(), first.greet()
    room = await quick(first, ada)
    await first.join(bob, room)
    await first.stop()
    second = await new_node(name="second")
    time.advance(10_000)
    await second.take_over()
    await second.join(second.greet(), room)
    assert await quick(second, second.greet()) != room, "it has no free seat"
    assert await quick(second, second.greet("Ada", token_of(ada))) == room


# --- held seats -----------------------------------------------------------------------------------------------


async def test_who_asks_again_and_again_and_never_comes_keeps_no_seat(node: LittleNode, time: ManualTime) -> None:
    ada, idler = node.greet(), node.greet()
    room = await quick(node, ada)
    await node.join(ada, room)
    for ref in (6, 7):
        assert await quick(node, idler, ref=ref) == room
        time.advance(HELD_MS // 2)
    assert await quick(node, idler, ref=8) == room, "led there, but nothing is held"
    assert await quick(node, node.greet()) == room
    time.advance(HELD_MS + REST_MS)
    assert await quick(node, idler, ref=9) == room
    assert await quick(node, node.greet()) != room, "a minute later one is held again"


async def test_who_came_and_left_is_expected_again(node: LittleNode, time: ManualTime) -> None:
    ada, bob = node.greet(), node.greet()
    room = await quick(node, ada)
    await node.join(ada, room)
    assert await quick(node, bob) == room
    await node.join(bob, await quick(node, bob, ref=8, seats=3))
    time.advance(HELD_MS)
    assert await quick(node, bob, ref=6) == room
    assert await quick(node, node.greet()) != room
