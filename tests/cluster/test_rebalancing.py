"""Matches move to nodes that have fewer: gently, a few at a time, and nobody who plays loses anything by it."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence

import pytest
from linked_nodes import let_pass, play, seat_two, talk
from manual_time import ManualTime
from memory_links import Network
from small_node import FickleStore, LittleNode
from wait_until import until

from warroom_protocol.messages import ClientMessage, Done, Mute, Offer, Paused, Welcome
from warroom_server.cluster.drain import HOUSED_MS
from warroom_server.cluster.load_shares import LEAST
from warroom_server.cluster.messages import Owns, Rules
from warroom_server.cluster.rebalancing import AT_ONCE, LOOK_MS, PATIENCE
from warroom_server.ports.store import Orphan, Whereabouts
from warroom_server.room.handoff_state import NO_HANDOFF_STATE, HandoffState

Neighbours = Callable[..., Awaitable[list[LittleNode]]]

LONG_ENOUGH_MS = (PATIENCE + 2) * LOOK_MS
A_FEW = 4


async def tables(node: LittleNode, count: int) -> list[int]:
    """Begin matches whose players are all connected to *node*."""
    return [(await node.table())[0] for _ in range(count)]


def start(nodes: Sequence[LittleNode]) -> None:
    """Let nodes level what they have."""
    for node in nodes:
        node.leveller.start()


def counts(nodes: Sequence[LittleNode]) -> list[int]:
    return [len(node.room_host) for node in nodes]


async def test_matches_are_spread_over_a_node_that_has_none_and_then_stay(
    neighbours: Neighbours, time: ManualTime
) -> None:
    nodes = await neighbours("node-a", "node-b", "node-c")
    for node in nodes[:2]:
        await tables(node, 15)
    start(nodes)
    await let_pass(time, LONG_ENOUGH_MS)
    await until(lambda: counts(nodes) == [10, 10, 10])
    moved = [node.counters.rooms_given for node in nodes]
    await let_pass(time, 2 * LONG_ENOUGH_MS)
    assert ([node.counters.rooms_given for node in nodes], counts(nodes)) == (moved, [10, 10, 10])
    assert moved == [5, 5, 0]


async def test_whoever_plays_goes_on_and_the_match_with_more_viewers_there_moves_first(
    neighbours: Neighbours, time: ManualTime
) -> None:
    nodes = here, there = await neighbours("node-a", "node-b")
    await tables(here, 2 * LEAST - 1)
    room, ada, bob = await seat_two(here, there)
    start(nodes)
    await let_pass(time, LONG_ENOUGH_MS)
    await until(lambda: room in there.room_host)
    await until(lambda: all(player.of(Paused)[-1].reason is None for player in (ada, bob)))
    assert (await play(here, ada, room, 1)).code is None
    assert (await play(there, bob, room, 2)).code is None
    assert (ada.closed, bob.closed) == (None, None)


async def test_a_few_at_a_time_and_only_after_a_while(
    neighbours: Neighbours, time: ManualTime, monkeypatch: pytest.MonkeyPatch
) -> None:
    nodes = here, there = await neighbours("node-a", "node-b")
    await tables(here, 4 * AT_ONCE)
    offered: list[Orphan] = []
    monkeypatch.setattr(there.directory, "take_over", lambda orphans, _: offered.extend(orphans))
    start(nodes)
    await let_pass(time, PATIENCE * LOOK_MS)
    assert offered == []
    await let_pass(time, LOOK_MS)
    assert len(offered) == AT_ONCE
    await let_pass(time, LOOK_MS)
    assert len(offered) == AT_ONCE, "the others wait until it is known what became of these"


async def test_no_more_is_given_than_is_too_much_by_then(
    neighbours: Neighbours, time: ManualTime, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("warroom_server.cluster.rebalancing.AT_ONCE", 4)
    nodes = here, there = await neighbours("node-a", "node-b")
    await tables(here, 24)
    start(nodes)
    await let_pass(time, (PATIENCE + 1) * LOOK_MS)
    await until(lambda: counts(nodes) == [20, 4])
    await tables(there, 8)  # which is known here one look later
    await let_pass(time, LONG_ENOUGH_MS)
    await until(lambda: counts(nodes) == [16, 16])
    assert here.counters.rooms_given == 8


async def test_what_was_worth_it_before_an_outage_has_to_be_worth_it_again(
    neighbours: Neighbours, time: ManualTime
) -> None:
    nodes = here, _ = await neighbours("node-a", "node-b")
    await tables(here, 4 * AT_ONCE)
    start(nodes)
    await let_pass(time, (PATIENCE + 1) * LOOK_MS)
    here.counters.primaries_away = 1
    await let_pass(time, 2 * LOOK_MS)
    here.counters.primaries_away = 0
    await let_pass(time, (PATIENCE - 1) * LOOK_MS)
    assert here.counters.rooms_given == AT_ONCE
    await let_pass(time, 2 * LOOK_MS)
    assert here.counters.rooms_given == 2 * AT_ONCE


async def test_so_it_has_after_the_store_may_have_lost_something_which_owners_alone_remember(
    neighbours: Neighbours, store: FickleStore, time: ManualTime
) -> None:
    nodes = _, here = await neighbours("node-b", "node-a")  # the latest is told
    await tables(here, 4 * AT_ONCE)
    start(nodes)
    await let_pass(time, PATIENCE * LOOK_MS)
    store.on_doubt()
    await let_pass(time, (PATIENCE - 1) * LOOK_MS)
    assert here.counters.rooms_given == 0
    await let_pass(time, 2 * LOOK_MS)
    assert here.counters.rooms_given > 0


async def test_a_node_without_the_rules_keeps_no_other_from_its_share(neighbours: Neighbours, time: ManualTime) -> None:
    nodes = here, there, _ = await neighbours("node-a", "node-b", "node-c")
    await tables(here, 2 * LEAST)
    here.neighbourhood.received(there.name, Rules(()))
    start(nodes)
    await let_pass(time, LONG_ENOUGH_MS)
    await until(lambda: counts(nodes) == [LEAST, 0, LEAST])


async def test_a_node_that_others_who_follow_cannot_reach_keeps_no_other_from_its_share(
    neighbours: Neighbours, network: Network, time: ManualTime
) -> None:
    nodes = here, unseen, far = await neighbours("node-a", "node-b", "node-c")
    for _ in range(2 * LEAST):
        await seat_two(here, far)
    network.part(unseen.name, far.name)
    await until(lambda: unseen.name not in far.peers)
    start(nodes)
    await let_pass(time, LONG_ENOUGH_MS)
    await until(lambda: counts(nodes) == [LEAST, 0, LEAST])


async def test_only_matches_go_that_everybody_can_follow_there(
    neighbours: Neighbours, network: Network, time: ManualTime
) -> None:
    here, heir, far = await neighbours("node-a", "node-b", "node-c")
    watched = [(await seat_two(here, far))[0] for _ in range(LEAST)]
    await tables(here, 2 * LEAST)
    network.part(heir.name, far.name)
    await until(lambda: heir.name not in far.peers)
    start([here, heir])
    await let_pass(time, 2 * LONG_ENOUGH_MS)
    await until(lambda: counts([here, heir]) == [3 * LEAST // 2, 3 * LEAST // 2])
    assert all(room in here.room_host for room in watched)


async def test_what_is_on_its_way_when_the_giver_is_stopped_is_offered_to_another(
    neighbours: Neighbours, time: ManualTime
) -> None:
    nodes = here, heir, silent = await neighbours("node-a", "node-b", "node-c")
    rooms = await tables(here, 3 * LEAST)
    silent.directory.is_leaving = True
    start(nodes)
    await let_pass(time, (PATIENCE + 1) * LOOK_MS)
    assert (here.counters.rooms_given, counts(nodes)) == (AT_ONCE, [2 * LEAST, 0, 0])
    handing_over = asyncio.ensure_future(here.hand_over())
    await until(lambda: not here.room_host)
    time.advance(HOUSED_MS)
    await handing_over
    await until(lambda: all(room in heir.room_host for room in rooms))


async def test_what_the_other_does_not_take_goes_on_here(
    neighbours: Neighbours, time: ManualTime, store: FickleStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    nodes = here, there = await neighbours("node-a", "node-b")
    room, ada, bob = await seat_two(here, there)
    await tables(here, 2 * LEAST - 1)
    offered: list[Orphan] = []
    monkeypatch.setattr(there.directory, "take_over", lambda orphans, _: offered.extend(orphans))
    start(nodes)
    await let_pass(time, LONG_ENOUGH_MS + HOUSED_MS)
    await until(lambda: len(here.room_host) == 2 * LEAST)
    assert (room, here.name, 1) in offered
    assert {number for number, _, _ in offered} <= {hosted.room.number for hosted in here.room_host}
    many = len(offered)
    assert await store.whereabouts([room]) == [Whereabouts(here.name, 2)]
    assert (await play(here, ada, room, 1)).code is None
    assert (await play(there, bob, room, 2)).code is None
    await let_pass(time, LONG_ENOUGH_MS)
    assert len(offered) == many, "it is left alone for a while"


def looked_for_heirs(node: LittleNode, monkeypatch: pytest.MonkeyPatch) -> list[None]:
    """Return what gets longer each time that a node looks for others to give rooms to."""
    heirs, looks = node.heirs.peers, list[None]()

    def look() -> list[str]:
        looks.append(None)
        return heirs()

    monkeypatch.setattr(node.heirs, "peers", look)
    return looks


@pytest.mark.parametrize("is_stopping", [False, True])
async def test_who_had_a_match_before_is_not_taken_for_having_it_now_because_its_word_comes_late(
    neighbours: Neighbours, time: ManualTime, monkeypatch: pytest.MonkeyPatch, is_stopping: bool
) -> None:
    nodes = here, there, before = await neighbours("node-a", "node-b", "node-c")
    rooms = await tables(here, 3 * LEAST)
    held: list[Orphan] = []
    for node in (there, before):
        monkeypatch.setattr(node.directory, "take_over", lambda orphans, _: held.extend(orphans))
    start(nodes)
    await let_pass(time, (PATIENCE + 1) * LOOK_MS)
    assert len(held) == AT_ONCE
    if is_stopping:
        handing_over = asyncio.ensure_future(here.hand_over())
        await until(lambda: len(held) == len(rooms))
    here.neighbourhood.received(before.name, Owns(tuple((room, epoch - 1) for room, _, epoch in held)))
    if is_stopping:
        looks = looked_for_heirs(here, monkeypatch)
        await until(lambda: len(looks) > A_FEW)  # so it goes on to wait; whoever is done looks for nobody
        assert not handing_over.done()
    else:
        assert len(here.directory.given) == AT_ONCE
    here.neighbourhood.received(there.name, Owns(tuple((room, epoch + 1) for room, _, epoch in held)))
    if is_stopping:
        await handing_over
    else:
        assert not here.directory.given


async def test_both_may_want_a_room_and_the_store_decides(
    neighbours: Neighbours, time: ManualTime, store: FickleStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    nodes = here, there = await neighbours("node-a", "node-b")
    rooms = await tables(here, 2 * LEAST)
    held: list[Orphan] = []
    take_over = there.directory.take_over
    monkeypatch.setattr(there.directory, "take_over", lambda orphans, _: held.extend(orphans))
    start(nodes)
    await let_pass(time, LONG_ENOUGH_MS)
    assert held
    take_over(held)  # its word comes when the giver has lost its patience
    time.advance(HOUSED_MS + LOOK_MS)
    await talk()
    await until(lambda: all((room in here.room_host) != (room in there.room_host) for room in rooms))
    for node in nodes:
        owned = [hosted.room.number for hosted in node.room_host]
        assert {found.owner for found in await store.whereabouts(owned) if found} <= {node.name}


@pytest.mark.parametrize("why", ["rules", "drain", "silence", "outage", "orphans", "switched off"])
async def test_nothing_moves(why: str, neighbours: Neighbours, time: ManualTime, store: FickleStore) -> None:
    nodes = here, there = await neighbours("node-a", "node-b")
    await tables(here, 2 * LEAST)
    match why:
        case "rules":
            here.neighbourhood.received(there.name, Rules(()))
        case "drain":
            await there.hand_over()
        case "silence":
            here.gate.shut()
        case "outage":
            here.counters.primaries_away = 1
        case "orphans":
            store.fails_to_load = True
            here.directory.take_over([(99, "node-z", 1)])
        case _:
            pass
    start([here] if why == "switched off" else nodes)
    await let_pass(time, LONG_ENOUGH_MS)
    assert counts(nodes) == [2 * LEAST, 0]


@pytest.mark.parametrize("what", ["lobbies", "matches without a player", "matches in an agreed pause"])
async def test_what_has_to_wait_for_somebody_stays(what: str, neighbours: Neighbours, time: ManualTime) -> None:
    nodes = here, _ = await neighbours("node-a", "node-b")
    for ref in range(2 * LEAST):
        if what == "lobbies":
            await here.create(here.greet(), ref=ref)
            continue
        room, players = await here.table()
        if what == "matches without a player":
            here.dispatcher.closed(players[0])
        else:
            for player in players:
                here.say(player, Offer(50, room, "pause"))
    start(nodes)
    await let_pass(time, LONG_ENOUGH_MS)
    assert counts(nodes) == [2 * LEAST, 0]


UNWRITTEN = pytest.mark.parametrize(
    "ask",
    [
        pytest.param(lambda room, _: Offer(50, room, "draw"), id="an offer"),
        pytest.param(lambda room, player: Mute(50, room, player), id="whom a player does not want to hear"),
        pytest.param(lambda room, player: Mute(50, room, player, everybody=True), id="whom the host silenced"),
    ],
)


async def handoff_state(
    node: LittleNode, time: ManualTime, ask: Callable[[int, str], ClientMessage]
) -> dict[int, HandoffState]:
    """Begin matches in which something holds that is in no log; return by room what."""
    asked = [await node.table() for _ in range(2 * LEAST)]
    for room, (ada, bob) in asked:
        node.say(ada, ask(room, bob.of(Welcome)[0].player))
        assert ada.of(Done)[-1].ref == 50
    found = {room: node.hosted(room).handoff_state(time.now()) for room, _ in asked}
    assert NO_HANDOFF_STATE not in found.values()
    return found


@UNWRITTEN
async def test_what_is_in_no_log_goes_along(
    ask: Callable[[int, str], ClientMessage], neighbours: Neighbours, time: ManualTime
) -> None:
    nodes = here, _ = await neighbours("node-a", "node-b")
    known = await handoff_state(here, time, ask)
    start(nodes)
    await let_pass(time, LONG_ENOUGH_MS)
    await until(lambda: counts(nodes) == [LEAST, LEAST])
    assert {each.room.number: each.handoff_state(time.now()) for node in nodes for each in node.room_host} == known


@UNWRITTEN
async def test_what_is_in_no_log_comes_back_with_what_the_other_does_not_take(
    ask: Callable[[int, str], ClientMessage],
    neighbours: Neighbours,
    time: ManualTime,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    nodes = here, there = await neighbours("node-a", "node-b")
    known = await handoff_state(here, time, ask)
    monkeypatch.setattr(there.directory, "take_over", lambda _, __: None)
    start(nodes)
    await let_pass(time, LONG_ENOUGH_MS + HOUSED_MS)
    await until(lambda: counts(nodes) == [2 * LEAST, 0])
    assert here.counters.rooms_given
    assert {each.room.number: each.handoff_state(time.now()) for each in here.room_host} == known
