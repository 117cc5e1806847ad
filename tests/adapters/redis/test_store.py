"""What only a real server can do to its store: refuse, vanish, answer late, answer half."""

import asyncio
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from pathlib import Path

import pytest
from append_load import Streaming
from appends import request
from cutting_proxy import CuttingProxy, cutting_proxy
from redis_server import RedisServer, free_port, redis_server
from store_refusals import refused
from wait_until import until

from warroom_server.adapters.redis.keys import room_keys
from warroom_server.adapters.redis.store import RedisStore
from warroom_server.ports.store import (
    FINDABLE_S,
    SNAPSHOT_EVERY,
    Committed,
    Fenced,
    KeptReplay,
    Trouble,
    UnavailableError,
    Whereabouts,
)

ROOMS = range(1, 21)


@pytest.fixture(scope="module")
def shared_server() -> Iterator[RedisServer]:
    with redis_server() as running:
        yield running


@pytest.fixture
def server(shared_server: RedisServer) -> RedisServer:
    shared_server.raw("FLUSHALL")
    return shared_server


@pytest.fixture
async def store(server: RedisServer) -> AsyncIterator[RedisStore]:
    opened = RedisStore(server.url)
    await opened.start()
    for room in ROOMS:
        assert await opened.create(request(room, 1))
    yield opened
    await opened.close()


@pytest.fixture
async def proxy(server: RedisServer) -> AsyncIterator[tuple[CuttingProxy, int]]:
    async with cutting_proxy(server.port) as (running, port):
        yield running, port


@pytest.fixture
async def relayed(store: RedisStore, proxy: tuple[CuttingProxy, int]) -> AsyncIterator[RedisStore]:
    """The same store as *store*, but through the proxy, and with more patience than a busy machine takes."""
    opened = RedisStore(f"redis://127.0.0.1:{proxy[1]}", timeout_s=30)
    yield opened
    await opened.close()


async def lengths(store: RedisStore) -> list[int]:
    return [len(await store.log(room)) for room in ROOMS]


BATCH = [request(room, 2) for room in ROOMS]


class TestACutConnection:
    @pytest.mark.parametrize("after_bytes", [0, 1, 700, 2000, 3500])
    async def test_a_batch_cut_on_its_way_is_asked_again(
        self, store: RedisStore, relayed: RedisStore, proxy: tuple[CuttingProxy, int], after_bytes: int
    ) -> None:
        assert await relayed.append([request(1, 2)]) == [Committed(2)]
        proxy[0].cut_requests(after_bytes)
        assert await relayed.append(BATCH) == [Committed(2)] * len(BATCH)
        assert proxy[0].connections == 2
        assert await lengths(store) == [2] * len(ROOMS)

    @pytest.mark.parametrize("after_bytes", [0, 1, 9, 50])
    async def test_a_batch_whose_answers_were_cut_is_asked_again(
        self, store: RedisStore, relayed: RedisStore, proxy: tuple[CuttingProxy, int], after_bytes: int
    ) -> None:
        assert await relayed.append([request(1, 2)]) == [Committed(2)]
        proxy[0].cut_replies(after_bytes)
        assert await relayed.append(BATCH) == [Committed(2)] * len(BATCH)
        assert proxy[0].connections == 2
        assert await lengths(store) == [2] * len(ROOMS)

    async def test_a_fresh_connection_that_is_cut_too_means_unavailable(
        self, store: RedisStore, relayed: RedisStore, proxy: tuple[CuttingProxy, int]
    ) -> None:
        proxy[0].cut_replies(30, times=2)
        for _ in range(2):
            with pytest.raises(UnavailableError, match=r"the store at 127\.0\.0\.1:"):
                await relayed.append(BATCH)
        assert await relayed.append(BATCH) == [Committed(2)] * len(BATCH)
        assert await lengths(store) == [2] * len(ROOMS)

    async def test_an_idle_connection_that_the_server_closed_is_replaced(
        self, server: RedisServer, store: RedisStore
    ) -> None:
        server.raw("CLIENT", "KILL", "TYPE", "normal")
        assert await store.append(BATCH) == [Committed(2)] * len(BATCH)

    async def test_every_other_question_survives_a_cut(
        self, relayed: RedisStore, proxy: tuple[CuttingProxy, int]
    ) -> None:
        await relayed.secret(b"the secret")
        await relayed.nodes()
        proxy[0].cut_replies(1)
        assert await relayed.create(request(77, 1))
        proxy[0].cut_replies(1)
        assert await relayed.claim([(77, "node-a", 1)], "node-b") == [2]
        proxy[0].cut_replies(1)
        await relayed.archive(77, "node-b", 2, replay=b"the match", ended_ms=5, keep_s=60)
        assert await relayed.replay(77) == KeptReplay(b"the match", 5)
        assert all(room != 77 for room, _, _ in await relayed.orphans())


class TestALateAnswer:
    async def test_it_is_never_taken_for_the_answer_to_another_question(
        self, store: RedisStore, proxy: tuple[CuttingProxy, int]
    ) -> None:
        impatient = RedisStore(f"redis://127.0.0.1:{proxy[1]}", timeout_s=1.5)
        proxy[0].hold_replies()
        with pytest.raises(UnavailableError, match=r"did not answer within 1\.5 s"):
            await impatient.append(BATCH)
        proxy[0].release_replies()
        assert await impatient.append([request(1, 2, epoch=0)]) == [Fenced()]
        assert await impatient.append(BATCH) == [Committed(2)] * len(BATCH)
        assert await lengths(store) == [2] * len(ROOMS)
        await impatient.close()

    async def test_a_question_given_up_leaves_no_answer_behind(
        self, relayed: RedisStore, proxy: tuple[CuttingProxy, int]
    ) -> None:
        proxy[0].hold_replies()
        asking = asyncio.create_task(relayed.append(BATCH))
        await proxy[0].until_held()
        asking.cancel()
        await asyncio.wait([asking])
        proxy[0].release_replies()
        assert await relayed.append([request(1, 2, epoch=0)]) == [Fenced()]

    async def test_leases_do_not_wait_behind_other_questions(
        self, store: RedisStore, relayed: RedisStore, proxy: tuple[CuttingProxy, int]
    ) -> None:
        await relayed.renew("node-a", "", lease_ms=60_000)
        proxy[0].hold_replies()
        asking = asyncio.create_task(relayed.append(BATCH))
        await proxy[0].until_held()
        renewing = asyncio.create_task(relayed.renew("node-z", "", lease_ms=60_000))
        await store.create(request(77, 1, owner="node-z"))
        proxy[0].release_replies()
        await asyncio.gather(asking, renewing)
        assert all(owner != "node-z" for _, owner, _ in await store.orphans())

    async def test_rooms_that_change_hands_do_not_wait_behind_other_questions(
        self, store: RedisStore, relayed: RedisStore, proxy: tuple[CuttingProxy, int]
    ) -> None:
        await store.create(request(77, 1, owner="node-y"))
        await relayed.nodes()
        proxy[0].hold_replies()
        asking = asyncio.create_task(relayed.generations(["ada", "bob"]))
        await proxy[0].until_held()
        claiming = asyncio.create_task(relayed.claim([(77, "node-y", 1)], "node-z"))

        async def is_claimed() -> bool:
            return (await store.whereabouts([77]))[0] == Whereabouts("node-z", 2)

        await until(is_claimed)
        proxy[0].release_replies()
        assert await asking == [0, 0]
        assert await claiming == [2]


class TestARefusingServer:
    async def test_forgotten_scripts_are_taught_again(self, server: RedisServer, store: RedisStore) -> None:
        server.raw("SCRIPT", "FLUSH")
        assert await store.append(BATCH) == [Committed(2)] * len(BATCH)
        server.raw("SCRIPT", "FLUSH")
        assert await store.load(1) is not None

    async def test_a_full_server_is_unavailable_until_there_is_room(
        self, server: RedisServer, store: RedisStore
    ) -> None:
        server.raw("CONFIG", "SET", "maxmemory", "1")
        try:
            with pytest.raises(UnavailableError, match="maxmemory"):
                await store.append(BATCH)
            with pytest.raises(UnavailableError, match="maxmemory"):
                await store.create(request(77, 1))
            with refused("refuses to be written to"):
                await RedisStore(server.url).start()
        finally:
            server.raw("CONFIG", "SET", "maxmemory", "0")
        assert await store.append(BATCH) == [Committed(2)] * len(BATCH)
        assert await lengths(store) == [2] * len(ROOMS)

    async def test_a_server_that_became_a_replica_is_unavailable(self, server: RedisServer, store: RedisStore) -> None:
        server.raw("REPLICAOF", "127.0.0.1", str(free_port()))
        try:
            with pytest.raises(UnavailableError, match=r"read only|its role is slave"):
                await store.append(BATCH)
        finally:
            server.raw("REPLICAOF", "NO", "ONE")
        assert await store.append(BATCH) == [Committed(2)] * len(BATCH)

    async def test_a_room_whose_keys_were_written_over_holds_up_no_other(
        self, server: RedisServer, store: RedisStore
    ) -> None:
        server.raw("SET", "warroom:{0000003}:log", "spoilt")
        answers = await store.append(BATCH)
        assert answers == [Fenced() if room == 3 else Committed(2) for room in ROOMS]

    async def test_nor_does_it_cost_a_connection(self, server: RedisServer, store: RedisStore) -> None:
        def lines() -> list[bytes]:
            return re.findall(rb"id=(\d+) .* cmd=evalsha ", server.raw("CLIENT", "LIST"))

        await store.append(BATCH)
        before = lines()
        server.raw("SET", "warroom:{0000003}:log", "spoilt")
        for _ in range(2):
            await store.append(BATCH)
        assert lines() == before


class TestStart:
    async def test_a_replica_is_refused(self) -> None:
        expected = refused("its role is slave, expected master")
        with redis_server("--replicaof", "127.0.0.1", str(free_port())) as server, expected:
            await started(server.url)

    @pytest.mark.parametrize("policy", ["allkeys-lru", "volatile-ttl"])
    async def test_a_server_that_may_evict_is_refused(self, policy: str) -> None:
        expected = refused(f"maxmemory-policy is {policy}.* expected noeviction")
        with redis_server("--maxmemory", "64mb", "--maxmemory-policy", policy) as server, expected:
            await started(server.url)

    @pytest.mark.parametrize("options", [("64mb", "noeviction"), ("0", "allkeys-lru")])
    async def test_a_server_that_never_evicts_will_do(self, options: tuple[str, str]) -> None:
        with redis_server("--maxmemory", options[0], "--maxmemory-policy", options[1]) as server:
            assert await started(server.url) == f"the store at 127.0.0.1:{server.port}"

    async def test_a_cluster_node_is_refused(self) -> None:
        expected = refused("part of a cluster, expected a single server")
        with redis_server("--cluster-enabled", "yes", "--cluster-port", str(free_port())) as server, expected:
            await started(server.url)

    async def test_a_wrong_or_missing_password_is_refused_and_not_shown(self) -> None:
        with redis_server("--requirepass", "open sesame") as server:
            for credentials in ("", ":wrong%20sesame@", "nobody:open%20sesame@"):
                with refused("refused the name or password", Trouble.PASSWORD) as refusal:
                    await started(f"redis://{credentials}127.0.0.1:{server.port}")
                assert "sesame" not in str(refusal.value)
            assert await started(f"redis://:open%20sesame@127.0.0.1:{server.port}")

    async def test_a_server_that_is_not_there_is_unavailable(self) -> None:
        port = free_port()
        with pytest.raises(UnavailableError, match=f"the store at 127.0.0.1:{port}") as refusal:
            await started(f"redis://:secret@127.0.0.1:{port}")
        assert "secret" not in str(refusal.value)

    async def test_a_socket_and_another_database_will_do(self, tmp_path: Path) -> None:
        path = tmp_path / "redis.sock"
        with redis_server("--unixsocket", str(path)) as server:
            assert await started(f"unix://{path}?db=3") == f"the store at {path}"
            assert await started(f"redis://127.0.0.1:{server.port}/3")

    @pytest.mark.parametrize("url", ["http://127.0.0.1", "redis://127.0.0.1?max_connections=3", "redis://h?db=x"])
    def test_a_url_that_says_something_else_is_a_mistake(self, url: str) -> None:
        with pytest.raises(ValueError, match="URL"):
            RedisStore(url)


async def started(url: str) -> str:
    """Start a store and close it again; return what it calls its server."""
    store = RedisStore(url)
    await store.start()
    await store.close()
    return store.address


async def test_a_finished_match_leaves_nothing_but_its_replay_and_for_a_while_its_last_owner(
    server: RedisServer, store: RedisStore
) -> None:
    for room in ROOMS:
        await store.archive(room, "node-a", 1, replay=b"the match", ended_ms=5, keep_s=60)
    for node in ("node-a", "without a room"):
        await store.release(node)
    assert await store.orphans() == []
    keys = server.raw("KEYS", "warroom:*").decode().splitlines()
    left = {key for key in keys if key.startswith("warroom:") and not key.endswith((":replay", ":probe"))}
    assert left == {room_keys(room).last_owner for room in ROOMS}
    assert all(int(server.raw("TTL", key).removeprefix(b":")) in range(1, FINDABLE_S + 1) for key in left)


async def test_a_room_listed_under_a_node_that_lost_it_is_unlisted(server: RedisServer, store: RedisStore) -> None:
    await store.renew("node-a", "", lease_ms=60_000)
    await store.archive(2, "node-a", 1, replay=b"the match", ended_ms=5, keep_s=60)
    for room in ("0000001", "0000002"):
        server.raw("SADD", "warroom:{nodes}:rooms:node-old", room)
    server.raw("SADD", "warroom:{nodes}:all", "node-old")
    assert await store.orphans() == []
    assert server.raw("EXISTS", "warroom:{nodes}:rooms:node-old") == b":0\r\n"
    assert server.raw("SMEMBERS", "warroom:{nodes}:all") == b"*1\r\n$6\r\nnode-a\r\n"


async def test_many_orphans_are_found(store: RedisStore) -> None:
    for room in range(1000, 1600):
        assert await store.create(request(room, 1, owner="node-b"))
    await store.renew("node-a", "", lease_ms=60_000)
    assert sorted(await store.orphans()) == [(room, "node-b", 1) for room in range(1000, 1600)]


async def test_a_room_that_somebody_else_wrote_over_stops_no_other(server: RedisServer, store: RedisStore) -> None:
    server.raw("SET", "warroom:{0000002}:record", "not a room")
    assert await store.claim([(room, "node-a", 1) for room in (1, 2, 3)], "node-b") == [2, None, 2]
    first, spoilt, third = [await store.load(room) for room in [1, 2, 3]]
    assert spoilt is None
    assert first is not None
    assert third is not None
    assert (first.owner, third.owner) == ("node-b", "node-b")
    assert [room for room, _, _ in await store.orphans()] == [room for room in ROOMS if room != 2]


LOG = "warroom:{0000002}:log"


@pytest.mark.parametrize(
    "damage",
    [
        pytest.param([("XDEL", LOG, "5-0")], id="an early entry is missing"),
        pytest.param([("DEL", LOG)], id="all are"),
        pytest.param([("SET", LOG, "spoilt")], id="it was written over"),
        pytest.param([("DEL", LOG), ("XADD", LOG, "1-0", "other", "fields")], id="it has other fields"),
        pytest.param([("HSET", "warroom:{0000002}:record", "epoch", "x")], id="its epoch is no number"),
    ],
)
async def test_a_damaged_log_holds_up_no_other_room(
    server: RedisServer, store: RedisStore, damage: list[tuple[str, ...]]
) -> None:
    for room in (1, 2, 3):
        await store.append([request(room, rev) for rev in range(2, 2 * SNAPSHOT_EVERY + 2)])
        for rev in (SNAPSHOT_EVERY, 2 * SNAPSHOT_EVERY):
            await store.save(room, "node-a", 1, rev=rev, snapshot=b"snapshot")
    for command in damage:
        server.raw(*command)
    first, spoilt, third = await store.take_over([(room, "node-a", 1) for room in (1, 2, 3)], "node-b")
    assert spoilt[1] is None
    assert await store.load(2) is None
    assert [first, third] == [(2, await store.load(1)), (2, await store.load(3))]
    assert first[1] is not None
    assert len(first[1].past) == SNAPSHOT_EVERY


async def test_a_store_killed_in_mid_stream_loses_nothing_acknowledged() -> None:
    with redis_server("--appendonly", "yes", "--appendfsync", "always") as server:
        store = RedisStore(server.url)
        await store.start()
        streaming = Streaming(store)
        await streaming.start()
        for _ in range(3):
            await streaming.until_each_has(20)
            await asyncio.to_thread(server.kill)
            await asyncio.to_thread(server.start)
        await streaming.until_each_has(20)
        await streaming.finish()
        await store.close()
        assert len(streaming.outages) == streaming.returns == 3


async def test_a_store_that_forgot_everything_is_told_the_secret_and_the_rooms_again() -> None:
    with redis_server("--appendonly", "no") as server:
        store = RedisStore(server.url)
        await store.start()
        for room in ROOMS:
            assert await store.create(request(room, 1))
        doubts: list[int] = []
        store.replaced.append(lambda: doubts.append(1))
        await store.secret(b"the secret")
        await store.renew("node-a", "", lease_ms=60_000)
        assert doubts == []
        server.kill()
        server.start()
        await store.renew("node-a", "", lease_ms=60_000)
        assert doubts == [1]
        assert await store.append([request(room, 1, before=b"") for room in ROOMS]) == [Committed(1)] * len(ROOMS)
        another = RedisStore(server.url)
        assert await another.rooms_of(["node-a"]) == [sorted(ROOMS)]
        assert await another.secret(b"another secret") == b"the secret"
        await another.close()
        await store.close()


@pytest.mark.parametrize("is_restarted", [True, False])
@pytest.mark.parametrize("first", ["append", "renew", "orphans"])
async def test_whatever_is_asked_first_tells_that_the_store_was_started_anew_and_the_rest_not_again(
    first: str, is_restarted: bool
) -> None:
    with redis_server("--appendonly", "yes", "--appendfsync", "always") as server:
        store = RedisStore(server.url)
        await store.start()
        assert await store.create(request(1, 1))
        doubts: list[int] = []
        store.replaced.append(lambda: doubts.append(1))
        asked: dict[str, Callable[[], Awaitable[object]]] = {
            "append": lambda: store.append([request(1, 2)]),
            "renew": lambda: store.renew("node-b", "", lease_ms=60_000),
            "orphans": lambda: store.orphans("node-b"),
        }
        for ask in asked.values():
            await ask()
        assert doubts == []
        if is_restarted:
            server.kill()
            server.start()
        else:
            server.raw("CLIENT", "KILL", "TYPE", "normal")
        await asked[first]()
        assert doubts == [1] * is_restarted, "a line that was cut costs the store nothing"
        for ask in asked.values():
            await ask()
        assert doubts == [1] * is_restarted
        await store.close()
