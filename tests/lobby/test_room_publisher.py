"""The rooms of a node in the directory: in batches, under their epochs, and again after a store that forgot."""

from collections.abc import Awaitable, Callable

from linked_nodes import let_pass
from manual_time import ManualTime
from small_node import FickleStore, LittleNode
from wait_until import until

from warroom_protocol.messages import Created, Leave, Quick, Watch, Welcome
from warroom_server.lobby.quick_match_rooms import kind_of
from warroom_server.lobby.room_lists import KEPT_MS
from warroom_server.lobby.room_publisher import AT_ONCE, PUBLISH_MS, SWEEP_MS
from warroom_server.ports.listings import ListedRoom, QuickAnswer, QuickRequest

Neighbours = Callable[..., Awaitable[list[LittleNode]]]


async def test_rooms_are_found_by_what_they_are_now(node: LittleNode, time: ManualTime) -> None:
    ada, bob = node.greet("Ada"), node.greet("Bob")
    older = await node.create(ada, ref=1)
    time.advance(1)
    newer = await node.create(ada, ref=2)
    assert await node.listed() == await node.listed(is_open=True) == [newer, older]
    for player in (ada, bob):
        await node.join(player, newer)
    await node.settle()
    assert (await node.listed(is_open=True), await node.listed(phase="playing")) == ([older], [newer])
    await node.join(ada, older)
    who = ada.of(Welcome)[0].player
    assert await node.listed(player=who) == [newer, older]
    assert await node.listed(player=who, before=newer) == await node.listed(is_open=True, before=newer) == [older]
    assert await node.listed(player=who, phase="lobby") == [older]
    node.say(ada, Leave(9, older))
    await node.settle()
    assert await node.listed(player=who) == [newer]


async def test_what_changes_within_a_moment_is_one_batch(
    node: LittleNode, store: FickleStore, time: ManualTime
) -> None:
    batches = store.directory.batches
    first = await node.create(node.greet(), ref=1)
    await node.settle()
    others = [await node.create(node.greet(), ref=ref) for ref in range(2, 7)]
    await node.settle()
    assert batches == [[first]], "the first is published at once"
    time.advance(PUBLISH_MS)
    await node.settle()
    assert batches == [[first], others]
    time.advance(10 * PUBLISH_MS)
    await node.settle()
    assert len(batches) == 2, "nothing changed since"


async def test_a_room_that_did_not_change_is_not_published_again(node: LittleNode, store: FickleStore) -> None:
    room, players = await node.table(rounds=3)
    assert await node.listed() == [room]
    batches = len(store.directory.batches)
    for player in players:
        node.act(player, room, 1)
    await node.settle()
    assert (await node.listed(), len(store.directory.batches)) == ([room], batches)
    node.say(node.greet(), Watch(4, room))
    await node.settle()
    assert (await node.listed(), len(store.directory.batches)) == ([room], batches + 1)


async def test_what_could_not_be_published_is_published_when_the_store_is_back(
    node: LittleNode, store: FickleStore, time: ManualTime
) -> None:
    kept, gone = [await node.create(node.greet(), ref=ref) for ref in (1, 2)]
    assert await node.listed() == [kept, gone] or await node.listed() == [gone, kept]
    store.is_away = True
    node.room_host.remove(node.hosted(gone))
    await let_pass(time, 5 * PUBLISH_MS)
    store.is_away = False
    assert await node.listed() == [kept]


async def test_all_rooms_are_published_again_to_a_store_that_forgot(node: LittleNode, store: FickleStore) -> None:
    rooms = {await node.create(node.greet(), ref=ref) for ref in range(5)}
    assert set(await node.listed()) == rooms
    store.directory.forget_all()
    assert await node.listed() == []
    store.replaced()
    await node.settle()
    assert set(await node.listed()) == rooms


async def test_listings_of_rooms_that_are_gone_do_not_come_back_with_the_store(
    node: LittleNode, store: FickleStore
) -> None:
    room = await node.create(node.greet())
    listed = ListedRoom(9, 1, 9, ("*/*/*",), b"as it was before")
    await store.directory.publish(node.name, [listed], [])
    store.replaced()
    await node.settle()
    assert await node.listed() == [room]


async def test_rooms_are_published_again_once_the_lease_is_held_again(node: LittleNode, store: FickleStore) -> None:
    room = await node.create(node.greet())
    await node.settle()
    store.directory.forget_all()
    node.events.sure()
    assert await node.listed() == [room]


async def test_more_rooms_than_fit_into_one_question_are_several(
    new_node: Callable[..., Awaitable[LittleNode]], store: FickleStore
) -> None:
    node = await new_node(max_rooms=1_000)
    rooms = [await node.create(node.greet(), ref=ref) for ref in range(AT_ONCE + 1)]
    await node.listed()
    store.directory.forget_all()
    store.directory.batches.clear()
    store.replaced()
    await node.listed()
    assert [len(batch) for batch in store.directory.batches] == [AT_ONCE, 1]
    assert set(await store.directory.rooms_of(node.name)) == set(rooms)


async def test_listings_of_a_node_without_a_lease_are_swept(
    node: LittleNode, store: FickleStore, time: ManualTime
) -> None:
    await node.create(node.greet())
    await store.renew("living", "", lease_ms=2 * SWEEP_MS)
    for number, owner in enumerate(("dead", "living")):
        await store.directory.publish(owner, [ListedRoom(number, 1, number, ("*/*/*",), b"")], [])
    time.advance(SWEEP_MS)
    await node.settle()
    assert await store.directory.owners() == ["living", node.name]


async def test_a_room_that_did_not_change_is_shown_as_it_was(node: LittleNode) -> None:
    ada, sam = node.greet(), node.greet()
    hosted = node.hosted(await node.create(ada))
    before = hosted.room.listing()
    assert hosted.room.listing() == before
    node.say(sam, Watch(4, hosted.room.number))
    await node.settle()
    assert (before.watching, hosted.room.listing().watching) == (0, 1)
    await node.join(ada, hosted.room.number)
    assert (before.taken, hosted.room.listing().taken) == (0, 1)


async def test_a_room_that_another_node_took_over_is_listed_under_its_new_epoch(
    neighbours: Neighbours, store: FickleStore, time: ManualTime
) -> None:
    old, new = await neighbours("node-a", "node-b")
    room = await old.create(old.greet())
    await old.settle()
    await store.claim([(room, old.name, 1)], new.name)
    await new.room_loader.adopt([(room, new.name, 2)])
    await let_pass(time, KEPT_MS)
    old.room_host.remove(old.hosted(room))
    await let_pass(time, KEPT_MS)
    assert await store.directory.rooms_of(new.name) == [room]
    assert await old.listed() == await new.listed() == [room]


async def test_a_room_that_goes_while_it_is_opened_to_quick_matches_is_closed_again(
    node: LittleNode, store: FickleStore, time: ManualTime
) -> None:
    ada = node.greet()
    node.say(ada, Quick(5, "sealed_bids", 2))
    await until(lambda: bool(ada.of(Created)))
    room = ada.of(Created)[0].room
    await node.settle()
    time.advance(PUBLISH_MS)
    hosted = node.hosted(room)
    kind = kind_of(hosted.room.match)
    assert kind is not None
    store.directory.on_open = lambda: node.room_host.remove(hosted)
    node.room_publisher.publish_all()
    await let_pass(time, 3 * PUBLISH_MS)
    asked = QuickRequest(player="bob", ref=1, room=9, owner=node.name, seats=2, owners=[node.name])
    assert await store.directory.quick_match(kind, asked) == QuickAnswer("make", 9)
