"""A real primary, replica and three Sentinels: the primary dies, and another one takes its place."""

import asyncio
import signal
from collections.abc import Iterator

import pytest
from append_load import Streaming
from appends import request
from redis_server import free_port
from redis_topologies import SERVICE, Watched, watched
from store_refusals import refused

from warroom_server.adapters.redis.store import RedisStore
from warroom_server.ports.store import UnavailableError


@pytest.fixture(scope="module")
def running() -> Iterator[Watched]:
    with watched() as setup:
        yield setup


async def started(url: str) -> str:
    """Start a store and close it again; return what it calls its server."""
    store = RedisStore(url)
    await store.start()
    assert await store.create(request(free_port(), 1))
    await store.close()
    return store.address


class TestStart:
    async def test_the_primary_is_found_through_any_sentinel(self, running: Watched) -> None:
        for sentinel in running.sentinels:
            url = f"redis+sentinel://127.0.0.1:{free_port()},127.0.0.1:{sentinel.port}/{SERVICE}"
            assert await started(url)

    async def test_a_sentinel_that_hangs_is_passed_over(self, running: Watched) -> None:
        running.sentinels[0].signal(signal.SIGSTOP)
        try:
            assert await started(running.url)
        finally:
            running.sentinels[0].signal(signal.SIGCONT)

    async def test_a_service_that_nobody_knows_is_refused(self, running: Watched) -> None:
        with refused("the Sentinels know no service 'peace'"):
            await started(running.url.replace(SERVICE, "peace"))

    async def test_without_any_sentinel_the_store_is_unavailable(self) -> None:
        with pytest.raises(UnavailableError, match="no Sentinel answers") as refusal:
            await started(f"redis+sentinel://:secret@127.0.0.1:{free_port()}/war?sentinel_password=secret")
        assert "secret" not in str(refusal.value)

    async def test_a_server_itself_is_no_sentinel(self, running: Watched) -> None:
        with refused(r"is no Sentinel: unknown command"):
            await started(f"redis+sentinel://127.0.0.1:{running.primary.port}/{SERVICE}")

    async def test_a_sentinel_itself_is_no_store(self, running: Watched) -> None:
        with refused(r"it is a Sentinel, .* redis\+sentinel://host:port/service"):
            await started(running.sentinels[0].url)


async def test_nothing_acknowledged_is_lost_when_the_primary_dies_and_its_replica_takes_over() -> None:
    with watched() as setup:
        store = RedisStore(setup.url)
        await store.start()
        streaming = Streaming(store)
        await streaming.start()
        await streaming.until_each_has(20)
        await asyncio.to_thread(setup.primary.kill)
        await asyncio.to_thread(setup.until_promoted)
        await streaming.until_each_has(20)
        await streaming.finish()
        await store.close()
        assert len(streaming.outages) == streaming.returns == 1
