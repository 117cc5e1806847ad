"""Rooms on one node and clients on another: led there, and told to resume when the room moves."""

from collections.abc import Awaitable, Callable

import msgspec
import pytest
from linked_nodes import STEP_MS, choose, client, come_back, is_inside, let_pass, meet, play, seat_two, talk
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
    Join,
    Joined,
    Leave,
    Notice,
    Offer,
    Offers,
    Paused,
    Position,
    Prompt,
    Resign,
    Resumed,
    Resync,
    Say,
    Seats,
    Snapshot,
    Update,
    Verdict,
    Watch,
    Welcome,
)
from warroom_server.cluster import messages
from warroom_server.cluster.lease import LEASE_MS
from warroom_server.cluster.messages import Batch, Enter, Message
from warroom_server.cluster.remote_rooms import AT_ONCE
from warroom_server.hosting.hosted_room import Hold
from warroom_server.hosting.wait_for_players import RETURN_MS
from warroom_server.ports.peers import CONGESTED_BYTES
from warroom_server.ports.store import Whereabouts
from warroom_server.restoring.waiting_clients import AT_ONCE as PACE
from warroom_server.restoring.waiting_clients import MOVING_MS
from warroom_server.room import commands
from warroom_server.room.viewer_addresses import Local, Remote

Neighbours = Callable[..., Awaitable[list[LittleNode]]]
NewNode = Callable[..., Awaitable[LittleNode]]


def pause_of(viewer: NotedConnection) -> str | None:
    """Return why a viewer was told last that the room stands still."""
    told = viewer.of(Paused)
    return told[-1].reason if told else None


def frames(viewer: NotedConnection, name: bytes) -> int:
    """Return how many messages of one name a viewer got, without reading them."""
    return sum(name in frame[:12] for frame in viewer.frames)


def notices(viewer: NotedConnection) -> list[str]:
    """Return which notices a viewer got."""
    return [notice.code for notice in viewer.of(Notice)]


def told(network: Network, before: int) -> list[Message]:
    """Return what nodes said to each other since so many messages."""
    return [messages.CODEC.decode(payload) for payload in network.sent[before:]]


async def test_a_client_of_another_node_plays_like_anybody(neighbours: Neighbours) -> None:
    here, there = await neighbours("node-a", "node-b")
    room, ada, bob = await seat_two(here, there)
    assert (await play(there, bob, room, 1)).code is None
    assert (await play(here, ada, room, 2)).code is None
    await until(lambda: len(bob.of(Update)) == len(ada.of(Update)) > 0)
    assert room not in there.room_host
    there.say(bob, Say(7, room, "hello"))
    await until(lambda: any(done.ref == 7 for done in bob.of(Done)))


async def test_a_step_is_one_message_for_an_edge_with_private_update_and_verdict_in_order(
    neighbours: Neighbours, network: Network
) -> None:
    here, there = await neighbours("node-a", "node-b")
    room, ada, bob = await seat_two(here, there)
    assert (await play(here, ada, room, 1)).code is None
    action = await choose(there, bob, room)
    await talk()
    sent = len(network.sent)
    seen = len(bob.frames)
    there.act(bob, room, 2, action)
    await until(lambda: bool(bob.of(Verdict)))
    await talk()
    batches = [batch for batch in told(network, sent) if isinstance(batch, Batch)]
    assert len(batches) == 1
    names = [type(message).__name__ for message in bob.messages[seen:]]
    assert names[:3] == ["Private", "Update", "Verdict"]


async def test_the_answer_to_a_resume_is_one_message(neighbours: Neighbours, network: Network) -> None:
    here, there = await neighbours("node-a", "node-b")
    room, ada, bob = await seat_two(here, there)
    for number, (node, player) in enumerate([(here, ada), (there, bob)], start=1):
        assert (await play(node, player, room, number)).code is None
    await talk()
    sent = len(network.sent)
    back = there.greet("Back", token_of(bob))
    await until(lambda: bool(back.of(Welcome)))
    there.say(back, Join(1, room, position=Position(1, 1, 1)))
    await until(lambda: bool(back.of(Resumed)) and bool(back.of(Paused)))
    batches = [batch for batch in told(network, sent) if isinstance(batch, Batch)]
    assert sum(any(item.ref == 1 for item in batch.items) for batch in batches) == 1
    assert len(back.of(Update)) > 0


async def test_clients_resume_where_another_node_takes_their_room_over_and_send_again_what_has_no_verdict(
    neighbours: Neighbours, store: FickleStore, time: ManualTime
) -> None:
    dying, edge, heir = await neighbours("node-a", "node-b", "node-c")
    room, ada, bob = await seat_two(dying, edge)
    assert (await play(edge, bob, room, 1)).code is None
    await dying.stop()
    await until(lambda: pause_of(bob) == codes.PAUSE_MOVING)
    edge.act(bob, room, 9, {"type": "bid", "card": 1})
    await let_pass(time, LEASE_MS)
    assert notices(bob) == []
    await heir.take_over()
    cara = await come_back(heir, token_of(ada))
    assert isinstance(await heir.join(cara, room), Joined)
    await until(lambda: pause_of(bob) is None)
    await until(lambda: bob.verdicts.keys() == {1, 9})
    assert (notices(bob), len(bob.of(Resumed))) == ([codes.NOTICE_MOVED], 1)
    assert (await play(heir, cara, room, 2)).code is None
    assert (await play(edge, bob, room, 3)).code is None


async def test_clients_whose_own_node_takes_the_room_over_resume_there(
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
    assert (set(bob.verdicts), len(heir.remote_rooms)) == ({1, 3}, 0)


async def test_clients_find_their_room_also_if_the_store_forgot_who_had_it_last(
    neighbours: Neighbours, network: Network, store: FickleStore, time: ManualTime
) -> None:
    dying, edge, heir = nodes = await neighbours("node-a", "node-b", "node-c")
    room, _, bob = await seat_two(dying, edge)
    for _ in range(2):
        await dying.reclaim.claim_again([room])
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
    await loser.reclaim.claim_again([room])
    await until(lambda: all(player.of(Offers)[-1].offers == () for player in (ada, bob)))


class TestLateFrames:
    async def test_what_an_owner_of_the_past_sends_is_dropped(
        self, neighbours: Neighbours, network: Network, store: FickleStore
    ) -> None:
        silent, edge, heir = await neighbours("node-a", "node-b", "node-c")
        room, ada, bob = await seat_two(silent, edge)
        eve = client(edge, "Eve")
        edge.say(eve, Watch(7, room))
        await until(lambda: bool(eve.of(Snapshot)))
        network.hold(silent.name)
        assert (await play(silent, ada, room, 1)).code is None
        await store.release(silent.name)
        await heir.take_over()
        await until(lambda: bob.resumed == eve.resumed == 1)
        seen = len(bob.frames), len(eve.frames)
        network.release(silent.name)
        await talk()
        assert (len(bob.frames), len(eve.frames)) == seen

    async def test_an_owner_does_not_let_in_who_looks_for_a_later_one(self, neighbours: Neighbours) -> None:
        here, there = await neighbours("node-a", "node-b")
        room, _, _ = await seat_two(here, there)
        known = len(here.remote_viewers)
        watch = commands.Watch(Local(77), 1, None)
        there.peers.send(here.name, Enter(4_711, room, here.hosted(room).epoch + 1, watch))
        await talk()
        assert len(here.remote_viewers) == known
        assert Remote(there.name, 4_711) not in here.hosted(room).room.audience


class TestCutLinks:
    async def test_a_client_resumes_over_a_new_link_with_what_it_missed(
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
        await store.renew(here.name, here.name, lease_ms=LEASE_MS)
        await meet(nodes, store)
        await until(lambda: bool(bob.of(Verdict)))
        await until(lambda: len(bob.of(Update)) > seen)
        assert [update.p for update in bob.of(Update)] == [update.p for update in ada.of(Update)]
        assert (len(bob.of(Joined)), len(bob.of(Resumed)), bob.closed) == (1, 1, None)

    async def test_a_client_finds_its_room_although_the_owner_that_it_was_sent_to_died_before_it_came(
        self, neighbours: Neighbours, network: Network, store: FickleStore, time: ManualTime
    ) -> None:
        dying, edge, heir = nodes = await neighbours("node-a", "node-b", "node-c")
        room, _, _ = await seat_two(dying, heir)
        eve = edge.greet("Eve")
        edge.say(eve, Watch(7, room))
        await until(lambda: bool(eve.of(Snapshot)))
        network.cut()
        await until(lambda: pause_of(eve) == codes.PAUSE_MOVING)
        network.mend()
        await let_pass(time, 500)
        for node in nodes:
            await store.renew(node.name, node.name, lease_ms=LEASE_MS)
        await meet(nodes, store)
        await until(lambda: notices(eve) == [codes.NOTICE_MOVED])
        await dying.stop()
        await let_pass(time, LEASE_MS)
        await heir.take_over()
        edge.say(eve, Watch(8, room))
        await until(lambda: len(eve.of(Snapshot)) == 2)

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
        await until(lambda: len(here.remote_viewers) == 0)
        assert (hosted.pause, len(there.remote_rooms)) == (None, 0)

    async def test_requests_are_refused_and_actions_left_unanswered_while_the_room_has_no_owner(
        self, neighbours: Neighbours, network: Network
    ) -> None:
        here, there = await neighbours("node-a", "node-b")
        room, _, bob = await seat_two(here, there)
        network.cut()
        await until(lambda: pause_of(bob) == codes.PAUSE_MOVING)
        there.act(bob, room, 5, {"type": "bid", "card": 1})
        there.say(bob, Resync(6, room, codes.VIEW_DRIFT))
        assert [(error.ref, error.code) for error in bob.of(Error)] == [(6, codes.ROOM_MOVING)]
        assert bob.of(Verdict) == []

    async def test_requests_on_their_way_are_refused_when_the_link_breaks(
        self, neighbours: Neighbours, network: Network
    ) -> None:
        here, there = await neighbours("node-a", "node-b")
        room, _, bob = await seat_two(here, there)
        network.hold(there.name)
        there.say(bob, Say(6, room, "hello?"))
        there.act(bob, room, 5, {"type": "bid", "card": 1})
        network.cut()
        await until(lambda: bool(bob.of(Error)))
        assert [(error.ref, error.code) for error in bob.of(Error)] == [(6, codes.ROOM_MOVING)]
        assert bob.of(Verdict) == []

    async def test_so_is_what_a_silent_owner_does_not_answer_and_no_more_of_it_waits_than_may(
        self, neighbours: Neighbours, network: Network, time: ManualTime
    ) -> None:
        here, there = await neighbours("node-a", "node-b")
        room, _, bob = await seat_two(here, there)
        network.hold(here.name)
        for ref in range(AT_ONCE + 2):
            there.say(bob, Say(100 + ref, room, "hello?"))
        there.act(bob, room, 5, {"type": "bid", "card": 1})
        busy = [100 + AT_ONCE, 101 + AT_ONCE]
        assert [(error.ref, error.code) for error in bob.of(Error)] == [(ref, codes.ROOM_BUSY) for ref in busy]
        await let_pass(time, MOVING_MS)
        late = [(error.ref, error.code) for error in bob.of(Error)[2:]]
        assert late == [(100 + ref, codes.ROOM_MOVING) for ref in range(AT_ONCE)]
        assert bob.of(Verdict) == []

    async def test_many_clients_are_sent_back_a_few_at_a_time_and_players_first(
        self, neighbours: Neighbours, store: FickleStore, time: ManualTime
    ) -> None:
        dying, edge, heir = await neighbours("node-a", "node-b", "node-c")
        room, _, bob = await seat_two(dying, edge)
        crowd = [edge.greet(f"Viewer {number}") for number in range(2 * PACE)]
        for viewer in crowd:
            edge.say(viewer, Watch(7, room))
        await until(lambda: all(frames(viewer, b"snapshot") for viewer in crowd))
        await dying.stop()
        await let_pass(time, LEASE_MS)
        await heir.take_over()
        await until(lambda: bool(notices(bob)))
        assert sum(bool(notices(viewer)) for viewer in crowd) == PACE - 1
        await let_pass(time, STEP_MS)
        assert all(notices(viewer) == [codes.NOTICE_MOVED] for viewer in crowd)


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
        assert (far.of(Done)[-1].ref, is_inside(there, far, room)) == (8, False)

    async def test_a_room_that_does_not_exist_is_unknown_everywhere(self, neighbours: Neighbours) -> None:
        _, there = await neighbours("node-a", "node-b")
        answer = await there.join(there.greet(), 12_345)
        assert isinstance(answer, Error)
        assert answer.code == codes.ROOM_UNKNOWN

    async def test_a_match_that_clients_elsewhere_play_ends_and_lets_them_go(
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
        await until(lambda: len(there.remote_rooms) == 0)
        assert (bob.of(Notice), is_inside(there, bob, room)) == ([], False)

    async def test_who_stays_silent_to_a_move_is_told_to_resume_and_counts_as_outside(
        self, neighbours: Neighbours, store: FickleStore, time: ManualTime
    ) -> None:
        dying, edge, heir = await neighbours("node-a", "node-b", "node-c")
        room, _, _ = await seat_two(dying, edge)
        eve = edge.greet("Eve")
        edge.say(eve, Watch(7, room))
        await until(lambda: bool(eve.of(Snapshot)))
        await dying.stop()
        await let_pass(time, LEASE_MS)
        await heir.take_over()
        await until(lambda: notices(eve) == [codes.NOTICE_MOVED])
        edge.say(eve, Say(9, room, "am I still here?"))
        assert [(error.ref, error.code) for error in eve.of(Error)] == [(9, codes.ROOM_MOVING)]


async def test_who_enters_a_room_that_is_lost_while_the_lease_is_in_doubt_may_come_again_and_is_led_to_its_new_owner(
    neighbours: Neighbours, store: FickleStore, time: ManualTime
) -> None:
    doubting, heir = await neighbours("node-a", "node-b")
    room = await doubting.create(doubting.greet("Ada"))
    bob = doubting.greet("Bob")
    doubting.reclaim.lose()
    refused = await doubting.join(bob, room)
    assert isinstance(refused, Error)
    assert refused.code == codes.STORE_UNAVAILABLE
    (epoch,) = await store.claim([(room, doubting.name, 1)], heir.name)
    assert epoch == 2
    heir.room_loader.offered([(room, heir.name, epoch)])
    await until(lambda: room in heir.room_host)
    await until(lambda: room not in doubting.room_host)
    assert isinstance(await doubting.join(bob, room), Joined)


async def test_a_client_follows_its_room_although_another_one_has_looked_for_it_in_vain(
    neighbours: Neighbours, store: FickleStore, time: ManualTime
) -> None:
    silent, there, heir = await neighbours("node-a", "node-b", "node-c")
    room, _, bob = await seat_two(silent, there)
    action = await choose(there, bob, room)
    eve = there.greet("Eve")
    there.say(eve, Watch(1, room))
    await until(lambda: bool(eve.of(Snapshot)))
    silent.gate.shut()
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


async def test_a_client_whose_match_ended_out_of_its_reach_learns_its_end_and_no_action_is_refused_before(
    neighbours: Neighbours, network: Network, time: ManualTime
) -> None:
    here, there = await neighbours("node-a", "node-b")
    room, ada, bob = await seat_two(here, there)
    action = await choose(there, bob, room)
    network.cut()
    await let_pass(time, 1_000)
    there.act(bob, room, 2, action)
    assert notices(bob) == []
    here.say(ada, Resign(5, room))
    await here.settle()
    await here.archiver.archived(room)
    await let_pass(time, 1_000)
    await until(lambda: bool(bob.of(Ended)) and bool(bob.of(Verdict)))
    assert notices(bob) == [codes.NOTICE_MOVED]
    assert [(verdict.id, verdict.code) for verdict in bob.of(Verdict)] == [(2, codes.ROOM_ENDED)]


class TestDoubtfulLeases:
    async def test_a_process_that_was_stopped_answers_nothing_when_it_wakes_and_follows_its_rooms(
        self, neighbours: Neighbours, network: Network, store: FickleStore, time: ManualTime
    ) -> None:
        stopped, heir = await neighbours("node-a", "node-b")
        room, ada, bob = await seat_two(stopped, heir)
        action = await choose(stopped, ada, room)
        stopped.gate.extend(time.now() + 1_500)
        await let_pass(time, LEASE_MS)
        network.hold(heir.name)
        await heir.take_over()
        before = len(await store.log(room))
        stopped.act(ada, room, 1, action)
        eve = stopped.greet("Eve")
        stopped.say(eve, Watch(7, room))
        await stopped.settle()
        assert (ada.of(Verdict), len(await store.log(room))) == ([], before)
        assert [(error.ref, error.code) for error in eve.of(Error)] == [(7, codes.STORE_UNAVAILABLE)]
        await stopped.lease.begin()
        network.release(heir.name)
        await until(lambda: room not in stopped.room_host)
        await until(lambda: bool(ada.of(Verdict)))
        assert [verdict.code for verdict in ada.of(Verdict)] == [None]
        assert (await play(heir, bob, room, 2)).code is None

    async def test_a_node_that_wakes_in_time_keeps_its_rooms_and_nobody_else_can_take_them(
        self, neighbours: Neighbours, store: FickleStore, time: ManualTime
    ) -> None:
        stopped, slow = await neighbours("node-a", "node-b")
        room, ada, _ = await seat_two(stopped, slow)
        action = await choose(stopped, ada, room)
        await stopped.lease.announce()
        stopped.gate.extend(time.now() + 1_500)
        await let_pass(time, LEASE_MS)
        orphans = await store.orphans()
        stopped.act(ada, room, 1, action)
        await stopped.lease.begin()
        await until(lambda: bool(ada.of(Verdict)))
        assert ada.of(Verdict)[0].code is None
        await slow.room_loader.adopt(orphans)
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
        assert here.peers.send(there.name, Batch((bytes(CONGESTED_BYTES),), ()))
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
        node.leased_nodes.update(await store.nodes())
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
    there.dispatcher.received(player, encode(act), time.now() - held_ms, time.now())
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
