"""Whoever asks for a room while nobody can tell whose it is: has an answer in time, and loses nothing by it."""

from collections.abc import Awaitable, Callable

import msgspec
import pytest
from linked_nodes import STEP_MS, choose, come_back, let_pass, play, seat_two, talk
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
from warroom_server.hosting.held_requests import HeldRequests
from warroom_server.hosting.ownership_gate import OwnershipGate
from warroom_server.room import commands
from warroom_server.room.commands import MOVING_MS

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
    ask: Callable[[int], ClientMessage], node: LittleNode, time: ManualTime
) -> None:
    room = await node.create(node.greet("Ada"))
    node.lease.lose()
    bob = node.greet("Bob")
    node.say(bob, ask(room))
    time.advance(MOVING_MS - 1)
    assert refusals(bob) == []
    time.advance(1)
    assert refusals(bob) == [(5, AWAY)]
    reopen(node)
    await node.settle()
    assert (bob.of(Joined), bob.of(Resumed)) == ([], [])
    hosted = node.hosted(room)
    assert bob.id not in hosted.room.audience
    assert isinstance(await node.join(bob, room), Joined)


async def test_whoever_is_let_in_in_time_is_not_refused_later(node: LittleNode, time: ManualTime) -> None:
    room = await node.create(node.greet("Ada"))
    bob = node.greet("Bob")
    node.lease.lose()
    node.say(bob, Watch(5, room))
    time.advance(MOVING_MS - 1)
    reopen(node)
    time.advance(MOVING_MS)
    assert [joined.ref for joined in bob.of(Joined)] == [5]
    assert refusals(bob) == []


async def test_an_action_waits_for_its_verdict_while_all_else_is_refused(node: LittleNode, time: ManualTime) -> None:
    room, (ada, _) = await node.table()
    first = node.first(ada, room)
    node.lease.lose()
    node.act(ada, room, 1, first)
    asked: list[ClientMessage] = [Legal(5, room), Say(6, room, "hello?"), Leave(7, room), Watch(8, room)]
    for message in asked:
        node.say(ada, message)
    time.advance(MOVING_MS)
    assert refusals(ada) == [(ref, AWAY) for ref in (5, 6, 7, 8)]
    assert ada.of(Verdict) == []
    reopen(node)
    await node.settle()
    assert verdict_of(ada, 1).code is None
    assert (ada.of(Done), ada.of(Said)) == ([], [])


async def test_an_action_behind_an_entry_that_was_refused_is_not_judged_before_its_sender_is_inside(
    node: LittleNode, time: ManualTime
) -> None:
    room, (ada, _) = await node.table()
    assert (await play(node, ada, room, 1)).code is None
    node.dispatcher.closed(ada)
    back = await come_back(node, token_of(ada))
    node.lease.lose()
    resent = Act(room, 1, 1, BID)
    for message in (Join(5, room, position=Position(0, 1, 0)), resent, Say(6, room, "here again")):
        node.say(back, message)
    time.advance(MOVING_MS)
    assert refusals(back) == [(5, AWAY), (6, AWAY)]
    reopen(node)
    await node.settle()
    assert back.of(Verdict) == [], "refused, it would have two verdicts"
    assert isinstance(await node.join(back, room), Joined | Resumed)
    node.say(back, resent)
    await until(lambda: bool(back.of(Verdict)))
    assert {verdict.code for verdict in back.of(Verdict)} == {None}


async def test_whoever_hangs_up_while_waiting_leaves_nothing_behind(node: LittleNode) -> None:
    room = await node.create(node.greet("Ada"))
    node.lease.lose()
    bob = node.greet("Bob")
    node.say(bob, Join(5, room))
    node.say(bob, Say(6, room, "hello?"))
    node.say(bob, Act(room, 1, 1, BID))
    node.dispatcher.closed(bob)
    assert len(node.gate) == 0
    reopen(node)
    await node.settle()
    assert bob.id not in node.hosted(room).room.audience


async def test_whoever_came_in_before_the_gate_shut_again_leaves_the_room_with_the_line(node: LittleNode) -> None:
    room = await node.create(node.greet("Ada"))
    node.lease.lose()
    bob = node.greet("Bob")
    node.say(bob, Watch(5, room))
    node.gate.keep(room, node.gate.shut, is_vital=True)
    node.say(bob, Say(6, room, "hello?"))
    reopen(node)
    await node.settle()
    assert (bob.id in node.hosted(room).room.audience, node.gate.is_shut) == (True, True)
    node.dispatcher.closed(bob)
    reopen(node)
    await node.settle()
    assert bob.id not in node.hosted(room).room.audience


async def test_the_feed_which_asks_once_waits_for_as_long_as_it_takes(node: LittleNode, time: ManualTime) -> None:
    room = await node.create(node.greet("Ada"))
    node.lease.lose()
    node.room_host.tell(room, commands.Watch(commands.FEED, 0, None))
    time.advance(10 * MOVING_MS)
    reopen(node)
    await node.settle()
    assert commands.FEED in node.hosted(room).room.audience


async def test_what_is_asked_by_whoever_hangs_up_inside_is_done_in_time_or_not_at_all(
    node: LittleNode, time: ManualTime
) -> None:
    room, players = await node.table()
    eve = node.greet("Eve")
    node.say(eve, Watch(5, room))
    for player, late_ms in zip(players, (MOVING_MS - 1, MOVING_MS), strict=True):
        node.lease.lose()
        node.say(player, Say(5, room, f"I wait for {late_ms} ms"))
        node.dispatcher.closed(player)
        time.advance(late_ms)
        reopen(node)
        await node.settle()
        assert player.id not in node.hosted(room).room.audience
    assert [said.text for said in eve.of(Said)] == [f"I wait for {MOVING_MS - 1} ms"]


@pytest.mark.parametrize(
    "news",
    [
        pytest.param([commands.Lag(1, 10), commands.Lag(1, 20), commands.Lag(1, 30)], id="how long a line takes"),
        pytest.param([commands.Crowd(1, 3), commands.Crowd(1, 4)], id="how many look on"),
        pytest.param([commands.Refresh(1), commands.Refresh(1)], id="a snapshot is due"),
    ],
)
def test_of_what_comes_again_and_again_the_latest_waits_in_the_place_of_the_first(
    news: list[commands.Command], node: LittleNode, time: ManualTime
) -> None:
    gate, told = OwnershipGate(time.steady_ms), list[tuple[int, commands.Command]]()
    held_requests = HeldRequests(
        gate,
        connections=node.connections,
        clock=time,
        timers=time,
        tell=lambda number, command: told.append((number, command)),
        is_inside=lambda _, __: True,
    )
    gate.shut()
    act = commands.Act(1, 1, 1, b"", 0)
    for command in (news[0], act, *news[1:]):
        held_requests.keep(7, command)
        held_requests.keep(8, command)
    held_requests.keep(7, commands.Lag(2, 50))
    assert len(gate) == 5
    gate.open()
    assert told == [(7, news[-1]), (8, news[-1]), (7, act), (8, act), (7, commands.Lag(2, 50))]


async def test_lines_that_are_measured_for_long_take_no_place_from_others(
    node: LittleNode, time: ManualTime, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("warroom_server.hosting.ownership_gate.MOST", 8)
    room, players = await node.table()
    node.lease.lose()
    for rtt_ms in range(100):
        for player in players:
            node.dispatcher.measured(player, rtt_ms)
    eve = node.greet("Eve")
    node.say(eve, Watch(5, room))
    time.advance(MOVING_MS)
    assert refusals(eve) == [(5, AWAY)]


async def test_what_was_refused_takes_no_place_from_others(
    node: LittleNode, time: ManualTime, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("warroom_server.hosting.ownership_gate.MOST", 1)
    room = await node.create(node.greet("Ada"))
    node.lease.lose()
    bob = node.greet("Bob")
    for ref in (5, 6):
        node.say(bob, Watch(ref, room))
        time.advance(MOVING_MS)
    assert refusals(bob) == [(5, AWAY), (6, AWAY)]


class TestGuests:
    """People who are connected to another node than that of their room."""

    @pytest.mark.parametrize("late_ms", [0, 2_000])
    async def test_newcomers_are_told_as_well_all_that_wait_together_at_once(
        self, late_ms: int, neighbours: Neighbours, time: ManualTime
    ) -> None:
        here, there = await neighbours("node-a", "node-b")
        room, _, _ = await seat_two(here, there)
        here.lease.lose()
        eve, fay, joe = (there.greet(name) for name in ("Eve", "Fay", "Joe"))
        there.say(eve, Watch(5, room))
        await let_pass(time, late_ms)
        there.say(fay, Watch(6, room))
        there.say(joe, Join(7, room))
        await let_pass(time, MOVING_MS + 5 * STEP_MS)
        assert (refusals(eve), refusals(fay), refusals(joe)) == ([(5, AWAY)], [(6, AWAY)], [(7, AWAY)])
        reopen(here)
        await talk()
        assert not any(person.of(Joined) for person in (eve, fay, joe))
        assert (len(here.relay.remote_clients), len(there.relay.edge)) == (1, 1)
        there.say(eve, Watch(8, room))
        await until(lambda: bool(eve.of(Joined)))

    async def test_what_is_asked_behind_an_entry_is_refused_with_it(
        self, neighbours: Neighbours, time: ManualTime
    ) -> None:
        here, there = await neighbours("node-a", "node-b")
        room, _, _ = await seat_two(here, there)
        here.lease.lose()
        eve = there.greet("Eve")
        for message in (Join(5, room), Act(room, 1, 1, BID), Say(6, room, "hello?")):
            there.say(eve, message)
        await let_pass(time, MOVING_MS + STEP_MS)
        assert refusals(eve) == [(5, AWAY), (6, AWAY)]
        reopen(here)
        await talk()
        assert eve.of(Verdict) == [], "to be sent again once she is inside"

    @pytest.mark.parametrize("away_ms", [300, MOVING_MS - 3 * STEP_MS, MOVING_MS])
    async def test_a_room_elsewhere_is_found_if_the_store_is_back_in_time(
        self, away_ms: int, neighbours: Neighbours, store: FickleStore, time: ManualTime
    ) -> None:
        here, there = await neighbours("node-a", "node-b")
        room, _ = await here.table()
        store.is_away = True
        eve = there.greet("Eve")
        there.say(eve, Watch(5, room))
        there.say(eve, Say(6, room, "hello?"))
        await let_pass(time, away_ms)
        store.is_away = False
        await let_pass(time, 3 * STEP_MS)
        is_in_time = away_ms < MOVING_MS
        assert [joined.ref for joined in eve.of(Joined)] == ([5] if is_in_time else [])
        assert [done.ref for done in eve.of(Done)] == ([6] if is_in_time else [])
        assert refusals(eve) == ([] if is_in_time else [(5, AWAY), (6, AWAY)])

    async def test_whoever_was_inside_is_led_back_however_long_that_takes(
        self, neighbours: Neighbours, store: FickleStore, time: ManualTime
    ) -> None:
        here, there = await neighbours("node-a", "node-b")
        room, _, bob = await seat_two(here, there)
        action = await choose(there, bob, room)
        here.lease.lose()
        there.relay.edge.lost(here.name, time.now())
        await let_pass(time, 3 * MOVING_MS)
        there.act(bob, room, 1, action)
        reopen(here)
        await until(lambda: bool(bob.of(Verdict)))
        assert verdict_of(bob, 1).code is None
        assert (refusals(bob), bob.of(Notice)) == ([], [])
