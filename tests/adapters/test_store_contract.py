"""What every store promises, asked of each of them alike."""

import asyncio
from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from appends import request
from redis_server import RedisServer, redis_server
from redis_topologies import RedisCluster
from wait_until import until

from warroom_server.adapters.embedded.store import EmbeddedStore
from warroom_server.adapters.memory.store import MemoryStore
from warroom_server.adapters.redis.store import RedisStore
from warroom_server.ports.store import (
    Acknowledged,
    Append,
    Behind,
    Committed,
    Fenced,
    KeptReplay,
    LogEntry,
    NodeFacts,
    RoomRelease,
    Store,
    Whereabouts,
)

LEASE_MS = 60_000


@pytest.fixture(scope="module")
def server() -> Iterator[RedisServer]:
    with redis_server() as running:
        yield running


@pytest.fixture(params=["memory", "embedded", "redis", "cluster"])
async def store(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Store]:
    made: Store
    if request.param == "memory":
        made = MemoryStore()
    elif request.param == "embedded":
        made = EmbeddedStore(tmp_path / "store")
    elif request.param == "cluster":
        cluster: RedisCluster = request.getfixturevalue("cluster")
        made = RedisStore(cluster.url)
    else:
        server: RedisServer = request.getfixturevalue("server")
        server.raw("FLUSHALL")
        made = RedisStore(server.url)
    await made.start()
    yield made
    await made.close()


async def filled(store: Store, room: int, entries: int) -> None:
    """Create a room and append until it has so many entries."""
    assert await store.create(request(room, 1))
    batch = [request(room, rev) for rev in range(2, entries + 1)]
    assert await store.append(batch) == [Committed(append.rev) for append in batch]


def logged(room: int, *revs: int, owner: str = "node-a") -> tuple[LogEntry, ...]:
    asked = [request(room, rev, owner=owner) for rev in revs]
    return tuple(LogEntry(rev=one.rev, entry=one.entry, chain=one.chain) for one in asked)


class TestCreate:
    async def test_a_created_room_can_be_loaded(self, store: Store) -> None:
        assert await store.create(request(7, 1, epoch=3))
        stored = await store.load(7)
        assert stored is not None
        assert (stored.room, stored.owner, stored.epoch, stored.snapshot) == (7, "node-a", 3, None)
        assert stored.entries == logged(7, 1)
        assert stored.opening == stored.entries[0].entry

    async def test_the_same_nonce_again_changes_nothing(self, store: Store) -> None:
        await filled(store, 7, entries=3)
        assert await store.create(request(7, 1))
        assert len(await store.log(7)) == 3

    async def test_another_nonce_finds_the_number_taken(self, store: Store) -> None:
        assert await store.create(request(7, 1))
        assert not await store.create(request(7, 1, owner="node-b"))
        assert await store.log(7) == logged(7, 1)

    async def test_the_number_of_a_kept_replay_is_taken(self, store: Store) -> None:
        assert await store.create(request(7, 1))
        await store.archive(7, "node-a", 1, replay=b"the match", ended_ms=5, keep_s=60)
        assert await store.create(request(7, 1))
        assert not await store.create(request(7, 1, owner="node-b"))
        assert await store.load(7) is None

    async def test_the_first_and_the_last_number_are_numbers(self, store: Store) -> None:
        for number in (0, 2**32 - 1):
            assert await store.create(request(number, 1))
            assert await store.log(number) == logged(number, 1)

    async def test_an_unknown_room_is_not_there(self, store: Store) -> None:
        assert await store.load(7) is None
        assert await store.log(7) == ()
        assert await store.replay(7) is None


class TestAppend:
    async def test_the_next_entry_is_appended(self, store: Store) -> None:
        await filled(store, 7, entries=1)
        assert await store.append([request(7, 2)]) == [Committed(2)]
        assert await store.log(7) == logged(7, 1, 2)

    async def test_a_lost_reply_may_be_asked_again(self, store: Store) -> None:
        await filled(store, 7, entries=3)
        assert await store.append([request(7, 3)]) == [Committed(3)]
        assert await store.append([request(7, 2), request(7, 3), request(7, 4)]) == [
            Committed(2),
            Committed(3),
            Committed(4),
        ]
        assert await store.log(7) == logged(7, 1, 2, 3, 4)

    async def test_a_gap_is_answered_with_the_head(self, store: Store) -> None:
        await filled(store, 7, entries=2)
        assert await store.append([request(7, 4)]) == [Behind(2)]
        assert await store.append([request(7, 3), request(7, 4)]) == [Committed(3), Committed(4)]

    async def test_another_owner_or_epoch_is_fenced(self, store: Store) -> None:
        await filled(store, 7, entries=1)
        asked = [request(7, 2, owner="node-b"), request(7, 2, epoch=0)]
        assert await store.append(asked) == [Fenced()] * 2
        assert await store.log(7) == logged(7, 1)

    async def test_another_entry_at_a_taken_revision_is_fenced(self, store: Store) -> None:
        await filled(store, 7, entries=2)
        assert await store.append([request(7, 2, chain=b"of another entry")]) == [Fenced()]
        assert await store.log(7) == logged(7, 1, 2)

    async def test_answers_come_in_the_order_of_the_batch(self, store: Store) -> None:
        for room in range(1, 201):
            assert await store.create(request(room, 1))
        asked = [request(room, 3 if room % 3 == 0 else 2, epoch=1 - room % 2) for room in range(1, 201)]
        expected = [Fenced() if room % 2 else Behind(1) if room % 3 == 0 else Committed(2) for room in range(1, 201)]
        assert await store.append(asked) == expected

    async def test_entries_of_one_room_in_one_batch_are_appended_in_order(self, store: Store) -> None:
        for room in (7, 8):
            await filled(store, room, entries=2)
        batch = [request(7, 3), request(8, 3), request(7, 4), request(7, 5), request(8, 4), request(7, 6)]
        for _ in range(2):
            assert await store.append(batch) == [Committed(append.rev) for append in batch]
            assert await store.log(7) == logged(7, 1, 2, 3, 4, 5, 6)
            assert await store.log(8) == logged(8, 1, 2, 3, 4)

    async def test_what_is_refused_in_a_batch_takes_nothing_of_its_room_along(self, store: Store) -> None:
        await filled(store, 7, entries=2)
        batch = [request(7, 3), request(7, 4, epoch=0), request(7, 5), request(7, 4), request(7, 5)]
        assert await store.append(batch) == [Committed(3), Fenced(), Behind(3), Committed(4), Committed(5)]
        assert await store.log(7) == logged(7, 1, 2, 3, 4, 5)

    async def test_the_entries_of_a_batch_after_a_gap_are_all_answered_with_the_same_head(self, store: Store) -> None:
        await filled(store, 7, entries=2)
        assert await store.append([request(7, 4), request(7, 5)]) == [Behind(2), Behind(2)]
        assert await store.log(7) == logged(7, 1, 2)

    async def test_a_batch_that_was_stored_in_part_may_be_asked_again(self, store: Store) -> None:
        await filled(store, 7, entries=2)
        batch = [request(7, rev) for rev in (3, 4, 5)]
        assert await store.append(batch[:2]) == [Committed(3), Committed(4)]
        assert await store.append(batch) == [Committed(3), Committed(4), Committed(5)]
        assert await store.log(7) == logged(7, 1, 2, 3, 4, 5)

    async def test_any_bytes_come_back_as_they_were(self, store: Store) -> None:
        await filled(store, 7, entries=1)
        every_byte = bytes(range(256)) * 300
        odd = Append(7, 2, every_byte, b"\x00\r\n$-1\r\n\xff", "node-a", 1)
        assert await store.append([odd]) == [Committed(2)]
        assert await store.append([odd]) == [Committed(2)]
        assert (await store.log(7))[1] == LogEntry(rev=2, entry=every_byte, chain=odd.chain)

    async def test_an_empty_batch_has_no_answers(self, store: Store) -> None:
        assert await store.append([]) == []


class TestARoomThatTheStoreForgot:
    """As its owner sees it: another history, or none, is where this owner's was."""

    async def test_a_room_that_is_not_there_is_lost(self, store: Store) -> None:
        assert await store.append([request(7, 3)]) == [Behind(0)]
        assert await store.load(7) is None

    async def test_a_room_under_an_earlier_epoch_is_lost(self, store: Store) -> None:
        await filled(store, 7, entries=2)
        assert await store.append([request(7, 3, owner="node-b", epoch=2)]) == [Behind(2)]
        assert await store.append([request(7, 3)]) == [Committed(3)]

    async def test_its_owner_writes_it_again_from_the_first_entry_on(self, store: Store) -> None:
        first = request(7, 1, epoch=4, before=b"")
        assert await store.append([first]) == [Committed(1)]
        assert await store.append([first, request(7, 2, epoch=4)]) == [Committed(1), Committed(2)]
        stored = await store.load(7)
        assert stored is not None
        assert (stored.owner, stored.epoch, stored.entries) == ("node-a", 4, logged(7, 1, 2))
        assert await store.orphans() == [(7, "node-a", 4)]
        assert await store.create(request(7, 1))
        assert not await store.create(request(7, 1, owner="node-b"))

    async def test_its_owner_goes_on_from_the_last_entry_that_is_left(self, store: Store) -> None:
        await filled(store, 7, entries=2)
        after = logged(7, 2)[0].chain
        asked = request(7, 3, owner="node-b", epoch=2, before=after)
        assert await store.append([asked]) == [Committed(3)]
        assert await store.append([asked]) == [Committed(3)]
        assert await store.append([request(7, 3), request(7, 4, owner="node-b", epoch=2)]) == [Fenced(), Committed(4)]
        assert await store.orphans() == [(7, "node-b", 2)]

    async def test_entries_of_one_batch_follow_the_one_that_claims_the_room_again(self, store: Store) -> None:
        await filled(store, 7, entries=2)
        batch = [request(7, 3, epoch=2, before=logged(7, 2)[0].chain), request(7, 4, epoch=2), request(7, 5, epoch=2)]
        for _ in range(2):
            assert await store.append(batch) == [Committed(3), Committed(4), Committed(5)]
        assert await store.log(7) == logged(7, 1, 2, 3, 4, 5)
        assert await store.whereabouts([7]) == [Whereabouts("node-a", 2)]

    async def test_an_owner_whose_claim_alone_was_forgotten_owns_it_again(self, store: Store) -> None:
        await filled(store, 7, entries=2)
        newest, before = logged(7, 2)[0], logged(7, 1)[0].chain
        asked = request(7, 2, epoch=2, before=before)
        assert asked.chain == newest.chain
        assert await store.append([asked, asked]) == [Committed(2), Committed(2)]
        assert await store.append([request(7, 3), request(7, 3, epoch=2)]) == [Fenced(), Committed(3)]
        assert await store.orphans() == [(7, "node-a", 2)]

    async def test_nobody_goes_on_from_another_history(self, store: Store) -> None:
        await filled(store, 7, entries=2)
        other = request(7, 3, owner="node-b", epoch=2, before=b"the chain of another entry")
        assert await store.append([other]) == [Fenced()]
        for rev, answer in ((1, Fenced()), (2, Fenced()), (4, Behind(2))):
            elsewhere = request(7, rev, owner="node-b", epoch=2, before=logged(7, 2)[0].chain)
            assert await store.append([elsewhere]) == [answer]
        assert await store.append([request(7, 3)]) == [Committed(3)]

    async def test_a_later_owner_is_not_pushed_aside(self, store: Store) -> None:
        await filled(store, 7, entries=2)
        await store.claim([(7, "node-a", 1)], "node-b")
        for epoch in (1, 2):
            asked = request(7, 3, epoch=epoch, before=logged(7, 2)[0].chain)
            assert await store.append([asked]) == [Fenced()]

    async def test_a_finished_match_is_not_begun_again(self, store: Store) -> None:
        await filled(store, 7, entries=2)
        await store.archive(7, "node-a", 1, replay=b"the match", ended_ms=5, keep_s=60)
        assert await store.append([request(7, 3)]) == [Fenced()]
        assert await store.append([request(7, 1, epoch=9, before=b"")]) == [Fenced()]
        assert await store.load(7) is None


class TestSnapshots:
    async def test_one_snapshot_is_not_used_since_the_log_after_it_may_be_empty(self, store: Store) -> None:
        await filled(store, 7, entries=64)
        await store.save(7, "node-a", 1, rev=64, snapshot=b"at 64")
        stored = await store.load(7)
        assert stored is not None
        assert stored.snapshot is None
        assert stored.entries == logged(7, *range(1, 65))

    async def test_the_older_of_two_is_loaded_with_the_log_after_it(self, store: Store) -> None:
        await filled(store, 7, entries=130)
        for rev in (64, 128):
            await store.save(7, "node-a", 1, rev=rev, snapshot=f"at {rev}".encode())
        stored = await store.load(7)
        assert stored is not None
        assert stored.snapshot == (64, b"at 64")
        assert stored.entries == logged(7, *range(65, 131))
        assert stored.opening == logged(7, 1)[0].entry
        assert stored.past == tuple(entry.entry for entry in logged(7, *range(1, 65)))
        assert len(await store.log(7)) == 130

    async def test_the_third_replaces_the_first(self, store: Store) -> None:
        await filled(store, 7, entries=192)
        for rev in (64, 128, 192):
            await store.save(7, "node-a", 1, rev=rev, snapshot=f"at {rev}".encode())
        await store.save(7, "node-a", 1, rev=64, snapshot=b"late")
        stored = await store.load(7)
        assert stored is not None
        assert stored.snapshot == (128, b"at 128")
        assert [entry.rev for entry in stored.entries] == list(range(129, 193))

    async def test_a_former_owner_saves_nothing(self, store: Store) -> None:
        await filled(store, 7, entries=128)
        await store.save(7, "node-a", 1, rev=64, snapshot=b"at 64")
        await store.claim([(7, "node-a", 1)], "node-b")
        await store.save(7, "node-a", 1, rev=128, snapshot=b"at 128")
        stored = await store.load(7)
        assert stored is not None
        assert stored.snapshot is None


class TestDispute:
    async def test_a_log_that_has_the_entry_stays_as_it_is(self, store: Store) -> None:
        await filled(store, 7, entries=3)
        known = [Acknowledged(7, 1, entry.rev, entry.chain) for entry in await store.log(7)]
        assert await store.dispute([*known, Acknowledged(8, 1, 1, b"of no room")]) == [False] * 4
        assert await store.dispute([]) == []
        assert await store.append([request(7, 4)]) == [Committed(4)]

    @pytest.mark.parametrize(("rev", "chain"), [(2, b"another"), (9, b"of a later entry")])
    async def test_a_log_that_lacks_it_begins_one_new_life_under_a_new_epoch(
        self, store: Store, rev: int, chain: bytes
    ) -> None:
        await filled(store, 7, entries=3)
        lost = Acknowledged(7, 1, rev, chain)
        assert await store.dispute([lost]) == [True]
        assert await store.dispute([lost]) == [False], "it was asked again"
        assert await store.append([request(7, 4)]) == [Fenced()]
        assert await store.claim([(7, "node-a", 2)], "node-a") == [3]
        stored = await store.load(7)
        assert stored is not None
        assert (stored.life, stored.epoch) == (2, 3)


class TestRenew:
    async def test_a_lease_that_ended_unnoticed_is_held_on(self, store: Store) -> None:
        await filled(store, 7, entries=1)
        number = await store.renew("node-a", "", lease_ms=1)
        await asyncio.sleep(0.05)
        assert await store.renew("node-a", "", lease_ms=LEASE_MS) == number

    async def test_who_was_found_without_one_learns_of_it_however_often_it_asks(self, store: Store) -> None:
        number = await store.renew("node-a", "", lease_ms=1)
        await filled(store, 7, entries=1)
        await asyncio.sleep(0.05)
        assert await store.orphans("node-b") == [(7, "node-a", 1)]
        again = [await store.renew("node-a", "", lease_ms=LEASE_MS) for _ in range(2)]
        assert again == [number + 1] * 2

    async def test_who_lost_all_its_rooms_learns_of_it(self, store: Store) -> None:
        number = await store.renew("node-a", "", lease_ms=1)
        await filled(store, 7, entries=1)
        await asyncio.sleep(0.05)
        await store.renew("node-b", "", lease_ms=LEASE_MS)
        assert await store.claim(await store.orphans("node-b"), "node-b") == [2]
        for _ in range(2):
            assert await store.orphans("node-b") == []
        assert await store.renew("node-a", "", lease_ms=LEASE_MS) != number

    async def test_who_holds_one_is_not_found(self, store: Store) -> None:
        await filled(store, 7, entries=1)
        number = await store.renew("node-a", "", lease_ms=LEASE_MS)
        assert await store.orphans("node-b") == []
        assert await store.renew("node-a", "", lease_ms=LEASE_MS) == number

    async def test_a_node_that_finds_itself_has_lost_nothing(self, store: Store) -> None:
        number = await store.renew("node-a", "", lease_ms=1)
        await filled(store, 7, entries=1)
        await asyncio.sleep(0.05)
        assert await store.orphans("node-a") == [(7, "node-a", 1)]
        assert await store.renew("node-a", "", lease_ms=LEASE_MS) == number


class TestClaim:
    async def test_one_of_two_claimants_wins_and_the_old_owner_is_fenced(self, store: Store) -> None:
        await filled(store, 7, entries=2)
        claims = (store.claim([(7, "node-a", 1)], name) for name in ("node-b", "node-c"))
        epochs = [epoch for (epoch,) in await asyncio.gather(*claims)]
        assert sorted(epochs, key=str) == [2, None]
        winner, loser = ("node-b", "node-c") if epochs[0] else ("node-c", "node-b")
        asked = [request(7, 3), request(7, 3, owner=loser, epoch=2), request(7, 3, owner=winner, epoch=2)]
        assert await store.append(asked) == [Fenced(), Fenced(), Committed(3)]
        assert await store.log(7) == logged(7, 1, 2) + logged(7, 3, owner=winner)

    async def test_a_claim_whose_reply_was_lost_may_be_asked_again(self, store: Store) -> None:
        await filled(store, 7, entries=1)
        for _ in range(2):
            assert await store.claim([(7, "node-a", 1)], "node-b") == [2]

    async def test_a_room_that_is_not_there_cannot_be_claimed(self, store: Store) -> None:
        assert await store.claim([(7, "node-a", 1)], "node-b") == [None]
        assert await store.load(7) is None
        assert await store.orphans() == []

    async def test_many_are_claimed_at_once_and_answered_in_order(self, store: Store) -> None:
        for room in (7, 8, 9):
            await filled(store, room, entries=1)
        assert await store.claim([(8, "node-a", 1)], "node-c") == [2]
        orphans = [(9, "node-a", 1), (8, "node-a", 1), (5, "node-a", 1), (7, "node-a", 1)]
        assert await store.claim(orphans, "node-b") == [2, None, None, 2]
        owners = [stored and stored.owner for stored in [await store.load(room) for room in [7, 8, 9]]]
        assert owners == ["node-b", "node-c", "node-b"]
        assert await store.claim([], "node-b") == []

    async def test_what_is_taken_over_comes_with_the_claim(self, store: Store) -> None:
        for room in (7, 8, 9):
            await filled(store, room, entries=2)
        await store.claim([(8, "node-a", 1)], "node-c")
        orphans = [(9, "node-a", 1), (8, "node-a", 1), (5, "node-a", 1), (7, "node-a", 1)]
        taken = await store.take_over(orphans, "node-b")
        assert taken == list(zip([2, None, None, 2], [await store.load(room) for room in [9, 8, 5, 7]], strict=True))
        assert [stored and (stored.owner, stored.epoch) for _, stored in taken] == [
            ("node-b", 2), ("node-c", 2), None, ("node-b", 2),
        ]  # fmt: skip
        assert await store.take_over([], "node-b") == []

    async def test_an_owner_may_claim_from_itself_what_it_gave_up(self, store: Store) -> None:
        await filled(store, 7, entries=2)
        await store.renew("node-a", "", lease_ms=LEASE_MS)
        assert await store.claim([(7, "node-a", 1)], "node-a") == [2]
        assert await store.append([request(7, 3), request(7, 3, epoch=2)]) == [Fenced(), Committed(3)]
        await store.release("node-a")
        assert await store.orphans() == [(7, "node-a", 2)]

    async def test_an_entry_of_the_old_owner_stays_its_own(self, store: Store) -> None:
        await filled(store, 7, entries=2)
        await store.claim([(7, "node-a", 1)], "node-b")
        assert await store.append([request(7, 2)]) == [Fenced()]


class TestRelease:
    async def test_what_an_owner_leaves_comes_with_the_next_claim_however_often_that_is_asked(
        self, store: Store
    ) -> None:
        for room in (7, 8):
            await filled(store, room, entries=2)
        released = [RoomRelease(8, "node-a", 1, b"left \x00\xff"), RoomRelease(7, "node-a", 1, b"")]
        assert await store.release_rooms(released) == [True, True]
        for _ in range(2):
            taken = await store.take_over([(8, "node-a", 1), (7, "node-a", 1)], "node-b")
            assert [(epoch, stored and stored.handoff) for epoch, stored in taken] == [(2, b"left \x00\xff"), (2, b"")]
        assert await store.release_rooms([]) == []

    async def test_the_last_of_several_releases_counts(self, store: Store) -> None:
        await filled(store, 7, entries=2)
        for left in (b"first", b"last"):
            assert await store.release_rooms([RoomRelease(7, "node-a", 1, left)]) == [True]
        [(_, stored)] = await store.take_over([(7, "node-a", 1)], "node-a")
        assert stored is not None
        assert stored.handoff == b"last"

    async def test_what_was_left_is_for_one_owner_alone(self, store: Store) -> None:
        await filled(store, 7, entries=2)
        await store.release_rooms([RoomRelease(7, "node-a", 1, b"left")])
        assert await store.claim([(7, "node-a", 1)], "node-b") == [2]
        [(epoch, stored)] = await store.take_over([(7, "node-b", 2)], "node-c")
        assert stored is not None
        assert (epoch, stored.handoff) == (3, b"")

    async def test_an_owner_that_claims_once_more_keeps_what_was_left_for_it(self, store: Store) -> None:
        await filled(store, 7, entries=2)
        await store.release_rooms([RoomRelease(7, "node-a", 1, b"left")])
        lefts = []
        for owner, epoch, claimant in (("node-a", 1, "node-b"), ("node-b", 2, "node-b"), ("node-b", 3, "node-c")):
            [(_, stored)] = await store.take_over([(7, owner, epoch)], claimant)
            assert stored is not None
            lefts.append(stored.handoff)
        assert lefts == [b"left", b"left", b""]

    @pytest.mark.parametrize("appender", ["node-a", "node-b"])
    async def test_what_was_left_is_out_of_date_once_anything_was_appended(self, store: Store, appender: str) -> None:
        await filled(store, 7, entries=2)
        await store.release_rooms([RoomRelease(7, "node-a", 1, b"left")])
        if appender == "node-a":
            assert await store.append([request(7, 3)]) == [Committed(3)]
        await store.claim([(7, "node-a", 1)], "node-b")
        if appender == "node-b":
            assert await store.append([request(7, 3, owner="node-b", epoch=2)]) == [Committed(3)]
        stored = await store.load(7)
        assert stored is not None
        assert (stored.epoch, stored.handoff) == (2, b"")

    async def test_only_the_owner_can_give_a_room_up(self, store: Store) -> None:
        await filled(store, 7, entries=2)
        await store.claim([(7, "node-a", 1)], "node-b")
        strangers = [RoomRelease(7, "node-a", 1, b"x"), RoomRelease(7, "node-b", 1, b"x"), RoomRelease(9, "", 1, b"x")]
        assert await store.release_rooms(strangers) == [False] * 3
        [(_, stored)] = await store.take_over([(7, "node-b", 2)], "node-c")
        assert stored is not None
        assert stored.handoff == b""


class TestOrphans:
    async def test_rooms_without_a_lease_are_orphans(self, store: Store) -> None:
        await filled(store, 7, entries=1)
        await filled(store, 8, entries=1)
        assert sorted(await store.orphans()) == [(7, "node-a", 1), (8, "node-a", 1)]
        await store.renew("node-a", "10.0.0.1:7777", lease_ms=LEASE_MS)
        assert await store.orphans() == []

    async def test_rooms_are_listed_under_their_owners(self, store: Store) -> None:
        for room in (7, 8, 9):
            await filled(store, room, entries=1)
        await store.claim([(8, "node-a", 1)], "node-b")
        a, b, c = await store.rooms_of(["node-a", "node-b", "node-c"])
        assert (set(a) >= {7, 9}, b, c) == (True, [8], [])
        assert await store.rooms_of([]) == []

    async def test_a_room_leaves_the_list_of_who_had_it_with_the_next_renewal(self, store: Store) -> None:
        for room in (7, 8):
            await filled(store, room, entries=1)
        await store.take_over([(8, "node-a", 1)], "node-b")
        await store.renew("node-b", "", lease_ms=LEASE_MS)

        async def is_tidy() -> bool:
            return await store.rooms_of(["node-a", "node-b"]) == [[7], [8]]

        await until(is_tidy)

    async def test_a_room_that_was_claimed_in_vain_leaves_the_list_of_who_lost_it_with_the_next_renewal(
        self, store: Store
    ) -> None:
        for room in (7, 8):
            await filled(store, room, entries=1)
        assert await store.archive(8, "node-a", 1, replay=b"replay", ended_ms=1, keep_s=60)
        await store.renew("node-a", "", lease_ms=LEASE_MS)
        assert await store.claim([(7, "node-c", 9), (8, "node-a", 1)], "node-b") == [None, None]
        await store.renew("node-b", "", lease_ms=LEASE_MS)

        async def is_tidy() -> bool:
            return await store.rooms_of(["node-a", "node-b"]) == [[7], []]

        await until(is_tidy)

    async def test_a_lease_that_runs_out_leaves_orphans(self, store: Store) -> None:
        await filled(store, 7, entries=1)
        await store.renew("node-a", "", lease_ms=300)
        assert await store.orphans() == []

        async def is_orphaned() -> bool:
            return await store.orphans() == [(7, "node-a", 1)]

        await until(is_orphaned)

    async def test_a_lease_tells_how_long_it_lasts(self, store: Store) -> None:
        await filled(store, 7, entries=1)
        await store.renew("node-a", "10.0.0.1:7777", lease_ms=LEASE_MS)
        (lease,) = await store.nodes()
        assert (lease.owner, lease.address) == ("node-a", "10.0.0.1:7777")
        assert 0 < lease.left_ms <= LEASE_MS

    async def test_a_lease_tells_what_its_node_said_last(self, store: Store) -> None:
        facts = NodeFacts(
            (("chess", 1), ("chess", 2)), {"chess": ("greedy", "näiv")}, 12, is_draining=True, version="1"
        )
        for said in (NodeFacts(load=1), facts):
            await store.renew("node-a", "10.0.0.1:7777", said, lease_ms=LEASE_MS)
        await store.renew("node-b", "", lease_ms=LEASE_MS)
        leases = {lease.owner: lease for lease in await store.nodes()}
        assert (leases["node-a"].address, leases["node-a"].facts) == ("10.0.0.1:7777", facts)
        assert (leases["node-b"].address, leases["node-b"].facts) == ("", NodeFacts())

    async def test_a_renewed_lease_lasts(self, store: Store) -> None:
        await filled(store, 7, entries=1)
        await store.renew("node-a", "", lease_ms=1)
        await store.renew("node-a", "", lease_ms=LEASE_MS)
        assert await store.orphans() == []

    async def test_a_released_lease_leaves_orphans_at_once(self, store: Store) -> None:
        await filled(store, 7, entries=1)
        await store.renew("node-a", "", lease_ms=LEASE_MS)
        await store.release("node-a")
        assert await store.orphans() == [(7, "node-a", 1)]

    async def test_rooms_of_a_released_lease_are_told_from_those_of_one_that_may_be_renewed(self, store: Store) -> None:
        await filled(store, 7, entries=1)
        await store.create(request(8, 1, owner="node-b"))
        assert await store.orphans(only_released=True) == []
        await store.release("node-b")
        assert await store.orphans(only_released=True) == [(8, "node-b", 1)]
        assert sorted(await store.orphans()) == [(7, "node-a", 1), (8, "node-b", 1)]

    async def test_a_lease_that_is_held_again_was_not_released(self, store: Store) -> None:
        await filled(store, 7, entries=1)
        await store.release("node-a")
        await store.renew("node-a", "", lease_ms=300)
        assert await store.orphans(only_released=True) == []

        async def is_orphaned() -> bool:
            return await store.orphans() == [(7, "node-a", 1)]

        await until(is_orphaned)
        assert await store.orphans(only_released=True) == []

    async def test_a_claimed_room_is_the_claimants(self, store: Store) -> None:
        await filled(store, 7, entries=1)
        await store.renew("node-b", "", lease_ms=LEASE_MS)
        await store.claim([(7, "node-a", 1)], "node-b")
        assert await store.orphans() == []
        await store.release("node-b")
        assert await store.orphans() == [(7, "node-b", 2)]

    async def test_a_lost_claim_makes_no_orphan_of_the_loser(self, store: Store) -> None:
        await filled(store, 7, entries=1)
        await store.renew("node-b", "", lease_ms=LEASE_MS)
        await store.claim([(7, "node-a", 1)], "node-b")
        await store.claim([(7, "node-a", 1)], "node-c")
        for _ in range(2):
            assert await store.orphans() == []


class TestArchive:
    async def test_a_replay_takes_the_place_of_the_room(self, store: Store) -> None:
        await filled(store, 7, entries=70)
        await store.save(7, "node-a", 1, rev=64, snapshot=b"at 64")
        for _ in range(2):
            assert await store.archive(7, "node-a", 1, replay=b"the match", ended_ms=5, keep_s=60)
        assert await store.replay(7) == KeptReplay(b"the match", 5)
        assert await store.load(7) is None
        assert await store.log(7) == ()
        assert await store.orphans() == []
        assert await store.append([request(7, 71)]) == [Fenced()]

    async def test_for_a_while_others_learn_who_ended_a_match(self, store: Store) -> None:
        await filled(store, 7, entries=2)
        assert await store.last_owner(7) is None
        await store.claim([(7, "node-a", 1)], "node-b")
        assert await store.archive(7, "node-b", 2, replay=b"the match", ended_ms=5, keep_s=1)
        assert await store.last_owner(7) == Whereabouts("node-b", 2)

    async def test_a_former_owner_archives_nothing(self, store: Store) -> None:
        await filled(store, 7, entries=2)
        await store.claim([(7, "node-a", 1)], "node-b")
        assert not await store.archive(7, "node-a", 1, replay=b"not so", ended_ms=5, keep_s=60)
        assert not await store.archive(7, "node-b", 1, replay=b"nor so", ended_ms=5, keep_s=60)
        assert await store.replay(7) is None
        assert await store.orphans() == [(7, "node-b", 2)]

    async def test_a_replay_is_kept_only_so_long(self, store: Store) -> None:
        await filled(store, 7, entries=2)
        await store.archive(7, "node-a", 1, replay=b"the match", ended_ms=5, keep_s=1)
        assert await store.replay(7) == KeptReplay(b"the match", 5)

        async def is_gone() -> bool:
            return await store.replay(7) is None

        await until(is_gone)
        assert await store.create(request(7, 1, owner="node-b"))


async def test_only_the_latest_generation_can_be_rotated(store: Store) -> None:
    assert await store.generations(["ada"]) == [0]
    assert await store.rotate("ada", 0, 11)
    assert await store.generations(["ada"]) == [1]
    assert not await store.rotate("ada", 0, 12)
    assert await store.rotate("ada", 1, 13)
    assert await store.generations(["bob", "ada", "bob"]) == [0, 2, 0]
    assert await store.generations([]) == []


async def test_a_rotation_asked_again_says_the_same(store: Store) -> None:
    assert [await store.rotate("ada", 0, 11), await store.rotate("ada", 0, 11)] == [True, True]
    assert await store.generations(["ada"]) == [1]


async def test_the_secret_is_the_first_candidate_for_ever(store: Store) -> None:
    assert await store.secret(b"first \x00\xff") == b"first \x00\xff"
    assert await store.secret(b"second") == b"first \x00\xff"
