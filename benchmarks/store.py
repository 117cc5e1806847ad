"""What an append costs: alone and in batches of 200, on the embedded store and on a redis-server."""

import argparse
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from pathlib import Path

import uvloop

from warroom_server.adapters.embedded.store import EmbeddedStore
from warroom_server.adapters.redis.store import RedisStore
from warroom_server.ports.store import Append, Committed, Store

sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "support"))

from redis_server import redis_server

BATCH = 200
ENTRY = bytes(range(64))


@asynccontextmanager
async def embedded() -> AsyncIterator[Store]:
    with tempfile.TemporaryDirectory(prefix="warroom-bench-") as folder:
        store = EmbeddedStore(Path(folder))
        await store.start()
        yield store
        await store.close()


@asynccontextmanager
async def redis(*options: str) -> AsyncIterator[Store]:
    with redis_server(*options) as server:
        store = RedisStore(server.url)
        await store.start()
        yield store
        await store.close()


def request(room: int, rev: int) -> Append:
    return Append(room, rev, ENTRY, ENTRY[:32], "bench", 1)


async def measure(store: Store, rooms: Sequence[int], seconds: float) -> tuple[float, float]:
    """Return microseconds per append, of the wall clock and of this process's CPU."""
    for room in rooms:
        assert await store.create(request(room, 1))
    began_s, began_cpu_s, rev = time.perf_counter(), time.process_time(), 1
    while time.perf_counter() - began_s < seconds:
        rev += 1
        answers = await store.append([request(room, rev) for room in rooms])
        assert answers == [Committed(rev)] * len(rooms)
    appends = (rev - 1) * len(rooms)
    wall_s, cpu_s = time.perf_counter() - began_s, time.process_time() - began_cpu_s
    return wall_s / appends * 1e6, cpu_s / appends * 1e6


async def main(seconds: float) -> None:
    print(f"{'store':<28}{'append':<16}{'wall us':>10}{'CPU us':>10}")
    stores: dict[str, Callable[[], AbstractAsyncContextManager[Store]]] = {
        "embedded, fsync always": embedded,
        "redis-server, no file": redis,
        "redis-server, fsync always": lambda: redis("--appendonly", "yes", "--appendfsync", "always"),
    }
    for name, open_store in stores.items():
        async with open_store() as store:
            for label, rooms in (("alone", range(1)), (f"in {BATCH}s", range(1, BATCH + 1))):
                wall_us, cpu_us = await measure(store, rooms, seconds)
                print(f"{name:<28}{label:<16}{wall_us:>10.1f}{cpu_us:>10.1f}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=2.0, help="how long to measure each case (default 2)")
    uvloop.run(main(parser.parse_args().seconds))
