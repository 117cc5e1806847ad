"""Group commit: order, batches, outages, and an end that leaves nothing open."""

import asyncio
from collections.abc import Callable, Sequence

import pytest
from appends import complete, request
from wait_until import until

from warroom_server.adapters.memory.store import MemoryStore
from warroom_server.counters import Counters
from warroom_server.ports.store import Append, AppendAnswer, Committed, Fenced, UnavailableError
from warroom_server.storage.committer import Committer

PRIMARY = "primary"
OUTAGE = [PRIMARY, f"{PRIMARY} is back"]


class GatedStore:
    """A store in memory that answers a batch when the test lets it, and fails as often as it is told."""

    def __init__(self) -> None:
        self.memory = MemoryStore()
        self.batches: list[list[Append]] = []
        self.gate = asyncio.Event()
        self.gate.set()
        self.failures_before = 0
        self.failures_after = 0
        self.arrived = asyncio.Event()

    async def append(self, batch: Sequence[Append]) -> list[AppendAnswer]:
        self.batches.append(list(batch))
        self.arrived.set()
        await self.gate.wait()
        if self.failures_before:
            self.failures_before -= 1
            raise UnavailableError("cut before the append")
        answers = await self.memory.append(batch)
        if self.failures_after:
            self.failures_after -= 1
            raise UnavailableError("cut before the reply")
        return complete(answers)


class Desk:
    """A committer on a gated store, and everything it said."""

    def __init__(self, *, max_batch: int = 256) -> None:
        self.store = GatedStore()
        self.answers: list[tuple[int, int, AppendAnswer]] = []
        self.outages: list[str] = []
        self.follow_ups: list[Append] = []
        self.on_answer: Callable[[], None] = lambda: None
        self.on_back: Callable[[], None] = lambda: None
        self.committer = Committer(self.store, primary_of=lambda _: PRIMARY, counters=Counters(), max_batch=max_batch)
        self.committer.answered.append(self.answered)
        self.committer.away.append(self.outages.append)
        self.committer.back.append(self.back)

    def answered(self, asked: Append, answer: AppendAnswer) -> None:
        self.answers.append((asked.room, asked.rev, answer))
        if self.follow_ups:
            self.committer.submit(self.follow_ups.pop(0))
        self.on_answer()

    def back(self, primary: str) -> None:
        self.outages.append(f"{primary} is back")
        self.on_back()

    async def open_rooms(self, *rooms: int) -> None:
        for room in rooms:
            assert await self.store.memory.create(request(room, 1))
        self.task = self.committer.start()


async def test_answers_come_in_the_order_of_submission() -> None:
    desk = Desk()
    await desk.open_rooms(1, 2, 3)
    for asked in (request(3, 2), request(1, 2), request(2, 2, epoch=0)):
        desk.committer.submit(asked)
    assert await desk.committer.close() == []
    assert desk.answers == [(3, 2, Committed(2)), (1, 2, Committed(2)), (2, 2, Fenced())]


async def test_what_arrives_while_a_batch_is_in_flight_is_the_next_batch() -> None:
    desk = Desk()
    await desk.open_rooms(1, 2, 3)
    desk.store.gate.clear()
    desk.committer.submit(request(1, 2))
    await desk.store.arrived.wait()
    desk.committer.submit(request(2, 2))
    desk.committer.submit(request(3, 2))
    assert desk.committer.backlog == 3
    desk.store.gate.set()
    await desk.committer.close()
    assert [[asked.room for asked in batch] for batch in desk.store.batches] == [[1], [2, 3]]
    assert desk.committer.backlog == 0


async def test_an_idle_committer_wakes_for_the_next_entry() -> None:
    desk = Desk()
    await desk.open_rooms(1)
    for rev in (2, 3):
        desk.committer.submit(request(1, rev))
        await until(lambda: desk.committer.backlog == 0)
    assert desk.answers == [(1, 2, Committed(2)), (1, 3, Committed(3))]
    assert await desk.committer.close() == []


async def test_a_batch_is_never_larger_than_allowed() -> None:
    desk = Desk(max_batch=2)
    await desk.open_rooms(1, 2, 3, 4, 5)
    for room in range(1, 6):
        desk.committer.submit(request(room, 2))
    await desk.committer.close()
    assert [len(batch) for batch in desk.store.batches] == [2, 2, 1]
    assert [room for room, _, _ in desk.answers] == [1, 2, 3, 4, 5]


async def test_what_an_answer_submits_joins_the_next_batch_even_while_closing() -> None:
    desk = Desk()
    await desk.open_rooms(1, 2)
    desk.follow_ups = [request(1, 3), request(2, 3)]
    desk.committer.submit(request(1, 2))
    desk.committer.submit(request(2, 2))
    assert await desk.committer.close() == []
    assert [len(batch) for batch in desk.store.batches] == [2, 2]
    assert [answer for _, _, answer in desk.answers] == [Committed(rev) for rev in (2, 2, 3, 3)]


@pytest.mark.parametrize("lost", ["request", "reply"])
async def test_an_outage_is_told_once_and_the_same_batch_is_asked_again(lost: str) -> None:
    desk = Desk()
    await desk.open_rooms(1, 2)
    if lost == "request":
        desk.store.failures_before = 3
    else:
        desk.store.failures_after = 3
    desk.committer.submit(request(1, 2))
    desk.committer.submit(request(2, 2))
    assert await desk.committer.close() == []
    assert desk.answers == [(1, 2, Committed(2)), (2, 2, Committed(2))]
    assert desk.outages == OUTAGE
    assert desk.store.batches == [[request(1, 2), request(2, 2)]] * 4
    assert len(await desk.store.memory.log(1)) == 2


async def test_each_outage_is_told(caplog: pytest.LogCaptureFixture) -> None:
    desk = Desk()
    await desk.open_rooms(1)
    desk.store.failures_before = 1
    desk.follow_ups = [request(1, 3)]

    def fail_once_more() -> None:
        desk.store.failures_before = 1 if len(desk.outages) == 2 else 0

    desk.on_back = fail_once_more
    desk.committer.submit(request(1, 2))
    await desk.committer.close()
    assert desk.outages == OUTAGE * 2
    assert caplog.text.count("store back retries=1 ") == 2


async def test_close_gives_up_in_time_and_returns_what_has_no_answer() -> None:
    desk = Desk()
    await desk.open_rooms(1, 2)
    desk.store.gate.clear()
    desk.committer.submit(request(1, 2))
    await desk.store.arrived.wait()
    desk.committer.submit(request(2, 2))
    assert await desk.committer.close(drain_s=0.01) == [request(1, 2), request(2, 2)]
    desk.store.gate.set()
    assert desk.answers == []
    with pytest.raises(RuntimeError, match="room 1: the committer has stopped"):
        desk.committer.submit(request(1, 2))


async def test_a_committer_that_never_started_abandons_everything() -> None:
    desk = Desk()
    desk.committer.submit(request(1, 2))
    assert await desk.committer.close() == [request(1, 2)]


async def test_a_mistake_in_the_callback_ends_the_task() -> None:
    desk = Desk()
    await desk.open_rooms(1)

    def mistaken() -> None:
        raise ZeroDivisionError

    desk.on_answer = mistaken
    desk.committer.submit(request(1, 2))
    await asyncio.wait([desk.task])
    assert len(desk.answers) == 1
    with pytest.raises(RuntimeError, match="has stopped"):
        desk.committer.submit(request(1, 3))
    assert await desk.committer.close() == []
    failure = desk.task.exception()
    assert isinstance(failure, ExceptionGroup)
    assert isinstance(failure.exceptions[0], ZeroDivisionError)


LEFT, RIGHT = "left", "right"


def primary_of(room: int) -> str:
    """Tell even rooms from odd ones."""
    return RIGHT if room % 2 else LEFT


class HalvedStore:
    """A store of two halves, either of which may be away."""

    def __init__(self) -> None:
        self.memory = MemoryStore()
        self.away: set[str] = set()
        self.batches: list[list[int]] = []
        self.bug: Exception | None = None

    async def append(self, batch: Sequence[Append]) -> list[AppendAnswer]:
        """Append, unless one of the halves that are asked is away."""
        await asyncio.sleep(0)
        if self.bug is not None:
            raise self.bug
        if any(primary_of(asked.room) in self.away for asked in batch):
            raise UnavailableError("half of it is away")
        self.batches.append([asked.room for asked in batch])
        return complete(await self.memory.append(batch))


class HalvedDesk:
    """A committer over such a store, and what it said."""

    def __init__(self) -> None:
        self.store = HalvedStore()
        self.answers: dict[int, AppendAnswer] = {}
        self.news: list[tuple[str, str]] = []
        self.counters = Counters()
        self.committer = Committer(self.store, primary_of=primary_of, counters=self.counters)
        self.committer.answered.append(self._answered)
        self.committer.away.append(lambda primary: self.news.append(("away", primary)))
        self.committer.back.append(lambda primary: self.news.append(("back", primary)))

    def _answered(self, asked: Append, answer: AppendAnswer) -> None:
        self.answers[asked.room] = answer

    async def open(self, *rooms: int) -> None:
        for room in rooms:
            assert await self.store.memory.create(request(room, 1))


async def test_each_primary_gets_a_batch_of_its_own() -> None:
    desk = HalvedDesk()
    await desk.open(1, 2, 3, 4)
    desk.committer.start()
    for room in (1, 2, 3, 4):
        desk.committer.submit(request(room, 2))
    assert await desk.committer.close() == []
    assert sorted(desk.store.batches) == [[1, 3], [2, 4]]
    assert desk.answers == dict.fromkeys((1, 2, 3, 4), Committed(2))


async def test_what_was_submitted_before_the_start_is_not_forgotten() -> None:
    desk = HalvedDesk()
    await desk.open(1)
    desk.committer.submit(request(1, 2))
    assert desk.committer.backlog == 1
    desk.committer.start()
    await until(lambda: desk.answers == {1: Committed(2)})
    assert await desk.committer.close() == []


async def test_one_that_is_away_keeps_only_its_own_rooms_waiting() -> None:
    desk = HalvedDesk()
    await desk.open(1, 2)
    desk.committer.start()
    desk.store.away.add(LEFT)
    for room in (1, 2):
        desk.committer.submit(request(room, 2))
    await until(lambda: desk.answers == {1: Committed(2)} and desk.news == [("away", LEFT)])
    assert desk.committer.backlog == 1
    assert [desk.committer.is_away(room) for room in (1, 2, 4)] == [False, True, True]
    assert (desk.counters.primaries_away, desk.counters.batch_sizes.total) == (1, 1)
    desk.store.away.clear()
    await until(lambda: desk.answers == {1: Committed(2), 2: Committed(2)})
    assert desk.news == [("away", LEFT), ("back", LEFT)]
    assert not any(map(desk.committer.is_away, (1, 2, 4)))
    assert (desk.counters.primaries_away, sum(desk.counters.store_failures.values()) > 0) == (0, True)
    assert await desk.committer.close() == []


async def test_what_has_no_answer_by_the_end_is_handed_back() -> None:
    desk = HalvedDesk()
    await desk.open(1, 2)
    desk.committer.start()
    desk.store.away |= {LEFT, RIGHT}
    for room in (1, 2):
        desk.committer.submit(request(room, 2))
    await until(lambda: len(desk.news) == 2)
    assert {asked.room for asked in await desk.committer.close(drain_s=0)} == {1, 2}


async def test_a_bug_in_one_ends_the_task_that_is_watched() -> None:
    desk = HalvedDesk()
    await desk.open(1)
    task = desk.committer.start()
    desk.store.bug = ZeroDivisionError("planted")
    desk.committer.submit(request(1, 2))
    await asyncio.wait([task])
    with pytest.raises(ExceptionGroup):
        task.result()
    assert [asked.room for asked in await desk.committer.close()] == [1]


async def test_a_room_that_moved_to_another_primary_waits_for_that_one_alone() -> None:
    desk = HalvedDesk()
    where = {2: LEFT}
    committer = Committer(desk.store, primary_of=lambda room: where[room], counters=Counters())
    await desk.open(2)
    committer.start()
    desk.store.away.add(LEFT)
    committer.submit(request(2, 2))
    await until(lambda: committer.is_away(2))
    where[2] = RIGHT
    assert not committer.is_away(2)
    assert [asked.room for asked in await committer.close(drain_s=0)] == [2]


async def test_who_stops_waiting_for_the_last_answers_harms_nobody() -> None:
    desk = Desk()
    await desk.open_rooms(1, 2)
    desk.store.gate.clear()
    desk.committer.submit(request(1, 2))
    with pytest.raises(TimeoutError):
        await asyncio.wait_for(desk.committer.settled(), 0.01)
    desk.store.gate.set()
    await desk.committer.settled()
    desk.committer.submit(request(2, 2))
    assert await desk.committer.close() == []
    assert desk.answers == [(1, 2, Committed(2)), (2, 2, Committed(2))]
