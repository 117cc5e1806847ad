"""A node that stops gives its rooms to others: nothing is lost, and nobody waits for long."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence

import pytest
from linked_nodes import STEP_MS, client, let_pass, meet, play, seat_two
from manual_time import ManualTime
from memory_links import Network
from small_node import FickleStore, LittleNode, NotedConnection
from wait_until import until

from warroom_protocol import codes
from warroom_protocol.messages import (
    Create,
    Created,
    Ended,
    Joined,
    Mute,
    Offer,
    Offers,
    Paused,
    Prompt,
    Said,
    Say,
    Verdict,
    Welcome,
)
from warroom_server.cluster.handover import TAKEN_MS
from warroom_server.hosting.hosted_room import Hold
from warroom_server.ports.store import Orphan, Whereabouts
from warroom_server.room.handoff_state import HandoffState, Mutes, Terms

Neighbours = Callable[..., Awaitable[list[LittleNode]]]
A_FEW = 4


async def drain(leaving: LittleNode, *others: LittleNode) -> None:
    """Let a node stop while others hold their leases."""
    for node in others:
        await node.renew()
    await leaving.hand_over()


def pause_of(viewer: NotedConnection) -> str | None:
    """Return why a viewer was told last that the room stands still."""
    told = viewer.of(Paused)
    return told[-1].reason if told else None


async def test_a_node_that_stops_gives_its_rooms_to_the_one_with_most_viewers(neighbours: Neighbours) -> None:
    leaving, other, heir = await neighbours("node-a", "node-b", "node-c")
    room, ada, bob = await seat_two(leaving, heir)
    assert (await play(heir, bob, room, 1)).code is None
    await leaving.hand_over()
    assert (room in leaving.room_host, room in other.room_host, room in heir.room_host) == (False, False, True)
    await until(lambda: pause_of(ada) is None)
    assert (await play(leaving, ada, room, 2)).code is None
    assert (await play(heir, bob, room, 3)).code is None
    assert (ada.closed, bob.closed) == (None, None)


@pytest.mark.parametrize("others_are_here", [True, False])
async def test_nobody_waits_for_a_player_who_had_left_before(neighbours: Neighbours, *, others_are_here: bool) -> None:
    leaving, heir, last = await neighbours("node-a", "node-b", "node-c")
    room, ada, bob = await seat_two(leaving, heir)
    heir.dispatcher.closed(bob)
    if not others_are_here:
        leaving.dispatcher.closed(ada)
    await until(lambda: len(leaving.hosted(room).absent) == (1 if others_are_here else 2))
    for giver in (leaving, heir, last):
        if room in giver.room_host:
            await giver.hand_over()
    owner = next(node for node in (heir, last) if room in node.room_host)
    await until(lambda: not owner.hosted(room).holds)
    if others_are_here:
        await until(lambda: pause_of(ada) is None)


async def test_who_is_still_waited_for_is_not_taken_for_one_who_had_left(neighbours: Neighbours) -> None:
    leaving, heir = await neighbours("node-a", "node-b")
    room, _, bob = await seat_two(leaving, heir)
    hosted = leaving.hosted(room)
    heir.dispatcher.closed(bob)
    await until(lambda: hosted.absent == {1})
    leaving.returning_players.wait(hosted, Hold.EDGE)
    assert (hosted.absent, hosted.unexpected) == (frozenset({1}), frozenset())
    await leaving.hand_over()
    assert heir.hosted(room).holds == {Hold.RESTART}


async def test_a_place_in_a_lobby_is_freed_in_time_however_often_it_is_handed_over(
    neighbours: Neighbours, time: ManualTime
) -> None:
    leaving, heir, last = await neighbours("node-a", "node-b", "node-c")
    ada, bob = last.greet("Ada"), leaving.greet("Bob")
    room = await leaving.create(bob, seats=3)
    for node, player in ((last, ada), (leaving, bob)):
        assert isinstance(await node.join(player, room), Joined)
    leaving.dispatcher.closed(bob)
    grace_ms = leaving.hosted(room).room.match.opened.room_options.grace_ms
    assert grace_ms is not None
    for owner, other in ((leaving, last), (last, heir)):
        await let_pass(time, grace_ms // 2 - STEP_MS)
        assert owner.hosted(room).room.match.seats.count(None) == 1
        await drain(owner, other)
        assert room in other.room_host
    await let_pass(time, 3 * STEP_MS)
    await until(lambda: heir.hosted(room).room.match.seats.count(None) == 2)


async def test_how_long_a_player_is_away_is_known_to_the_next_owner(neighbours: Neighbours, time: ManualTime) -> None:
    leaving, heir = await neighbours("node-a", "node-b")
    room, _, bob = await seat_two(leaving, heir)
    heir.dispatcher.closed(bob)
    await until(lambda: leaving.hosted(room).absent == {1})
    await let_pass(time, 5_000)
    await drain(leaving, heir)
    assert heir.hosted(room).handoff_state(time.now()) == HandoffState({1: 5_000})


async def test_how_long_a_pause_lasts_is_known_to_the_next_owner(neighbours: Neighbours, time: ManualTime) -> None:
    leaving, heir = await neighbours("node-a", "node-b")
    room, ada, bob = await seat_two(leaving, heir)
    for node, player in ((leaving, ada), (heir, bob)):
        node.say(player, Offer(50, room, "pause"))
    await until(lambda: pause_of(bob) == codes.PAUSE_AGREED)
    await let_pass(time, 5_000)
    await drain(leaving, heir)
    assert heir.hosted(room).handoff_state(time.now()) == HandoffState({}, paused_ms=5_000)


async def test_how_long_open_places_wait_for_people_is_known_to_the_next_owner(
    neighbours: Neighbours, time: ManualTime
) -> None:
    leaving, heir = await neighbours("node-a", "node-b")
    ada = client(heir, "Ada")
    leaving.say(bob := leaving.greet("Bob"), Create(77, "sealed_bids", 2, {}, {"fill_after_ms": 10_000}))
    await until(lambda: bool(bob.of(Created)))
    room = bob.of(Created)[0].room
    assert isinstance(await heir.join(ada, room), Joined)
    await let_pass(time, 5_000)
    await drain(leaving, heir)
    await until(lambda: bool(ada.resumed))
    assert heir.hosted(room).handoff_state(time.now()) == HandoffState(waited_ms=5_000)


async def test_what_players_offer_and_whom_they_muted_is_known_to_the_next_owner(
    neighbours: Neighbours, time: ManualTime
) -> None:
    leaving, heir = await neighbours("node-a", "node-b")
    room, ada, bob = await seat_two(leaving, heir)
    [ada_id, bob_id] = [player.of(Welcome)[0].player for player in (ada, bob)]
    leaving.say(ada, Mute(50, room, "somebody", everybody=True))
    heir.say(bob, Mute(50, room, ada_id))
    heir.say(bob, Offer(51, room, "draw"))
    await until(lambda: bool(ada.of(Offers)) and ada.of(Offers)[-1].offers == (("draw", (1,)),))
    turn = leaving.hosted(room).room.match.turn
    await leaving.hand_over()
    mutes = Mutes(("somebody",), {bob_id: (ada_id,)})
    assert heir.hosted(room).handoff_state(time.now()) == HandoffState(mutes=mutes, terms=Terms({"draw": (1,)}, turn))
    await until(lambda: pause_of(ada) is None and pause_of(bob) is None)
    leaving.say(ada, Say(52, room, "do you hear me?"))
    await until(lambda: bool(ada.of(Said)))
    leaving.say(ada, Offer(53, room, "draw"))
    await until(lambda: bool(bob.of(Ended)))
    assert bob.of(Said) == []


async def test_rooms_go_to_nodes_that_have_their_rules_wherever_the_viewers_are(neighbours: Neighbours) -> None:
    leaving, poor, rich = await neighbours("node-a", "node-b", "node-c", poor=["node-b"])
    seen_there, _, _ = await seat_two(leaving, poor)
    rooms = [seen_there, *[(await leaving.table())[0] for _ in range(3)]]
    await leaving.hand_over()
    assert [(room in poor.unplayable_rooms, room in rich.room_host) for room in rooms] == [(False, True)] * 4


async def test_what_a_node_does_not_take_is_offered_to_another_that_has_the_rules(
    neighbours: Neighbours, time: ManualTime
) -> None:
    leaving, poor, silent, rich = await neighbours("node-a", "node-b", "node-c", "node-d", poor=["node-b"])
    rooms = [(await seat_two(leaving, silent))[0] for _ in range(4)]
    silent.room_loader.leave()
    handing_over = asyncio.ensure_future(leaving.hand_over())
    await until(lambda: not leaving.room_host)
    time.advance(TAKEN_MS)
    await handing_over
    assert [(room in poor.unplayable_rooms, room in rich.room_host) for room in rooms] == [(False, True)] * 4


async def test_rooms_with_no_viewers_elsewhere_go_to_all_that_stay_alike(neighbours: Neighbours) -> None:
    leaving, *heirs = await neighbours("node-a", "node-b", "node-c")
    rooms = [(await leaving.table())[0] for _ in range(8)]
    await leaving.hand_over()
    assert [sum(room in heir.room_host for room in rooms) for heir in heirs] == [4, 4]


async def test_nothing_is_given_to_a_node_that_stops_as_well(neighbours: Neighbours, store: FickleStore) -> None:
    leaving, also, heir = await neighbours("node-a", "node-b", "node-c")
    rooms = [await leaving.create(leaving.greet(), ref=ref) for ref in range(4)]
    await also.hand_over()
    await meet([leaving, also, heir], store)
    await leaving.hand_over()
    assert [room in heir.room_host for room in rooms] == [True] * 4


async def test_many_rooms_go_a_few_at_a_time_so_that_nobody_waits_for_all_of_them(
    neighbours: Neighbours, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("warroom_server.cluster.drain.AT_ONCE", A_FEW)
    leaving, heir = await neighbours("node-a", "node-b")
    rooms = [(await leaving.table())[0] for _ in range(2 * A_FEW + 1)]
    portions: list[int] = []

    def take_over(orphans: Sequence[Orphan]) -> None:
        portions.append(len(orphans))
        assert sum(portions) - sum(room in heir.room_host for room in rooms) <= A_FEW
        take(orphans)

    take = heir.room_loader.offered
    monkeypatch.setattr(heir.room_loader, "offered", take_over)
    await leaving.hand_over()
    assert len(portions) > 2
    assert all(room in heir.room_host for room in rooms)


async def test_what_a_node_does_not_take_is_offered_to_another(neighbours: Neighbours, time: ManualTime) -> None:
    leaving, other, heir = await neighbours("node-a", "node-b", "node-c")
    room, _, _ = await seat_two(leaving, heir)
    heir.room_loader.leave()
    handing_over = asyncio.ensure_future(leaving.hand_over())
    await until(lambda: room not in leaving.room_host)
    time.advance(TAKEN_MS)
    await handing_over
    assert (room in other.room_host, room in heir.room_host) == (True, False)


async def test_a_node_whose_heir_is_gone_keeps_the_rest(
    neighbours: Neighbours, network: Network, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("warroom_server.cluster.drain.AT_ONCE", A_FEW)
    leaving, heir = await neighbours("node-a", "node-b")
    rooms = [await leaving.create(leaving.greet(), ref=ref) for ref in range(2 * A_FEW)]
    monkeypatch.setattr(heir.room_loader, "offered", lambda *_: network.cut())
    await leaving.hand_over()
    assert sum(room in leaving.room_host for room in rooms) == A_FEW


async def test_a_node_that_is_alone_keeps_its_rooms(node: LittleNode) -> None:
    room, _ = await node.table()
    await node.hand_over()
    assert room in node.room_host


async def test_an_action_that_waits_for_the_store_is_judged_before_its_room_goes(neighbours: Neighbours) -> None:
    leaving, heir = await neighbours("node-a", "node-b")
    room, ada, bob = await seat_two(leaving, heir)
    leaving.act(ada, room, 1)
    await leaving.hand_over()
    await until(lambda: bool(ada.of(Verdict)))
    assert ada.of(Verdict)[0].code is None
    assert ada.of(Prompt)
    assert room in heir.room_host
    assert (await play(heir, bob, room, 2)).code is None


async def test_what_no_log_tells_reaches_the_next_owner_even_if_every_offer_is_lost(
    neighbours: Neighbours, network: Network, store: FickleStore, time: ManualTime
) -> None:
    leaving, heir, other = await neighbours("node-a", "node-b", "node-c")
    room, _, bob = await seat_two(leaving, heir)
    heir.dispatcher.closed(bob)
    await until(lambda: leaving.hosted(room).absent == {1})
    await let_pass(time, 5_000)
    network.hold_from(b"offer")
    handing_over = asyncio.ensure_future(drain(leaving, heir, other))
    await until(lambda: room in leaving.handover)
    while not handing_over.done():
        await let_pass(time, TAKEN_MS)
    assert not heir.room_host
    assert not other.room_host
    await store.release(leaving.name)
    await other.take_over()
    assert other.hosted(room).handoff_state(time.now()) == HandoffState({1: 5_000})


async def test_a_room_stays_until_the_store_has_released_it(neighbours: Neighbours, store: FickleStore) -> None:
    leaving, heir = await neighbours("node-a", "node-b")
    room, ada, _ = await seat_two(leaving, heir)
    store.is_away = True
    handing_over = asyncio.ensure_future(leaving.hand_over())
    await until(lambda: leaving.handover.is_asked(room))
    await until(lambda: not leaving.handover.is_asked(room))
    assert room in leaving.room_host
    assert pause_of(ada) != codes.PAUSE_MOVING
    store.is_away = False
    await handing_over
    assert (room in leaving.room_host, room in heir.room_host) == (False, True)


async def test_what_happens_while_a_room_is_released_is_not_lost(
    neighbours: Neighbours, store: FickleStore, time: ManualTime
) -> None:
    leaving, heir = await neighbours("node-a", "node-b")
    room, ada, _ = await seat_two(leaving, heir)
    store.answer_s = 0.05
    handing_over = asyncio.ensure_future(leaving.hand_over())
    await until(lambda: leaving.handover.is_asked(room))
    leaving.say(ada, Mute(50, room, "somebody", everybody=True))
    await handing_over
    assert heir.hosted(room).handoff_state(time.now()) == HandoffState(mutes=Mutes(("somebody",)))


async def test_a_room_that_another_node_took_meanwhile_is_not_offered(
    neighbours: Neighbours, store: FickleStore
) -> None:
    leaving, heir, thief = await neighbours("node-a", "node-b", "node-c")
    room, _, _ = await seat_two(leaving, heir)
    assert await store.claim([(room, leaving.name, 1)], thief.name) == [2]
    await leaving.hand_over()
    assert (room in leaving.room_host, room in heir.room_host) == (False, False)
    assert await store.whereabouts([room]) == [Whereabouts(thief.name, 2)]


async def test_rooms_go_to_the_node_with_the_fewest_first(neighbours: Neighbours, store: FickleStore) -> None:
    leaving, full, empty = await neighbours("node-a", "node-b", "node-c")
    for _ in range(3):
        await full.table()
    rooms = [(await leaving.table())[0] for _ in range(5)]
    await drain(leaving, full, empty)
    assert [sum(room in heir.room_host for room in rooms) for heir in (full, empty)] == [1, 4]


async def test_what_no_log_tells_survives_that_the_next_owner_has_to_claim_twice(
    neighbours: Neighbours, store: FickleStore, time: ManualTime
) -> None:
    leaving, heir = await neighbours("node-a", "node-b")
    room, _, bob = await seat_two(leaving, heir)
    heir.dispatcher.closed(bob)
    await until(lambda: leaving.hosted(room).absent == {1})
    await let_pass(time, 5_000)
    store.loads_too_early = True
    await drain(leaving, heir)
    assert heir.hosted(room).epoch == 3
    assert heir.hosted(room).handoff_state(time.now()) == HandoffState({1: 5_000})
