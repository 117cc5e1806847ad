"""The bounded queue between the connection and a slow program."""

import asyncio

import pytest

from warroom_client.errors import ClientError
from warroom_client.event_queue import EventQueue
from warroom_client.events import Ended, Prompted, Said, Skipped, Updated

END = Ended((1, 2), "victory", "", "")


async def read_all(queue: EventQueue) -> list[object]:
    seen: list[object] = []
    while True:
        try:
            seen.append(await queue.get())
        except StopAsyncIteration:
            return seen


async def test_events_come_in_order_and_go_on_after_the_match() -> None:
    queue = EventQueue()
    for event in (Updated((1,)), Prompted(1, 0), END, Said("bob", "Bob", 1, "gg")):
        queue.put(event)
    queue.close()
    assert await read_all(queue) == [Updated((1,)), Prompted(1, 0), END, Said("bob", "Bob", 1, "gg")]


async def test_a_slow_reader_loses_the_oldest_events_and_gets_their_count() -> None:
    queue = EventQueue(limit=3)
    queue.put(Prompted(1, 0))
    for number in range(6):
        queue.put(Updated((number,)))
    queue.put(END)
    queue.close()
    assert await read_all(queue) == [Skipped(5), Prompted(1, 0), Updated((5,)), END]


async def test_only_the_latest_prompt_waits() -> None:
    queue = EventQueue(limit=2)
    for turn in range(100):
        queue.put(Prompted(turn, 0))
    queue.close()
    assert await read_all(queue) == [Prompted(99, 0)]


async def test_an_error_comes_after_what_was_queued() -> None:
    queue = EventQueue()
    queue.put(Updated())
    queue.close(ClientError("gone"))
    assert await queue.get() == Updated()
    with pytest.raises(ClientError, match="gone"):
        await queue.get()


async def test_a_cancelled_reader_loses_nothing() -> None:
    queue = EventQueue()
    reading = asyncio.create_task(queue.get())
    await asyncio.sleep(0)
    reading.cancel()
    with pytest.raises(asyncio.CancelledError):
        await reading
    queue.put(Updated((7,)))
    assert await queue.get() == Updated((7,))
