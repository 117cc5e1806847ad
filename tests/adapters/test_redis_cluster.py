"""A real cluster of three primaries whose slots move, whose nodes die, and which forgets our scripts."""

import asyncio
import time

import pytest
from appends import request
from redis.crc import key_slot
from redis_server import free_port, redis_server
from redis_topologies import RedisCluster, cluster_replica, is_promoted, redis_cluster, wait_for
from streaming import Streaming
from waiting import until

from warroom_server.adapters.redis_keys import lease_key, room_keys, rooms_key
from warroom_server.adapters.redis_store import RedisStore
from warroom_server.ports import AppendAnswer, AppendRequest, Trouble, UnavailableError, UnsuitableStoreError, Yes
from warroom_server.runtime.committers import Committers

ROOMS = range(1, 25)
BATCH = [request(room, 2) for room in ROOMS]


async def opened(cluster: RedisCluster) -> RedisStore:
    store = RedisStore(cluster.url)
    await store.start()
    for room in ROOMS:
        assert await store.create(request(room, 1))
    return store


def slot_of(room: int) -> int:
    return key_slot(room_keys(room).log.encode())


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
    assert await store.append(BATCH) == [Yes()] * len(BATCH)
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
    assert await store.append(BATCH) == [Yes()] * len(BATCH)
    for server in cluster.servers:
        server.raw("SCRIPT", "FLUSH")
    assert all(stored is not None for stored in await store.load_many(ROOMS))
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
    assert await store.append([request(1, 2)]) == [Yes()]
    await store.close()


async def test_the_trouble_of_one_primary_is_not_that_of_the_others(cluster: RedisCluster) -> None:
    store = await opened(cluster)
    answers: dict[int, AppendAnswer] = {}
    away: list[str] = []
    back: list[str] = []

    def answered(asked: AppendRequest, answer: AppendAnswer) -> None:
        answers[asked.room] = answer

    committers = Committers(store, answered, primary_of=store.primary_of, on_away=away.append, on_back=back.append)
    committers.start()
    victim = cluster.owner_of(slot_of(1))
    name = f"127.0.0.1:{victim.port}"
    its_rooms = {room for room in ROOMS if store.primary_of(room) == name}
    await asyncio.to_thread(victim.kill)
    for asked in BATCH:
        committers.submit(asked)
    await until(lambda: away == [name] and answers.keys() == set(ROOMS) - its_rooms)
    assert committers.backlog == len(its_rooms)
    await asyncio.to_thread(victim.start)
    await until(lambda: answers.keys() == set(ROOMS))
    assert set(answers.values()) == {Yes()}
    assert back == [name]
    assert await committers.close() == []
    await store.close()
    await asyncio.to_thread(wait_for, lambda: b"cluster_state:ok" in victim.raw("CLUSTER", "INFO"), "coming back")


class TestStart:
    async def test_a_single_server_is_no_cluster(self) -> None:
        with redis_server() as server:
            store = RedisStore(f"redis+cluster://127.0.0.1:{server.port}")
            with pytest.raises(UnsuitableStoreError, match=r"is no node of a cluster: .*cluster support disabled"):
                await store.start()

    async def test_a_node_of_a_cluster_is_no_single_server(self, cluster: RedisCluster) -> None:
        store = RedisStore(cluster.servers[0].url)
        expected = r"it is part of a cluster, expected a single server, or redis\+cluster://host:port"
        with pytest.raises(UnsuitableStoreError, match=expected):
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
