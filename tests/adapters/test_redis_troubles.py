"""Everything that befalls a Redis server, one after the other, while rooms are played on it: nothing acknowledged is
lost, nothing is acknowledged that is not stored, the reason is clear, and play goes on by itself afterwards."""

import asyncio
import shutil
import signal
from collections.abc import AsyncIterator, Callable

import pytest
import redis
from cutting_proxy import cutting_proxy
from msgspec import Struct
from redis_server import RedisServer, free_port, redis_server
from rewriting_proxy import rewriting_proxy
from streaming import Streaming
from waiting import until

from warroom_server.adapters import redis_connection
from warroom_server.adapters.redis_store import RedisStore
from warroom_server.ports import StoreError, Trouble, UnavailableError

QUICK_S = 0.5
"""How long the store may take to answer here."""


class Patient(Struct, frozen=True):
    """A server, and a connection to it that was opened in good times."""

    server: RedisServer
    control: "redis.Redis"

    def config(self, name: str, value: str) -> None:
        self.control.config_set(name, value)


def _kill(patient: Patient) -> None:
    patient.server.kill()


def _start(patient: Patient) -> None:
    patient.server.start()


def _fill(patient: Patient) -> None:
    patient.config("maxmemory", "1")


def _empty(patient: Patient) -> None:
    patient.config("maxmemory", "0")


def _demote(patient: Patient) -> None:
    patient.control.replicaof("127.0.0.1", free_port())


def _promote(patient: Patient) -> None:
    patient.control.replicaof("NO", "ONE")


def _lock(patient: Patient) -> None:
    patient.config("requirepass", "another one")
    patient.control.client_kill_filter(_type="normal")


def _unlock(patient: Patient) -> None:
    patient.config("requirepass", "")


def _pause(patient: Patient) -> None:
    patient.control.client_pause(60_000, all=False)


def _unpause(patient: Patient) -> None:
    patient.control.client_unpause()


def _hang(patient: Patient) -> None:
    patient.server.signal(signal.SIGSTOP)


def _go_on(patient: Patient) -> None:
    patient.server.signal(signal.SIGCONT)


def _evict(patient: Patient) -> None:
    patient.config("maxmemory", "100mb")
    patient.config("maxmemory-policy", "allkeys-lru")


def _keep(patient: Patient) -> None:
    patient.config("maxmemory-policy", "noeviction")


def _break_disk(patient: Patient) -> None:
    """Let the server be unable to write a snapshot: its folder is gone."""
    folder = patient.server.folder / "gone"
    folder.mkdir()
    patient.config("dir", str(folder))
    patient.config("save", "3600 1")
    shutil.rmtree(folder)
    patient.control.bgsave()
    _await_saved(patient, "err")


def _mend_disk(patient: Patient) -> None:
    patient.config("dir", str(patient.server.folder))
    patient.control.bgsave()
    _await_saved(patient, "ok")


def _await_saved(patient: Patient, status: str) -> None:
    asyncio.run(until(lambda: _saved(patient) == status))


def _saved(patient: Patient) -> str:
    info = patient.control.info("persistence")
    return "" if info["rdb_bgsave_in_progress"] else str(info["rdb_last_bgsave_status"])


def _read_slowly(patient: Patient) -> None:
    """Restart the server with so much to read, and so slowly, that it answers long before it is done."""
    patient.control.eval("for key = 1, 40000 do redis.call('SET', 'ballast:' .. key, key) end", 0)
    patient.server.kill()
    patient.server.options = (*patient.server.options, "--key-load-delay", "100")
    patient.server.launch()
    asyncio.run(until(lambda: _says(patient, b"-LOADING")))


def _says(patient: Patient, word: bytes) -> bool:
    try:
        return patient.server.raw("PING").startswith(word)
    except OSError:
        return False


def _read_quickly(patient: Patient) -> None:
    patient.server.kill()
    patient.server.options = patient.server.options[:-2]
    patient.server.start()


class Case(Struct, frozen=True):
    """One trouble: how it comes, how it goes, and what is said of it."""

    cause: Callable[[Patient], None]
    cure: Callable[[Patient], None]
    troubles: tuple[Trouble, ...]
    """What it may be called while rooms are played."""
    at_start: str
    """What a server that is started meanwhile says."""
    patience_s: float = QUICK_S
    """How long that server waits for an answer."""


CASES = {
    "restart": Case(_kill, _start, (Trouble.AWAY,), "cannot be reached: Connection refused"),
    "full": Case(_fill, _empty, (Trouble.FULL,), "refuses to be written to: .*maxmemory"),
    "read-only": Case(_demote, _promote, (Trouble.READ_ONLY, Trouble.UNFIT), "its role is slave, expected master"),
    "password": Case(_lock, _unlock, (Trouble.PASSWORD,), "refused the name or password"),
    "slow": Case(_pause, _unpause, (Trouble.SLOW,), "did not answer within"),
    "hung": Case(_hang, _go_on, (Trouble.SLOW,), "did not answer within"),
    "evicting": Case(_evict, _keep, (Trouble.UNFIT,), "maxmemory-policy is allkeys-lru"),
    "disk": Case(_break_disk, _mend_disk, (Trouble.DISK,), "refuses to be written to: .*MISCONF"),
    # A server that reads answers only now and then, so it may be called slow as well.
    "loading": Case(
        _read_slowly,
        _read_quickly,
        (Trouble.AWAY, Trouble.SLOW, Trouble.LOADING),
        "is still reading its data",
        patience_s=10.0,
    ),
}


@pytest.fixture
async def patient() -> AsyncIterator[Patient]:
    options = ("--appendonly", "yes", "--appendfsync", "always", "--enable-protected-configs", "yes")
    with redis_server(*options) as server:
        control = redis.Redis(port=server.port)
        yield Patient(server, control)
        control.close()


@pytest.mark.parametrize("case", CASES.values(), ids=CASES)
async def test_rooms_stand_still_with_a_reason_and_go_on_by_themselves(
    case: Case, patient: Patient, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr(redis_connection, "INSPECT_EVERY_S", 0.05)
    store = RedisStore(patient.server.url, timeout_s=QUICK_S)
    await store.start()
    streaming = Streaming(store)
    await streaming.start()
    await streaming.until_each_has(5)
    await asyncio.to_thread(case.cause, patient)
    await until(lambda: len(streaming.outages) == 1, within_s=30)
    known = dict(streaming.heads)
    with pytest.raises(StoreError, match=case.at_start) as refusal:
        await RedisStore(patient.server.url, timeout_s=case.patience_s).start()
    assert "\n" not in str(refusal.value)
    assert streaming.heads == known
    [away] = [record.getMessage() for record in caplog.records if record.getMessage().startswith("store away")]
    assert any(f"trouble={trouble} " in away for trouble in case.troubles), away
    await asyncio.to_thread(case.cure, patient)
    await streaming.until_each_has(5)
    await streaming.finish()
    await store.close()
    assert (len(streaming.outages), streaming.returns) == (1, 1)


async def test_a_line_that_is_half_open_is_given_up_and_replaced() -> None:
    with redis_server() as server:
        async with cutting_proxy(server.port) as (proxy, port):
            store = RedisStore(f"redis://127.0.0.1:{port}", timeout_s=QUICK_S)
            await store.start()
            streaming = Streaming(store)
            await streaming.start()
            await streaming.until_each_has(5)
            proxy.hold_replies()
            await until(lambda: len(streaming.outages) == 1)
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
            with pytest.raises(StoreError, match=expected):
                await RedisStore(f"redis://127.0.0.1:{port}").start()
            proxy.say(b"", b"")
            await store.renew("node-a", "", lease_ms=2_000)
            await store.close()


def test_every_trouble_can_be_met() -> None:
    """Each kind has a case here, or in the tests of clusters and of replicas."""
    met = {trouble for case in CASES.values() for trouble in case.troubles}
    assert met | {Trouble.CLUSTER, Trouble.REPLICAS} == set(Trouble)
