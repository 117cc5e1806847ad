"""Tasks that must not fail unnoticed."""

import asyncio
import logging
from collections.abc import Mapping, Sequence
from typing import NoReturn

import pytest
from appends import request
from manual_time import ManualTime
from small_node import FickleStore
from wait_until import until

from warroom_server.adapters.memory.records import MemoryRecords
from warroom_server.counters import Counters
from warroom_server.loop.tasks import Supervisor
from warroom_server.ports.store import Append
from warroom_server.storage.archiver import Archiver
from warroom_server.storage.committer import Committer


class BrokenStore(FickleStore):
    """A store with a bug: what it raises is not what a store may raise."""

    async def append(self, batch: Sequence[Append]) -> NoReturn:
        raise ZeroDivisionError("planted")

    async def save(self, *arguments: object, **more: object) -> None:
        raise ZeroDivisionError("planted")


class NoRepair:
    """A store that forgets nothing needs no repair."""

    async def rewrite(self, epochs: Mapping[int, int]) -> None:
        """Write nothing again."""


@pytest.fixture
def broken(time: ManualTime) -> BrokenStore:
    """Return a store that fails in a way nobody foresaw."""
    return BrokenStore(time)


async def test_a_bug_in_the_archiver_is_logged_and_told(broken: BrokenStore, caplog: pytest.LogCaptureFixture) -> None:
    stopping = asyncio.Event()
    supervisor = Supervisor(stopping)
    archiver = Archiver(broken, MemoryRecords(), owner="node-a", keep_s=60, log_repair=NoRepair())
    supervisor.watch(archiver.start())
    archiver.save(7, 1, rev=64, snapshot=b"")
    await asyncio.wait_for(stopping.wait(), 5)
    assert supervisor.has_failed
    assert [(record.levelno, "archiver" in record.message) for record in caplog.records] == [(logging.CRITICAL, True)]
    await archiver.close()


async def test_a_bug_in_the_committer_leaves_what_it_had_unanswered(broken: BrokenStore) -> None:
    stopping = asyncio.Event()
    supervisor = Supervisor(stopping)
    committer = Committer(broken, primary_of=broken.primary_of, counters=Counters())
    supervisor.watch(committer.start())
    committer.submit(request(1, 1))
    await asyncio.wait_for(stopping.wait(), 5)
    assert supervisor.has_failed
    assert await committer.close() == [request(1, 1)]


async def test_tasks_that_are_told_to_end_are_no_failure(store: FickleStore) -> None:
    stopping = asyncio.Event()
    supervisor = Supervisor(stopping)
    closed, cancelled = (
        Archiver(store, MemoryRecords(), owner="node-a", keep_s=60, log_repair=NoRepair()) for _ in range(2)
    )
    tasks = [closed.start(), cancelled.start()]
    for task in tasks:
        supervisor.watch(task)
    await closed.close()
    tasks[1].cancel()
    await until(lambda: all(task.done() for task in tasks))
    assert not supervisor.has_failed
    assert not stopping.is_set()
