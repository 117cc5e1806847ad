"""The lease: held, lost, found again and given up."""

from collections.abc import Awaitable, Callable

import pytest
from manual_time import ManualTime
from small_node import FickleStore, LittleNode, verdict_of
from wait_until import until

from warroom_protocol import codes
from warroom_protocol.messages import Create, Notice, Paused, Verdict
from warroom_server.cluster.lease import LEASE_MS, LOST_AFTER_S, RENEW_S
from warroom_server.ports.store import Orphan, UnavailableError

NewNode = Callable[..., Awaitable[LittleNode]]


async def test_a_living_node_keeps_its_rooms(new_node: NewNode, store: FickleStore, time: ManualTime) -> None:
    node = await new_node()
    await node.lease.begin()
    room, _ = await node.table()
    other = await new_node(name="node-b")
    for _ in range(4):
        time.advance(1_000)
        await until(lambda: _has_no_orphans(store))
        await other.lease.begin()
        await other.lease.suspend()
    assert room in node.room_host
    assert room not in other.room_host
    await node.lease.end()


def test_a_lease_can_be_renewed_more_than_once_before_it_is_taken_for_lost() -> None:
    assert 3 * RENEW_S <= LOST_AFTER_S < LEASE_MS / 1000, "who could not renew says so before others take its rooms"


async def _has_no_orphans(store: FickleStore) -> bool:
    return await store.orphans() == []


@pytest.mark.parametrize("grace_s", [0, 3_600])
async def test_rooms_of_a_node_that_left_are_taken_over_at_once(new_node: NewNode, grace_s: int) -> None:
    leaving, staying = await new_node(), await new_node(name="node-b", grace_s=grace_s)
    await leaving.lease.begin()
    await staying.lease.begin()
    room, _ = await leaving.table()
    await leaving.lease.end()
    await until(lambda: room in staying.room_host)
    await staying.lease.end()


async def test_rooms_of_a_silent_node_are_taken_over_when_its_lease_ends_and_not_with_the_next_renewal(
    new_node: NewNode, store: FickleStore, time: ManualTime
) -> None:
    silent, other = await new_node(), await new_node(name="node-b", renew_s=3_600)
    room, _ = await silent.table()
    await store.renew("node-a", "", lease_ms=50)
    await other.lease.begin()
    await until(lambda: store.node_reads > 0 and store.searches > 0)
    assert room not in other.room_host
    time.advance(50)
    await until(lambda: room in other.room_host)
    await other.lease.end()


async def test_a_node_that_cannot_renew_stops_its_clocks_until_it_can(new_node: NewNode, store: FickleStore) -> None:
    node = await new_node()
    await node.lease.begin()
    _, (ada, _) = await node.table()
    store.is_away = True
    await until(lambda: node.lease.is_lost)
    assert ada.of(Paused)[-1].reason == codes.PAUSE_STORE
    store.is_away = False
    await until(lambda: not node.lease.is_lost)
    assert ada.of(Paused)[-1].reason is None
    await node.lease.end()


async def test_after_an_outage_the_others_get_time_to_renew_before_their_rooms_are_taken(
    new_node: NewNode, store: FickleStore, caplog: pytest.LogCaptureFixture
) -> None:
    node = await new_node(grace_s=0.5)
    await node.lease.begin()
    await until(lambda: store.searches > 0)
    store.is_away = True
    await until(lambda: "lease not renewed" in caplog.text)
    store.searches = store.careful_searches = 0
    store.is_away = False
    await until(lambda: store.careful_searches > 2)
    assert store.searches == 0
    await until(lambda: store.searches > 0)
    await node.lease.end()


@pytest.mark.parametrize("is_alive", [True, False])
async def test_so_they_do_when_the_store_was_away_for_so_short_a_time_that_no_renewal_failed(
    new_node: NewNode, store: FickleStore, monkeypatch: pytest.MonkeyPatch, is_alive: bool
) -> None:
    owner, other = await new_node(), await new_node(name="node-b", grace_s=0.5)
    room, _ = await owner.table()
    await store.renew(owner.name, "", lease_ms=LEASE_MS)
    search = store.orphans

    async def search_anew(asker: str = "", *, only_released: bool = False) -> list[Orphan]:
        if not only_released:
            monkeypatch.undo()
            store.lose_leases()
            store.replaced[-1]()  # only the other node notices
            store.careful_searches = 0
        return await search(asker, only_released=only_released)

    monkeypatch.setattr(store, "orphans", search_anew)
    await other.lease.begin()
    await until(lambda: store.searches > 0)
    await until(lambda: store.careful_searches > 2)
    assert (store.searches, store.claims) == (1, [])
    if is_alive:
        await store.renew(owner.name, "", lease_ms=LEASE_MS)
    await until(lambda: store.searches > 2)
    assert store.claims == ([] if is_alive else [(room, owner.name, 1)])
    await other.lease.end()


async def test_so_they_do_from_a_node_that_begins_for_the_store_may_have_been_away_just_before(
    new_node: NewNode, store: FickleStore, time: ManualTime
) -> None:
    living = await new_node()
    room, _ = await living.table()
    time.advance(LEASE_MS)
    beginner = await new_node(name="node-b", grace_s=3_600)
    store.is_away = True
    with pytest.raises(UnavailableError):
        await beginner.lease.begin()
    store.is_away = False
    await beginner.lease.begin()
    await until(lambda: store.careful_searches > 2)
    assert store.claims == []
    await living.lease.begin()
    assert await store.orphans() == []
    await living.lease.end()
    await until(lambda: room in beginner.room_host)
    await beginner.lease.end()


async def test_a_store_that_is_away_does_not_hinder_the_end(
    new_node: NewNode, store: FickleStore, time: ManualTime
) -> None:
    node = await new_node()
    await node.lease.begin()
    room, _ = await node.table()
    store.is_away = True
    await node.lease.end()
    store.is_away = False
    assert await store.orphans() == []
    time.advance(LEASE_MS)
    assert await store.orphans() == [(room, "node-a", 1)]


async def test_a_node_answers_nobody_any_more_once_others_may_have_its_rooms(
    new_node: NewNode, store: FickleStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    node = await new_node()
    await node.lease.begin()
    await node.table()
    release, was_shut = store.release, list[bool]()

    async def look_and_release(owner: str) -> None:
        was_shut.append(node.gate.is_shut)
        await release(owner)

    monkeypatch.setattr(store, "release", look_and_release)
    await node.lease.end()
    assert was_shut == [True]


async def test_a_node_whose_lease_ran_out_for_a_moment_does_not_take_its_rooms_from_itself(
    new_node: NewNode, store: FickleStore
) -> None:
    node = await new_node()
    await node.lease.begin()
    room, (ada, _) = await node.table()
    store.search_ms = LEASE_MS
    await until(lambda: store.searches > 2)
    store.search_ms = 0
    hosted = node.room_host.get(room)
    await until(lambda: not node.lease.is_lost)
    assert set(store.claims) <= {(room, "node-a", epoch) for epoch in range(1, 10)}
    assert node.room_host.get(room) is hosted
    node.act(ada, room, 1)
    await node.settle()
    assert verdict_of(ada, 1).code is None
    await node.lease.end()


MANY = 950


@pytest.mark.parametrize(
    "stall_ms", [LEASE_MS - 100, 3 * LEASE_MS], ids=["held by the store", "ended, and nobody came"]
)
async def test_a_node_whose_renewals_are_late_again_and_again_neither_reclaims_its_rooms_nor_stops_their_clocks(
    new_node: NewNode, store: FickleStore, time: ManualTime, stall_ms: int
) -> None:
    node = await new_node(max_rooms=MANY, rooms_per_player=MANY)
    creator = node.greet()
    for ref in range(MANY - 1):
        node.say(creator, Create(ref, "sealed_bids", 2))
        if ref % 100 == 0:
            await until(lambda ref=ref: len(node.room_host) > ref)
    await until(lambda: len(node.room_host) == MANY - 1)
    room, (ada, _) = await node.table()
    await node.lease.begin()
    await until(lambda: store.searches > 0)
    for _ in range(3):
        time.advance(stall_ms)
        told = len(ada.frames)
        node.act(ada, room, 1, {"type": "peek"})
        assert (node.gate.is_shut, len(ada.frames)) == (True, told), "it answers nobody while it cannot tell"
        await until(lambda: not node.gate.is_shut)
    assert [notice.code for notice in ada.of(Notice)] == [codes.NOTICE_MOVED] * 3
    node.act(ada, room, 1, {"type": "peek"})
    await node.settle()
    assert [verdict.code for verdict in ada.of(Verdict)] == [None]
    assert (store.claims, ada.of(Paused), len(node.room_host)) == ([], [], MANY)
    assert {hosted.epoch for hosted in node.room_host} == {1}
    await node.lease.end()


async def test_a_node_whose_rooms_others_set_out_to_claim_makes_sure_of_them(
    new_node: NewNode, store: FickleStore, time: ManualTime
) -> None:
    node = await new_node()
    room, (ada, _) = await node.table()
    await node.lease.begin()
    time.advance(LEASE_MS)
    assert await store.orphans("node-b") == [(room, "node-a", 1)]
    await until(lambda: node.hosted(room).epoch == 2)
    assert await store.claim([(room, "node-a", 1)], "node-b") == [None]
    await until(lambda: bool(ada.of(Paused)) and ada.of(Paused)[-1].reason is None)
    assert [paused.reason for paused in ada.of(Paused)] == [codes.PAUSE_STORE, None]
    await node.lease.end()


class TestANodeThatIsAloneOnItsStore:
    async def test_it_holds_no_lease_and_is_never_in_doubt(
        self, new_node: NewNode, store: FickleStore, time: ManualTime
    ) -> None:
        node = await new_node(is_alone=True)
        await node.lease.begin()
        _, (ada, _) = await node.table()
        store.is_away = True
        time.advance(10 * LEASE_MS)
        assert not node.lease.is_lost
        store.is_away = False
        assert (await store.nodes(), ada.of(Paused), store.claims) == ([], [], [])
        await node.lease.end()

    async def test_it_takes_in_the_rooms_of_the_node_before_it(self, new_node: NewNode, store: FickleStore) -> None:
        before = await new_node()
        room, _ = await before.table()
        await store.release(before.name)
        node = await new_node(name="node-b", is_alone=True)
        await node.lease.begin()
        assert room in node.room_host
        await node.lease.end()


async def test_rooms_are_adopted_beside_the_beginning_and_once(
    new_node: NewNode, store: FickleStore, time: ManualTime
) -> None:
    old = await new_node()
    rooms = [await old.create(old.greet(), ref=ref) for ref in range(3)]
    time.advance(LEASE_MS)
    new = await new_node(name="node-b", grace_s=0.05)
    await new.lease.begin()
    assert len(new.room_host) == 0
    await until(lambda: len(new.room_host) == len(rooms) and store.searches > 2)
    assert sorted(store.claims) == sorted((room, "node-a", 1) for room in rooms)
    await new.lease.end()


async def test_an_adoption_that_fails_is_told_of_and_begun_again(
    new_node: NewNode, store: FickleStore, caplog: pytest.LogCaptureFixture
) -> None:
    node = await new_node()
    store.bug = ZeroDivisionError("a bug in the store")
    await node.lease.begin()
    await until(lambda: "takeover failed" in caplog.text)
    store.bug = None
    searches = store.searches
    await until(lambda: store.searches > searches)
    await node.lease.end()
