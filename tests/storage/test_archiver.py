"""Snapshots and replays: stored behind the scenes, one after the other."""

from collections.abc import AsyncIterator, Mapping, Sequence
from functools import partial

import pytest
from appends import request
from small_node import FickleStore
from wait_until import until

from warroom_server.adapters.memory.records import MemoryRecords
from warroom_server.ports.records import MatchRecord
from warroom_server.ports.store import KeptReplay, LogEntry
from warroom_server.storage.archiver import Archiver, LastEntry

ROOM = 7
OWNER = "node-a"


def record(room: int) -> MatchRecord:
    return MatchRecord(room, "bids", ("ada",), 5, b"summary", None, is_listed=True)


def end(room: int, rev: int) -> LastEntry:
    return rev, request(room, rev).chain


class Rewrites:
    """Notes which rooms are to be written again, and writes nothing."""

    def __init__(self) -> None:
        self.rooms: list[int] = []

    async def rewrite(self, epochs: Mapping[int, int]) -> None:
        """Note rooms."""
        self.rooms += epochs


@pytest.fixture
def rewrites() -> Rewrites:
    return Rewrites()


@pytest.fixture
async def archiver(store: FickleStore, rewrites: Rewrites) -> AsyncIterator[Archiver]:
    """Return a running upkeep, with one room in its store."""
    await store.create(request(ROOM, 1))
    running = Archiver(store, MemoryRecords(), owner=OWNER, keep_s=60, log_repair=rewrites)
    running.start()
    yield running
    await running.close(drain_s=0)


def seal(log: Sequence[LogEntry]) -> bytes:
    return b"+".join(entry.entry for entry in log)


async def test_of_several_snapshots_only_the_latest_is_stored(archiver: Archiver, store: FickleStore) -> None:
    for rev in (64, 128):
        archiver.save(ROOM, 1, rev=rev, snapshot=f"at {rev}".encode())
    await archiver.close()
    assert store.saved == [(128, b"at 128")]


async def test_a_snapshot_is_given_up_when_the_store_is_away(archiver: Archiver, store: FickleStore) -> None:
    store.is_away = True
    archiver.save(ROOM, 1, rev=64, snapshot=b"lost")
    await archiver.close()
    assert store.saved == []


async def test_a_replay_is_tried_again_until_it_is_kept(
    archiver: Archiver, store: FickleStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("warroom_server.storage.archiver.FIRST_PAUSE_S", 0.001)
    done: list[int] = []
    store.is_away = True
    archiver.archive(1, end(ROOM, 1), record(ROOM), seal=seal, done=lambda: done.append(1))
    await until(lambda: archiver.retries > 1)
    assert done == []
    store.is_away = False
    await until(lambda: bool(done))
    assert await store.replay(ROOM) == KeptReplay(b"7/1/node-a", 5)
    assert await store.load(ROOM) is None


async def test_a_replay_is_kept_although_the_epoch_of_its_room_was_raised_meanwhile(
    archiver: Archiver, store: FickleStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("warroom_server.storage.archiver.FIRST_PAUSE_S", 0.001)
    assert await store.claim([(ROOM, "node-a", 1)], "node-a") == [2]
    done: list[int] = []
    archiver.archive(1, end(ROOM, 1), record(ROOM), seal=seal, done=lambda: done.append(1))
    await until(lambda: bool(done))
    assert await store.replay(ROOM) == KeptReplay(b"7/1/node-a", 5)


async def test_a_replay_of_what_is_another_nodes_by_now_is_left_to_that(archiver: Archiver, store: FickleStore) -> None:
    assert await store.claim([(ROOM, "node-a", 1)], "node-b") == [2]
    done: list[int] = []
    archiver.archive(1, end(ROOM, 1), record(ROOM), seal=seal, done=lambda: done.append(1))
    await until(lambda: bool(done))
    assert await store.replay(ROOM) is None
    assert archiver.retries == 0


async def test_one_replay_that_cannot_be_stored_keeps_nothing_else_from_it(
    archiver: Archiver, store: FickleStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("warroom_server.storage.archiver.FIRST_PAUSE_S", 0.001)
    kept: list[int] = []
    bad, good = ROOM, ROOM + 1
    await store.create(request(good, 1))
    store.unarchivable = {bad}
    for room in (bad, good):
        archiver.archive(1, end(room, 1), record(room), seal=seal, done=partial(kept.append, room))
    await until(lambda: kept == [good])
    await until(lambda: archiver.retries > 2)
    archiver.save(good + 1, 1, rev=64, snapshot=b"of another room")
    await until(lambda: store.saved == [(64, b"of another room")])
    store.unarchivable = set()
    await until(lambda: kept == [good, bad])


async def test_each_attempt_to_store_a_replay_waits_longer(
    archiver: Archiver, store: FickleStore, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("warroom_server.storage.archiver.FIRST_PAUSE_S", 0.001)
    monkeypatch.setattr("warroom_server.storage.archiver.LONGEST_PAUSE_S", 0.003)
    store.unarchivable = {ROOM}
    archiver.archive(1, end(ROOM, 1), record(ROOM), seal=seal, done=lambda: None)
    await until(lambda: archiver.retries >= 4)
    pauses = [record.message.rpartition("=")[2] for record in caplog.records]
    assert pauses[:4] == ["0.001", "0.002", "0.003", "0.003"]


async def test_by_turns_a_replay_and_a_snapshot_are_stored(archiver: Archiver, store: FickleStore) -> None:
    order: list[str] = []
    for room in (ROOM + 1, ROOM + 2):
        await store.create(request(room, 1))
        archiver.archive(1, end(room, 1), record(room), seal=seal, done=lambda: order.append("replay"))
    for room in (ROOM, ROOM + 3):
        archiver.save(room, 1, rev=64, snapshot=b"")
    store.on_save = lambda: order.append("snapshot")
    await archiver.close()
    assert order == ["replay", "snapshot", "replay", "snapshot"]


async def test_whoever_waits_for_a_replay_learns_that_it_is_kept(archiver: Archiver, store: FickleStore) -> None:
    await archiver.archived(ROOM)
    archiver.archive(1, end(ROOM, 1), record(ROOM), seal=seal, done=lambda: None)
    assert await store.replay(ROOM) is None
    await archiver.archived(ROOM)
    assert await store.replay(ROOM) is not None


async def test_a_match_that_cannot_be_sealed_stays_as_it_is(archiver: Archiver, store: FickleStore) -> None:
    done: list[int] = []
    archiver.archive(1, end(ROOM, 1), record(ROOM), seal=lambda log: None, done=lambda: done.append(1))
    await until(lambda: bool(done))
    assert await store.replay(ROOM) is None
    assert await store.load(ROOM) is not None


async def test_closing_finishes_what_waits(archiver: Archiver, store: FickleStore) -> None:
    archiver.archive(1, end(ROOM, 1), record(ROOM), seal=seal, done=lambda: None)
    await archiver.close()
    assert await store.replay(ROOM) is not None


async def test_one_that_was_never_started_closes_at_once(store: FickleStore, rewrites: Rewrites) -> None:
    idle = Archiver(store, MemoryRecords(), owner=OWNER, keep_s=60, log_repair=rewrites)
    await idle.close()
    assert idle.retries == 0


async def test_a_match_of_whose_log_the_store_lost_the_end_waits_until_that_is_written_again(
    archiver: Archiver, store: FickleStore, monkeypatch: pytest.MonkeyPatch, rewrites: Rewrites
) -> None:
    monkeypatch.setattr("warroom_server.storage.archiver.FIRST_PAUSE_S", 0.001)
    archiver.archive(1, end(ROOM, 2), record(ROOM), seal=seal, done=lambda: None)
    await until(lambda: len(rewrites.rooms) > 1)
    assert set(rewrites.rooms) == {ROOM}
    assert await store.replay(ROOM) is None
    await store.append([request(ROOM, 2)])
    await archiver.archived(ROOM)
    kept = await store.replay(ROOM)
    assert kept is not None
    assert kept.replay.count(b"+") == 1


async def test_a_match_that_ended_again_in_another_life_is_archived_as_that(
    archiver: Archiver, store: FickleStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("warroom_server.storage.archiver.FIRST_PAUSE_S", 0.001)
    done: list[str] = []
    archiver.archive(1, end(ROOM, 9), record(ROOM), seal=seal, done=lambda: done.append("first"))
    await until(lambda: archiver.retries > 0)
    archiver.archive(1, end(ROOM, 1), record(ROOM), seal=seal, done=lambda: done.append("second"))
    await archiver.archived(ROOM)
    await archiver.close()
    assert done == ["second"]


async def test_a_log_that_ends_otherwise_makes_no_replay_however_long_it_is(
    archiver: Archiver, store: FickleStore, monkeypatch: pytest.MonkeyPatch, rewrites: Rewrites
) -> None:
    monkeypatch.setattr("warroom_server.storage.archiver.FIRST_PAUSE_S", 0.001)
    done: list[int] = []
    await store.append([request(ROOM, 2, chain=b"of another end"), request(ROOM, 3)])
    archiver.archive(1, (2, b"chain of the end that was shown"), record(ROOM), seal=seal, done=lambda: done.append(1))
    await until(lambda: len(rewrites.rooms) > 1)
    assert (done, await store.replay(ROOM)) == ([], None)


async def test_a_replay_that_was_lost_is_not_made_again_for_ever(
    archiver: Archiver, store: FickleStore, monkeypatch: pytest.MonkeyPatch, rewrites: Rewrites
) -> None:
    """Another node may have the room by now, and keep its replay."""
    monkeypatch.setattr("warroom_server.storage.archiver.FIRST_PAUSE_S", 0.001)
    monkeypatch.setattr("warroom_server.storage.archiver.LONGEST_PAUSE_S", 0.002)
    rewind = store.mark()
    await store.append([request(ROOM, 2)])
    archiver.archive(1, end(ROOM, 2), record(ROOM), seal=seal, done=lambda: None)
    await archiver.archived(ROOM)
    rewind()
    archiver.recheck()
    await archiver.archived(ROOM)
    assert rewrites.rooms == [ROOM] * 2


async def test_nobody_looks_for_a_replay_that_was_kept_long_ago(
    archiver: Archiver, store: FickleStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("warroom_server.storage.archiver.REMEMBERED_S", -1.0)
    rewind = store.mark()
    archiver.archive(1, end(ROOM, 1), record(ROOM), seal=seal, done=lambda: None)
    await archiver.archived(ROOM)
    rewind()
    archiver.recheck()
    await archiver.archived(ROOM)
    assert await store.replay(ROOM) is None
