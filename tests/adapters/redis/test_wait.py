"""What counts only once a replica has it, and what becomes of it when replicas do not answer in time."""

import logging
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest
from appends import request
from redis_server import RedisServer, redis_server
from redis_topologies import replicated

from warroom_server.adapters.embedded.server import server_binary
from warroom_server.adapters.redis import connection as redis_connection
from warroom_server.adapters.redis.command_sender import Wait
from warroom_server.adapters.redis.records import RedisRecords
from warroom_server.adapters.redis.store import RedisStore
from warroom_server.ports.records import MatchRecord, RatingChange, Result
from warroom_server.ports.store import Committed, Trouble, UnavailableError

SHORT_MS = 100
AUTO = Wait(None, SHORT_MS)
ONE = Wait(1, SHORT_MS)


@pytest.fixture(scope="module", params=["redis", "valkey"])
def running(request: pytest.FixtureRequest) -> Iterator[tuple[RedisServer, RedisServer]]:
    binary: Path | None = server_binary() if request.param == "valkey" else None
    with replicated(binary=binary) as pair:
        yield pair


@pytest.fixture
def pair(running: tuple[RedisServer, RedisServer]) -> Iterator[tuple[RedisServer, RedisServer]]:
    """A primary and a replica that follows it again by the end, whatever the test did to it."""
    primary, replica = running
    primary.raw("FLUSHALL")
    yield primary, replica
    replica.signal(signal.SIGCONT)


async def opened(server: RedisServer, wait: Wait) -> RedisStore:
    """Return a store with one room, which was made with all the patience that a busy machine needs."""
    patient = RedisStore(server.url, wait=Wait(None, 1_500))
    assert await patient.create(request(1, 1))
    await patient.close()
    store = RedisStore(server.url, wait=wait)
    await store.start()
    return store


def length(server: RedisServer) -> bytes:
    return server.raw("XLEN", "warroom:{0000001}:log")


@pytest.mark.parametrize("wait", [Wait(None, 5_000), Wait(1, 5_000)], ids=["auto", "one"])
async def test_what_is_answered_is_on_the_replica(pair: tuple[RedisServer, RedisServer], wait: Wait) -> None:
    primary, replica = pair
    store = await opened(primary, wait)
    for rev in range(2, 30):
        assert await store.append([request(1, rev)]) == [Committed(rev)]
        assert length(replica) == f":{rev}\r\n".encode()
    await store.close()


async def test_with_a_number_nothing_counts_that_too_few_replicas_have(pair: tuple[RedisServer, RedisServer]) -> None:
    primary, replica = pair
    store = await opened(primary, ONE)
    replica.signal(signal.SIGSTOP)
    with pytest.raises(UnavailableError, match="0 of 1 replicas had it within 100 ms") as caught:
        await store.append([request(1, 2)])
    assert caught.value.trouble is Trouble.REPLICAS
    # It is in the log by now, but a new connection has to wait for it all the same.
    again = RedisStore(primary.url, wait=ONE)
    with pytest.raises(UnavailableError, match="0 of 1 replicas"):
        await again.append([request(1, 2)])
    replica.signal(signal.SIGCONT)
    patient = RedisStore(primary.url, wait=Wait(1, 1_500))
    assert await patient.append([request(1, 2)]) == [Committed(2)]
    assert length(replica) == b":2\r\n"
    for each in (store, again, patient):
        await each.close()


async def test_auto_goes_on_without_a_replica_that_is_late_and_says_so(
    pair: tuple[RedisServer, RedisServer], caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    primary, replica = pair
    store = await opened(primary, AUTO)
    replica.signal(signal.SIGSTOP)
    caplog.clear()
    for rev in range(2, 6):
        assert await store.append([request(1, rev)]) == [Committed(rev)]
    late = [record for record in caplog.records if "replicas late" in record.getMessage()]
    assert [record.levelno for record in late] == [logging.WARNING]
    # With the next look at the server the replica is waited for again.
    replica.signal(signal.SIGCONT)
    monkeypatch.setattr(redis_connection, "INSPECT_EVERY_S", 0.0)
    caplog.clear()
    patient = RedisStore(primary.url, wait=Wait(None, 5_000))
    for rev in range(6, 10):
        assert await patient.append([request(1, rev)]) == [Committed(rev)]
    assert length(replica) == b":9\r\n"
    for each in (store, patient):
        await each.close()


async def test_auto_waits_for_nobody_where_nobody_is() -> None:
    with redis_server() as server:
        store = await opened(server, Wait(None, 60_000))
        assert await store.append([request(1, 2)]) == [Committed(2)]
        await store.close()


async def test_a_number_is_a_demand_also_where_nobody_is() -> None:
    with redis_server() as server:
        store = RedisStore(server.url, wait=ONE)
        await store.start()
        with pytest.raises(UnavailableError, match="0 of 1 replicas"):
            await store.create(request(1, 1))
        await store.close()


RATED = RatingChange("ada", None, b"25", 25)


@pytest.mark.parametrize("what", ["listed", "private", "rating", "publishing what is rated"])
async def test_what_is_noted_of_a_match_again_waits_for_replicas_like_the_first_time(
    pair: tuple[RedisServer, RedisServer], what: str
) -> None:
    primary, replica = pair
    first, again, patient = (RedisRecords(primary.url, wait=wait) for wait in (ONE, ONE, Wait(1, 5_000)))
    players = ("ada",) if what == "listed" else ()
    record = MatchRecord(1, "bids", players, 5, b"summary", b"result", is_listed=what == "listed")
    if what == "publishing what is rated":
        assert await patient.rate(1, "bids", [RATED], keep_s=60)

    async def write(records: RedisRecords) -> None:
        if what == "rating":
            assert await records.rate(1, "bids", [RATED], keep_s=60)
        else:
            await records.publish(record, keep_s=60)

    replica.signal(signal.SIGSTOP)
    for records in (first, again):
        with pytest.raises(UnavailableError, match="0 of 1 replicas"):
            await write(records)
    replica.signal(signal.SIGCONT)
    await write(patient)
    expected = [] if "rat" in what else [Result(1, "bids", b"result")]
    assert [result async for result in patient.results()] == expected
    for records in (first, again, patient):
        await records.close()


@pytest.mark.parametrize("what", ["create", "revive", "archive", "rotate"])
async def test_what_is_asked_again_waits_for_replicas_like_the_first_time(
    pair: tuple[RedisServer, RedisServer], what: str
) -> None:
    primary, replica = pair
    first, again, patient = (RedisStore(primary.url, wait=wait) for wait in (ONE, ONE, Wait(1, 1_500)))
    if what == "archive":
        await patient.create(request(1, 1))

    async def write(store: RedisStore) -> None:
        if what == "create":
            assert await store.create(request(1, 1))
        elif what == "revive":
            assert await store.append([request(1, 1, before=b"")]) == [Committed(1)]
        elif what == "rotate":
            assert await store.rotate("ada", 0, 7)
        else:
            await store.archive(1, "node-a", 1, replay=b"replay", ended_ms=1, keep_s=60)

    replica.signal(signal.SIGSTOP)
    for store in (first, again):
        with pytest.raises(UnavailableError, match="0 of 1 replicas"):
            await write(store)
    replica.signal(signal.SIGCONT)
    await write(patient)
    for store in (first, again, patient):
        await store.close()
