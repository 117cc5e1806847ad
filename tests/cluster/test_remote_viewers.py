"""Guests to the end: an owner forgets who left, whatever was asked for has one answer, and no ghost stays."""

from collections.abc import Awaitable, Callable

import msgspec
import pytest
from linked_nodes import choose, come_back, let_pass, meet, play, seat_two, talk
from manual_time import ManualTime
from memory_links import Network
from small_node import FickleStore, LittleNode, NotedConnection, token_of
from wait_until import until

from warroom_protocol import codes
from warroom_protocol.messages import (
    Act,
    Done,
    Error,
    Join,
    Joined,
    Leave,
    Legal,
    Notice,
    Prompt,
    Said,
    Say,
    Snapshot,
    Update,
    Verdict,
    Watch,
)
from warroom_server.cluster.remote_viewer import ACTS_AT_ONCE, AT_ONCE
from warroom_server.hosting.hosted_room import Hold
from warroom_server.hosting.returning_players import RETURN_MS
from warroom_server.room.commands import MOVING_MS

Neighbours = Callable[..., Awaitable[list[LittleNode]]]


class TestForgotten:
    async def test_an_owner_forgets_guests_that_left(self, neighbours: Neighbours) -> None:
        here, there = await neighbours("node-a", "node-b")
        room, _, _ = await seat_two(here, there)
        known = len(here.relay.remote_clients)
        eve = there.greet("Eve")
        for ref in (10, 20):
            there.say(eve, Watch(ref, room))
            await until(lambda ref=ref: any(joined.ref == ref for joined in eve.of(Joined)))
            there.say(eve, Leave(ref + 1, room))
            await until(lambda ref=ref: any(done.ref == ref + 1 for done in eve.of(Done)))
        await talk()
        assert (len(here.relay.remote_clients), len(there.relay.edge)) == (known, known)

    async def test_an_owner_forgets_guests_that_it_did_not_let_in(self, neighbours: Neighbours) -> None:
        here, there = await neighbours("node-a", "node-b")
        room, _, _ = await seat_two(here, there)
        known = len(here.relay.remote_clients)
        answer = await there.join(there.greet("Eve"), room)
        assert isinstance(answer, Error)
        await talk()
        assert (len(here.relay.remote_clients), len(there.relay.edge)) == (known, known)


class TestAnswers:
    async def test_what_came_with_an_entry_that_is_refused_has_its_answer(self, neighbours: Neighbours) -> None:
        here, there = await neighbours("node-a", "node-b")
        room, _, _ = await seat_two(here, there)
        eve, mallory = there.greet("Eve"), there.greet("Mallory")
        for visitor in (eve, mallory):
            there.say(visitor, Join(1, room))
            there.say(visitor, Say(2, room, "hello?"))
        there.say(eve, Watch(3, room))
        await until(lambda: bool(eve.of(Done)) and len(mallory.of(Error)) == 2)
        assert [error.ref for error in eve.of(Error)] == [1]
        assert [joined.ref for joined in eve.of(Joined)] == [3]
        assert [done.ref for done in eve.of(Done)] == [2]
        assert [error.ref for error in mallory.of(Error)] == [1, 2]

    async def test_who_asks_twice_to_enter_is_answered_twice(self, neighbours: Neighbours) -> None:
        here, there = await neighbours("node-a", "node-b")
        room, _, _ = await seat_two(here, there)
        eve = there.greet("Eve")
        there.say(eve, Watch(1, room))
        there.say(eve, Watch(2, room))
        await until(lambda: len(eve.of(Joined)) == 2)
        assert [joined.ref for joined in eve.of(Joined)] == [1, 2]

    async def test_an_action_that_comes_right_behind_its_sender_is_judged_by_the_room(
        self, neighbours: Neighbours
    ) -> None:
        here, there, last = await neighbours("node-a", "node-b", "node-c")
        room, _, bob = await seat_two(here, there)
        assert (await play(there, bob, room, 1)).code is None
        prompt = bob.of(Prompt)[-1]
        back = await come_back(last, token_of(bob))
        last.say(back, Join(1, room))
        last.say(back, Act(room, 1, prompt.turn, msgspec.Raw(msgspec.msgpack.encode({"type": "bid", "card": 1}))))
        last.say(back, Say(2, room, "I am back"))
        await until(lambda: bool(back.of(Verdict)) and bool(back.of(Done)))
        assert {(verdict.id, verdict.code) for verdict in back.of(Verdict)} == {(1, None)}
        assert back.of(Error) == []

    async def test_what_waits_with_its_sender_for_a_room_is_refused_with_it_but_for_actions(
        self, neighbours: Neighbours, network: Network, time: ManualTime
    ) -> None:
        here, there = await neighbours("node-a", "node-b")
        room, _, _ = await seat_two(here, there)
        network.cut()
        eve = there.greet("Eve")
        there.say(eve, Join(1, room))
        there.say(eve, Act(room, 7, 1, msgspec.Raw(msgspec.msgpack.encode({"type": "bid", "card": 1}))))
        for ref in range(2, AT_ONCE + 1):
            there.say(eve, Say(ref, room, "hello?"))
        assert [(error.ref, error.code) for error in eve.of(Error)] == [(AT_ONCE, codes.ROOM_BUSY)]
        await let_pass(time, MOVING_MS)
        assert sorted(error.ref or 0 for error in eve.of(Error)) == list(range(1, AT_ONCE + 1))
        assert eve.of(Verdict) == []
        assert room not in there.directory.room_locator

    async def test_what_a_silent_owner_may_have_done_is_not_done_again_by_who_takes_its_room(
        self, neighbours: Neighbours, store: FickleStore
    ) -> None:
        silent, heir = await neighbours("node-a", "node-b")
        room, _, bob = await seat_two(silent, heir)
        action = await choose(heir, bob, room)
        silent.lease.lose()
        heir.say(bob, Say(7, room, "hello?"))
        heir.act(bob, room, 1, action)
        await talk()
        await store.release(silent.name)
        await heir.take_over()
        await until(lambda: bool(bob.of(Verdict)))
        assert [(verdict.id, verdict.code) for verdict in bob.of(Verdict)] == [(1, None)]
        assert [(error.ref, error.code) for error in bob.of(Error)] == [(7, codes.ROOM_MOVING)]
        assert (bob.of(Done), bob.of(Said)) == ([], [])

    async def test_an_action_that_is_sent_again_is_never_too_much(
        self, neighbours: Neighbours, network: Network, store: FickleStore, time: ManualTime
    ) -> None:
        here, there = nodes = await neighbours("node-a", "node-b")
        room, _, bob = await seat_two(here, there)
        action = await choose(there, bob, room)
        network.cut()
        await talk()
        there.act(bob, room, 1, action)
        for ref in range(1, AT_ONCE):
            there.say(bob, Legal(100 + ref, room))
        there.act(bob, room, 1, action)
        assert bob.of(Verdict) == []
        network.mend()
        await let_pass(time, 500)
        await meet(nodes, store)
        await until(lambda: bool(bob.of(Verdict)))
        assert [(verdict.id, verdict.code) for verdict in bob.of(Verdict)] == [(1, None)]


class TestManyActions:
    async def test_whoever_has_very_many_unanswered_is_told_to_come_again_and_not_refused(
        self, neighbours: Neighbours, network: Network, store: FickleStore, time: ManualTime
    ) -> None:
        here, there = nodes = await neighbours("node-a", "node-b")
        room, _, bob = await seat_two(here, there)
        assert (await play(there, bob, room, 1)).code is None
        network.cut()
        await talk()
        for action_id in (*range(2, ACTS_AT_ONCE + 2), 1):
            there.act(bob, room, action_id, {"type": "bid", "card": 1})
        assert codes.NOTICE_MOVED in [notice.code for notice in bob.of(Notice)]
        assert [(verdict.id, verdict.code) for verdict in bob.of(Verdict)] == [(1, None)]
        network.mend()
        await let_pass(time, 500)
        await meet(nodes, store)
        assert isinstance(await there.join(bob, room), Joined)
        seen = len(bob.of(Verdict))
        there.act(bob, room, 1, {"type": "bid", "card": 1})
        await until(lambda: len(bob.of(Verdict)) > seen)
        assert {(verdict.id, verdict.code) for verdict in bob.of(Verdict)} == {(1, None)}

    async def test_so_is_who_has_not_been_let_in_yet(self, neighbours: Neighbours, network: Network) -> None:
        here, there = await neighbours("node-a", "node-b")
        room, _, _ = await seat_two(here, there)
        network.cut()
        await talk()
        eve = there.greet("Eve")
        there.say(eve, Join(1, room))
        for action_id in range(ACTS_AT_ONCE):
            there.say(eve, Act(room, action_id, 1, msgspec.Raw(msgspec.msgpack.encode({"type": "bid", "card": 1}))))
        assert [(error.ref, error.code) for error in eve.of(Error)] == [(1, codes.ROOM_BUSY)]
        assert eve.of(Verdict) == []
        assert room not in there.directory.room_locator

    async def test_what_does_not_fit_before_the_gate_of_an_owner_in_doubt_is_not_refused(
        self, neighbours: Neighbours, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("warroom_server.hosting.ownership_gate.MOST", 2)
        here, there = await neighbours("node-a", "node-b")
        room, ada, bob = await seat_two(here, there)
        players = ((here, ada), (there, bob))
        for node, player in players:
            assert (await play(node, player, room, 1)).code is None
        here.lease.lose()
        for ref in (71, 72, 73):
            here.say(ada, Legal(ref, room))
        for node, player in players:
            node.act(player, room, 1, {"type": "bid", "card": 1})
            await until(lambda player=player: [notice.code for notice in player.of(Notice)] == [codes.NOTICE_MOVED])
            assert [verdict.code for verdict in player.of(Verdict)] == [None]
        here.gate.extend(2**60)
        here.gate.open()
        for node, player in players:
            assert isinstance(await node.join(player, room), Joined)
            seen = len(player.of(Verdict))
            node.act(player, room, 1, {"type": "bid", "card": 1})
            await until(lambda player=player, seen=seen: len(player.of(Verdict)) > seen)
            assert {(verdict.id, verdict.code) for verdict in player.of(Verdict)} == {(1, None)}
        hosted = here.hosted(room)
        assert len(hosted.room.audience.everyone()) == 2


class TestLeaving:
    async def test_an_action_right_behind_the_leave_of_its_sender_has_its_verdict(self, neighbours: Neighbours) -> None:
        here, there = await neighbours("node-a", "node-b")
        room, ada, bob = await seat_two(here, there)
        known = len(here.relay.remote_clients)
        for node, player in ((here, ada), (there, bob)):
            action = await choose(node, player, room)
            node.say(player, Leave(8, room))
            node.act(player, room, 1, action)
            await until(lambda player=player: bool(player.of(Verdict)))
        judged = [[(verdict.id, verdict.code) for verdict in player.of(Verdict)] for player in (ada, bob)]
        assert judged == [[(1, codes.ROOM_NOT_HERE)]] * 2
        await talk()
        assert (len(here.relay.remote_clients), len(there.relay.edge)) == (known - 1, 0)

    async def test_whoever_is_back_already_has_one_verdict(self, neighbours: Neighbours) -> None:
        here, there = await neighbours("node-a", "node-b")
        room, _, bob = await seat_two(here, there)
        action = await choose(there, bob, room)
        there.say(bob, Leave(8, room))
        there.act(bob, room, 1, action)
        there.say(bob, Join(9, room))
        await until(lambda: bool(bob.of(Verdict)) and len(bob.of(Joined)) == 2)
        assert (await play(there, bob, room, 2)).code is None
        assert [verdict.id for verdict in bob.of(Verdict)] == [1, 2]

    async def test_whose_owner_is_gone_before_it_judged_that_is_told_to_ask_again(
        self, neighbours: Neighbours, network: Network
    ) -> None:
        here, there = await neighbours("node-a", "node-b")
        room, _, bob = await seat_two(here, there)
        action = await choose(there, bob, room)
        network.hold_from(b"verdict")
        there.say(bob, Leave(8, room))
        there.act(bob, room, 1, action)
        await until(lambda: any(done.ref == 8 for done in bob.of(Done)))
        await talk()
        assert bob.of(Verdict) == []
        network.cut()
        await until(lambda: [notice.code for notice in bob.of(Notice)] == [codes.NOTICE_MOVED])

    async def test_who_is_not_waited_for_any_longer_is_told_to_ask_again(
        self, neighbours: Neighbours, network: Network, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("warroom_server.cluster.departed_viewers.MOST", 1)
        here, there = await neighbours("node-a", "node-b")
        tables = [await seat_two(here, there) for _ in range(2)]
        bids = [await choose(there, player, room) for room, _, player in tables]
        network.hold_from(b"verdict")
        for room, _, player in tables:
            there.say(player, Leave(8, room))
        for (room, _, player), bid in zip(tables, bids, strict=True):
            there.act(player, room, 1, bid)
        await until(lambda: all(player.of(Done) for _, _, player in tables))
        await talk()
        told = [[notice.code for notice in player.of(Notice)] for _, _, player in tables]
        assert told == [[codes.NOTICE_MOVED], []]
        assert len(here.relay.remote_clients) == 1

    async def test_who_asks_twice_to_come_back_and_may_the_second_time_has_one_answer_to_each(
        self, neighbours: Neighbours
    ) -> None:
        here, there = await neighbours("node-a", "node-b")
        ada, bob = here.greet("Ada"), there.greet("Bob")
        room = await here.create(ada, seats=3)
        for node, player in ((here, ada), (there, bob)):
            await node.join(player, room)
        there.say(bob, Leave(8, room))
        there.say(bob, Join(9, room, seat=0))
        there.say(bob, Join(10, room))
        await until(lambda: len(bob.of(Joined)) >= 2)
        await talk()
        await here.settle()
        assert [error.ref for error in bob.of(Error)] == [9]
        assert [joined.ref for joined in bob.of(Joined)[1:]] == [10]


class TestSlowGuests:
    async def test_who_catches_up_while_its_room_is_nowhere_gets_a_snapshot_there(
        self, neighbours: Neighbours, network: Network, store: FickleStore, time: ManualTime
    ) -> None:
        here, there = nodes = await neighbours("node-a", "node-b")
        room, ada, bob = await seat_two(here, there)
        await fall_behind(bob, room, [(here, ada), (there, bob)])
        network.cut()
        await talk()
        there.dispatcher.drained(bob)
        network.mend()
        await let_pass(time, 500)
        await meet(nodes, store)
        await until(lambda: bob.of(Snapshot)[-1].p == ada.of(Update)[-1].p)

    async def test_who_catches_up_while_its_room_may_be_lost_gets_a_snapshot_from_who_has_it(
        self, neighbours: Neighbours, network: Network, store: FickleStore
    ) -> None:
        loser, heir = await neighbours("node-a", "node-b")
        room, ada, bob = await seat_two(loser, heir)
        await fall_behind(ada, room, [(loser, ada), (heir, bob)])
        loser.lease.lose()
        loser.dispatcher.drained(ada)
        await store.release(loser.name)
        network.hold(heir.name)
        await heir.take_over()
        heir.lease.lose()
        await loser.directory.reclaim([room])
        network.release(heir.name)
        await talk()
        for node in (loser, heir):
            node.gate.extend(2**60)
            node.gate.open()
        await until(lambda: ada.of(Snapshot)[-1].p == bob.of(Update)[-1].p)


async def fall_behind(slow: NotedConnection, room: int, players: list[tuple[LittleNode, NotedConnection]]) -> None:
    """Let all play while the line of one of them is too slow for what it is shown."""
    slow.is_congested = True
    for node, player in players:
        assert (await play(node, player, room, 1)).code is None
    await until(lambda: all(player.of(Update) for _, player in players if player is not slow))
    slow.is_congested = False


class TestGhosts:
    async def test_who_enters_while_the_lease_is_in_doubt_and_hangs_up_later_is_gone(self, node: LittleNode) -> None:
        room = await node.create(node.greet("Ada"))
        bob = node.greet("Bob")
        node.lease.lose()
        node.say(bob, Join(1, room))
        await talk()
        node.gate.extend(2**60)
        node.gate.open()
        await until(lambda: bool(bob.of(Joined)))
        hosted = node.hosted(room)
        assert bob.id in hosted.room.audience
        node.dispatcher.closed(bob)
        await talk()
        assert bob.id not in hosted.room.audience


async def test_each_loss_of_a_node_gets_its_players_the_whole_time_to_come_back(
    node: LittleNode, time: ManualTime
) -> None:
    room, _ = await node.table()
    hosted = node.hosted(room)
    node.directory.players.wait(hosted, Hold.EDGE)
    time.advance(RETURN_MS - 1_000)
    node.room_host.release(hosted, Hold.EDGE)
    node.directory.players.wait(hosted, Hold.EDGE)
    time.advance(RETURN_MS - 1_000)
    assert hosted.holds == {Hold.EDGE}
    time.advance(1_000)
    assert hosted.holds == set()
