"""The bounded queue between the connection and a slow program."""

import asyncio

import pytest

from warroom_client.errors import ClientError
from warroom_client.events import Ended, Prompted, Said, Skipped, Updated
from warroom_client.feed import Feed

END = Ended((1, 2), "victory", "", "")


async def read_all(feed: Feed) -> list[object]:
    seen: list[object] = []
    while True:
        try:
            seen.append(await feed.get())
        except StopAsyncIteration:
            return seen


async def test_events_come_in_order_and_go_on_after_the_match() -> None:
    feed = Feed()
    for event in (Updated((1,)), Prompted(1, 0), END, Said("bob", "Bob", 1, "gg")):
        feed.put(event)
    feed.close()
    assert await read_all(feed) == [Updated((1,)), Prompted(1, 0), END, Said("bob", "Bob", 1, "gg")]


async def test_a_slow_reader_loses_the_oldest_news_and_is_told_how_many() -> None:
    feed = Feed(limit=3)
    feed.put(Prompted(1, 0))
    for number in range(6):
        feed.put(Updated((number,)))
    feed.put(END)
    feed.close()
    assert await read_all(feed) == [Skipped(5), Prompted(1, 0), Updated((5,)), END]


async def test_only_the_latest_prompt_waits() -> None:
    feed = Feed(limit=2)
    for turn in range(100):
        feed.put(Prompted(turn, 0))
    feed.close()
    assert await read_all(feed) == [Prompted(99, 0)]


async def test_an_error_comes_after_what_was_queued() -> None:
    feed = Feed()
    feed.put(Updated())
    feed.close(ClientError("gone"))
    assert await feed.get() == Updated()
    with pytest.raises(ClientError, match="gone"):
        await feed.get()


async def test_a_cancelled_reader_loses_nothing() -> None:
    feed = Feed()
    reading = asyncio.create_task(feed.get())
    await asyncio.sleep(0)
    reading.cancel()
    with pytest.raises(asyncio.CancelledError):
        await reading
    feed.put(Updated((7,)))
    assert await feed.get() == Updated((7,))
