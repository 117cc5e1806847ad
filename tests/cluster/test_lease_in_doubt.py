"""A node that cannot tell whether it still holds its lease takes no room in, and makes up for it once it can."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence

import pytest
from linked_nodes import choose, come_back, play, seat_two, talk
from small_node import FickleStore, LittleNode, token_of, verdict_of
from wait_until import until

from warroom_protocol.messages import Create, Created, Error, Joined, Paused, Resumed, Verdict
from warroom_server.ports.store import Orphan, StoredRoom, Whereabouts

Neighbours = Callable[..., Awaitable[list[LittleNode]]]


async def hold_lease_again(node: LittleNode) -> None:
    """Let a node renew its lease."""
    await node.lease.begin()
    await until(lambda: not node.gate.is_shut)
    await node.lease.suspend()


async def give(room: int, giver: LittleNode, heir: LittleNode) -> None:
    """Let a node go on as an edge of a room that it offers to another one."""
    giver.handover.give([(giver.hosted(room), heir.name)])
    await until(lambda: room not in giver.room_host)


async def test_a_room_that_is_given_to_a_node_in_doubt_comes_when_it_is_sure_and_goes_on_at_once(
    neighbours: Neighbours, store: FickleStore
) -> None:
    here, there = await neighbours("node-a", "node-b")
    room, ada, bob = await seat_two(here, there)
    bids = await choose(here, ada, room), await choose(there, bob, room)
    there.reclaim.lose()
    await give(room, here, there)
    here.act(ada, room, 1, bids[0])
    there.act(bob, room, 2, bids[1])
    await talk()
    assert room not in there.room_host
    assert await store.whereabouts([room]) == [Whereabouts(here.name, 1)]
    await hold_lease_again(there)
    await until(lambda: room in there.room_host)
    await until(lambda: all(player.of(Verdict) for player in (ada, bob)))
    assert all(player.of(Paused)[-1].reason is None for player in (ada, bob))
    assert [verdict_of(ada, 1).code, verdict_of(bob, 2).code] == [None, None]


async def test_a_room_whose_match_another_node_ended_is_not_kept(neighbours: Neighbours, store: FickleStore) -> None:
    here, there = await neighbours("node-a", "node-b")
    room, _, _ = await seat_two(here, there)
    here.reclaim.lose()
    assert await store.claim([(room, here.name, 1)], there.name) == [2]
    assert await store.archive(room, there.name, 2, replay=b"replay", ended_ms=0, keep_s=60)
    await hold_lease_again(here)
    await until(lambda: room not in here.room_host)


async def test_a_refusal_under_an_epoch_of_the_past_drops_no_room(neighbours: Neighbours) -> None:
    here, there = await neighbours("node-a", "node-b")
    room, ada, _ = await seat_two(here, there)
    assert await here.reclaim.claim_again([room])
    assert here.hosted(room).epoch == 2
    here.room_host.fence(room, 1)
    assert (await play(here, ada, room, 1)).code is None
    here.room_host.fence(room, 2)
    assert room not in here.room_host


async def test_a_room_that_was_being_taken_in_when_the_doubt_began_is_seen_by_nobody_before_it_has_ended(
    neighbours: Neighbours, store: FickleStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    here, there = await neighbours("node-a", "node-b")
    room, ada, bob = await seat_two(here, there)
    take_over = store.take_over

    async def taken_too_late(orphans: Sequence[Orphan], claimant: str) -> list[tuple[int | None, StoredRoom | None]]:
        answers = await take_over(orphans, claimant)
        there.reclaim.lose()
        return answers

    monkeypatch.setattr(store, "take_over", taken_too_late)
    await give(room, here, there)
    await talk()
    assert await store.whereabouts([room]) == [Whereabouts(there.name, 2)]
    assert (room in there.room_host, there.gate.is_shut) == (False, True)
    monkeypatch.undo()
    await hold_lease_again(there)
    await until(lambda: room in there.room_host)
    assert (await play(here, ada, room, 1)).code is None
    assert (await play(there, bob, room, 2)).code is None


async def test_players_who_came_back_during_the_doubt_are_let_in_after_it(
    neighbours: Neighbours, store: FickleStore
) -> None:
    (before,) = await neighbours("before")
    room, players = await before.table()
    await before.stop()
    await store.release(before.name)
    (node,) = await neighbours("node")
    await node.take_over()
    node.reclaim.lose()
    back = [await come_back(node, token_of(player)) for player in players]
    assert all([isinstance(await node.join(player, room), Error) for player in back])
    await hold_lease_again(node)
    assert all([isinstance(await node.join(player, room), Joined | Resumed) for player in back])
    await until(lambda: all(player.of(Paused)[-1].reason is None for player in back))


async def test_a_room_that_was_claimed_before_the_lease_ended_is_claimed_again_though_that_is_held_by_now(
    neighbours: Neighbours, store: FickleStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    here, there, other = await neighbours("node-a", "node-b", "node-c")
    room, _, bob = await seat_two(here, there)
    is_claimed, answers_now, take_over = asyncio.Event(), asyncio.Event(), store.take_over

    async def answered_late(orphans: Sequence[Orphan], claimant: str) -> list[tuple[int | None, StoredRoom | None]]:
        answers = await take_over(orphans, claimant)
        is_claimed.set()
        await answers_now.wait()
        return answers

    monkeypatch.setattr(store, "take_over", answered_late)
    await give(room, here, there)
    await is_claimed.wait()
    monkeypatch.undo()
    there.reclaim.lose()
    assert await store.claim([(room, there.name, 2)], other.name) == [3]
    await hold_lease_again(there)
    answers_now.set()
    await until(lambda: not len(there.room_loader))
    assert (room in there.room_host, bob.of(Verdict)) == (False, [])
    assert await store.whereabouts([room]) == [Whereabouts(other.name, 3)]


@pytest.mark.parametrize("is_taken", [True, False])
async def test_a_room_that_was_made_before_the_lease_ended_is_claimed_though_that_is_held_by_now(
    neighbours: Neighbours, store: FickleStore, monkeypatch: pytest.MonkeyPatch, is_taken: bool
) -> None:
    here, there = await neighbours("node-a", "node-b")
    ada = here.greet("Ada")
    is_loaded, answers_now, load = asyncio.Event(), asyncio.Event(), store.load

    async def answered_late(room: int) -> StoredRoom | None:
        stored = await load(room)
        is_loaded.set()
        await answers_now.wait()
        return stored

    monkeypatch.setattr(store, "load", answered_late)
    here.say(ada, Create(5, "sealed_bids"))
    await is_loaded.wait()
    monkeypatch.undo()
    here.reclaim.lose()
    ((room,),) = await store.rooms_of([here.name])
    if is_taken:
        await there.room_loader.adopt([(room, here.name, 1)])
    await hold_lease_again(here)
    answers_now.set()
    await until(lambda: bool(ada.of(Created)))
    assert room not in here.room_host
    await here.take_over()
    owner = there if is_taken else here
    assert await store.whereabouts([room]) == [Whereabouts(owner.name, 2)]
    assert [node.name for node in (here, there) if room in node.room_host] == [owner.name]
    assert isinstance(await here.join(ada, room), Joined)


async def test_a_room_that_waits_and_is_offered_by_a_later_owner_is_taken_from_that_one(
    neighbours: Neighbours, store: FickleStore
) -> None:
    here, there, other = await neighbours("node-a", "node-b", "node-c")
    room, *_ = await seat_two(here, other)
    there.reclaim.lose()
    there.room_loader.offered([(room, here.name, 1)])
    assert await store.claim([(room, here.name, 1)], other.name) == [2]
    there.room_loader.offered([(room, other.name, 2)])
    there.room_loader.offered([(room, here.name, 1)])
    await hold_lease_again(there)
    await until(lambda: room in there.room_host)
    assert there.hosted(room).epoch == 3
