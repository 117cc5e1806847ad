"""One committer for each primary: what one of them owes keeps nobody waiting who has to do with another."""

import asyncio
from collections.abc import Sequence

import pytest
from appends import request
from wait_until import until

from warroom_server.adapters.memory.store import MemoryStore
from warroom_server.counters import Counters
from warroom_server.ports.store import AppendAnswer, AppendRequest, UnavailableError, Yes
from warroom_server.storage.committers import Committers
from warroom_server.storage.outages import Outages

LEFT, RIGHT = "left", "right"


def primary_of(room: int) -> str:
    """Tell even rooms from odd ones."""
    return RIGHT if room % 2 else LEFT


class HalfStore(MemoryStore):
    """A store of two halves, either of which may be away."""

    def __init__(self) -> None:
        super().__init__()
        self.away: set[str] = set()
        self.batches: list[list[int]] = []
        self.bug: Exception | None = None

    async def append(self, batch: Sequence[AppendRequest]) -> list[AppendAnswer]:
        """Append, unless one of the halves that are asked is away."""
        await asyncio.sleep(0)
        if self.bug is not None:
            raise self.bug
        if any(primary_of(asked.room) in self.away for asked in batch):
            raise UnavailableError("half of it is away")
        self.batches.append([asked.room for asked in batch])
        return await super().append(batch)


class Desk:
    """Committers over such a store, and what they said."""

    def __init__(self) -> None:
        self.store = HalfStore()
        self.answers: dict[int, AppendAnswer] = {}
        self.news: list[tuple[str, str]] = []
        self.committers = Committers(
            self.store,
            self._answered,
            primary_of=primary_of,
            on_away=lambda primary: self.news.append(("away", primary)),
            on_back=lambda primary: self.news.append(("back", primary)),
        )

    def _answered(self, asked: AppendRequest, answer: AppendAnswer) -> None:
        self.answers[asked.room] = answer

    async def open(self, *rooms: int) -> None:
        for room in rooms:
            assert await self.store.create(request(room, 1))


async def test_each_primary_gets_a_batch_of_its_own() -> None:
    desk = Desk()
    await desk.open(1, 2, 3, 4)
    desk.committers.start()
    for room in (1, 2, 3, 4):
        desk.committers.submit(request(room, 2))
    assert await desk.committers.close() == []
    assert sorted(desk.store.batches) == [[1, 3], [2, 4]]
    assert desk.answers == dict.fromkeys((1, 2, 3, 4), Yes())


async def test_what_was_submitted_before_the_start_is_not_forgotten() -> None:
    desk = Desk()
    await desk.open(1)
    desk.committers.submit(request(1, 2))
    assert desk.committers.backlog == 1
    desk.committers.start()
    await until(lambda: desk.answers == {1: Yes()})
    assert await desk.committers.close() == []


async def test_one_that_is_away_keeps_only_its_own_rooms_waiting() -> None:
    desk = Desk()
    await desk.open(1, 2)
    desk.committers.start()
    desk.store.away.add(LEFT)
    for room in (1, 2):
        desk.committers.submit(request(room, 2))
    await until(lambda: desk.answers == {1: Yes()} and desk.news == [("away", LEFT)])
    assert desk.committers.backlog == 1
    desk.store.away.clear()
    await until(lambda: desk.answers == {1: Yes(), 2: Yes()})
    assert desk.news == [("away", LEFT), ("back", LEFT)]
    assert await desk.committers.close() == []


async def test_what_has_no_answer_by_the_end_is_handed_back() -> None:
    desk = Desk()
    await desk.open(1, 2)
    desk.committers.start()
    desk.store.away |= {LEFT, RIGHT}
    for room in (1, 2):
        desk.committers.submit(request(room, 2))
    await until(lambda: len(desk.news) == 2)
    assert {asked.room for asked in await desk.committers.close(drain_s=0)} == {1, 2}


async def test_a_bug_in_one_ends_the_task_that_is_watched() -> None:
    desk = Desk()
    await desk.open(1)
    task = desk.committers.start()
    desk.store.bug = ZeroDivisionError("planted")
    desk.committers.submit(request(1, 2))
    await asyncio.wait([task])
    with pytest.raises(ExceptionGroup):
        task.result()
    assert [asked.room for asked in await desk.committers.close()] == [1]


class TestOutages:
    def made(self, rooms: list[int]) -> tuple[Outages, Counters, set[int]]:
        counters, held = Counters(), set[int]()
        outages = Outages(primary_of, counters, rooms=lambda: rooms, hold=held.add, release=held.discard)
        return outages, counters, held

    def test_the_rooms_of_a_primary_stand_still_and_go_on_with_it(self) -> None:
        outages, counters, held = self.made([1, 2, 3])
        outages.began(RIGHT)
        assert (held, counters.primaries_away) == ({1, 3}, 1)
        outages.ended(RIGHT)
        assert (held, counters.primaries_away) == (set(), 0)

    def test_a_room_that_comes_meanwhile_stands_still_too(self) -> None:
        outages, _, held = self.made([])
        outages.began(RIGHT)
        for room in (4, 5):
            outages.arrived(room)
        assert held == {5}

    def test_a_room_that_moved_from_one_that_is_away_to_another_waits_for_both(self) -> None:
        where = {1: LEFT}
        held: set[int] = set()
        outages = Outages(lambda room: where[room], Counters(), rooms=lambda: [1], hold=held.add, release=held.discard)
        outages.began(LEFT)
        where[1] = RIGHT
        outages.began(RIGHT)
        outages.ended(LEFT)
        assert held == {1}
        outages.ended(RIGHT)
        assert held == set()
