"""Requests that wait for a store that does not answer: refused in time, and each has one answer."""

from collections.abc import Awaitable, Callable

import pytest
from linked_nodes import choose, let_pass, seat_two, talk
from manual_time import ManualTime
from small_node import FickleStore, LittleNode, NotedConnection, verdict_of
from wait_until import until

from warroom_protocol import codes
from warroom_protocol.messages import Done, Error, Join, Joined, Leave, Resign, Verdict, Welcome
from warroom_server.hosting.room_host import ANSWER_MS

Neighbours = Callable[..., Awaitable[list[LittleNode]]]

SEATS = 4


def refusals(newcomer: NotedConnection) -> list[tuple[int | None, str]]:
    """Return what was refused, and why."""
    return [(error.ref, error.code) for error in newcomer.of(Error)]


async def is_back(node: LittleNode, store: FickleStore) -> None:
    """Let the store answer again, and the node write what waited."""
    store.is_away = False
    await until(lambda: node.room_host.pipeline.committer.backlog == 0)
    await node.settle()


@pytest.mark.parametrize("is_shut", [False, True], ids=["sure of the lease", "lease in doubt"])
async def test_newcomers_are_refused_in_time_and_each_has_one_answer(
    node: LittleNode, store: FickleStore, time: ManualTime, is_shut: bool
) -> None:
    room = await node.create(node.greet("Ada"), SEATS)
    bob, eve = node.greet("Bob"), node.greet("Eve")
    store.is_away = True
    node.say(bob, Join(5, room))  # his seat is on its way to the store
    node.say(eve, Join(6, room))  # and hers waits for that
    if is_shut:
        node.gate.shut()
    time.advance(ANSWER_MS - 1)
    assert (refusals(bob), refusals(eve)) == ([], [])
    time.advance(1)
    assert (refusals(bob), refusals(eve)) == ([(5, codes.STORE_UNAVAILABLE)], [(6, codes.STORE_UNAVAILABLE)])
    node.gate.extend(2**60)
    node.gate.open()
    await is_back(node, store)
    assert (bob.of(Joined), eve.of(Joined)) == ([], [])
    match = node.hosted(room).room.match
    assert match.seat_of(bob.of(Welcome)[0].player) is not None, "the store has it after all"
    assert match.seat_of(eve.of(Welcome)[0].player) is None
    for newcomer in (bob, eve):
        assert isinstance(await node.join(newcomer, room), Joined)


async def test_an_answer_of_the_store_that_waits_for_the_lease_lets_nobody_in_who_was_refused(
    node: LittleNode, store: FickleStore, time: ManualTime
) -> None:
    room = await node.create(node.greet("Ada"), SEATS)
    bob = node.greet("Bob")
    store.is_away = True
    node.say(bob, Join(5, room))
    node.gate.shut()
    await is_back(node, store)
    time.advance(ANSWER_MS)
    assert refusals(bob) == [(5, codes.STORE_UNAVAILABLE)]
    node.gate.extend(2**60)
    node.gate.open()
    await node.settle()
    assert bob.of(Joined) == []
    assert isinstance(await node.join(bob, room), Joined)


async def test_who_is_let_in_in_time_is_not_refused_later(
    node: LittleNode, store: FickleStore, time: ManualTime
) -> None:
    room = await node.create(node.greet("Ada"), SEATS)
    bob = node.greet("Bob")
    store.is_away = True
    node.say(bob, Join(5, room))
    time.advance(ANSWER_MS - 1)
    await is_back(node, store)
    assert [joined.ref for joined in bob.of(Joined)] == [5]
    time.advance(2 * ANSWER_MS)
    assert refusals(bob) == []


async def test_a_later_request_has_its_own_time(node: LittleNode, store: FickleStore, time: ManualTime) -> None:
    room = await node.create(node.greet("Ada"), SEATS)
    bob = node.greet("Bob")
    store.is_away = True
    node.say(bob, Join(5, room))
    time.advance(ANSWER_MS - 1)
    await is_back(node, store)
    store.is_away = True
    node.say(bob, Leave(6, room))
    time.advance(1)
    assert refusals(bob) == []
    await is_back(node, store)
    await until(lambda: [done.ref for done in bob.of(Done)] == [6])


async def test_other_requests_are_refused_as_well_and_actions_wait(
    neighbours: Neighbours, store: FickleStore, time: ManualTime
) -> None:
    here, there = await neighbours("node-a", "node-b")
    room, ada, bob = await seat_two(here, there)
    bid = await choose(here, ada, room)
    store.fails_to_append = True
    there.say(bob, Resign(7, room))
    await until(lambda: bool(here.hosted(room).room.unanswered()))
    here.act(ada, room, 1, bid)
    here.say(ada, Resign(8, room))
    await let_pass(time, ANSWER_MS)
    assert (refusals(ada), refusals(bob)) == ([(8, codes.STORE_UNAVAILABLE)], [(7, codes.STORE_UNAVAILABLE)])
    assert ada.of(Verdict) == []
    store.fails_to_append = False
    await until(lambda: bool(ada.of(Verdict)))
    await talk()
    assert (ada.of(Done), bob.of(Done)) == ([], [])
    assert verdict_of(ada, 1).code == codes.ROOM_ENDED, "he gave up before it, as the store knows by now"


async def test_who_leaves_a_lobby_and_is_refused_has_no_seat_if_that_is_stored_after_all(
    node: LittleNode, store: FickleStore, time: ManualTime
) -> None:
    ada = node.greet("Ada")
    room = await node.create(ada, SEATS)
    assert isinstance(await node.join(ada, room), Joined)
    store.is_away = True
    node.say(ada, Leave(7, room))
    time.advance(ANSWER_MS)
    assert refusals(ada) == [(7, codes.STORE_UNAVAILABLE)]
    await is_back(node, store)
    assert node.hosted(room).room.match.seat_of(ada.of(Welcome)[0].player) is None
    node.say(ada, Leave(8, room))
    assert [done.ref for done in ada.of(Done)] == [8]


async def test_a_newcomer_on_another_node_is_told_that_the_store_is_away(
    neighbours: Neighbours, store: FickleStore, time: ManualTime
) -> None:
    here, there = await neighbours("node-a", "node-b")
    room = await here.create(here.greet("Ada"), SEATS)
    bob = there.greet("Bob")
    store.fails_to_append = True
    there.say(bob, Join(5, room))
    await until(lambda: bool(here.hosted(room).room.unanswered()))
    await let_pass(time, ANSWER_MS)
    await talk()
    assert refusals(bob) == [(5, codes.STORE_UNAVAILABLE)]
    assert len(there.remote_rooms) == len(here.remote_viewers) == 0
