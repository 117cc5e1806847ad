"""The private server beside the process: its folder, its deaths, and the death of its parent."""

import asyncio
import os
import signal
import stat
import sys
from pathlib import Path

import pytest
from append_load import Streaming
from appends import request
from processes import is_alive
from store_refusals import refused
from wait_until import until

from warroom_server.adapters.embedded.folder_lock import FolderLock
from warroom_server.adapters.embedded.store import EmbeddedStore
from warroom_server.adapters.redis.store import RedisStore
from warroom_server.ports.store import Committed, Trouble

CHILD = """
import asyncio, sys
from pathlib import Path
sys.path.insert(0, sys.argv[2])
from appends import request
from warroom_server.adapters.embedded.store import EmbeddedStore

async def main():
    store = EmbeddedStore(Path(sys.argv[1]))
    await store.start()
    await store.create(request(1, 1))
    rev = 1
    while True:
        rev += 1
        await store.append([request(1, rev)])
        print(rev, flush=True)

asyncio.run(main())
"""


def store_pid(folder: Path) -> int:
    return int((folder / "store.pid").read_text())


def guard_pid(folder: Path) -> int:
    """Return the parent of the server."""
    fields = Path(f"/proc/{store_pid(folder)}/stat").read_text().rpartition(")")[2].split()
    return int(fields[1])


async def test_rooms_are_there_after_a_restart(tmp_path: Path) -> None:
    for _ in range(2):
        store = EmbeddedStore(tmp_path)
        await store.start()
        assert await store.create(request(7, 1))
        assert await store.append([request(7, 2)]) == [Committed(2)]
        pid = store_pid(tmp_path)
        assert is_alive(pid)
        await store.close()
        assert not is_alive(pid)


async def test_whoever_had_rooms_before_a_restart_is_dead_and_they_wait_for_nobody(tmp_path: Path) -> None:
    store = EmbeddedStore(tmp_path)
    await store.start()
    await store.renew("node-a", "", lease_ms=60_000)
    for room, owner in ((7, "node-a"), (8, "whose lease ended")):
        assert await store.create(request(room, 1, owner=owner))
    await store.close()
    await store.start()
    assert sorted(await store.orphans(only_released=True)) == [(7, "node-a", 1), (8, "whose lease ended", 1)]
    await store.close()


async def test_a_folder_serves_one_process_at_a_time(tmp_path: Path) -> None:
    first, second = EmbeddedStore(tmp_path), EmbeddedStore(tmp_path)
    await first.start()
    with refused(f"folder {tmp_path} is in use by another server.* {os.getpid()}"):
        await second.start()
    assert await first.create(request(7, 1))
    await first.close()
    await second.start()
    assert len(await second.log(7)) == 1
    await second.close()


async def test_only_the_owner_may_look_into_the_folder(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "store"
    store = EmbeddedStore(folder)
    await store.start()
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    for name in ("store.conf", "store.log", "server.lock", "store.lock"):
        assert stat.S_IMODE((folder / name).stat().st_mode) == 0o600
    await store.close()


@pytest.mark.parametrize("name", ['a "folder" of\'s', "ordner-ä-{x}", "back\\slash"])
async def test_a_folder_may_have_any_name(tmp_path: Path, name: str) -> None:
    store = EmbeddedStore(tmp_path / name)
    await store.start()
    assert await store.create(request(7, 1))
    await store.close()


async def test_a_path_too_long_for_a_socket_means_a_port_with_a_password(tmp_path: Path) -> None:
    folder = tmp_path / ("deep" * 30)
    store = EmbeddedStore(folder)
    await store.start()
    assert await store.create(request(7, 1))
    lines = (folder / "store.conf").read_text().splitlines()
    port = next(line.split()[1] for line in lines if line.startswith("port "))
    assert store.address == f"the store at 127.0.0.1:{port}"
    with refused("refused the name or password", Trouble.PASSWORD):
        await RedisStore(f"redis://127.0.0.1:{port}").start()
    await store.close()


async def test_a_folder_that_is_none_is_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with refused(f"{tmp_path}/file cannot be used: it is not a folder"):
        await EmbeddedStore(tmp_path / "file").start()


async def test_a_damaged_file_is_told_and_the_folder_is_free_again(tmp_path: Path) -> None:
    store = EmbeddedStore(tmp_path)
    await store.start()
    assert await store.create(request(7, 1))
    await store.close()
    (tail,) = (tmp_path / "appendonlydir").glob("*.incr.aof")
    sound = tail.read_bytes()
    tail.write_bytes(sound.replace(b"HSET", b"H\0\0T\r\n"))
    with refused(r"the embedded store ended with 1: .*Bad file format"):
        await store.start()
    tail.write_bytes(sound)
    await store.start()
    assert len(await store.log(7)) == 1
    await store.close()


async def test_a_file_that_ends_in_half_a_command_is_loaded(tmp_path: Path) -> None:
    store = EmbeddedStore(tmp_path)
    await store.start()
    assert await store.create(request(7, 1))
    await store.close()
    (tail,) = (tmp_path / "appendonlydir").glob("*.incr.aof")
    with tail.open("ab") as file:
        file.write(b"*1\r\n$5\r\nMULTI\r\n*3\r\n$3\r\nSET\r\n$9\r\nhalf")
    await store.start()
    assert len(await store.log(7)) == 1
    await store.close()


@pytest.mark.parametrize("victim", ["server", "guard"])
async def test_a_store_killed_in_mid_stream_comes_back_with_everything_acknowledged(
    tmp_path: Path, victim: str
) -> None:
    store = EmbeddedStore(tmp_path)
    await store.start()
    streaming = Streaming(store)
    await streaming.start()
    for _ in range(3):
        await streaming.until_each_has(20)
        pid = store_pid(tmp_path)
        os.kill(pid if victim == "server" else guard_pid(tmp_path), signal.SIGKILL)
        await until(lambda gone=pid: not is_alive(gone))
    await streaming.until_each_has(20)
    await streaming.finish()
    await store.close()
    assert len(streaming.outages) == streaming.returns == 3


async def test_the_server_dies_with_its_parent_and_the_next_one_takes_over(tmp_path: Path) -> None:
    acknowledged = 0
    for _ in range(2):
        support = str(Path(__file__).parents[2] / "support")
        parent = await asyncio.create_subprocess_exec(
            sys.executable, "-c", CHILD, str(tmp_path), support, stdout=asyncio.subprocess.PIPE
        )
        assert parent.stdout is not None
        for _ in range(50):
            acknowledged = max(acknowledged, int(await parent.stdout.readline()))
        pid = store_pid(tmp_path)
        parent.kill()
        acknowledged = max(acknowledged, *map(int, (await parent.stdout.read()).split()), 0)
        await parent.wait()
        store = EmbeddedStore(tmp_path)
        await store.start()
        assert not is_alive(pid)
        assert [entry.rev for entry in await store.log(1)][:acknowledged] == list(range(1, acknowledged + 1))
        await store.close()


async def test_a_log_that_grew_long_is_put_aside(tmp_path: Path) -> None:
    (tmp_path / "store.log").write_bytes(b"x" * 1_000_001)
    store = EmbeddedStore(tmp_path)
    await store.start()
    await store.close()
    assert (tmp_path / "store.log.1").stat().st_size == 1_000_001
    assert b"Ready to accept connections" in (tmp_path / "store.log").read_bytes()


class TestFolderLock:
    def test_a_lock_has_one_holder(self, tmp_path: Path) -> None:
        first, second = FolderLock(tmp_path / "lock"), FolderLock(tmp_path / "lock")
        assert first.acquire()
        assert not second.acquire()
        assert second.holder() == str(os.getpid())
        first.release()
        assert second.acquire()
        second.release()

    def test_a_lock_that_is_not_held_has_no_descriptor(self, tmp_path: Path) -> None:
        lock = FolderLock(tmp_path / "lock")
        with pytest.raises(ValueError, match="is not locked"):
            lock.fileno()
        assert lock.holder() == "unknown"
