"""History that is lost while somebody lives who knows of it is announced, whoever goes on with the room."""

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Any

import pytest
from linked_nodes import let_pass, meet, play, seat_two, talk
from manual_time import ManualTime
from memory_links import Network
from msgspec.structs import replace
from small_node import FickleStore, LittleNode, NotedConnection
from wait_until import until

from warroom_games.log import Acted, RolledBack, decode_entry
from warroom_protocol import codes
from warroom_protocol.messages import Notice, Snapshot
from warroom_server.cluster import known_history as testimony
from warroom_server.cluster.known_history import TELLINGS
from warroom_server.cluster.messages import Cut
from warroom_server.ports.store import Whereabouts
from warroom_server.room import log_fold as ledger

Neighbours = Callable[..., Awaitable[list[LittleNode]]]


def rolled_back(viewer: NotedConnection) -> int:
    """Return how often a viewer was told that history was lost."""
    return [notice.code for notice in viewer.of(Notice)].count(codes.NOTICE_ROLLED_BACK)


async def lives(store: FickleStore, room: int) -> list[int]:
    """Return the lives that a room began anew, as its log has them."""
    entries = [decode_entry(logged.entry) for logged in await store.log(room)]
    return [entry.life for entry in entries if isinstance(entry, RolledBack)]


async def pass_on(store: FickleStore, here: LittleNode, there: LittleNode) -> None:
    """Let one node take the rooms of another over, which lives and finds out."""
    await store.release(here.name)
    await there.take_over()
    await here.renew()
    await here.directory.reclaim([hosted.room.number for hosted in here.room_host])
    await talk()


class TestALostClaim:
    async def test_what_the_new_owner_acknowledged_is_announced_as_lost_when_the_old_one_goes_on(
        self, neighbours: Neighbours, store: FickleStore
    ) -> None:
        old, new = await neighbours("node-a", "node-b")
        room, ada, bob = await seat_two(old, new)
        head = len(await store.log(room))
        await pass_on(store, old, new)
        assert (await play(new, bob, room, 1)).code is None
        store.go_back(room, old.name, 1, head)
        await old.directory.adopt([(room, old.name, 1)])
        assert room in old.room_host
        new.room_host.repair_all()
        await until(lambda: all(rolled_back(player) == 1 for player in (ada, bob)))
        assert await lives(store, room) == [2]
        assert (room in old.room_host, room in new.room_host) == (True, False)
        assert {player.of(Snapshot)[-1].life for player in (ada, bob)} == {2}
        assert (await play(new, bob, room, 2)).code is None

    async def test_an_owner_that_did_not_know_of_it_begins_the_new_life_at_once(
        self, neighbours: Neighbours, store: FickleStore
    ) -> None:
        old, new = await neighbours("node-a", "node-b")
        room, _, bob = await seat_two(old, new)
        head = len(await store.log(room))
        await pass_on(store, old, new)
        assert (await play(new, bob, room, 1)).code is None
        store.go_back(room, old.name, 2, head)
        new.room_host.repair_all()
        await until(lambda: rolled_back(bob) == 1)
        assert await lives(store, room) == [2]
        assert room in old.room_host

    async def test_it_is_told_as_soon_as_the_owner_can_be_reached_and_announced_once(
        self, neighbours: Neighbours, store: FickleStore, network: Network, time: ManualTime
    ) -> None:
        old, new = nodes = await neighbours("node-a", "node-b")
        room, ada, bob = await seat_two(old, new)
        head = len(await store.log(room))
        await pass_on(store, old, new)
        assert (await play(new, bob, room, 1)).code is None
        network.cut()
        store.go_back(room, old.name, 1, head)
        await old.directory.adopt([(room, old.name, 1)])
        new.room_host.repair_all()
        await talk()
        assert (rolled_back(ada), len(new.directory.testimonies)) == (0, 1)
        network.mend()
        await let_pass(time, 500)
        await meet(nodes, store)
        for _ in range(TELLINGS):
            await new.directory.adopt([])
            await talk()
        await until(lambda: rolled_back(ada) == 1)
        assert (await lives(store, room), len(new.directory.testimonies)) == ([2], 0)

    @pytest.mark.parametrize("moment", ["before it acts", "while it acts"])
    async def test_is_made_good_by_the_node_that_made_it(
        self, neighbours: Neighbours, store: FickleStore, moment: str
    ) -> None:
        old, new = await neighbours("node-a", "node-b")
        room, _, bob = await seat_two(old, new)
        log = await store.log(room)
        await pass_on(store, old, new)
        await store.release(old.name)
        # What was appended after a claim comes to a replica after it, so a claim is lost with all that followed.
        store.go_back(room, old.name, 1, len(log))
        if moment == "before it acts":
            new.room_host.repair_all()
            await talk()
        assert (await play(new, bob, room, 1)).code is None
        assert await store.whereabouts([room]) == [Whereabouts(new.name, 2)]
        assert ((await store.log(room))[: len(log)], await lives(store, room)) == (log, [])
        await new.take_over()
        assert (room in new.room_host, rolled_back(bob)) == (True, 0)

    async def test_keeps_no_node_from_taking_the_room_that_is_given_to_it(
        self, neighbours: Neighbours, store: FickleStore
    ) -> None:
        old, new, third = await neighbours("node-a", "node-b", "node-c")
        room, _, bob = await seat_two(old, new)
        await old.hand_over()
        await until(lambda: room in new.room_host)
        await old.stop()
        await store.release(old.name)
        store.go_back(room, old.name, 1, len(await store.log(room)))
        await new.hand_over()
        await third.take_over()
        await until(lambda: room in third.room_host)
        assert (await play(new, bob, room, 1)).code is None
        assert rolled_back(bob) == 0

    async def test_leads_the_room_back_to_who_had_it_before_once_the_claimant_is_gone(
        self, neighbours: Neighbours, store: FickleStore
    ) -> None:
        old, new, third = await neighbours("node-a", "node-b", "node-c")
        room, _, bob = await seat_two(old, third)
        head = len(await store.log(room))
        await pass_on(store, old, new)
        await until(lambda: room in new.room_host)
        store.go_back(room, old.name, 1, head)
        await new.stop()
        await store.release(new.name)
        for node in (third, old):
            await node.take_over()
        assert (room in old.room_host, room in third.room_host) == (True, False)
        assert (await play(third, bob, room, 1)).code is None

    @pytest.mark.parametrize("is_first", [True, False])
    async def test_that_a_third_node_makes_as_well_leaves_one_owner(
        self, neighbours: Neighbours, store: FickleStore, is_first: bool
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
        assert await store.whereabouts([room]) == [Whereabouts(owner.name, 2)]
        entries = [decode_entry(logged.entry) for logged in (await store.log(room))[len(log) :]]
        assert [type(entry) for entry in entries] == [Acted]
        assert (rolled_back(bob), await lives(store, room)) == (0, [])


class TestWhatTheOwnerKnows:
    async def test_is_written_again_and_not_given_up_when_the_one_before_misses_it(
        self, neighbours: Neighbours, store: FickleStore
    ) -> None:
        old, new = await neighbours("node-a", "node-b")
        room, ada, bob = await seat_two(old, new)
        head = len(await store.log(room))
        assert (await play(old, ada, room, 1)).code is None
        await store.release(old.name)
        await new.take_over()
        assert (await play(new, bob, room, 1)).code is None
        log = await store.log(room)
        store.cut(room, head)
        await old.directory.reclaim([room])
        await until(lambda: room not in old.room_host and len(old.directory.testimonies) == 1)
        for _ in range(TELLINGS):
            await old.directory.adopt([])
            await talk()
        assert (await store.log(room))[: len(log)] == log
        assert (await lives(store, room), rolled_back(ada), rolled_back(bob)) == ([], 0, 0)
        assert (room in new.room_host, len(old.directory.testimonies)) == (True, 0)

    @pytest.mark.parametrize("is_same", [True, False])
    async def test_decides_what_a_late_word_of_a_cut_means(
        self, neighbours: Neighbours, store: FickleStore, is_same: bool
    ) -> None:
        here, there = await neighbours("node-a", "node-b")
        room, ada, _ = await seat_two(here, there)
        assert (await play(here, ada, room, 1)).code is None
        entry = (await store.log(room))[-1]
        chain = entry.chain if is_same else bytes(len(entry.chain))
        there.peers.send(here.name, Cut(room, 1, 1, entry.rev, chain))
        await talk()
        await until(lambda: room in here.room_host)
        assert await lives(store, room) == ([] if is_same else [2])


class TestLooking:
    async def test_many_rooms_are_looked_for_in_parts_and_once_at_a_time(
        self, node: LittleNode, store: FickleStore, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr("warroom_server.cluster.known_history.AT_ONCE", 2)
        for _ in range(6):
            await node.table()
        *early, late = [hosted.room.match for hosted in node.room_host]
        testimonies = testimony.Testimonies(store, is_ours=lambda _: False)
        for match in early:
            testimonies.add(match)
        asked: list[int] = []
        chains = store.chains

        async def answer(entries: Sequence[tuple[int, int]]) -> list[bytes | None]:
            if not asked:
                testimonies.add(late)
            asked.append(len(entries))
            await asyncio.sleep(0)
            return await chains(entries)

        monkeypatch.setattr(store, "chains", answer)
        await asyncio.gather(*(testimonies.look() for _ in range(3)))
        assert (asked, len(testimonies)) == ([2, 2, 2], 0)

    async def test_what_is_learnt_meanwhile_is_not_forgotten(
        self, node: LittleNode, store: FickleStore, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        room, (ada, _) = await node.table()
        hosted = node.hosted(room)
        testimonies = testimony.Testimonies(store, is_ours=lambda _: False)
        testimonies.add(hosted.room.match)
        node.act(ada, room, 1)
        await node.settle()
        store.cut(room, hosted.room.match.rev - 1)
        chains = store.chains

        async def answer(entries: Sequence[tuple[int, int]]) -> list[bytes | None]:
            testimonies.add(hosted.room.match)
            return await chains(entries)

        monkeypatch.setattr(store, "chains", answer)
        await testimonies.look()
        stored = await store.load(room)
        assert stored is not None
        assert await testimonies.next_life(stored) == 2

    @pytest.mark.parametrize("is_loaded", [True, False], ids=["among what was loaded", "before it"])
    async def test_an_entry_is_asked_for_only_if_it_was_not_loaded(
        self, node: LittleNode, store: FickleStore, monkeypatch: pytest.MonkeyPatch, *, is_loaded: bool
    ) -> None:
        room, (ada, _) = await node.table()
        hosted = node.hosted(room)
        testimonies = testimony.Testimonies(store, is_ours=lambda _: False)
        testimonies.add(hosted.room.match)
        rev = hosted.room.match.rev
        node.act(ada, room, 1)
        await node.settle()
        stored = await store.load(room)
        assert stored is not None
        if not is_loaded:
            stored = replace(stored, entries=tuple(entry for entry in stored.entries if entry.rev > rev))
        asked, chains = list[tuple[int, int]](), store.chains

        async def answer(entries: Sequence[tuple[int, int]]) -> list[bytes | None]:
            asked.extend(entries)
            return await chains(entries)

        monkeypatch.setattr(store, "chains", answer)
        assert await testimonies.next_life(stored) is None
        assert asked == ([] if is_loaded else [(room, rev)])

    async def test_a_store_that_is_away_is_asked_again_and_the_log_says_what_was_not_done(
        self, node: LittleNode, store: FickleStore, caplog: pytest.LogCaptureFixture
    ) -> None:
        room, _ = await node.table()
        hosted = node.hosted(room)
        testimonies = testimony.Testimonies(store, is_ours=lambda _: False)
        testimonies.add(hosted.room.match)
        store.is_away = True
        await testimonies.look()
        assert (len(testimonies), caplog.messages[-1].split(" reason")[0]) == (1, "histories not compared yet")
        store.is_away = False
        await testimonies.look()
        assert len(testimonies) == 0


async def test_a_cut_that_is_seen_while_another_node_claims_the_room_is_announced_by_that(
    neighbours: Neighbours, store: FickleStore
) -> None:
    old, new = await neighbours("node-a", "node-b")
    room, ada, bob = await seat_two(old, new)
    head = len(await store.log(room))
    assert (await play(old, ada, room, 1)).code is None
    store.cut(room, head)
    hosted = old.hosted(room)
    await store.claim([(room, old.name, hosted.epoch)], new.name)
    await new.directory.adopt([(room, old.name, hosted.epoch)])
    old.room_host.roll_back(hosted, 2)
    await old.directory.adopt([])
    await until(lambda: rolled_back(ada) == rolled_back(bob) == 1)
    assert (room in old.room_host, room in new.room_host) == (False, True)
    assert await lives(store, room) == [2]


async def test_a_late_word_of_a_cut_while_the_room_is_taken_in_changes_nothing_if_the_log_has_it_all(
    neighbours: Neighbours, store: FickleStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    here, there = await neighbours("node-a", "node-b")
    room, ada, bob = await seat_two(here, there)
    assert (await play(here, ada, room, 1)).code is None
    entry = (await store.log(room))[-1]
    hosted = here.hosted(room)
    real = store.claim

    async def answer(*asked: Any) -> Any:
        monkeypatch.setattr(store, "claim", real)
        there.peers.send(here.name, Cut(room, hosted.epoch, 1, entry.rev, entry.chain))
        await talk()
        return await real(*asked)

    monkeypatch.setattr(store, "claim", answer)
    here.room_host.lose(hosted)
    await until(lambda: room in here.room_host)
    assert (await play(there, bob, room, 2)).code is None
    assert (await lives(store, room), rolled_back(ada), rolled_back(bob)) == ([], 0, 0)


async def test_a_word_of_a_cut_that_comes_to_another_node_than_the_owner_changes_nothing(
    neighbours: Neighbours, store: FickleStore
) -> None:
    here, there = await neighbours("node-a", "node-b")
    room, _, bob = await seat_two(here, there)
    here.peers.send(there.name, Cut(room, 1, 1, 99, bytes(32)))
    await talk()
    await until(lambda: there.directory.orphans == 0)
    assert (await play(there, bob, room, 1)).code is None
    assert ((room in here.room_host, room in there.room_host), await lives(store, room)) == ((True, False), [])


@pytest.mark.parametrize(("says", "begun"), [("what the log has", []), ("another entry", [2]), ("what it lost", [2])])
async def test_a_word_of_a_cut_before_all_that_the_owner_remembers_is_compared_with_the_log(
    neighbours: Neighbours, store: FickleStore, monkeypatch: pytest.MonkeyPatch, says: str, begun: list[int]
) -> None:
    monkeypatch.setattr(ledger, "KEPT", 1)
    monkeypatch.setattr(ledger, "KEPT_MS", -1)
    here, there = await neighbours("node-a", "node-b")
    room, ada, bob = await seat_two(here, there)
    assert (await play(here, ada, room, 1)).code is None
    assert (await play(there, bob, room, 2)).code is None
    entry = (await store.log(room))[1]
    chain = bytes(len(entry.chain)) if says == "another entry" else entry.chain
    cut = Cut(room, 1, 1, entry.rev, chain)
    store.is_away = True
    there.peers.send(here.name, cut)
    await talk()
    store.is_away = False
    assert (room in here.room_host, await lives(store, room)) == (True, [])
    if says == "what it lost":
        store.cut(room, entry.rev - 1)
    there.peers.send(here.name, cut)
    await talk()
    await here.directory.adopt([])
    assert (await lives(store, room), rolled_back(ada)) == (begun, len(begun))


async def test_a_word_of_a_cut_to_a_node_whose_lease_is_in_doubt_is_left_for_the_next_time(
    neighbours: Neighbours, store: FickleStore, time: ManualTime
) -> None:
    here, there = await neighbours("node-a", "node-b")
    room, _, _ = await seat_two(here, there)
    here.gate.shut()
    there.peers.send(here.name, Cut(room, 1, 1, 99, bytes(32)))
    await talk()
    here.gate.extend(time.now() + 1_500)
    here.gate.open()
    await talk()
    assert (room in here.room_host, here.directory.orphans, await lives(store, room)) == (True, 0, [])


async def test_no_word_of_a_cut_makes_a_broken_room_be_tried_again(neighbours: Neighbours, store: FickleStore) -> None:
    here, there = await neighbours("node-a", "node-b")
    room, _, _ = await seat_two(here, there)
    hosted = here.hosted(room)
    store.rewrite(room, 1, b"no entry")
    here.room_host.lose(hosted)
    await until(lambda: here.directory.orphans == 0)
    claims = len(store.claims)
    there.peers.send(here.name, Cut(room, 1, 1, 99, bytes(32)))
    await talk()
    assert (len(store.claims), here.directory.orphans) == (claims, 0)


@pytest.mark.parametrize(("question", "life"), [("take_over", 1), ("append", 2)])
async def test_a_cut_that_is_told_while_the_store_is_waited_for_begins_its_life_as_well(
    neighbours: Neighbours, store: FickleStore, monkeypatch: pytest.MonkeyPatch, question: str, life: int
) -> None:
    here, there = await neighbours("node-a", "node-b")
    room, ada, _ = await seat_two(here, there)
    head = len(await store.log(room))
    assert (await play(here, ada, room, 1)).code is None
    hosted = here.hosted(room)
    if life > 1:
        store.cut(room, head)
    real = getattr(store, question)

    async def answer(*asked: Any) -> Any:
        here.directory.cuts.heard(Cut(room, hosted.epoch, life, head + 1, bytes(32)))
        monkeypatch.setattr(store, question, real)
        return await real(*asked)

    monkeypatch.setattr(store, question, answer)
    here.room_host.lose(hosted)
    await until(lambda: room in here.room_host)
    assert await lives(store, room) == list(range(2, life + 2))


async def test_whoever_takes_a_room_back_has_to_begin_no_life_that_another_owner_did(
    neighbours: Neighbours, store: FickleStore
) -> None:
    old, new = await neighbours("node-a", "node-b")
    room, ada, bob = await seat_two(old, new)
    hosted = old.hosted(room)
    await store.claim([(room, old.name, hosted.epoch)], new.name)
    old.room_host.roll_back(hosted, 2)
    await new.directory.adopt([(room, old.name, hosted.epoch)])
    await old.directory.adopt([])
    await pass_on(store, new, old)
    await until(lambda: room in old.room_host)
    assert (await play(old, ada, room, 1)).code is None
    assert (await lives(store, room), rolled_back(ada), rolled_back(bob)) == ([], 0, 0)


async def test_a_room_that_passes_from_node_to_node_unharmed_is_not_rolled_back(
    neighbours: Neighbours, store: FickleStore
) -> None:
    one, two = nodes = await neighbours("node-a", "node-b")
    room, ada, bob = await seat_two(one, two)
    assert (await play(two, bob, room, 1)).code is None
    for here, there in ((one, two), (two, one)):
        await pass_on(store, here, there)
        await here.directory.adopt([])
        assert room in there.room_host
    assert (await play(one, ada, room, 2)).code is None
    assert [len(node.directory.testimonies) for node in nodes] == [0, 0]
    assert (await lives(store, room), rolled_back(ada), rolled_back(bob)) == ([], 0, 0)


@pytest.mark.parametrize("raised", [1, 2, 5])
async def test_a_room_that_was_fenced_by_an_epoch_of_its_own_node_is_hosted_again_at_once(
    neighbours: Neighbours, store: FickleStore, raised: int
) -> None:
    here, there = await neighbours("node-a", "node-b")
    room, ada, _ = await seat_two(here, there)
    for epoch in range(1, 1 + raised):
        assert await store.claim([(room, here.name, epoch)], here.name) == [epoch + 1]
    assert (await play(here, ada, room, 1)).code is None
    hosted = here.hosted(room)
    assert (hosted.epoch, here.directory.orphans) == (raised + 2 if raised > 1 else raised + 1, 0)


async def test_a_store_that_fails_meanwhile_is_asked_again(neighbours: Neighbours, store: FickleStore) -> None:
    here, there = await neighbours("node-a", "node-b")
    room, _, _ = await seat_two(here, there)
    hosted = here.hosted(room)
    store.is_away = True
    here.room_host.lose(hosted)
    await talk()
    await here.directory.adopt([])
    assert (room in here.room_host, here.directory.orphans, len(here.directory.testimonies)) == (False, 1, 1)
    store.is_away = False
    await here.directory.adopt([])
    assert (room in here.room_host, here.directory.orphans, len(here.directory.testimonies)) == (True, 0, 0)
