"""Rooms whose rules some nodes lack: they go to a node that has them, or wait, or end without a result."""

import asyncio
from collections.abc import Awaitable, Callable

import pytest
from linked_nodes import come_back, let_pass, meet, play, seat_two
from manual_time import ManualTime
from memory_links import Network
from msgspec.structs import replace
from sealed_bids import GAME, SealedBids
from small_node import GAMES, POOR, FickleStore, LittleNode, token_of
from split_store import SplitStore
from wait_until import until

from warroom_games.registry import RulesVersion
from warroom_protocol import codes
from warroom_protocol.messages import Error, Joined, Paused
from warroom_server.cluster.handover import TAKEN_MS
from warroom_server.cluster.lease import LEASE_MS
from warroom_server.ports.store import RoomRelease, Whereabouts
from warroom_server.restoring.unplayable_rooms import LOOK_MS, WAIT_MS, UnplayableRooms
from warroom_server.room.handoff_state import HandoffState

Neighbours = Callable[..., Awaitable[list[LittleNode]]]
NewNode = Callable[..., Awaitable[LittleNode]]


RULES = GAME.info.id, GAME.info.rules_version


class Newer(SealedBids):
    """Sealed bids in the version after."""

    info = replace(GAME.info, rules_version=GAME.info.rules_version + 1)


async def test_a_room_goes_to_the_node_that_has_its_rules(
    new_node: NewNode, network: Network, store: FickleStore, time: ManualTime
) -> None:
    dying = await new_node(network=network)
    poor = await new_node(name="node-b", network=network, games=POOR)
    rich = await new_node(name="node-c", network=network)
    for node in (dying, poor, rich):
        await node.renew()
    await meet([dying, poor, rich], store)
    room, ada, bob = await seat_two(dying, poor)
    await dying.stop()
    await let_pass(time, LEASE_MS)
    await rich.renew()
    await poor.take_over()
    await until(lambda: room in rich.room_host)
    cara = await come_back(rich, token_of(ada))
    assert isinstance(await rich.join(cara, room), Joined)
    await until(lambda: bob.of(Paused)[-1].reason is None)
    assert (await play(poor, bob, room, 1)).code is None


async def test_a_room_that_waited_for_its_rules_is_passed_on_with_how_long_a_player_is_away(
    neighbours: Neighbours, new_node: NewNode, network: Network, store: FickleStore, time: ManualTime
) -> None:
    leaving, poor = await neighbours("node-a", "node-b", poor=["node-b"])
    room, _, bob = await seat_two(leaving, poor)
    poor.dispatcher.closed(bob)
    await until(lambda: leaving.hosted(room).absent == {1})
    await let_pass(time, 5_000)
    await poor.renew()
    handing_over = asyncio.ensure_future(leaving.hand_over())
    await until(lambda: room in poor.unplayable_rooms)
    time.advance(TAKEN_MS)  # the drain waits no longer for somebody who goes on with it
    await handing_over
    rich = await new_node(name="node-c", network=network)
    for node in (leaving, poor, rich):
        await node.renew()
    await meet([leaving, poor, rich], store)
    await let_pass(time, LOOK_MS)
    await poor.unplayable_rooms.look()
    await until(lambda: room in rich.room_host)
    assert rich.hosted(room).handoff_state(time.now()) == HandoffState({1: 5_000})


async def test_a_room_that_no_node_can_go_on_with_is_closed_and_then_ends_without_a_result(
    new_node: NewNode, network: Network, store: FickleStore, time: ManualTime
) -> None:
    dying = await new_node(network=network)
    poor = [await new_node(name=name, network=network, games=POOR) for name in ("node-b", "node-c")]
    for node in (dying, *poor):
        await node.renew()
    await meet([dying, *poor], store)
    room, ada, bob = await seat_two(dying, poor[1])
    await dying.stop()
    await let_pass(time, LEASE_MS)
    await poor[1].renew()
    await poor[0].take_over()
    await let_pass(time, LOOK_MS)
    await until(lambda: codes.RULES_UNAVAILABLE in [error.code for error in bob.of(Error)])
    refused = await poor[0].join(await come_back(poor[0], token_of(ada)), room)
    assert isinstance(refused, Error)
    assert refused.code == codes.RULES_UNAVAILABLE
    time.advance(WAIT_MS)
    for node in poor:
        await node.renew()
    await poor[0].take_over()
    await meet(poor, store)
    await let_pass(time, 5 * LOOK_MS)
    await until(lambda: bob.of(Error)[-1].code == codes.ROOM_UNKNOWN)
    assert await store.replay(room) is not None
    assert await store.whereabouts([room]) == [None]


async def test_two_versions_of_a_game_run_side_by_side(new_node: NewNode, store: FickleStore, time: ManualTime) -> None:
    old = await new_node()
    room, (ada, bob) = await old.table()
    old.act(ada, room, 1)
    await old.settle()
    time.advance(LEASE_MS)
    new = await new_node(name="node-b", games=[*GAMES, Newer()])
    await new.take_over()
    again = [await come_back(new, token_of(player)) for player in (ada, bob)]
    for player in again:
        assert isinstance(await new.join(player, room), Joined)
    assert (await play(new, again[1], room, 2)).code is None
    hosted = new.room_host.get(room)
    fresh = new.room_host.get(await new.create(again[0], ref=99))
    assert hosted is not None
    assert fresh is not None
    versions = [match.room.match.opened.rules_version for match in (hosted, fresh)]
    assert versions == [GAME.info.rules_version, GAME.info.rules_version + 1]


class Offers:
    """Notes what is passed on."""

    def __init__(self) -> None:
        self.offered: list[tuple[int, int]] = []

    async def pass_on(self, release: RoomRelease, rules: RulesVersion) -> None:
        """Note an offer."""
        assert rules == RULES
        self.offered.append((release.room, release.epoch))


async def strand(
    node: LittleNode, *rooms: int, offers: Offers, gone: Callable[[int], None] = lambda _: None
) -> UnplayableRooms:
    """Return what looks after rooms of a node as if that had no rules for them."""
    unplayable = UnplayableRooms(node.store, node.archiver, node.time, node.name, 60, offers.pass_on, gone)
    for stored in [await node.store.load(room) for room in rooms]:
        assert stored is not None
        unplayable.add_without_rules(stored, RULES)
    return unplayable


async def test_a_room_that_another_node_takes_at_the_last_moment_goes_on_there(
    node: LittleNode, store: FickleStore, time: ManualTime, monkeypatch: pytest.MonkeyPatch
) -> None:
    room, _ = await node.table()
    gone: list[int] = []
    unplayable = await strand(node, room, offers=Offers(), gone=gone.append)
    archive = store.archive

    async def too_late(number: int, owner: str, epoch: int, *, replay: bytes, ended_ms: int, keep_s: int) -> bool:
        assert await store.claim([(number, owner, epoch)], "node-b") == [2]
        return await archive(number, owner, epoch, replay=replay, ended_ms=ended_ms, keep_s=keep_s)

    monkeypatch.setattr(store, "archive", too_late)
    time.advance(WAIT_MS)
    await unplayable.look()
    assert (gone, await store.whereabouts([room])) == ([], [Whereabouts("node-b", 2)])
    time.advance(LOOK_MS)
    await unplayable.look()
    assert room not in unplayable


async def test_rooms_of_a_primary_that_is_away_keep_no_other_from_being_offered(time: ManualTime) -> None:
    store = SplitStore(time)
    node = LittleNode(store, time)
    await node.start()
    rooms = [(await node.table())[0] for _ in range(3)]
    offers = Offers()
    unplayable = await strand(node, *rooms, offers=offers)
    store.second = {rooms[1]}
    store.is_second_away = True
    await unplayable.look()
    assert offers.offered == [(room, 1) for room in (rooms[0], rooms[2])]
    await node.stop()
