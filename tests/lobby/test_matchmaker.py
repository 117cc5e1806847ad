"""Quick matches: who is led where."""

import asyncio
import itertools
from collections.abc import Awaitable, Callable
from typing import Any

import msgspec
import pytest
from manual_time import ManualTime
from msgspec.structs import replace
from sealed_bids import SealedBids
from small_node import FickleStore, LittleNode, NotedConnection, token_of
from wait_until import until

from warroom_protocol import codes
from warroom_protocol.messages import Created, Error, Joined, Kick, Leave, Quick, Welcome
from warroom_server.archive.ratings import Rating
from warroom_server.lobby.quick_match_rooms import kind_of
from warroom_server.lobby.room_publisher import PUBLISH_MS
from warroom_server.ports.listings import OpenRoom, QuickRules
from warroom_server.ports.records import RatingChange
from warroom_server.room.commands import Void

Neighbours = Callable[..., Awaitable[list[LittleNode]]]
GAME = "sealed_bids"
RULES = QuickRules()
HELD_MS, REST_MS = RULES.held_ms, RULES.rest_ms


@pytest.fixture(autouse=True)
def _no_pauses(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ask again at once: how long somebody has waited is up to the clock of the test."""
    for name in ("RETRY_S", "MAKING_S"):
        monkeypatch.setattr(f"warroom_server.lobby.matchmaker.{name}", 0.001)


async def quick(
    node: LittleNode, connection: NotedConnection, ref: int = 5, seats: int = 2, **room_options: object
) -> int:
    """Ask for a quick match, and return the room."""
    before = len(connection.of(Created))
    node.say(connection, Quick(ref, GAME, seats, {}, room_options))
    await until(lambda: len(connection.of(Created)) > before)
    return connection.of(Created)[-1].room


async def publish(node: LittleNode) -> None:
    """Let what changed be published."""
    await node.settle()
    node.time.advance(PUBLISH_MS)
    await node.settle()


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
    node.reclaim.lose()
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
    await publish(node)
    assert await quick(node, node.greet()) != room


async def test_a_room_that_refuses_a_player_is_not_offered_again_at_once(node: LittleNode, time: ManualTime) -> None:
    ada, bob, eve = node.greet("Ada"), node.greet("Bob"), node.greet("Eve")
    room = await quick(node, ada)
    await node.join(ada, room)
    await publish(node)
    await node.join(bob, room)
    assert await quick(node, eve) == room, "the directory does not know yet"
    answer = await node.join(eve, room)
    assert isinstance(answer, Error)
    assert answer.code == codes.ROOM_STARTED
    other = await quick(node, eve, ref=6)
    assert other != room
    assert await quick(node, eve, ref=7) == other, "where a seat is held for her now"


async def test_whoever_was_sent_away_is_led_elsewhere(node: LittleNode) -> None:
    ada, eve = node.greet(), node.greet()
    room = await quick(node, ada, seats=3)
    await node.join(ada, room)
    assert await quick(node, eve, seats=3) == room
    await node.join(eve, room)
    node.say(ada, Kick(9, room, 1))
    await publish(node)
    assert await quick(node, eve, ref=6, seats=3) != room


async def test_the_room_of_a_quick_match_is_filled_after_a_while(node: LittleNode) -> None:
    room = node.room_host.get(await quick(node, node.greet()))
    assert room is not None
    assert room.room.match.opened.room_options.fill_after_ms == room.room.match.game.info.fill_after_ms
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


async def test_a_room_that_is_over_is_not_offered(node: LittleNode) -> None:
    room = await quick(node, node.greet())
    node.room_host.tell(room, Void("deserted"))
    await until(lambda: node.hosted(room).room.is_over)
    await publish(node)
    assert await quick(node, node.greet()) != room


async def test_an_open_room_that_is_not_there_is_noticed(node: LittleNode, store: FickleStore) -> None:
    kind = kind_of(node.hosted(await quick(node, node.greet(), seats=3)).room.match)
    assert kind is not None
    await store.directory.publish_open(kind, node.name, [OpenRoom(99, 1, 1, ("eve", "sam"))], [])
    assert await quick(node, node.greet(), seats=3) in node.room_host


async def test_a_bug_is_told_to_whom_it_hit_and_to_nobody_else(node: LittleNode, store: FickleStore) -> None:
    people = [node.greet() for _ in range(3)]
    store.create_bugs = [ZeroDivisionError("a bug")]
    for person in people:
        node.say(person, Quick(5, GAME, 2))
    await until(lambda: all(person.of(Error) or person.of(Created) for person in people))
    assert [[error.code for error in person.of(Error)] for person in people] == [[codes.INTERNAL], [], []]
    assert len({person.of(Created)[0].room for person in people[1:]}) == 1


async def test_no_more_people_wait_than_may(
    new_node: Callable[..., Awaitable[LittleNode]], store: FickleStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("warroom_server.lobby.requests.SEARCHES", 3)
    node = await new_node()
    store.answers_creations.clear()
    people = [node.greet() for _ in range(4)]
    for person in people:
        node.say(person, Quick(5, GAME, 3))
    assert [error.code for error in people[-1].of(Error)] == [codes.STORE_UNAVAILABLE]
    store.answers_creations.set()
    await until(lambda: all(person.of(Created) for person in people[:-1]))
    assert await quick(node, people[-1], ref=6) in node.room_host


async def test_who_waits_for_a_room_that_cannot_be_made_is_told_as_well(node: LittleNode, store: FickleStore) -> None:
    people = [node.greet(), node.greet()]
    store.answers_creations.clear()
    for person in people:
        node.say(person, Quick(5, GAME, 2))
    await until(lambda: store.creations == 1)
    store.is_away = True
    store.answers_creations.set()
    await until(lambda: all(person.of(Error) for person in people))
    assert {error.code for person in people for error in person.of(Error)} == {codes.STORE_UNAVAILABLE}


async def test_a_room_that_its_maker_may_not_have_is_made_by_the_next(
    new_node: Callable[..., Awaitable[LittleNode]],
) -> None:
    node = await new_node(rooms_per_player=1)
    ada, bob = node.greet(), node.greet()
    await node.create(ada)
    for person in (ada, bob):
        node.say(person, Quick(5, GAME, 2))
    await until(lambda: bool(ada.of(Error)) and bool(bob.of(Created)))
    assert [error.code for error in ada.of(Error)] == [codes.ROOM_LIMIT]


async def test_a_search_ends_when_its_connection_closes(node: LittleNode, store: FickleStore) -> None:
    ada, gone = node.greet(), node.greet()
    store.answers_creations.clear()
    for person in (ada, gone):
        node.say(person, Quick(5, GAME, 2))
    await until(lambda: len(node.lobby.searches) == 2)
    node.dispatcher.closed(gone)
    await until(lambda: len(node.lobby.searches) == 1)
    store.answers_creations.set()
    await until(lambda: bool(ada.of(Created)))


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
    await publish(second)
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
    room = await quick(node, ada, seats=3)
    for person in (ada, bob):
        assert await quick(node, person, ref=7, seats=3) == room
        await node.join(person, room)
    await publish(node)
    node.say(bob, Leave(9, room))
    time.advance(HELD_MS)
    await publish(node)
    assert await quick(node, bob, ref=8, seats=3) == room
    assert await quick(node, node.greet(), seats=3) == room
    assert await quick(node, node.greet(), seats=3) != room


# --- several nodes --------------------------------------------------------------------------------------------


async def test_people_of_two_nodes_meet_and_play(neighbours: Neighbours) -> None:
    here, there = await neighbours("node-a", "node-b")
    ada, bob = here.greet(), there.greet()
    rooms = await asyncio.gather(quick(here, ada), quick(there, bob))
    assert rooms[0] == rooms[1]
    for node, player in ((here, ada), (there, bob)):
        assert isinstance(await node.join(player, rooms[0]), Joined)
    owner = here if rooms[0] in here.room_host else there
    await until(lambda: owner.hosted(rooms[0]).room.match.phase == "playing")


async def test_the_same_request_on_another_node_names_the_same_room(neighbours: Neighbours) -> None:
    here, there = await neighbours("node-a", "node-b")
    ada = here.greet("Ada")
    room = await quick(here, ada)
    again = there.greet("Ada", token_of(ada))
    await until(lambda: bool(again.of(Welcome)))
    assert await quick(there, again) == room


async def test_nobody_is_sent_to_a_node_without_a_lease(neighbours: Neighbours, store: FickleStore) -> None:
    dead, alive = await neighbours("node-a", "node-b")
    room = await quick(dead, dead.greet())
    await store.release(dead.name)
    alive.leased_nodes.update(await store.nodes())
    assert await quick(alive, alive.greet()) != room


# --- ratings --------------------------------------------------------------------------------------------------


_matches = itertools.count(1)


async def rate(store: FickleStore, person: NotedConnection, mean: float) -> None:
    """Give somebody a rating."""
    await until(lambda: bool(person.of(Welcome)))
    player = person.of(Welcome)[0].player
    rating = msgspec.msgpack.encode(Rating(mean, 1.0, 9, "", None))
    assert await store.records.rate(next(_matches), GAME, [RatingChange(player, None, rating, 0)], keep_s=60)


async def test_a_rated_player_waits_for_the_window_to_widen(
    node: LittleNode, store: FickleStore, time: ManualTime
) -> None:
    ada, bob, eve = (node.greet() for _ in range(3))
    for person, mean in ((ada, 25.0), (bob, 25.0 + 3 * RULES.window / 1000), (eve, 26.0)):
        await rate(store, person, mean)
    room = await quick(node, ada, seats=3)
    await node.join(ada, room)
    await publish(node)
    node.say(bob, Quick(5, GAME, 3))
    assert await quick(node, eve, seats=3) == room, "within the window from the beginning"
    assert bob.of(Created) == []
    time.advance(RULES.widens_ms)
    await until(lambda: bool(bob.of(Created)))
    assert bob.of(Created)[0].room == room


async def test_who_waited_long_enough_takes_what_there_is(
    node: LittleNode, store: FickleStore, time: ManualTime
) -> None:
    ada, bob = node.greet(), node.greet()
    for person, mean in ((ada, 25.0), (bob, 500.0)):
        await rate(store, person, mean)
    room = await quick(node, ada)
    await node.join(ada, room)
    await publish(node)
    node.say(bob, Quick(5, GAME, 2))
    await node.settle()
    time.advance(RULES.patience_ms - 1)
    await node.settle()
    assert bob.of(Created) == []
    time.advance(1)
    await until(lambda: bool(bob.of(Created)))
    assert bob.of(Created)[0].room == room


async def test_ratings_do_not_matter_where_nothing_is_rated(node: LittleNode, store: FickleStore) -> None:
    ada, bob = node.greet(), node.greet()
    for person, mean in ((ada, 25.0), (bob, 500.0)):
        await rate(store, person, mean)
    room = await quick(node, ada, rated=False)
    assert await quick(node, bob, rated=False) == room
