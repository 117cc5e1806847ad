"""Everything that befalls a Redis server, one after the other, while rooms append to it: nothing acknowledged is lost,
nothing is acknowledged that is not stored, the reason is clear, and they go on by themselves afterwards."""

import asyncio
from collections.abc import Iterator

import pytest
import redis
from append_load import Streaming
from cutting_proxy import cutting_proxy
from redis_faults import AILMENTS, Patient, well_server
from redis_server import redis_server
from rewriting_proxy import rewriting_proxy
from wait_until import until

from warroom_server.adapters.redis import connection as redis_connection
from warroom_server.adapters.redis.store import RedisStore
from warroom_server.ports.store import Trouble, UnavailableError

QUICK_S = 1.0
"""How long the store may take to answer where it does not answer at all,"""
PATIENCE_S = 30.0
"""and where it does, however busy the machine is."""
SILENT = {"slow", "hung"}
"""What is noticed only because nobody answers."""

AT_START = {
    "restart": "cannot be reached: Connection refused",
    "full": "refuses to be written to: .*maxmemory",
    "read-only": "its role is slave, expected master",
    "password": "refused the name or password",
    "slow": "did not answer within",
    "hung": "did not answer within",
    "evicting": "maxmemory-policy is allkeys-lru",
    "disk": "refuses to be written to: .*MISCONF",
    "loading": "is still reading its data",
}
"""What a server says that is started meanwhile."""


@pytest.fixture
def patient() -> Iterator[Patient]:
    with well_server() as running:
        yield running


@pytest.mark.parametrize("name", AILMENTS)
async def test_appends_stand_still_with_a_reason_and_go_on_by_themselves(
    name: str, patient: Patient, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    ailment, timeout_s = AILMENTS[name], QUICK_S if name in SILENT else PATIENCE_S
    monkeypatch.setattr(redis_connection, "INSPECT_EVERY_S", 0.05)
    store = RedisStore(patient.server.url, timeout_s=timeout_s)
    await store.start()
    streaming = Streaming(store)
    await streaming.start()
    await streaming.until_each_has(5)
    await asyncio.to_thread(ailment.cause, patient)
    await until(lambda: streaming.is_away)
    known = dict(streaming.heads)
    with pytest.raises(UnavailableError, match=AT_START[name]) as refusal:
        await RedisStore(patient.server.url, timeout_s=timeout_s).start()
    assert "\n" not in str(refusal.value)
    assert streaming.heads == known
    *_, away = (record.getMessage() for record in caplog.records if record.getMessage().startswith("store away"))
    assert any(f"trouble={trouble} " in away for trouble in ailment.troubles), away
    await asyncio.to_thread(ailment.cure, patient)
    await streaming.until_each_has(5)
    await streaming.finish()
    await store.close()
    assert not streaming.is_away
    # Where little time is given, a machine that is busy for longer is silent as well, before or after.
    assert len(streaming.outages) == 1 or name in SILENT


async def test_a_line_that_is_half_open_is_given_up_and_replaced() -> None:
    with redis_server() as server:
        async with cutting_proxy(server.port) as (proxy, port):
            store = RedisStore(f"redis://127.0.0.1:{port}", timeout_s=QUICK_S)
            await store.start()
            streaming = Streaming(store)
            await streaming.start()
            await streaming.until_each_has(5)
            proxy.hold_replies()
            await until(lambda: streaming.is_away)
            proxy.release_replies()
            await streaming.until_each_has(5)
            await streaming.finish()
            await store.close()


async def test_a_server_that_is_too_old_is_refused_at_start_and_later(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(redis_connection, "INSPECT_EVERY_S", 0.0)
    with redis_server() as server:
        version = redis.Redis(port=server.port).info("server")["redis_version"].encode()
        old = b"5.0.7".ljust(len(version), b"0")
        async with rewriting_proxy(server.port) as (proxy, port):
            store = RedisStore(f"redis://127.0.0.1:{port}")
            await store.start()
            proxy.say(b"redis_version:" + version, b"redis_version:" + old)
            expected = rf"its version is {old.decode()}, expected 6\.2 or later"
            with pytest.raises(UnavailableError, match=expected) as caught:
                await store.renew("node-a", "", lease_ms=2_000)
            assert caught.value.trouble is Trouble.UNFIT
            with pytest.raises(UnavailableError, match=expected):
                await RedisStore(f"redis://127.0.0.1:{port}").start()
            proxy.say(b"", b"")
            await store.renew("node-a", "", lease_ms=2_000)
            await store.close()


def test_every_trouble_can_be_met() -> None:
    """Each kind has a case here, or in the tests of clusters and of replicas."""
    met = {trouble for ailment in AILMENTS.values() for trouble in ailment.troubles}
    assert met | {Trouble.CLUSTER, Trouble.REPLICAS} == set(Trouble)
