"""A store of two primaries: while one of them is away or hangs, nobody waits for it but its own rooms."""

from collections.abc import Awaitable, Callable, Iterable

import pytest
from linked_nodes import choose, play, seat_two, talk
from manual_time import ManualTime
from small_node import LittleNode, NotedConnection, verdict_of
from split_store import SplitStore
from wait_until import until

from warroom_protocol import codes
from warroom_protocol.messages import Error, Legal, LegalList, Paused, Verdict
from warroom_server.adapters.memory.store import MemoryStore
from warroom_server.cluster.lease import LEASE_MS
from warroom_server.cluster.messages import Owns
from warroom_server.hosting.hosted_room import Hold
from warroom_server.storage.log_repair import OTHERS_MS

NewNode = Callable[..., Awaitable[LittleNode]]
Neighbours = Callable[..., Awaitable[list[LittleNode]]]


@pytest.fixture
def store(time: ManualTime) -> SplitStore:
    return SplitStore(time)


troubles = pytest.mark.parametrize("trouble", ["away", "hanging"])


async def two_tables(node: LittleNode, store: SplitStore) -> tuple[int, NotedConnection, int, NotedConnection]:
    """Return a match on each primary, and one of its players who may bid, whose client resumes by itself."""
    (first, ada, _), (second, bob, _) = await seat_two(node, node), await seat_two(node, node)
    store.second = {second}
    return first, ada, second, bob


@troubles
async def test_rooms_of_the_other_one_are_taken_over(
    new_node: NewNode, store: SplitStore, time: ManualTime, trouble: str
) -> None:
    old = await new_node()
    first, _, second, _ = await two_tables(old, store)
    given, _ = await old.table()
    time.advance(LEASE_MS)
    new = await new_node(name="node-b")
    store.trouble(trouble)
    new.room_loader.offered([(second, old.name, 1)])
    new.room_loader.offered([(first, old.name, 1)])
    await until(lambda: first in new.room_host)
    new.room_loader.offered([(given, old.name, 1)])
    await until(lambda: given in new.room_host)
    assert (second in new.room_host, len(new.room_loader)) == (False, 1)
    store.cure()
    await new.take_over()
    await until(lambda: second in new.room_host)


async def test_rooms_of_the_other_one_do_not_wait_until_logs_are_repaired(
    new_node: NewNode, store: SplitStore, time: ManualTime
) -> None:
    old = await new_node()
    first, _, second, _ = await two_tables(old, store)
    new = await new_node(name="node-b")
    new.room_loader.offered([(second, old.name, 1)])
    await until(lambda: second in new.room_host)
    new.room_host.lose(new.hosted(second))
    time.advance(OTHERS_MS)
    store.trouble("hanging")
    new.room_loader.offered([(first, old.name, 1)])
    await until(lambda: first in new.room_host)
    store.cure()
    await until(lambda: second in new.room_host)


class TestALeaseThatIsHeldAgain:
    @troubles
    async def test_rooms_of_the_other_one_go_on_and_nothing_is_said_in_those_of_this_one(
        self, new_node: NewNode, store: SplitStore, trouble: str
    ) -> None:
        node = await new_node()
        first, ada, second, bob = await two_tables(node, store)
        bids = node.first(ada, first), node.first(bob, second)
        store.trouble(trouble)
        node.reclaim.lose()
        told = len(bob.frames)
        node.act(ada, first, 1, bids[0])
        node.act(bob, second, 1, bids[1])
        await node.lease.begin()
        await until(lambda: bool(ada.of(Verdict)) and ada.of(Paused)[-1].reason is None)
        assert verdict_of(ada, 1).code is None
        assert not node.lease.is_lost
        node.say(bob, Legal(5, second))
        await node.settle()
        assert [(error.ref, error.code) for error in bob.of(Error)] == [(5, codes.STORE_UNAVAILABLE)]
        assert (len(bob.frames), bob.of(Paused)[-1].reason) == (told + 1, codes.PAUSE_STORE)
        store.cure()
        await until(lambda: bool(bob.of(Verdict)) and bob.of(Paused)[-1].reason is None)
        assert verdict_of(bob, 1).code is None
        await node.lease.suspend()

    @troubles
    async def test_a_room_that_another_node_took_meanwhile_is_left_without_a_word_once_that_is_known(
        self, new_node: NewNode, store: SplitStore, trouble: str
    ) -> None:
        node = await new_node()
        first, ada, second, bob = await two_tables(node, store)
        store.trouble(trouble)
        node.reclaim.lose()
        answers = len(bob.of(LegalList))
        await store.renew("node-b", "", lease_ms=LEASE_MS)
        assert await MemoryStore.claim(store, [(second, node.name, 1)], "node-b") == [2]
        await node.lease.begin()
        await until(lambda: ada.of(Paused)[-1].reason is None)
        node.say(bob, Legal(5, second))
        assert second in node.room_host
        store.cure()
        await until(lambda: second not in node.room_host)
        assert len(bob.of(LegalList)) == answers
        assert first in node.room_host
        await node.lease.suspend()

    @troubles
    async def test_a_node_all_of_whose_rooms_are_there_goes_on_with_all_else(
        self, new_node: NewNode, store: SplitStore, time: ManualTime, trouble: str
    ) -> None:
        dead = await new_node(name="dead")
        orphan, _ = await dead.table()
        time.advance(LEASE_MS)
        node = await new_node()
        room, (ada, _) = await node.table()
        store.second = {room}
        store.trouble(trouble)
        node.reclaim.lose()
        told = len(ada.frames)
        await node.lease.begin()
        await until(lambda: orphan in node.room_host)
        assert not node.lease.is_lost
        made = await node.create(node.greet("Eve"))
        assert not node.room_host.is_in_doubt(made)
        node.say(ada, Legal(5, room))
        await node.settle()
        assert [(error.ref, error.code) for error in ada.of(Error)] == [(5, codes.STORE_UNAVAILABLE)]
        assert (len(ada.frames), node.room_host.is_in_doubt(room)) == (told + 1, True)
        store.cure()
        await until(lambda: ada.of(Paused)[-1].reason is None)
        await node.lease.suspend()

    async def test_rooms_of_the_other_one_do_not_wait_for_it_either_when_the_lease_has_ended_once_more(
        self, new_node: NewNode, store: SplitStore
    ) -> None:
        node = await new_node()
        first, ada, second, _ = await two_tables(node, store)
        store.trouble("hanging")
        await node.lease.begin()
        for _ in range(2):
            node.reclaim.lose()
            assert ada.of(Paused)[-1].reason == codes.PAUSE_STORE
            await until(lambda: not node.room_host.is_in_doubt(first) and ada.of(Paused)[-1].reason is None)
            assert node.room_host.is_in_doubt(second)
        store.cure()
        await until(lambda: not node.room_host.is_in_doubt(second))
        await node.lease.suspend()

    @troubles
    @pytest.mark.parametrize("is_held", [True, False])
    async def test_a_room_there_that_another_node_says_to_have_goes_on_with_that_one(
        self,
        neighbours: Neighbours,
        store: SplitStore,
        time: ManualTime,
        monkeypatch: pytest.MonkeyPatch,
        trouble: str,
        is_held: bool,
    ) -> None:
        here, there = await neighbours("node-a", "node-b")
        room, ada, bob = await seat_two(here, there)
        store.second = {room}
        store.trouble(trouble)
        here.reclaim.lose()
        if is_held:
            await here.lease.begin()
            await until(lambda: not here.lease.is_lost)
        monkeypatch.setattr(store, "take_over", store.take_over_all_the_same)
        there.room_loader.offered([(room, here.name, 1)])
        await until(lambda: room in there.room_host)
        await talk()
        await until(lambda: room not in here.room_host)
        if not is_held:
            await here.lease.begin()
            await until(lambda: not here.lease.is_lost)
        bid = await choose(here, ada, room)
        await until(lambda: ada.of(Paused)[-1].reason is None)
        pauses = len(ada.of(Paused))
        store.cure()
        await until(lambda: not len(here.room_loader))
        here.act(ada, room, 1, bid)
        assert (await play(there, bob, room, 1)).code is None
        await until(lambda: bool(ada.of(Verdict)))
        assert (verdict_of(ada, 1).code, len(ada.of(Paused))) == (None, pauses)
        assert (room in there.room_host, room in here.room_host) == (True, False)
        await here.lease.suspend()

    async def test_a_room_there_is_not_left_for_a_node_that_had_it_before(
        self, neighbours: Neighbours, store: SplitStore
    ) -> None:
        here, there = await neighbours("node-a", "node-b")
        room, _, _ = await seat_two(here, there)
        assert await here.reclaim.claim_again([room])
        here.reclaim.lose()
        for epoch in (1, 2):
            there.peers.send(here.name, Owns(room, epoch))
        await talk()
        assert room in here.room_host
        here.gate.extend(2**60)
        here.gate.open()
        there.peers.send(here.name, Owns(room, 3))
        await talk()
        assert room in here.room_host

    async def test_that_it_is_away_is_said_once(
        self, new_node: NewNode, store: SplitStore, caplog: pytest.LogCaptureFixture
    ) -> None:
        node = await new_node()
        _, _, second, _ = await two_tables(node, store)
        for _ in range(2):
            store.trouble("away")
            node.reclaim.lose()
            assert [await node.reclaim.claim_again([second]) for _ in range(3)] == [False] * 3
            store.cure()
            assert await node.reclaim.claim_again([second])
        assert caplog.text.count("rooms still in doubt") == 2

    async def test_what_was_made_sure_of_before_the_lease_ended_once_more_is_in_doubt_again(
        self, new_node: NewNode, store: SplitStore
    ) -> None:
        node = await new_node(renew_s=3_600, lost_after_s=3_600)
        first, ada, _, _ = await two_tables(node, store)
        store.trouble("hanging")
        node.reclaim.lose()
        await node.lease.begin()
        await until(lambda: ada.of(Paused)[-1].reason is None)
        node.reclaim.lose()
        node.gate.extend(2**60)
        store.cure()
        await node.settle()
        assert node.room_host.is_in_doubt(first)
        await node.lease.suspend()


class AllBut(set[int]):
    """All rooms but one, new ones included."""

    def __init__(self, left_out: int) -> None:
        super().__init__()
        self._left_out = left_out

    def __contains__(self, room: object) -> bool:
        return room != self._left_out

    def intersection(self, *rooms: Iterable[object]) -> set[int]:
        return {room for some in rooms for room in some if isinstance(room, int) and room in self}


async def test_a_room_that_comes_while_its_primary_is_away_stands_still_until_that_is_back(
    new_node: NewNode, store: SplitStore
) -> None:
    node = await new_node()
    first, _, second, bob = await two_tables(node, store)
    store.second = AllBut(first)
    store.trouble("away")
    node.act(bob, second, 1, node.first(bob, second))
    await until(lambda: node.counters.primaries_away == 1)
    late = await node.create(node.greet("Eve"))
    assert [Hold.OUTAGE in node.hosted(room).holds for room in (first, second, late)] == [False, True, True]
    store.cure()
    await until(lambda: not any(node.hosted(room).holds for room in (first, second, late)))
    assert node.counters.primaries_away == 0
