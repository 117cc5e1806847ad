"""A real cluster of three primaries whose slots move, whose nodes die, and which forgets our scripts."""

import asyncio
import re
import signal
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress

import pytest
from append_load import Appending, Streaming
from appends import request
from redis.crc import key_slot
from redis_server import RedisServer, free_port, redis_server
from redis_topologies import RedisCluster, cluster_replica, is_promoted, redis_cluster, wait_for
from store_refusals import refused
from wait_until import until

from warroom_server.adapters.redis.keys import NODES, lease_key, room_keys, rooms_key
from warroom_server.adapters.redis.store import RedisStore
from warroom_server.counters import Counters
from warroom_server.ports.store import (
    Append,
    AppendAnswer,
    Committed,
    Fenced,
    Trouble,
    UnavailableError,
)
from warroom_server.storage.committer import Committer

ROOMS = range(1, 25)
BATCH = [request(room, 2) for room in ROOMS]


async def opened(cluster: RedisCluster, *, timeout_s: float = 2.0) -> RedisStore:
    store = RedisStore(cluster.url, timeout_s=timeout_s)
    await store.start()
    for room in ROOMS:
        assert await store.create(request(room, 1))
    return store


def slot_of(room: int) -> int:
    return key_slot(room_keys(room).log.encode())


def name_of(server: RedisServer) -> str:
    return f"127.0.0.1:{server.port}"


@contextmanager
def hanging(server: RedisServer) -> Iterator[None]:
    """Let a server take connections and say nothing for the length of a block."""
    server.signal(signal.SIGSTOP)
    try:
        yield
    finally:
        server.signal(signal.SIGCONT)


async def until_whole(cluster: RedisCluster) -> None:
    """Return once nobody takes a primary for failed any more, so that other tests find the cluster as it was."""

    def is_whole() -> bool:
        return not any(b"fail" in server.raw("CLUSTER", "NODES") for server in cluster.servers)

    await asyncio.to_thread(wait_for, is_whole, "coming back")


def test_all_keys_of_a_room_are_in_one_slot_and_so_are_those_of_the_nodes() -> None:
    for room in ROOMS:
        keys = room_keys(room)
        every = (keys.record, keys.log, *keys.snapshots, keys.replay)
        assert len({key_slot(key.encode()) for key in every}) == 1
    assert key_slot(lease_key("a").encode()) == key_slot(rooms_key("b").encode())
    assert len({slot_of(room) for room in ROOMS}) == len(ROOMS)


async def test_rooms_are_spread_over_the_primaries(cluster: RedisCluster) -> None:
    store = await opened(cluster)
    names = {store.primary_of(room) for room in ROOMS}
    assert names == {f"127.0.0.1:{server.port}" for server in cluster.servers}
    await store.close()


async def test_a_slot_that_has_moved_is_found_where_it_is_now(cluster: RedisCluster) -> None:
    store = await opened(cluster)
    target = await asyncio.to_thread(cluster.move, slot_of(1))
    assert await store.append(BATCH) == [Committed(2)] * len(BATCH)
    assert store.primary_of(1) == f"127.0.0.1:{target.port}"
    assert len(await store.log(1)) == 2
    await store.close()


async def test_nothing_is_lost_or_refused_while_slots_move(cluster: RedisCluster) -> None:
    store = RedisStore(cluster.url)
    await store.start()
    streaming = Streaming(store)
    await streaming.start()
    for room in (1, 2, 3):
        await streaming.until_each_has(5)
        await asyncio.to_thread(cluster.move, slot_of(room), pause=lambda: time.sleep(0.03))
    await streaming.until_each_has(5)
    await streaming.finish()
    await store.close()


async def test_scripts_that_were_forgotten_are_taught_again(cluster: RedisCluster) -> None:
    store = await opened(cluster)
    for server in cluster.servers:
        server.raw("SCRIPT", "FLUSH")
    assert await store.append(BATCH) == [Committed(2)] * len(BATCH)
    for server in cluster.servers:
        server.raw("SCRIPT", "FLUSH")
    assert all(stored is not None for stored in [await store.load(room) for room in ROOMS])
    await store.close()


async def test_a_slot_that_nobody_has_is_trouble_until_somebody_has_it(cluster: RedisCluster) -> None:
    store = await opened(cluster)
    slot, owner = slot_of(1), cluster.owner_of(slot_of(1))
    for server in cluster.servers:
        server.raw("CLUSTER", "DELSLOTS", str(slot))
    try:
        with pytest.raises(UnavailableError) as caught:
            await store.append([request(1, 2)])
        assert caught.value.trouble is Trouble.CLUSTER
    finally:
        owner.raw("CLUSTER", "ADDSLOTS", str(slot))
        owner_id = cluster.ids[cluster.servers.index(owner)]
        for server in cluster.servers:
            server.raw("CLUSTER", "SETSLOT", str(slot), "NODE", owner_id)
    assert await store.append([request(1, 2)]) == [Committed(2)]
    await store.close()


async def test_the_trouble_of_one_primary_is_not_that_of_the_others(cluster: RedisCluster) -> None:
    store = await opened(cluster)
    answers: dict[int, AppendAnswer] = {}
    away: list[str] = []
    back: list[str] = []

    def answered(asked: Append, answer: AppendAnswer) -> None:
        answers[asked.room] = answer

    committer = Committer(Appending(store), primary_of=store.primary_of, counters=Counters())
    committer.answered.append(answered)
    committer.away.append(away.append)
    committer.back.append(back.append)
    committer.start()
    victim = cluster.owner_of(slot_of(1))
    name = f"127.0.0.1:{victim.port}"
    its_rooms = {room for room in ROOMS if store.primary_of(room) == name}
    await asyncio.to_thread(victim.kill)
    for asked in BATCH:
        committer.submit(asked)
    await until(lambda: away == [name] and answers.keys() == set(ROOMS) - its_rooms)
    assert committer.backlog == len(its_rooms)
    await asyncio.to_thread(victim.start)
    await until(lambda: answers.keys() == set(ROOMS))
    assert set(answers.values()) == {Committed(2)}
    assert back == [name]
    assert await committer.close() == []
    await store.close()
    await asyncio.to_thread(wait_for, lambda: b"cluster_state:ok" in victim.raw("CLUSTER", "INFO"), "coming back")


async def test_a_primary_that_was_cut_off_from_the_others_is_believed_by_nobody(cluster: RedisCluster) -> None:
    with redis_server("--cluster-enabled", "yes", "--cluster-port", str(free_port())) as alone:
        alone.raw("CLUSTER", "ADDSLOTSRANGE", "0", "16383")
        await asyncio.to_thread(wait_for, lambda: b"cluster_state:ok" in alone.raw("CLUSTER", "INFO"), "having slots")
        url = cluster.url.replace("//", f"//{name_of(alone)},")
        for _ in range(20):
            store = RedisStore(url)
            await store.start()
            assert {store.primary_of(room) for room in ROOMS} == set(map(name_of, cluster.servers))
            await store.close()


class TestAPrimaryThatHangs:
    async def test_the_slots_are_asked_for_elsewhere_at_the_same_time(self, cluster: RedisCluster) -> None:
        before = await opened(cluster)
        victim = cluster.owner_of(0)
        others = [room for room in ROOMS if before.primary_of(room) != name_of(victim)]
        store = RedisStore(f"redis+cluster://{name_of(victim)},{name_of(cluster.owner_of(16_383))}", timeout_s=3_600)
        with hanging(victim):
            async with asyncio.timeout(30):
                await store.renew("node-a", "", lease_ms=60_000)
                assert [node.owner for node in await store.nodes()] == ["node-a"]
                assert await store.append([request(room, 2) for room in others]) == [Committed(2)] * len(others)
        await store.close()
        await before.close()
        await until_whole(cluster)

    async def test_no_lease_ends_for_it_and_rooms_of_the_others_go_on(self, cluster: RedisCluster) -> None:
        lease_ms, timeout_s = 3_000, 4.0  # whoever waits for the victim once is too late
        store = await opened(cluster, timeout_s=timeout_s)
        victim, keeper = cluster.owner_of(0), cluster.owner_of(key_slot(NODES.encode()))
        its_rooms = {room for room in ROOMS if store.primary_of(room) == name_of(victim)}
        others = set(ROOMS) - its_rooms
        answers: list[Append] = []
        away: list[str] = []
        renewals = lapses = 0

        async def renew() -> None:
            nonlocal renewals
            while True:
                with suppress(UnavailableError):  # what that costs is looked at beside it
                    await store.renew("node-a", "", lease_ms=lease_ms)
                    renewals += 1
                await asyncio.sleep(0.1)

        async def look() -> None:
            nonlocal lapses
            while True:
                await asyncio.sleep(0.02)
                lapses += keeper.raw("EXISTS", lease_key("node-a")) != b":1\r\n"

        def answered(asked: Append, answer: AppendAnswer) -> None:
            assert answer == Committed(asked.rev)
            answers.append(asked)

        committer = Committer(Appending(store), primary_of=store.primary_of, counters=Counters())
        committer.answered.append(answered)
        committer.away.append(away.append)
        committer.start()
        await store.renew("node-a", "", lease_ms=lease_ms)
        beside = [asyncio.create_task(work()) for work in (renew, look)]
        with hanging(victim):
            for asked in BATCH:
                committer.submit(asked)
            await until(
                lambda: name_of(victim) in away and {asked.room for asked in answers} == others,
                within_s=30,
            )
            enough = renewals + 20
            for room in others:
                committer.submit(request(room, 3))
            await until(lambda: len(answers) == 2 * len(others) and renewals > enough, within_s=30)
            assert committer.backlog == len(its_rooms)
        await until(lambda: len(answers) == 2 * len(others) + len(its_rooms), within_s=30)
        assert lapses == 0
        for task in beside:
            task.cancel()
        await asyncio.wait(beside)
        assert await committer.close() == []
        await store.close()
        await until_whole(cluster)

    async def test_orphans_that_the_others_have_are_found_and_taken_over(self, cluster: RedisCluster) -> None:
        store = await opened(cluster)
        victim = cluster.owner_of(0)
        others = {room for room in ROOMS if store.primary_of(room) != name_of(victim)}
        with hanging(victim):
            found = await store.orphans("node-b")
            assert {room for room, _, _ in found} == others
            taken = await store.take_over(found, "node-b")
            assert [epoch for epoch, _ in taken] == [2] * len(others)
        await until_whole(cluster)
        assert {room for room, _, _ in await store.orphans("node-b")} == set(ROOMS)
        await store.close()


async def test_a_room_that_somebody_else_wrote_over_makes_nobody_ask_for_the_slots_again(
    cluster: RedisCluster,
) -> None:
    store = await opened(cluster)
    cluster.owner_of(slot_of(1)).raw("SET", room_keys(1).log, "spoilt")
    for server in cluster.servers:
        server.raw("CONFIG", "RESETSTAT")
    for _ in range(2):
        assert await store.append(BATCH) == [Fenced(), *[Committed(2)] * (len(BATCH) - 1)]
    assert not any(b"cmdstat_cluster" in server.raw("INFO", "commandstats") for server in cluster.servers)
    await store.close()


async def test_a_primary_that_is_full_does_not_cut_the_lines_to_the_others(cluster: RedisCluster) -> None:
    def lines(server: RedisServer) -> set[bytes]:
        return set(re.findall(rb"id=(\d+) .* cmd=evalsha ", server.raw("CLIENT", "LIST")))

    store = await opened(cluster)
    assert await store.append(BATCH) == [Committed(2)] * len(BATCH)
    victim, other = cluster.owner_of(0), cluster.owner_of(16_383)
    before = lines(other)
    victim.raw("CONFIG", "SET", "maxmemory", "1")
    try:
        with pytest.raises(UnavailableError) as caught:
            await store.append([request(room, 3) for room in ROOMS])
        assert caught.value.trouble is Trouble.FULL
        assert lines(other) == before
    finally:
        victim.raw("CONFIG", "SET", "maxmemory", "0")
    assert await store.append([request(room, 3) for room in ROOMS]) == [Committed(3)] * len(BATCH)
    await store.close()


class TestStart:
    async def test_a_single_server_is_no_cluster(self) -> None:
        with redis_server() as server:
            store = RedisStore(f"redis+cluster://127.0.0.1:{server.port}")
            with refused(r"is no node of a cluster: .*cluster support disabled"):
                await store.start()

    async def test_a_node_of_a_cluster_is_no_single_server(self, cluster: RedisCluster) -> None:
        store = RedisStore(cluster.servers[0].url)
        expected = r"it is part of a cluster, expected a single server, or redis\+cluster://host:port"
        with refused(expected):
            await store.start()

    async def test_one_of_the_named_nodes_is_enough(self, cluster: RedisCluster) -> None:
        store = RedisStore(f"redis+cluster://127.0.0.1:{free_port()},127.0.0.1:{cluster.servers[1].port}")
        await store.start()
        assert await store.create(request(1, 1))
        await store.close()

    async def test_a_cluster_of_which_nobody_is_there_is_unavailable(self) -> None:
        store = RedisStore(f"redis+cluster://:secret@127.0.0.1:{free_port()},127.0.0.1:{free_port()}")
        with pytest.raises(UnavailableError, match="nobody knows its slots") as refusal:
            await store.start()
        assert "secret" not in str(refusal.value)


@pytest.mark.parametrize("slot", [0, key_slot(NODES.encode())], ids=["that has rooms", "that has the leases"])
async def test_it_is_noticed_that_a_replica_took_the_place_of_a_primary(slot: int) -> None:
    with redis_cluster() as cluster, cluster_replica(cluster, primary := cluster.owner_of(slot)) as replica:
        store = RedisStore(cluster.url)
        await store.start()
        doubts: list[int] = []
        store.replaced.append(lambda: doubts.append(1))
        for _ in range(3):
            await store.renew("node-a", "", lease_ms=60_000)
            assert await store.orphans("node-a") == []
        assert doubts == []
        assert replica.raw("CLUSTER", "FAILOVER", "TAKEOVER").startswith(b"+OK")
        await asyncio.to_thread(wait_for, lambda: is_promoted(replica), "promoting the replica")
        await asyncio.to_thread(primary.kill)

        async def is_noticed() -> bool:
            with suppress(UnavailableError):
                await store.renew("node-a", "", lease_ms=60_000)
            return bool(doubts)

        await until(is_noticed)
        await store.close()


@pytest.mark.long
async def test_nothing_acknowledged_is_lost_when_a_replica_takes_the_place_of_its_primary() -> None:
    with redis_cluster() as cluster, cluster_replica(cluster, primary := cluster.owner_of(slot_of(1))) as replica:
        store = RedisStore(cluster.url)
        await store.start()
        streaming = Streaming(store, rooms=24)
        await streaming.start()
        await streaming.until_each_has(5)
        primary.kill()
        await asyncio.to_thread(wait_for, lambda: is_promoted(replica), "promoting the replica")
        await streaming.until_each_has(5)
        await streaming.finish()
        assert store.primary_of(1) == f"127.0.0.1:{replica.port}"
        await store.close()
