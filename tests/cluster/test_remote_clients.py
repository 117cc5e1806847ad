"""Clients of other nodes to the end: an owner forgets who left, and whatever was asked for has one answer."""

from collections.abc import Awaitable, Callable, Sequence

import msgspec
from linked_nodes import choose, client, come_back, is_inside, let_pass, meet, play, seat_two, talk
from manual_time import ManualTime
from memory_links import Network
from resuming_client import ResumingClient
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
    Prompt,
    Said,
    Say,
    Update,
    Verdict,
    Watch,
    Welcome,
)
from warroom_server.hosting.hosted_room import Hold
from warroom_server.hosting.wait_for_players import RETURN_MS
from warroom_server.restoring.waiting_clients import MOVING_MS
from warroom_server.room.viewer_addresses import Local

Neighbours = Callable[..., Awaitable[list[LittleNode]]]

BID = msgspec.Raw(msgspec.msgpack.encode({"type": "bid", "card": 1}))


def refusals(connection: NotedConnection) -> list[tuple[int | None, str]]:
    """Return what was refused, and why."""
    return [(error.ref, error.code) for error in connection.of(Error)]


class TestForgotten:
    async def test_an_owner_forgets_clients_that_left(self, neighbours: Neighbours) -> None:
        here, there = await neighbours("node-a", "node-b")
        room, _, _ = await seat_two(here, there)
        known = len(here.remote_viewers)
        eve = there.greet("Eve")
        for ref in (10, 20):
            there.say(eve, Watch(ref, room))
            await until(lambda ref=ref: any(joined.ref == ref for joined in eve.of(Joined)))
            there.say(eve, Leave(ref + 1, room))
            await until(lambda ref=ref: any(done.ref == ref + 1 for done in eve.of(Done)))
        await talk()
        assert (len(here.remote_viewers), len(there.remote_rooms)) == (known, known)
        assert not is_inside(there, eve, room)

    async def test_an_owner_forgets_clients_that_it_did_not_let_in(self, neighbours: Neighbours) -> None:
        here, there = await neighbours("node-a", "node-b")
        room, _, _ = await seat_two(here, there)
        known = len(here.remote_viewers)
        answer = await there.join(there.greet("Eve"), room)
        assert isinstance(answer, Error)
        await talk()
        assert (len(here.remote_viewers), len(there.remote_rooms)) == (known, known)

    async def test_who_hangs_up_while_the_store_has_not_let_it_sit_is_not_left_behind(
        self, neighbours: Neighbours
    ) -> None:
        here, there = await neighbours("node-a", "node-b")
        ada = here.greet("Ada")
        room = await here.create(ada, seats=3)
        bob = there.greet("Bob")
        there.say(bob, Join(1, room))
        await talk()
        there.dispatcher.closed(bob)
        await here.settle()
        await talk()
        assert (len(here.remote_viewers), here.hosted(room).room.audience.viewers()) == (0, ())


class TestAnswers:
    async def test_what_came_with_an_entry_that_is_refused_has_its_answer(self, neighbours: Neighbours) -> None:
        here, there = await neighbours("node-a", "node-b")
        room, _, _ = await seat_two(here, there)
        mallory = there.greet("Mallory")
        there.say(mallory, Join(1, room))
        there.say(mallory, Say(2, room, "hello?"))
        await until(lambda: len(mallory.of(Error)) == 2)
        assert refusals(mallory) == [(1, codes.ROOM_STARTED), (2, codes.ROOM_MOVING)]

    async def test_who_asks_twice_to_enter_is_answered_twice(self, neighbours: Neighbours) -> None:
        here, there = await neighbours("node-a", "node-b")
        room, _, _ = await seat_two(here, there)
        eve = there.greet("Eve")
        there.say(eve, Watch(1, room))
        there.say(eve, Watch(2, room))
        await until(lambda: len(eve.of(Joined)) == 2)
        assert [joined.ref for joined in eve.of(Joined)] == [1, 2]

    async def test_an_action_right_behind_the_entry_of_its_sender_has_no_verdict_but_the_one_that_it_has(
        self, neighbours: Neighbours
    ) -> None:
        here, there, last = await neighbours("node-a", "node-b", "node-c")
        room, _, bob = await seat_two(here, there)
        assert (await play(there, bob, room, 1)).code is None
        prompt = bob.of(Prompt)[-1]
        back = await come_back(last, token_of(bob))
        last.say(back, Join(1, room))
        last.say(back, Act(room, 1, prompt.turn, BID))
        await until(lambda: bool(back.of(Joined)))
        assert back.of(Verdict) == []
        last.say(back, Act(room, 1, prompt.turn, BID))
        await until(lambda: bool(back.of(Verdict)))
        assert [(verdict.id, verdict.code) for verdict in back.of(Verdict)] == [(1, None)]

    async def test_who_waits_for_a_room_whose_owner_is_out_of_reach_has_an_answer_in_time(
        self, neighbours: Neighbours, network: Network, time: ManualTime
    ) -> None:
        here, there = await neighbours("node-a", "node-b")
        room, _, _ = await seat_two(here, there)
        network.cut()
        await talk()
        eve = there.greet("Eve")
        there.say(eve, Join(1, room))
        there.say(eve, Act(room, 7, 1, BID))
        there.say(eve, Say(2, room, "hello?"))
        assert refusals(eve) == [(2, codes.ROOM_MOVING)]
        await let_pass(time, MOVING_MS)
        assert refusals(eve) == [(2, codes.ROOM_MOVING), (1, codes.ROOM_MOVING)]
        assert (eve.of(Verdict), there.waiting_clients.entering(room)) == ([], [])

    async def test_an_action_that_is_sent_behind_a_join_is_judged_once_the_client_is_inside(
        self, neighbours: Neighbours
    ) -> None:
        here, there = await neighbours("node-a", "node-b")
        room, _, bob = await seat_two(here, there)
        action = msgspec.Raw(msgspec.msgpack.encode(await choose(there, bob, room)))
        back = there.greet("Back", token_of(bob))
        await until(lambda: bool(back.of(Welcome)))
        there.say(back, Join(1, room))
        there.say(back, Act(room, 5, bob.of(Prompt)[-1].turn, action))
        await until(lambda: bool(back.of(Verdict)))
        assert [(verdict.id, verdict.code) for verdict in back.of(Verdict)] == [(5, None)]

    async def test_an_action_behind_a_refused_join_is_refused_as_well(self, neighbours: Neighbours) -> None:
        _, there = await neighbours("node-a", "node-b")
        eve = there.greet("Eve")
        there.say(eve, Join(1, 77))
        there.say(eve, Act(77, 5, 1, BID))
        await until(lambda: bool(eve.of(Verdict)))
        assert refusals(eve) == [(1, codes.ROOM_UNKNOWN)]
        assert [(verdict.id, verdict.code) for verdict in eve.of(Verdict)] == [(5, codes.ROOM_UNKNOWN)]

    async def test_who_waits_for_an_owner_that_says_nothing_has_an_answer_in_time_and_does_not_come_in_later(
        self, neighbours: Neighbours, network: Network, time: ManualTime
    ) -> None:
        here, there = await neighbours("node-a", "node-b")
        room, _, _ = await seat_two(here, there)
        network.hold(here.name)
        eve = there.greet("Eve")
        there.say(eve, Watch(1, room))
        await let_pass(time, MOVING_MS)
        assert refusals(eve) == [(1, codes.ROOM_MOVING)]
        assert here.hosted(room).room.audience.watching == 0

    async def test_what_a_silent_owner_may_have_done_is_not_done_again_by_who_takes_its_room(
        self, neighbours: Neighbours, store: FickleStore
    ) -> None:
        silent, heir = await neighbours("node-a", "node-b")
        room, _, bob = await seat_two(silent, heir)
        action = await choose(heir, bob, room)
        silent.gate.shut()
        heir.say(bob, Say(7, room, "hello?"))
        heir.act(bob, room, 1, action)
        await talk()
        await store.release(silent.name)
        await heir.take_over()
        await until(lambda: bool(bob.of(Verdict)))
        assert [(verdict.id, verdict.code) for verdict in bob.of(Verdict)] == [(1, None)]
        assert refusals(bob) == [(7, codes.STORE_UNAVAILABLE)]
        assert (bob.of(Done), bob.of(Said)) == ([], [])

    async def test_who_leaves_and_comes_again_at_once_plays_on(self, neighbours: Neighbours) -> None:
        here, there = await neighbours("node-a", "node-b")
        room, _, bob = await seat_two(here, there)
        there.say(bob, Leave(8, room))
        await until(lambda: any(done.ref == 8 for done in bob.of(Done)))
        await until(lambda: not is_inside(there, bob, room))
        assert isinstance(await there.join(bob, room), Joined)
        assert (await play(there, bob, room, 2)).code is None


class TestSlowClients:
    async def test_who_catches_up_gets_a_snapshot_before_anything_that_follows_it(
        self, neighbours: Neighbours, network: Network
    ) -> None:
        here, there = await neighbours("node-a", "node-b")
        room, ada, bob = await seat_two(here, there)
        players = [(here, ada), (there, bob)]
        await fall_behind(bob, room, players)
        there.dispatcher.drained(bob)
        for node, player in players:
            assert (await play(node, player, room, 2)).code is None
        await until(lambda: bob.of(Update)[-1].p == ada.of(Update)[-1].p)

    async def test_who_catches_up_while_its_room_is_nowhere_resumes_with_all_that_it_missed(
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
        await until(lambda: shown(bob, room) == shown(ada, room))

    async def test_who_catches_up_while_its_room_may_be_lost_resumes_with_who_has_it(
        self, neighbours: Neighbours, store: FickleStore
    ) -> None:
        loser, heir = await neighbours("node-a", "node-b")
        room, ada, bob = await seat_two(loser, heir)
        await fall_behind(ada, room, [(loser, ada), (heir, bob)])
        loser.gate.shut()
        loser.dispatcher.drained(ada)
        await store.release(loser.name)
        await heir.take_over()
        await until(lambda: bool(ada.resumed) and bool(bob.resumed))
        assert shown(ada, room) == shown(bob, room)


def shown(player: ResumingClient, room: int) -> int:
    """Return the number of the last public step that a client has."""
    position = player.position(room)
    return 0 if position is None else position.p


async def fall_behind(slow: NotedConnection, room: int, players: Sequence[tuple[LittleNode, NotedConnection]]) -> None:
    """Let all play while the line of one of them is too slow for what it is shown."""
    slow.is_congested = True
    for node, player in players:
        assert (await play(node, player, room, 1)).code is None
    await until(lambda: all(player.of(Update) for _, player in players if player is not slow))
    slow.is_congested = False


async def test_a_client_that_is_gone_when_the_store_lets_it_in_is_let_out_again(node: LittleNode) -> None:
    room = await node.create(node.greet("Ada"), seats=3)
    bob = client(node, "Bob")
    node.say(bob, Join(1, room))
    node.connections.forget(room, bob.id)
    node.dispatcher.closed(bob)
    await node.settle()
    assert Local(bob.id) not in node.hosted(room).room.audience


async def test_each_loss_of_a_node_gets_its_players_the_whole_time_to_come_back(
    node: LittleNode, time: ManualTime
) -> None:
    room, (_, bob) = await node.table()
    hosted = node.hosted(room)
    node.dispatcher.closed(bob)
    node.returning_players.wait(hosted, Hold.EDGE)
    time.advance(RETURN_MS - 1_000)
    node.room_host.release(hosted, Hold.EDGE)
    node.returning_players.wait(hosted, Hold.EDGE)
    time.advance(RETURN_MS - 1_000)
    assert hosted.holds == {Hold.EDGE}
    time.advance(1_000)
    assert hosted.holds == set()
