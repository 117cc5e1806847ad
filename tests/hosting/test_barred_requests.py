"""Whoever asks for a room while nobody can tell whose it is: has an answer at once, and loses nothing by it."""

from collections.abc import Awaitable, Callable

import msgspec
import pytest
from linked_nodes import STEP_MS, choose, client, let_pass, play, seat_two, talk
from manual_time import ManualTime
from small_node import FickleStore, LittleNode, NotedConnection, token_of, verdict_of
from wait_until import until

from warroom_protocol import codes
from warroom_protocol.messages import (
    Act,
    ClientMessage,
    Done,
    Error,
    Join,
    Joined,
    Leave,
    Legal,
    Notice,
    Position,
    Resumed,
    Said,
    Say,
    Verdict,
    Watch,
)
from warroom_server.restoring.waiting_clients import MOVING_MS
from warroom_server.room import commands
from warroom_server.room.viewer_addresses import FEED, Local

Neighbours = Callable[..., Awaitable[list[LittleNode]]]

AWAY = codes.STORE_UNAVAILABLE
BID = msgspec.Raw(msgspec.msgpack.encode({"type": "bid", "card": 1}))


def reopen(node: LittleNode) -> None:
    """Let everything pass again."""
    node.gate.extend(2**60)
    node.gate.open()


def refusals(connection: NotedConnection) -> list[tuple[int | None, str]]:
    """Return what was refused, and why."""
    return [(error.ref, error.code) for error in connection.of(Error)]


def notices(connection: NotedConnection) -> list[str]:
    """Return which notices a connection got."""
    return [notice.code for notice in connection.of(Notice)]


@pytest.mark.parametrize(
    "ask",
    [
        pytest.param(lambda room: Watch(5, room), id="watch"),
        pytest.param(lambda room: Join(5, room), id="join"),
        pytest.param(lambda room: Watch(5, room, Position(0, 1, 0)), id="watch again"),
        pytest.param(lambda room: Join(5, room, position=Position(0, 1, 0)), id="join again"),
    ],
)
async def test_a_newcomer_is_told_that_the_store_is_away_and_may_come_again(
    ask: Callable[[int], ClientMessage], node: LittleNode
) -> None:
    room = await node.create(node.greet("Ada"))
    node.gate.shut()
    bob = node.greet("Bob")
    node.say(bob, ask(room))
    assert refusals(bob) == [(5, AWAY)]
    reopen(node)
    await node.settle()
    assert (bob.of(Joined), bob.of(Resumed)) == ([], [])
    assert Local(bob.id) not in node.hosted(room).room.audience
    assert isinstance(await node.join(bob, room), Joined)


async def test_an_action_is_left_unanswered_while_all_else_is_refused_and_its_client_sends_it_again(
    node: LittleNode,
) -> None:
    room, (ada, _) = await resuming_table(node)
    first = node.first(ada, room)
    node.gate.shut()
    node.act(ada, room, 1, first)
    asked: list[ClientMessage] = [Legal(5, room), Say(6, room, "hello?"), Leave(7, room), Join(8, room)]
    for message in asked:
        node.say(ada, message)
    assert refusals(ada) == [(ref, AWAY) for ref in (5, 6, 7, 8)]
    assert (ada.of(Verdict), notices(ada)) == ([], [])
    reopen(node)
    await until(lambda: bool(ada.of(Verdict)))
    assert verdict_of(ada, 1).code is None
    assert (notices(ada), ada.of(Done), ada.of(Said)) == ([codes.NOTICE_MOVED], [], [])


async def test_who_has_no_action_unanswered_is_not_disturbed(node: LittleNode) -> None:
    room, (ada, bob) = await node.table()
    first = node.first(ada, room)
    node.gate.shut()
    node.act(ada, room, 1, first)
    reopen(node)
    await node.settle()
    assert (notices(ada), notices(bob)) == ([codes.NOTICE_MOVED], [])


async def test_an_action_that_counts_already_has_no_second_verdict_whenever_it_is_sent(node: LittleNode) -> None:
    room, (ada, _) = await node.table()
    assert (await play(node, ada, room, 1)).code is None
    node.dispatcher.closed(ada)
    back = node.greet("Back", token_of(ada))
    await node.settle()
    node.gate.shut()
    resent = Act(room, 1, 1, BID)
    for message in (Join(5, room, position=Position(0, 1, 0)), resent, Say(6, room, "here again")):
        node.say(back, message)
    assert refusals(back) == [(5, AWAY), (6, codes.ROOM_MOVING)]
    reopen(node)
    await node.settle()
    node.say(back, resent)
    await node.settle()
    assert back.of(Verdict) == [], "refused, it would have two verdicts"
    assert isinstance(await node.join(back, room), Joined | Resumed)
    node.say(back, resent)
    await until(lambda: bool(back.of(Verdict)))
    assert {verdict.code for verdict in back.of(Verdict)} == {None}


async def test_whoever_hangs_up_meanwhile_has_left_once_the_gate_is_open(node: LittleNode) -> None:
    room, (ada, bob) = await node.table()
    node.gate.shut()
    node.dispatcher.closed(bob)
    assert Local(bob.id) in node.hosted(room).room.audience
    reopen(node)
    await node.settle()
    assert (Local(ada.id) in node.hosted(room).room.audience, Local(bob.id) in node.hosted(room).room.audience) == (
        True,
        False,
    )


async def test_the_feed_which_asks_once_waits_for_as_long_as_it_takes(node: LittleNode, time: ManualTime) -> None:
    room = await node.create(node.greet("Ada"))
    node.gate.shut()
    node.room_host.tell(room, commands.Watch(FEED, 0, None))
    time.advance(10 * MOVING_MS)
    reopen(node)
    await node.settle()
    assert FEED in node.hosted(room).room.audience


async def test_lines_that_are_measured_for_long_leave_nothing_behind(node: LittleNode) -> None:
    _, players = await node.table()
    node.gate.shut()
    waiting = len(node.gate)
    for rtt_ms in range(100):
        for player in players:
            node.dispatcher.measured(player, rtt_ms)
    assert len(node.gate) == waiting


class TestClientsElsewhere:
    """People who are connected to another node than that of their room."""

    async def test_newcomers_are_told_as_well(self, neighbours: Neighbours) -> None:
        here, there = await neighbours("node-a", "node-b")
        room, _, _ = await seat_two(here, there)
        here.gate.shut()
        eve, joe = there.greet("Eve"), there.greet("Joe")
        there.say(eve, Watch(5, room))
        there.say(joe, Join(7, room))
        await until(lambda: (refusals(eve), refusals(joe)) == ([(5, AWAY)], [(7, AWAY)]))
        reopen(here)
        await talk()
        assert (len(here.remote_viewers), len(there.remote_rooms)) == (1, 1)
        there.say(eve, Watch(8, room))
        await until(lambda: bool(eve.of(Joined)))

    @pytest.mark.parametrize("away_ms", [300, MOVING_MS - 3 * STEP_MS, MOVING_MS])
    async def test_a_room_elsewhere_is_found_if_the_store_is_back_in_time(
        self, away_ms: int, neighbours: Neighbours, store: FickleStore, time: ManualTime
    ) -> None:
        here, there = await neighbours("node-a", "node-b")
        room, _ = await here.table()
        store.is_away = True
        eve = there.greet("Eve")
        there.say(eve, Watch(5, room))
        await let_pass(time, away_ms)
        store.is_away = False
        await let_pass(time, 3 * STEP_MS)
        is_in_time = away_ms < MOVING_MS
        assert [joined.ref for joined in eve.of(Joined)] == ([5] if is_in_time else [])
        assert refusals(eve) == ([] if is_in_time else [(5, AWAY)])

    async def test_whoever_was_inside_resumes_however_long_that_takes(
        self, neighbours: Neighbours, store: FickleStore, time: ManualTime
    ) -> None:
        here, there = await neighbours("node-a", "node-b")
        room, _, bob = await seat_two(here, there)
        action = await choose(there, bob, room)
        here.reclaim.lose()
        there.act(bob, room, 1, action)
        await let_pass(time, 3 * MOVING_MS)
        assert (bob.of(Verdict), notices(bob)) == ([], [])
        reopen(here)
        await until(lambda: bool(bob.of(Verdict)))
        assert verdict_of(bob, 1).code is None
        assert notices(bob) == [codes.NOTICE_MOVED]


async def resuming_table(node: LittleNode) -> tuple[int, list[NotedConnection]]:
    """Return a running match of people whose clients resume by themselves."""
    players: list[NotedConnection] = [client(node, f"Player {seat}") for seat in range(2)]
    room = await node.create(players[0])
    for player in players:
        assert isinstance(await node.join(player, room), Joined)
    await node.settle()
    return room, players
