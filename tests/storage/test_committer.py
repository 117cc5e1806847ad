"""Group commit: order, batches, outages, and an end that leaves nothing open."""

import asyncio
from collections.abc import Callable, Sequence

import pytest
from appends import request
from wait_until import until

from warroom_server.adapters.memory.store import MemoryStore
from warroom_server.ports.store import AppendAnswer, AppendRequest, Behind, Fenced, UnavailableError, Yes
from warroom_server.storage.committer import Committer


class GatedStore:
    """A store in memory that answers a batch when the test lets it, and fails as often as it is told."""

    def __init__(self) -> None:
        self.memory = MemoryStore()
        self.batches: list[list[AppendRequest]] = []
        self.gate = asyncio.Event()
        self.gate.set()
        self.failures_before = 0
        self.failures_after = 0
        self.arrived = asyncio.Event()

    async def append(self, batch: Sequence[AppendRequest]) -> list[AppendAnswer]:
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
        return answers


class Desk:
    """A committer on a gated store, and everything it said."""

    def __init__(self, *, max_batch: int = 256) -> None:
        self.store = GatedStore()
        self.answers: list[tuple[int, int, AppendAnswer]] = []
        self.outages: list[str] = []
        self.follow_ups: list[AppendRequest] = []
        self.on_answer: Callable[[], None] = lambda: None
        self.on_back: Callable[[], None] = lambda: None
        self.committer = Committer(
            self.store, self.answered, on_away=self.outages.append, on_back=self.back, max_batch=max_batch
        )

    def answered(self, asked: AppendRequest, answer: AppendAnswer) -> None:
        self.answers.append((asked.room, asked.rev, answer))
        if self.follow_ups:
            self.committer.submit(self.follow_ups.pop(0))
        self.on_answer()

    def back(self) -> None:
        self.outages.append("back")
        self.on_back()

    async def open_rooms(self, *rooms: int) -> None:
        for room in rooms:
            assert await self.store.memory.create(request(room, 1))
        self.task = self.committer.start()


async def test_answers_come_in_the_order_of_submission() -> None:
    desk = Desk()
    await desk.open_rooms(1, 2, 3)
    for asked in (request(3, 2), request(1, 2), request(2, 9), request(2, 2, epoch=0)):
        desk.committer.submit(asked)
    assert await desk.committer.close() == []
    assert desk.answers == [(3, 2, Yes()), (1, 2, Yes()), (2, 9, Behind(1)), (2, 2, Fenced())]


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
    assert desk.answers == [(1, 2, Yes()), (1, 3, Yes())]
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
    assert [answer for _, _, answer in desk.answers] == [Yes()] * 4


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
    assert desk.answers == [(1, 2, Yes()), (2, 2, Yes())]
    assert len(desk.outages) == 2
    assert desk.outages[0].startswith("cut before")
    assert desk.outages[1] == "back"
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
    assert desk.outages == ["cut before the append", "back"] * 2
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
    await until(lambda: len(desk.answers) == 1)
    with pytest.raises(RuntimeError, match="has stopped"):
        desk.committer.submit(request(1, 3))
    assert await desk.committer.close() == []
    assert isinstance(desk.task.exception(), ZeroDivisionError)


async def test_starting_twice_is_a_mistake() -> None:
    desk = Desk()
    await desk.open_rooms(1)
    with pytest.raises(RuntimeError, match="started before"):
        desk.committer.start()
    await desk.committer.close()


async def test_a_batch_of_nothing_is_a_mistake() -> None:
    with pytest.raises(ValueError, match="max_batch is 0"):
        Desk(max_batch=0)
