"""A store that lost entries: the owner appends them again, or the next owner begins a new life."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from types import SimpleNamespace

import pytest
from appends import request
from linked_nodes import let_pass, meet, play, seat_two, talk
from manual_time import ManualTime
from resuming_client import ResumingClient
from small_node import FickleStore, LittleNode, NotedConnection
from wait_until import until

from warroom_games.log import Acted, RolledBack, decode_entry
from warroom_protocol import codes
from warroom_protocol.messages import Error, Joined, Notice, Snapshot
from warroom_server.cluster.lease import LEASE_MS
from warroom_server.counters import Counters
from warroom_server.ports.store import (
    Append,
    AppendAnswer,
    Behind,
    Committed,
    Fenced,
    LogEntry,
    StoredRoom,
    UnavailableError,
    Whereabouts,
)
from warroom_server.storage.log_repair import KEPT, OTHERS_MS, LogRepair

Neighbours = Callable[..., Awaitable[list[LittleNode]]]
ROOM = 7
OWNER = "node-a"


def rolled_back(viewer: NotedConnection) -> int:
    """Return how often a viewer was told that history was lost."""
    return [notice.code for notice in viewer.of(Notice)].count(codes.NOTICE_ROLLED_BACK)


async def lives(store: FickleStore, room: int) -> list[int]:
    """Return the lives that a room began anew, as its log has them."""
    entries = [decode_entry(logged.entry) for logged in await store.log(room)]
    return [entry.life for entry in entries if isinstance(entry, RolledBack)]


def chained(rev: int, *, epoch: int = 1) -> Append:
    """Return an entry as a room appends it."""
    chain = f"{rev:016}".encode()
    nonce = b"of its creation" if rev == 1 else b""
    return Append(ROOM, rev, f"entry {rev}".encode(), chain, OWNER, epoch, nonce=nonce)


class Repaired:
    """One room on a store, and what repairs its log."""

    def __init__(self, store: FickleStore, time: ManualTime) -> None:
        self.fenced: list[int] = []
        self.epoch = 1
        self.repair = LogRepair(
            store,
            OWNER,
            time.steady_ms,
            Counters(),
            lambda _, __: chained(1).nonce,
            lambda: {ROOM: self.epoch},
            lambda room, _: self.fenced.append(room),
        )
        self._store = store

    def remember(self, first: int, last: int) -> None:
        """Host the room with the entries that were loaded."""
        entries = tuple(LogEntry(rev, chained(rev).entry, chained(rev).chain) for rev in range(first, last + 1))
        opened = SimpleNamespace(room=ROOM, creator="ada", ref=5)
        match = SimpleNamespace(opened=opened, life=1, rev=last, chain=entries[-1].chain)
        self.repair.remember(StoredRoom(ROOM, OWNER, 1, None, entries), match)  # type: ignore[arg-type]

    async def write(self, last: int) -> None:
        """Write a log up to entry *last*."""
        assert await self._store.create(chained(1))
        self.remember(1, 1)
        for rev in range(2, last + 1):
            assert await self.repair.append([chained(rev)]) == [Committed(rev)]

    async def revs(self) -> list[int]:
        """Return what the store has."""
        return [entry.rev for entry in await self._store.log(ROOM)]


class NotingStore(FickleStore):
    """A store that notes what is appended together."""

    def __init__(self, time: ManualTime) -> None:
        super().__init__(time)
        self.batches: list[Sequence[Append]] = []

    async def append(self, batch: Sequence[Append]) -> list[AppendAnswer | Behind]:
        self.batches.append(batch)
        return await super().append(batch)


@pytest.fixture
def room(store: FickleStore, time: ManualTime) -> Repaired:
    return Repaired(store, time)


class TestRefill:
    @pytest.mark.parametrize("head", range(6))
    @pytest.mark.parametrize("is_acting", [True, False])
    async def test_wherever_the_log_was_cut_it_is_whole_again(
        self, room: Repaired, store: FickleStore, head: int, is_acting: bool
    ) -> None:
        await room.write(5)
        whole = await store.log(ROOM)
        store.cut(ROOM, head) if head else store.lose(ROOM)
        if is_acting:
            assert await room.repair.append([chained(6)]) == [Committed(6)]
        else:
            room.repair.recheck()
            await room.repair.settle()
        assert (await store.log(ROOM))[:5] == whole
        assert await room.revs() == list(range(1, 7 if is_acting else 6))
        assert room.fenced == []

    async def test_a_room_that_was_written_again_is_the_one_that_was_created(
        self, room: Repaired, store: FickleStore
    ) -> None:
        await room.write(2)
        store.lose(ROOM)
        room.repair.recheck()
        await room.repair.settle()
        assert await store.create(chained(1)), "under the same nonce it is the same room"
        assert not await store.create(request(ROOM, 1))

    async def test_a_claim_that_was_forgotten_is_made_again(self, room: Repaired, store: FickleStore) -> None:
        await room.write(3)
        store.go_back(ROOM, "node-z", 1, 2)
        room.epoch = 2
        room.repair.recheck()
        await room.repair.settle()
        assert (await store.whereabouts([ROOM]), await room.revs()) == ([Whereabouts(OWNER, 2)], [1, 2, 3])

    async def test_another_owner_stays_and_the_room_is_given_up(self, room: Repaired, store: FickleStore) -> None:
        await room.write(3)
        store.go_back(ROOM, "node-z", 2, 2)
        room.repair.recheck()
        await room.repair.settle()
        assert (room.fenced, await store.whereabouts([ROOM])) == ([ROOM], [Whereabouts("node-z", 2)])

    async def test_another_history_stays_and_the_room_is_given_up(self, room: Repaired, store: FickleStore) -> None:
        await room.write(3)
        store.go_back(ROOM, "node-z", 0, 1)
        assert await store.append([request(ROOM, 2, owner="node-z", epoch=0)]) == [Committed(2)]
        assert await room.repair.append([chained(4)]) == [Fenced()]

    @pytest.mark.parametrize(("head", "is_gone"), [(2, False), (0, True)])
    async def test_what_is_not_kept_any_more_is_not_made_up(
        self, room: Repaired, store: FickleStore, head: int, is_gone: bool
    ) -> None:
        await room.write(6)
        room.remember(5, 6)
        store.cut(ROOM, head) if head else store.lose(ROOM)
        assert await room.repair.append([chained(7)]) == [Fenced()]
        assert (await room.revs(), room.repair.is_gone(ROOM)) == (list(range(1, head + 1)), is_gone)

    @pytest.mark.parametrize("head", range(6))
    async def test_entries_that_go_to_the_store_together_are_all_there_after_a_repair(
        self, room: Repaired, store: FickleStore, head: int
    ) -> None:
        await room.write(5)
        whole = await store.log(ROOM)
        store.cut(ROOM, head) if head else store.lose(ROOM)
        assert await room.repair.append([chained(6), chained(7), chained(8)]) == [
            Committed(6),
            Committed(7),
            Committed(8),
        ]
        assert (await store.log(ROOM))[:5] == whole
        assert await room.revs() == list(range(1, 9))

    async def test_all_entries_that_went_to_the_store_together_are_kept(
        self, room: Repaired, store: FickleStore
    ) -> None:
        await room.write(3)
        store.cut(ROOM, 2)
        assert await room.repair.append([chained(4), chained(5)]) == [Committed(4), Committed(5)]
        assert await room.repair.append([chained(6), chained(7)]) == [Committed(6), Committed(7)]
        store.cut(ROOM, 1)
        assert await room.repair.append([chained(8), chained(9)]) == [Committed(8), Committed(9)]
        assert await room.revs() == list(range(1, 10))

    @pytest.mark.parametrize("count", [1, 2, 3])
    async def test_entries_that_the_store_has_under_a_forgotten_claim_count(
        self, room: Repaired, store: FickleStore, count: int
    ) -> None:
        await room.write(5)
        revs = range(6, 6 + count)
        await store.append([chained(rev) for rev in revs])  # whose answer was lost
        again = [chained(rev, epoch=2) for rev in revs]  # the store forgot the claim of epoch 2
        assert await room.repair.append(again) == [Committed(rev) for rev in revs]

    async def test_what_the_store_lacks_is_appended_with_the_last_entry_of_a_batch(self, time: ManualTime) -> None:
        store = NotingStore(time)
        room = Repaired(store, time)
        await room.write(5)
        store.cut(ROOM, 3)
        store.batches.clear()
        await room.repair.append([chained(6), chained(7)])
        assert [[append.rev for append in batch] for batch in store.batches] == [[6, 7], [4, 5, 6, 7, 6]]
        assert [append.before for append in store.batches[1]] == [chained(3).chain, None, None, None, None]

    async def test_entries_of_a_room_that_the_store_lacks_nothing_of_are_answered_in_order_beside_a_repair(
        self, room: Repaired, store: FickleStore
    ) -> None:
        await room.write(3)
        other = ROOM + 1
        assert await store.create(request(other, 1, owner=OWNER))
        store.cut(ROOM, 2)
        batch = [request(other, 2), chained(4), request(other, 9), chained(5), request(other, 3)]
        answers: list[object] = [Committed(2), Committed(4), Fenced(), Committed(5), Committed(3)]
        assert await room.repair.append(batch) == answers
        assert await room.revs() == [1, 2, 3, 4, 5]
        assert len(await store.log(other)) == 3

    @pytest.mark.parametrize(("head", "is_gone"), [(2, False), (0, True)])
    async def test_if_what_the_store_lacks_is_not_kept_all_entries_of_a_batch_are_fenced(
        self, room: Repaired, store: FickleStore, head: int, is_gone: bool
    ) -> None:
        await room.write(6)
        room.remember(5, 6)
        store.cut(ROOM, head) if head else store.lose(ROOM)
        assert await room.repair.append([chained(7), chained(8)]) == [Fenced(), Fenced()]
        assert (await room.revs(), room.repair.is_gone(ROOM)) == (list(range(1, head + 1)), is_gone)

    async def test_another_history_stays_whatever_comes_together(self, room: Repaired, store: FickleStore) -> None:
        await room.write(3)
        store.go_back(ROOM, "node-z", 0, 1)
        assert await store.append([request(ROOM, 2, owner="node-z", epoch=0)]) == [Committed(2)]
        assert await room.repair.append([chained(4), chained(5)]) == [Fenced(), Fenced()]
        assert await store.whereabouts([ROOM]) == [Whereabouts("node-z", 0)]

    async def test_entries_that_come_together_under_a_forgotten_claim_claim_the_room_again(
        self, room: Repaired, store: FickleStore
    ) -> None:
        await room.write(3)
        store.go_back(ROOM, "node-z", 1, 2)
        batch = [chained(4, epoch=2), chained(5, epoch=2)]
        assert await room.repair.append(batch) == [Committed(4), Committed(5)]
        assert (await store.whereabouts([ROOM]), await room.revs()) == ([Whereabouts(OWNER, 2)], [1, 2, 3, 4, 5])

    async def test_nobody_owns_a_room_again_whose_history_it_cannot_prove(
        self, room: Repaired, store: FickleStore
    ) -> None:
        await room.write(6)
        room.remember(5, 6)
        store.go_back(ROOM, "node-z", 0, 4)
        assert await room.repair.append([chained(7)]) == [Fenced()]
        assert await store.whereabouts([ROOM]) == [Whereabouts("node-z", 0)]

    @pytest.mark.parametrize(("ms_each", "is_kept"), [(50, True), (200, False)])
    async def test_all_of_the_last_minute_is_kept_and_much_of_what_was_before(
        self, room: Repaired, store: FickleStore, time: ManualTime, ms_each: int, is_kept: bool
    ) -> None:
        last = KEPT + 100
        await room.write(1)
        for rev in range(2, last + 1):
            time.advance(ms_each)
            assert await room.repair.append([chained(rev)]) == [Committed(rev)]
        store.cut(ROOM, last - KEPT)
        assert await room.repair.append([chained(last + 1)]) == [Committed(last + 1)]
        store.cut(ROOM, 5)
        assert (await room.repair.append([chained(last + 2)]) == [Committed(last + 2)]) == is_kept

    async def test_a_store_that_is_away_is_told_later(self, room: Repaired, store: FickleStore) -> None:
        await room.write(3)
        store.cut(ROOM, 1)
        store.fails_to_append = True
        room.repair.recheck()
        await room.repair.settle()
        assert await room.revs() == [1]
        store.fails_to_append = False
        await room.repair.settle()
        assert await room.revs() == [1, 2, 3]


async def pass_on(store: FickleStore, here: LittleNode, there: LittleNode) -> None:
    """Let one node take the rooms of another over, which lives and finds out."""
    await store.release(here.name)
    await there.take_over()
    await store.renew(here.name, here.name, lease_ms=LEASE_MS)
    await here.reclaim.claim_again([hosted.room.number for hosted in here.room_host])
    await talk()


class TestASupersededOwner:
    async def test_lets_the_room_begin_a_new_life_if_the_log_lacks_what_it_acknowledged(
        self, neighbours: Neighbours, store: FickleStore, time: ManualTime
    ) -> None:
        old, new = await neighbours("node-a", "node-b")
        room, ada, bob = await seat_two(old, new)
        head = len(await store.log(room))
        await pass_on(store, old, new)
        assert (await play(new, bob, room, 1)).code is None
        store.go_back(room, old.name, 1, head)
        await old.room_loader.adopt([(room, old.name, 1)])
        assert room in old.room_host, "it went on without knowing"
        new.log_repair.recheck()
        await new.room_loader.adopt([])
        assert room not in new.room_host
        await let_pass(time, OTHERS_MS)
        await new.room_loader.adopt([])
        assert (await play(old, ada, room, 2)).code is None
        assert (rolled_back(ada), rolled_back(bob), await lives(store, room)) == (1, 1, [2])
        assert {player.of(Snapshot)[-1].life for player in (ada, bob)} == {2}
        assert old.counters.rolled_back == 1

    async def test_changes_nothing_in_a_room_that_passes_from_node_to_node_unharmed(
        self, neighbours: Neighbours, store: FickleStore, time: ManualTime
    ) -> None:
        one, two = await neighbours("node-a", "node-b")
        room, ada, bob = await seat_two(one, two)
        assert (await play(two, bob, room, 1)).code is None
        for here, there in ((one, two), (two, one)):
            await pass_on(store, here, there)
            await let_pass(time, OTHERS_MS)
            await here.room_loader.adopt([])
            assert room in there.room_host
        assert (await play(one, ada, room, 2)).code is None
        assert (await lives(store, room), rolled_back(ada), rolled_back(bob)) == ([], 0, 0)
        assert one.hosted(room).epoch == 3

    async def test_asks_a_store_again_that_is_away(
        self, neighbours: Neighbours, store: FickleStore, time: ManualTime
    ) -> None:
        old, new = await neighbours("node-a", "node-b")
        room, _, bob = await seat_two(old, new)
        await pass_on(store, old, new)
        head = len(await store.log(room))
        store.cut(room, head - 1)
        await let_pass(time, OTHERS_MS)
        store.is_away = True
        with pytest.raises(UnavailableError):
            await store.dispute([])
        await old.log_repair.settle()
        store.is_away = False
        assert await store.whereabouts([room]) == [Whereabouts(new.name, 2)]
        await old.log_repair.settle()
        assert await store.whereabouts([room]) == [Whereabouts(new.name, 3)]
        await play(new, bob, room, 1)
        assert await lives(store, room) == [2]


async def test_an_owner_whose_claim_was_forgotten_keeps_the_room_and_its_players_see_nothing(
    neighbours: Neighbours, store: FickleStore
) -> None:
    old, new = await neighbours("node-a", "node-b")
    room, _, bob = await seat_two(old, new)
    log = await store.log(room)
    await pass_on(store, old, new)
    store.go_back(room, old.name, 1, len(log) - 2)
    new.log_repair.recheck()
    await new.room_loader.adopt([])
    assert await store.whereabouts([room]) == [Whereabouts(new.name, 2)]
    assert (await play(new, bob, room, 1)).code is None
    assert ((await store.log(room))[: len(log)], rolled_back(bob), await lives(store, room)) == (log, 0, [])


async def test_a_room_is_handed_over_although_its_claim_was_forgotten(
    neighbours: Neighbours, store: FickleStore
) -> None:
    old, new, third = await neighbours("node-a", "node-b", "node-c")
    room, _, bob = await seat_two(old, new)
    await old.hand_over()
    await until(lambda: room in new.room_host)
    await old.stop()
    await store.release(old.name)
    store.go_back(room, old.name, 1, len(await store.log(room)))
    await new.hand_over()
    await until(lambda: room in third.room_host)
    assert (await play(new, bob, room, 1)).code is None
    assert (rolled_back(bob), await lives(store, room)) == (0, [])


async def test_a_room_goes_back_to_its_old_owner_if_the_claim_was_forgotten_and_the_claimant_is_dead(
    neighbours: Neighbours, store: FickleStore
) -> None:
    old, new, third = await neighbours("node-a", "node-b", "node-c")
    room, _, bob = await seat_two(old, third)
    head = len(await store.log(room))
    await pass_on(store, old, new)
    assert room in new.room_host
    store.go_back(room, old.name, 1, head)
    await new.stop()
    await store.release(new.name)
    for node in (third, old):
        await node.take_over()
    assert (room in old.room_host, room in third.room_host) == (True, False)
    assert (await play(third, bob, room, 1)).code is None


@pytest.mark.parametrize("is_first", [True, False])
async def test_a_third_node_that_claims_the_room_after_a_forgotten_claim_leaves_one_owner(
    neighbours: Neighbours, store: FickleStore, time: ManualTime, is_first: bool
) -> None:
    old, new, third = await neighbours("node-a", "node-b", "node-c")
    room, _, bob = await seat_two(old, new)
    log = await store.log(room)
    await pass_on(store, old, new)
    await store.release(old.name)
    store.go_back(room, old.name, 1, len(log))
    if is_first:
        await third.take_over()
    acting = asyncio.create_task(play(new, bob, room, 1))
    if not is_first:
        await third.take_over()
    assert (await acting).code is None
    await until(lambda: [room in node.room_host for node in (new, third)].count(True) == 1)
    owner = next(node for node in (new, third) if room in node.room_host)
    await let_pass(time, OTHERS_MS)
    for node in (old, new, third):
        await node.log_repair.settle()
    assert await store.whereabouts([room]) == [Whereabouts(owner.name, 2)]
    entries = [decode_entry(logged.entry) for logged in (await store.log(room))[len(log) :]]
    assert [type(entry) for entry in entries] == [Acted]
    assert (rolled_back(bob), await lives(store, room)) == (0, [])


class TestALateDispute:
    """Two nodes acknowledged what the store lost; the second notices after the room has begun its new life."""

    async def begin(self, nodes: list[LittleNode], store: FickleStore, time: ManualTime) -> tuple[int, ResumingClient]:
        """Let a room pass from node to node, lose an entry, and begin a new life by the word of the first node."""
        first, second, third = nodes
        room, ada, bob = await seat_two(first, third)
        assert (await play(first, ada, room, 1)).code is None
        head = len(await store.log(room))
        await pass_on(store, first, second)
        await pass_on(store, second, third)
        store.cut(room, head - 1)
        await let_pass(time, OTHERS_MS)
        await first.log_repair.settle()
        assert (await play(third, bob, room, 1)).code is None
        assert (await lives(store, room), rolled_back(ada)) == ([2], 1)
        return room, ada

    @pytest.mark.parametrize("is_moved", [True, False])
    async def test_begins_no_second_life_whoever_has_the_room(
        self, neighbours: Neighbours, store: FickleStore, time: ManualTime, is_moved: bool
    ) -> None:
        first, second, third = nodes = await neighbours("node-a", "node-b", "node-c")
        room, ada = await self.begin(nodes, store, time)
        if is_moved:
            await pass_on(store, third, first)
        epoch = (await store.whereabouts([room]))[0]
        for _ in range(2):
            await second.log_repair.settle()
        assert await store.whereabouts([room]) == [epoch]
        assert (await play(first, ada, room, 2)).code is None
        assert (await lives(store, room), rolled_back(ada)) == ([2], 1)


async def test_nobody_is_told_that_a_room_is_unknown_before_its_node_could_write_it_again(
    neighbours: Neighbours, store: FickleStore, time: ManualTime
) -> None:
    here, there = nodes = await neighbours("node-a", "node-b")
    room = await here.create(here.greet("Ada"))
    store.lose(room)
    there.log_repair.recheck()
    bob, eve = there.greet("Bob"), there.greet("Eve")
    first = [asyncio.create_task(there.join(*wish)) for wish in ((bob, room), (eve, room + 1))]
    await let_pass(time, 500)
    assert [task.done() for task in first] == [False, False]
    here.log_repair.recheck()
    await here.room_loader.adopt([])
    await let_pass(time, OTHERS_MS)
    await meet(nodes, store)
    assert isinstance(await first[0], Joined)
    unknown = await first[1]
    assert isinstance(unknown, Error)
    assert unknown.code == codes.ROOM_UNKNOWN
