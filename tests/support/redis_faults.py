"""What can befall a Redis server, how it comes about, and how it is cured."""

import asyncio
import shutil
import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import redis
from msgspec import Struct
from redis_server import RedisServer, free_port, redis_server
from wait_until import until

from warroom_server.ports.store import Trouble

OPTIONS = ("--appendonly", "yes", "--appendfsync", "always", "--enable-protected-configs", "yes")


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


class Ailment(Struct, frozen=True):
    """One trouble: how it comes, how it goes, and what it may be called by a server that was well before."""

    cause: Callable[[Patient], None]
    cure: Callable[[Patient], None]
    troubles: tuple[Trouble, ...]


AILMENTS = {
    "restart": Ailment(_kill, _start, (Trouble.AWAY,)),
    "full": Ailment(_fill, _empty, (Trouble.FULL,)),
    "read-only": Ailment(_demote, _promote, (Trouble.READ_ONLY, Trouble.UNFIT)),
    "password": Ailment(_lock, _unlock, (Trouble.PASSWORD,)),
    "slow": Ailment(_pause, _unpause, (Trouble.SLOW,)),
    "hung": Ailment(_hang, _go_on, (Trouble.SLOW,)),
    "evicting": Ailment(_evict, _keep, (Trouble.UNFIT,)),
    "disk": Ailment(_break_disk, _mend_disk, (Trouble.DISK,)),
    # A server that reads answers only now and then, so it may be called slow as well.
    "loading": Ailment(_read_slowly, _read_quickly, (Trouble.AWAY, Trouble.SLOW, Trouble.LOADING)),
}


@contextmanager
def well_server() -> Iterator[Patient]:
    """Run a server that nothing ails, for the length of a block."""
    with redis_server(*OPTIONS) as server:
        control = redis.Redis(port=server.port)
        try:
            yield Patient(server, control)
        finally:
            control.close()
