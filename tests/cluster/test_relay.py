"""Rooms on one node and viewers on another: led there, kept there, and led on when the room moves."""

import asyncio
from collections.abc import Awaitable, Callable

import msgspec
import pytest
from linked_nodes import STEP_MS, choose, come_back, let_pass, meet, play, seat_two, talk
from manual_time import ManualTime
from memory_links import Network
from small_node import FickleStore, LittleNode, NotedConnection, token_of, verdict_of
from wait_until import until

from warroom_games.log import Acted, TimedOut, decode_entry
from warroom_protocol import codes
from warroom_protocol.codec import encode
from warroom_protocol.messages import (
    Act,
    Done,
    Ended,
    Error,
    Joined,
    Leave,
    Legal,
    Notice,
    Offer,
    Offers,
    Paused,
    Prompt,
    Resign,
    Resumed,
    Resync,
    Said,
    Say,
    Seats,
    Snapshot,
    Update,
    Verdict,
    Watch,
)
from warroom_server.cluster.lease import LEASE_MS
from warroom_server.cluster.messages import Frame
from warroom_server.hosting.hosted_room import Hold
from warroom_server.hosting.returning_players import RETURN_MS
from warroom_server.ports.peers import CONGESTED_BYTES
from warroom_server.ports.store import Whereabouts
from warroom_server.room.commands import MOVING_MS

Neighbours = Callable[..., Awaitable[list[LittleNode]]]
NewNode = Callable[..., Awaitable[LittleNode]]


def pause_of(viewer: NotedConnection) -> str | None:
    """Return why a viewer was told last that the room stands still."""
    told = viewer.of(Paused)
    return told[-1].reason if told else None


def frames(viewer: NotedConnection, name: bytes) -> int:
    """Return how many messages of one name a viewer got, without reading them."""
    return sum(name in frame[:12] for frame in viewer.frames)


def said(viewer: NotedConnection) -> list[str]:
    """Return what a viewer heard."""
    return [line.text for line in viewer.of(Said)]


async def test_a_guest_plays_like_anybody(neighbours: Neighbours) -> None:
    here, there = await neighbours("node-a", "node-b")
    room, ada, bob = await seat_two(here, there)
    assert (await play(there, bob, room, 1)).code is None
    assert (await play(here, ada, room, 2)).code is None
    await until(lambda: len(bob.of(Update)) == len(ada.of(Update)) > 0)
    assert room not in there.room_host
    there.say(bob, Say(7, room, "hello"))
    await until(lambda: any(done.ref == 7 for done in bob.of(Done)))


async def test_a_guest_is_led_to_the_node_that_takes_its_room_over(
    neighbours: Neighbours, store: FickleStore, time: ManualTime
) -> None:
    dying, edge, heir = await neighbours("node-a", "node-b", "node-c")
    room, ada, bob = await seat_two(dying, edge)
    assert (await play(edge, bob, room, 1)).code is None
    await dying.stop()
    await until(lambda: pause_of(bob) == codes.PAUSE_MOVING)
    edge.act(bob, room, 9, {"type": "bid", "card": 1})
    await let_pass(time, LEASE_MS)
    await heir.take_over()
    cara = await come_back(heir, token_of(ada))
    assert isinstance(await heir.join(cara, room), Joined)
    await until(lambda: pause_of(bob) is None)
    await until(lambda: len(bob.of(Verdict)) == 2)
    assert [verdict.id for verdict in bob.of(Verdict)] == [1, 9]
    assert (len(bob.of(Joined)), bob.of(Resumed)) == (1, [])
    assert (await play(heir, cara, room, 2)).code is None
    assert (await play(edge, bob, room, 3)).code is None


async def test_a_guest_whose_own_node_takes_the_room_over_goes_on_there(
    neighbours: Neighbours, store: FickleStore, time: ManualTime
) -> None:
    dying, heir = await neighbours("node-a", "node-b")
    room, ada, bob = await seat_two(dying, heir)
    assert (await play(heir, bob, room, 1)).code is None
    await dying.stop()
    await until(lambda: pause_of(bob) == codes.PAUSE_MOVING)
    await let_pass(time, LEASE_MS)
    await heir.take_over()
    cara = await come_back(heir, token_of(ada))
    assert isinstance(await heir.join(cara, room), Joined)
    await until(lambda: pause_of(bob) is None)
    assert (await play(heir, cara, room, 2)).code is None
    assert (await play(heir, bob, room, 3)).code is None
    assert [verdict.id for verdict in bob.of(Verdict)] == [1, 3]


async def test_a_guest_is_led_to_its_room_also_if_the_store_forgot_who_had_it_last(
    neighbours: Neighbours, network: Network, store: FickleStore, time: ManualTime
) -> None:
    dying, edge, heir = nodes = await neighbours("node-a", "node-b", "node-c")
    room, _, bob = await seat_two(dying, edge)
    for _ in range(2):
        await dying.directory.reclaim([room])
    network.cut()
    await until(lambda: pause_of(bob) == codes.PAUSE_MOVING)
    network.mend()
    await let_pass(time, 500)
    await meet(nodes, store)
    await until(lambda: pause_of(bob) is None)
    await dying.stop()
    store.go_back(room, dying.name, 1, len(await store.log(room)))
    await let_pass(time, LEASE_MS)
    await heir.take_over()
    assert await store.whereabouts([room]) == [Whereabouts(heir.name, 2)]
    await let_pass(time, MOVING_MS)
    assert (await play(edge, bob, room, 1)).code is None


async def test_a_move_without_a_word_takes_offers_back_and_the_players_learn_it(
    neighbours: Neighbours, store: FickleStore
) -> None:
    loser, heir, edge = await neighbours("node-a", "node-b", "node-c")
    room, ada, bob = await seat_two(loser, edge)
    loser.say(ada, Offer(50, room, "draw"))
    await until(lambda: [offers.offers for offers in bob.of(Offers)] == [(("draw", (0,)),)])
    await store.release(loser.name)
    await heir.take_over()
    await loser.directory.reclaim([room])
    await until(lambda: all(player.of(Offers)[-1].offers == () for player in (ada, bob)))


class TestCutLinks:
    async def test_a_guest_comes_back_over_a_new_link_with_what_it_missed(
        self, neighbours: Neighbours, network: Network, store: FickleStore, time: ManualTime
    ) -> None:
        here, there = nodes = await neighbours("node-a", "node-b")
        room, ada, bob = await seat_two(here, there)
        network.cut()
        await until(lambda: pause_of(bob) == codes.PAUSE_MOVING)
        assert (await play(here, ada, room, 1)).code is None
        seen = len(bob.of(Update))
        there.act(bob, room, 2, {"type": "bid", "card": 1})
        network.mend()
        await let_pass(time, 500)
        await here.renew()
        await meet(nodes, store)
        await until(lambda: bool(bob.of(Verdict)))
        await until(lambda: len(bob.of(Update)) > seen)
        assert [update.p for update in bob.of(Update)] == [update.p for update in ada.of(Update)]
        assert (len(bob.of(Joined)), bob.of(Resumed), bob.closed) == (1, [], None)

    async def test_nobody_hears_twice_what_was_said_before_or_misses_what_is_said_meanwhile(
        self, neighbours: Neighbours, network: Network, store: FickleStore, time: ManualTime
    ) -> None:
        here, there = nodes = await neighbours("node-a", "node-b")
        room, ada, bob = await seat_two(here, there)
        watching, talking = there.greet("Eve"), there.greet("Dan")
        for spectator in (watching, talking):
            there.say(spectator, Watch(1, room))
        await until(lambda: all(spectator.of(Joined) for spectator in (watching, talking)))
        lines = ["hello", "ready?"]
        for ref, text in enumerate(lines):
            here.say(ada, Say(ref, room, text))
        await until(lambda: len(watching.of(Said)) == 2)
        there.say(talking, Say(5, room, "from the stand"))
        await until(lambda: len(watching.of(Said)) == len(talking.of(Said)) == 3)
        network.cut()
        await until(lambda: pause_of(bob) == codes.PAUSE_MOVING)
        here.say(ada, Say(9, room, "anybody there?"))
        network.mend()
        await let_pass(time, 500)
        await here.renew()
        await meet(nodes, store)
        await until(lambda: pause_of(bob) is None)
        await until(lambda: all(said(viewer)[-1] == "anybody there?" for viewer in (bob, watching, talking)))
        assert said(bob) == [*lines, "anybody there?"]
        assert said(watching) == said(talking) == [*lines, "from the stand", "anybody there?"]

    async def test_the_clock_waits_for_players_whose_node_is_gone(
        self, neighbours: Neighbours, network: Network, time: ManualTime
    ) -> None:
        here, there = await neighbours("node-a", "node-b")
        room, ada, bob = await seat_two(here, there)
        hosted = here.hosted(room)
        await there.stop()
        await until(lambda: Hold.EDGE in hosted.holds)
        assert ada.of(Paused)[-1].reason == codes.PAUSE_RESTART
        back = await come_back(here, token_of(bob))
        assert isinstance(await here.join(back, room), Joined)
        assert hosted.holds == set()
        assert ada.of(Paused)[-1].reason is None

    async def test_but_not_for_ever(self, neighbours: Neighbours, network: Network, time: ManualTime) -> None:
        here, there = await neighbours("node-a", "node-b")
        room, _, _ = await seat_two(here, there)
        hosted = here.hosted(room)
        await there.stop()
        await until(lambda: Hold.EDGE in hosted.holds)
        time.advance(RETURN_MS)
        assert hosted.holds == set()

    async def test_nor_for_who_had_left_by_himself_before(self, neighbours: Neighbours, network: Network) -> None:
        here, there = await neighbours("node-a", "node-b")
        room, ada, bob = await seat_two(here, there)
        hosted = here.hosted(room)
        here.dispatcher.closed(ada)
        assert hosted.holds == set()
        await there.stop()
        await until(lambda: Hold.EDGE in hosted.holds)
        back = await come_back(here, token_of(bob))
        assert isinstance(await here.join(back, room), Joined)
        assert hosted.holds == set()

    async def test_who_hangs_up_on_another_node_is_not_waited_for(self, neighbours: Neighbours) -> None:
        here, there = await neighbours("node-a", "node-b")
        room, _, bob = await seat_two(here, there)
        hosted = here.hosted(room)
        there.dispatcher.closed(bob)
        await until(lambda: len(here.relay.remote_clients) == 0)
        assert (hosted.pause, len(there.relay.edge)) == (None, 0)

    async def test_what_waits_for_a_room_that_stays_away_is_refused_but_for_actions(
        self, neighbours: Neighbours, network: Network, time: ManualTime
    ) -> None:
        here, there = await neighbours("node-a", "node-b")
        room, _, bob = await seat_two(here, there)
        network.cut()
        await until(lambda: pause_of(bob) == codes.PAUSE_MOVING)
        there.act(bob, room, 5, {"type": "bid", "card": 1})
        there.say(bob, Resync(6, room, codes.VIEW_DRIFT))
        await let_pass(time, 7_000)
        assert [(error.ref, error.code) for error in bob.of(Error)] == [(6, codes.ROOM_MOVING)]
        assert bob.of(Verdict) == []

    async def test_too_much_that_waits_is_refused_at_once(self, neighbours: Neighbours, network: Network) -> None:
        here, there = await neighbours("node-a", "node-b")
        room, _, bob = await seat_two(here, there)
        network.cut()
        await until(lambda: pause_of(bob) == codes.PAUSE_MOVING)
        for ref in range(20):
            there.say(bob, Say(100 + ref, room, "hello?"))
        assert {error.code for error in bob.of(Error)} == {codes.ROOM_BUSY}


class TestComingAndGoing:
    async def test_a_spectator_elsewhere_sees_what_one_here_sees(self, neighbours: Neighbours) -> None:
        here, there = await neighbours("node-a", "node-b")
        room, ada, bob = await seat_two(here, there)
        near, far = here.greet("Near"), there.greet("Far")
        here.say(near, Watch(7, room))
        there.say(far, Watch(7, room))
        await until(lambda: bool(far.of(Snapshot)))
        for number, (node, player) in enumerate([(here, ada), (there, bob)], start=1):
            assert (await play(node, player, room, number)).code is None
        await until(lambda: len(far.of(Update)) == len(near.of(Update)) > 0)
        assert [frame for frame in far.frames if b"update" in frame] == [
            frame for frame in near.frames if b"update" in frame
        ]
        there.say(far, Leave(8, room))
        await until(lambda: bool(far.of(Done)))
        assert (far.of(Done)[-1].ref, there.relay.edge.holds(room, far.id)) == (8, False)

    async def test_a_room_that_does_not_exist_is_unknown_everywhere(self, neighbours: Neighbours) -> None:
        _, there = await neighbours("node-a", "node-b")
        answer = await there.join(there.greet(), 12_345)
        assert isinstance(answer, Error)
        assert answer.code == codes.ROOM_UNKNOWN

    async def test_a_match_that_guests_play_ends_and_lets_them_go(
        self, neighbours: Neighbours, time: ManualTime
    ) -> None:
        here, there = await neighbours("node-a", "node-b")
        room, ada, bob = await seat_two(here, there, rounds=1)
        for number, (node, player) in enumerate([(here, ada), (there, bob)], start=1):
            assert (await play(node, player, room, number)).code is None
        await until(lambda: bool(bob.of(Ended)))
        hosted = here.hosted(room)
        await until(lambda: hosted.is_archived)
        here.room_host.remove(hosted)
        await until(lambda: len(there.relay.edge) == 0)
        assert bob.of(Notice) == []

    async def test_a_guest_who_lost_its_seat_meanwhile_comes_back_as_a_spectator(
        self, neighbours: Neighbours, network: Network, store: FickleStore, time: ManualTime
    ) -> None:
        here, there = nodes = await neighbours("node-a", "node-b")
        ada, bob = here.greet("Ada"), there.greet("Bob")
        room = await here.create(ada, seats=3)
        await here.join(ada, room)
        await there.join(bob, room)
        network.cut()
        await until(lambda: len(here.relay.remote_clients) == 0)
        second = await come_back(here, token_of(bob))
        await here.join(second, room)
        here.say(second, Leave(9, room))
        await here.settle()
        network.mend()
        await let_pass(time, 500)
        await meet(nodes, store)
        await until(lambda: len(here.relay.remote_clients) == 1)
        hosted = here.hosted(room)
        assert hosted.room.match.seats.count(None) == 2


async def test_who_enters_a_room_that_is_lost_while_the_lease_is_in_doubt_is_led_to_its_new_owner(
    neighbours: Neighbours, store: FickleStore, time: ManualTime
) -> None:
    doubting, heir = await neighbours("node-a", "node-b")
    room = await doubting.create(doubting.greet("Ada"))
    bob = doubting.greet("Bob")
    doubting.lease.lose()
    entering = asyncio.ensure_future(doubting.join(bob, room))
    await asyncio.sleep(0)
    (epoch,) = await store.claim([(room, doubting.name, 1)], heir.name)
    assert epoch == 2
    heir.directory.take_over([(room, heir.name, epoch)])
    await until(lambda: room in heir.room_host)
    await doubting.directory.reclaim([room])
    doubting.gate.extend(2**60)
    doubting.gate.open()
    await doubting.directory.adopt([])
    await let_pass(time, 1_000)
    assert isinstance(await entering, Joined)
    assert room not in doubting.room_host


async def test_a_guest_follows_its_room_although_another_one_has_looked_for_it_in_vain(
    neighbours: Neighbours, store: FickleStore, time: ManualTime
) -> None:
    silent, there, heir = await neighbours("node-a", "node-b", "node-c")
    room, _, bob = await seat_two(silent, there)
    action = await choose(there, bob, room)
    eve = there.greet("Eve")
    there.say(eve, Watch(1, room))
    await until(lambda: bool(eve.of(Snapshot)))
    silent.lease.lose()
    store.is_away = True
    there.say(eve, Say(2, room, "where are you?"))
    await let_pass(time, MOVING_MS)
    await until(lambda: [error.ref for error in eve.of(Error)] == [2])
    store.is_away = False
    await store.release(silent.name)
    await heir.take_over()
    there.act(bob, room, 1, action)
    await until(lambda: bool(bob.of(Verdict)))
    assert verdict_of(bob, 1).code is None


async def test_a_guest_whose_match_ended_out_of_its_reach_is_sent_to_ask_again_and_no_action_is_refused(
    neighbours: Neighbours, network: Network, time: ManualTime
) -> None:
    here, there = await neighbours("node-a", "node-b")
    room, ada, bob = await seat_two(here, there)
    action = await choose(there, bob, room)
    network.cut()
    await let_pass(time, 1_000)
    there.act(bob, room, 2, action)
    there.say(bob, Legal(77, room))
    here.say(ada, Resign(5, room))
    await here.settle()
    await here.archiver.archived(room)
    await let_pass(time, 1_000)
    assert bob.of(Notice) == []  # the node that has the match may be back in sight soon
    await let_pass(time, MOVING_MS)
    await until(lambda: bool(bob.of(Notice)))
    assert bob.of(Notice)[-1].code == codes.NOTICE_MOVED
    assert [(error.ref, error.code) for error in bob.of(Error)] == [(77, codes.ROOM_MOVING)]
    assert bob.of(Verdict) == []
    assert isinstance(await there.join(bob, room), Joined)
    assert bob.of(Ended)
    there.act(bob, room, 2, action)
    await there.settle()
    assert [(verdict.id, verdict.code) for verdict in bob.of(Verdict)] == [(2, codes.ROOM_ENDED)]


class TestDoubtfulLeases:
    async def test_a_process_that_was_stopped_answers_nothing_when_it_wakes_and_follows_its_rooms(
        self, neighbours: Neighbours, store: FickleStore, time: ManualTime
    ) -> None:
        stopped, heir = await neighbours("node-a", "node-b")
        room, ada, bob = await seat_two(stopped, heir)
        action = await choose(stopped, ada, room)
        stopped.gate.extend(time.now() + 1_500)
        await let_pass(time, LEASE_MS)
        await heir.take_over()
        before = len(await store.log(room))
        stopped.act(ada, room, 1, action)
        eve = stopped.greet("Eve")
        stopped.say(eve, Watch(7, room))
        await stopped.settle()
        assert (ada.of(Verdict), eve.of(Joined), len(await store.log(room))) == ([], [], before)
        await stopped.lease.begin()
        await until(lambda: room not in stopped.room_host)
        await until(lambda: bool(ada.of(Verdict)) and bool(eve.of(Joined)))
        assert [verdict.code for verdict in ada.of(Verdict)] == [None]
        assert (await play(heir, bob, room, 2)).code is None
        await stopped.lease.suspend()

    async def test_a_node_that_wakes_in_time_keeps_its_rooms_and_nobody_else_can_take_them(
        self, neighbours: Neighbours, store: FickleStore, time: ManualTime
    ) -> None:
        stopped, slow = await neighbours("node-a", "node-b")
        room, ada, _ = await seat_two(stopped, slow)
        action = await choose(stopped, ada, room)
        stopped.gate.extend(time.now() + 1_500)
        await let_pass(time, LEASE_MS)
        orphans = await store.orphans()
        stopped.act(ada, room, 1, action)
        await stopped.lease.begin()
        await until(lambda: bool(ada.of(Verdict)))
        assert ada.of(Verdict)[0].code is None
        await slow.directory.adopt(orphans)
        assert (room in stopped.room_host, room in slow.room_host) == (True, False)
        await stopped.lease.suspend()


class TestCrowds:
    async def test_a_thousand_spectators_elsewhere_cost_one_message_an_update(
        self, neighbours: Neighbours, network: Network, time: ManualTime
    ) -> None:
        here, there = await neighbours("node-a", "node-b")
        room, ada, bob = await seat_two(here, there)
        crowd = [there.greet(f"Viewer {number}") for number in range(1_000)]
        for viewer in crowd:
            there.say(viewer, Watch(7, room))
        await until(lambda: frames(crowd[-1], b"snapshot") == 1, within_s=60)
        await let_pass(time, 500)
        assert ada.of(Seats)[-1].watching == 1_000
        sent = len(network.sent)
        updates = len(ada.of(Update))
        for number, (node, player) in enumerate([(here, ada), (there, bob)], start=1):
            assert (await play(node, player, room, number)).code is None
        shown = len(ada.of(Update)) - updates
        await until(lambda: frames(crowd[-1], b"update") == shown, within_s=60)
        assert {frames(viewer, b"update") for viewer in crowd} == {shown}
        assert sum(b"update" in payload for payload in network.sent[sent:]) == shown > 0

    async def test_a_link_that_does_not_keep_up_loses_frames_and_its_guests_get_a_snapshot(
        self, neighbours: Neighbours, network: Network, time: ManualTime
    ) -> None:
        here, there = await neighbours("node-a", "node-b")
        room, ada, bob = await seat_two(here, there)
        eve = there.greet("Eve")
        there.say(eve, Watch(7, room))
        await until(lambda: bool(eve.of(Snapshot)))
        action = await choose(there, bob, room)
        network.delay_ms = STEP_MS
        assert here.peers.send(there.name, Frame((), bytes(CONGESTED_BYTES)))
        network.delay_ms = 0
        assert (await play(here, ada, room, 1)).code is None
        there.act(bob, room, 2, action)
        await until(lambda: len(ada.of(Update)) > 1)
        assert bob.of(Verdict) == []
        await let_pass(time, STEP_MS)
        assert len(bob.of(Verdict)) == 1
        assert len(eve.of(Update)) < len(ada.of(Update))
        await until(lambda: eve.of(Snapshot)[-1].p == ada.of(Update)[-1].p)


async def seat_far_apart(
    new_node: NewNode, network: Network, store: FickleStore, time: ManualTime, way_ms: int
) -> tuple[LittleNode, LittleNode, NotedConnection, Act]:
    """Return two nodes that are *way_ms* apart, who on the second plays in a match on the first, and an action."""
    here, there = nodes = [await new_node(name=name, network=network) for name in ("node-a", "node-b")]
    for node in nodes:
        await store.renew(node.name, node.name, lease_ms=10 * LEASE_MS)
    network.delay_ms = way_ms
    for node in nodes:
        node.neighbourhood.know(await store.nodes())
    await let_pass(time, 10 * STEP_MS)
    network.delay_ms = 0
    room, _, bob = await seat_two(here, there)
    bid = msgspec.Raw(msgspec.msgpack.encode(await choose(there, bob, room)))
    time.advance(STEP_MS)
    network.delay_ms = way_ms
    return here, there, bob, Act(room, 5, bob.of(Prompt)[-1].turn, bid)


async def judged(
    there: LittleNode, time: ManualTime, player: NotedConnection, act: Act, *, held_ms: int = 0
) -> Verdict:
    """Return the verdict on an action that was with its edge for a while."""
    there.dispatcher.received(player, encode(act), time.now() - held_ms)
    await let_pass(time, 10 * STEP_MS)
    return verdict_of(player, act.id)


class TestTimes:
    @pytest.mark.parametrize("held_ms", [0, 70])
    @pytest.mark.parametrize(("way_ms", "made_up_ms"), [(0, 0), (30, 30), (100, 100), (150, 100)])
    async def test_an_action_counts_as_of_its_arrival_at_the_edge_and_at_most_100_ms_of_the_way_are_made_up_for(
        self,
        new_node: NewNode,
        network: Network,
        store: FickleStore,
        time: ManualTime,
        way_ms: int,
        made_up_ms: int,
        held_ms: int,
    ) -> None:
        _, there, bob, act = await seat_far_apart(new_node, network, store, time, way_ms)
        assert (await judged(there, time, bob, act, held_ms=held_ms)).code is None
        entry = decode_entry((await store.log(act.room))[-1].entry)
        assert isinstance(entry, Acted)
        assert entry.at - entry.arrived == held_ms + made_up_ms

    @pytest.mark.parametrize(("early_ms", "code"), [(1, None), (0, None), (-1, codes.ACT_LATE)])
    async def test_the_clock_waits_for_what_reached_the_edge_in_time(
        self,
        new_node: NewNode,
        network: Network,
        store: FickleStore,
        time: ManualTime,
        early_ms: int,
        code: str | None,
    ) -> None:
        _, there, bob, act = await seat_far_apart(new_node, network, store, time, way_ms=40)
        asked = bob.of(Prompt)[-1]
        await let_pass(time, asked.deadline - 2 * STEP_MS)
        time.advance(STEP_MS - early_ms)
        assert (await judged(there, time, bob, act)).code == code

    @pytest.mark.parametrize(("way_ms", "allowance_ms"), [(30, 61), (49, 99), (150, 100)])
    async def test_a_seat_elsewhere_expires_a_round_trip_later_and_at_most_100_ms(
        self,
        new_node: NewNode,
        network: Network,
        store: FickleStore,
        time: ManualTime,
        way_ms: int,
        allowance_ms: int,
    ) -> None:
        here, _, _, act = await seat_far_apart(new_node, network, store, time, way_ms)
        hosted = here.room_host.get(act.room)
        assert hosted is not None
        await let_pass(time, hosted.room.match.due(1) - STEP_MS)
        for _ in range(allowance_ms + 5):
            time.advance(1)
            await talk()
        entries = [decode_entry(logged.entry) for logged in await store.log(act.room)]
        waited = {entry.seat: entry.at - entry.deadline for entry in entries if isinstance(entry, TimedOut)}
        assert waited[1] == allowance_ms + 1
