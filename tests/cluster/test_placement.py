"""New rooms stay where they are made, unless that node has far more than its share."""

from collections import Counter
from collections.abc import Awaitable, Callable, Sequence

import pytest
from linked_nodes import let_pass, meet, play
from manual_time import ManualTime
from memory_links import Network
from small_node import FickleStore, LittleNode
from wait_until import until

from warroom_chaos.ownership_log import ADOPTED, GIVEN, OwnershipLog
from warroom_protocol.messages import Created, Joined, Moved, Offer, Prompt, Quick
from warroom_protocol.rooms import room_code
from warroom_server.cluster.handover import TAKEN_MS
from warroom_server.cluster.placement import LEAST, is_overloaded
from warroom_server.ports.store import Whereabouts
from warroom_server.room.room import Room

Neighbours = Callable[..., Awaitable[list[LittleNode]]]


@pytest.mark.parametrize(
    ("own", "others", "is_over"),
    [
        pytest.param(1_000, [], False, id="a node that is alone"),
        pytest.param(15, [0], False, id="less than eight above the mean"),
        pytest.param(16, [0], True, id="eight above the mean"),
        pytest.param(57, [40], False, id="eight, and less than a quarter of it"),
        pytest.param(100, [60], True, id="a quarter above the mean"),
        pytest.param(110, [90, 90, 90], False, id="eight above the mean of many, and less than a quarter"),
        pytest.param(130, [90, 90, 90], True, id="a quarter above the mean of many"),
        pytest.param(10, [100, 100], False, id="below the mean"),
    ],
)
def test_a_node_hands_new_rooms_on_when_it_is_above_the_mean_by_eight_and_by_a_quarter(
    own: int, others: Sequence[int], *, is_over: bool
) -> None:
    assert is_overloaded(own, others) == is_over


async def learn(nodes: list[LittleNode], store: FickleStore) -> None:
    """Let nodes say how many rooms they have, and hear it of each other."""
    for node in nodes:
        await node.renew()
    await meet(nodes, store)


async def make(node: LittleNode, count: int, first: int = 0) -> list[int]:
    """Make rooms at one node."""
    return [await node.create(node.greet(), ref=ref) for ref in range(first, first + count)]


async def test_rooms_stay_where_they_are_made_while_nodes_have_about_as_many(
    neighbours: Neighbours, store: FickleStore
) -> None:
    here, there = nodes = await neighbours("node-a", "node-b")
    await make(here, 2 * LEAST - 1)
    await learn(nodes, store)
    await make(here, 1, first=50)
    assert (len(here.room_host), len(there.room_host), here.counters.rooms_placed) == (2 * LEAST, 0, 0)


async def test_a_node_with_too_many_hands_new_rooms_on_and_their_players_find_them(
    neighbours: Neighbours, store: FickleStore
) -> None:
    here, there = nodes = await neighbours("node-a", "node-b")
    before = await make(here, 2 * LEAST)
    await learn(nodes, store)
    ada, bob = here.greet("Ada"), there.greet("Bob")
    room = await here.create(ada, ref=50)
    assert room not in here.room_host
    for node, player in ((here, ada), (there, bob)):
        assert isinstance(await node.join(player, room), Joined)
    assert room in there.room_host
    await until(lambda: bool(ada.of(Prompt)))
    assert (await play(here, ada, room, 1)).code is None
    assert all(number in here.room_host for number in before), "what is there stays there"
    assert here.counters.rooms_placed == 1


async def test_the_room_of_a_quick_match_is_handed_on_too(neighbours: Neighbours, store: FickleStore) -> None:
    here, there = nodes = await neighbours("node-a", "node-b")
    await make(here, 2 * LEAST)
    await learn(nodes, store)
    ada, bob = here.greet("Ada"), there.greet("Bob")
    for node, player in ((here, ada), (there, bob)):
        node.say(player, Quick(50, "sealed_bids", 2))
        await until(lambda player=player: bool(player.of(Created)))
    (room,) = {player.of(Created)[0].room for player in (ada, bob)}
    for node, player in ((here, ada), (there, bob)):
        assert isinstance(await node.join(player, room), Joined)
    await until(lambda: bool(ada.of(Prompt)))
    assert (room in here.room_host, room in there.room_host) == (False, True)


@pytest.mark.parametrize("is_seen", [True, False], ids=["the end is public", "spectators have not seen the end"])
async def test_a_rematch_is_handed_on_unless_it_would_tell_the_end_of_the_match_too_early(
    neighbours: Neighbours, store: FickleStore, monkeypatch: pytest.MonkeyPatch, *, is_seen: bool
) -> None:
    here, there = nodes = await neighbours("node-a", "node-b")
    room, players = await here.table()
    await make(here, 2 * LEAST - 1)
    await learn(nodes, store)
    for player in players:
        here.say(player, Offer(60, room, "draw"))
    await here.archiver.archived(room)
    monkeypatch.setattr(Room, "is_publicly_over", property(lambda _: is_seen))
    for player in players:
        here.say(player, Offer(61, room, "rematch"))
    await until(lambda: all(player.of(Moved) for player in players))
    rematch = players[0].of(Moved)[0].to
    await until(lambda: rematch in (here if not is_seen else there).room_host)


async def test_the_same_wish_told_again_names_the_same_room(neighbours: Neighbours, store: FickleStore) -> None:
    here, there = nodes = await neighbours("node-a", "node-b")
    await make(here, 2 * LEAST)
    await learn(nodes, store)
    ada = here.greet("Ada")
    assert await here.create(ada, ref=50) == await here.create(ada, ref=50)
    assert len(ada.of(Created)) == 2
    await until(lambda: len(there.room_host) == 1)


async def test_a_burst_is_spread_although_nobody_has_told_of_it_yet(neighbours: Neighbours, store: FickleStore) -> None:
    nodes = here, *others = await neighbours("node-a", "node-b", "node-c", "node-d")
    await learn(nodes, store)
    await make(here, 60)
    await until(lambda: sum(len(node.room_host) for node in nodes) == 60)
    counts = Counter({node.name: len(node.room_host) for node in nodes})
    assert counts[here.name] < 2 * LEAST + 8
    assert all(counts[node.name] >= LEAST for node in others)


async def test_nothing_goes_to_a_node_that_lacks_the_rules_or_stops(neighbours: Neighbours, store: FickleStore) -> None:
    nodes = here, _, leaving = await neighbours("node-a", "node-b", "node-c", poor=["node-b"])
    await make(here, 4 * LEAST)
    await leaving.hand_over()
    await learn(nodes, store)
    (room,) = await make(here, 1, first=50)
    assert room in here.room_host


async def test_a_room_that_nobody_takes_comes_back(
    neighbours: Neighbours, network: Network, store: FickleStore, time: ManualTime
) -> None:
    here, there = nodes = await neighbours("node-a", "node-b")
    await make(here, 2 * LEAST)
    await learn(nodes, store)
    network.hold_from(b"offer")
    (room,) = await make(here, 1, first=50)
    assert room not in here.room_host
    await here.take_over()
    assert room not in here.room_host, "it is not overdue"
    await let_pass(time, TAKEN_MS)
    await here.take_over()
    assert (room in here.room_host, len(there.room_host)) == (True, 0)
    assert await store.whereabouts([room]) == [Whereabouts(here.name, 2)]


async def test_who_gave_which_room_to_whom_and_who_has_it_is_in_the_log_that_the_judge_of_chaos_reads(
    neighbours: Neighbours, store: FickleStore, time: ManualTime, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level("INFO")
    here, there = nodes = await neighbours("node-a", "node-b")
    await make(here, 2 * LEAST)
    await learn(nodes, store)
    (room,) = await make(here, 1, first=50)
    await until(lambda: room in there.room_host)
    ownership_log = OwnershipLog(time.now)
    for record in caplog.records:
        ownership_log.note(0, f"level={record.levelname} logger={record.name} {record.getMessage()}")
    told = {what: [entry for entry in ownership_log.entries if entry.what == what] for what in (GIVEN, ADOPTED)}
    assert [(entry.heir, entry.epoch, entry.room) for entry in told[GIVEN]] == [(there.name, 1, room_code(room))]
    assert [(entry.room, entry.epoch) for entry in told[ADOPTED]] == [(room_code(room), 2)]
