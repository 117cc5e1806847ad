"""One heap of moments: exact, in order, fair, and cheap to cancel."""

import asyncio
import logging
from collections.abc import Iterator
from functools import partial

import pytest
from wait_until import until

from warroom_server.adapters.play_clock import PlayClock
from warroom_server.loop.timers import COMPACT_ABOVE, PER_TURN, TimerHeap


class SetClock:
    """A clock that a test sets."""

    def __init__(self) -> None:
        self.at = 1_000

    def now(self) -> int:
        return self.at

    def wall_ms(self) -> int:
        return self.at

    def steady_ms(self) -> int:
        return self.at


@pytest.fixture
def clock() -> SetClock:
    return SetClock()


@pytest.fixture
async def timers(clock: SetClock) -> TimerHeap:
    return TimerHeap(clock)


async def turn(times: int = 1) -> None:
    """Let the loop turn."""
    for _ in range(times):
        await asyncio.sleep(0)


class TestMoments:
    async def test_a_moment_that_has_passed_comes_in_the_next_turn(self, clock: SetClock, timers: TimerHeap) -> None:
        seen: list[str] = []
        timers.call_at(clock.at - 5, lambda: seen.append("past"))
        assert seen == []
        await turn(2)
        assert seen == ["past"]
        assert len(timers) == 0

    async def test_moments_come_in_order_of_time_and_then_of_asking(self, clock: SetClock, timers: TimerHeap) -> None:
        seen: list[str] = []
        for when, name in ((3, "d"), (1, "a"), (2, "b"), (2, "c")):
            timers.call_at(clock.at + when, partial(seen.append, name))
        clock.at += 3
        await until(lambda: seen == ["a", "b", "c", "d"])

    async def test_nothing_comes_before_its_time_by_the_clock(self) -> None:
        clock = PlayClock()
        clock.start()
        timers = TimerHeap(clock)
        early: list[int] = []
        left = set(range(200))

        def note(number: int, when: int) -> None:
            left.discard(number)
            if clock.now() < when:
                early.append(number)

        for number in range(200):
            when = clock.now() + 1 + number % 20
            timers.call_at(when, partial(note, number, when))
        await until(lambda: not left)
        clock.stop()
        assert early == []

    async def test_a_clock_that_stands_still_holds_everything_back(self, clock: SetClock, timers: TimerHeap) -> None:
        seen: list[int] = []
        timers.call_at(clock.at + 2, lambda: seen.append(clock.at))
        reached = asyncio.get_running_loop().create_future()
        asyncio.get_running_loop().call_later(0.02, reached.set_result, None)
        await reached
        assert seen == []
        clock.at += 2
        await until(lambda: seen == [clock.at])

    async def test_an_earlier_moment_overtakes(self, clock: SetClock, timers: TimerHeap) -> None:
        seen: list[str] = []
        timers.call_at(clock.at + 60_000, lambda: seen.append("late"))
        timers.call_at(clock.at, lambda: seen.append("now"))
        await until(lambda: seen == ["now"])
        assert len(timers) == 1


class TestCancelling:
    async def test_a_cancelled_moment_never_comes(self, clock: SetClock, timers: TimerHeap) -> None:
        seen: list[str] = []
        first = timers.call_at(clock.at, lambda: seen.append("first"))
        timers.call_at(clock.at, lambda: seen.append("second"))
        first.cancel()
        first.cancel()
        assert len(timers) == 1
        await until(lambda: seen == ["second"])
        assert timers.size == 0

    async def test_a_moment_may_be_cancelled_by_the_one_before(self, clock: SetClock, timers: TimerHeap) -> None:
        seen: list[str] = []
        timers.call_at(clock.at, lambda: second.cancel())
        second = timers.call_at(clock.at, lambda: seen.append("second"))
        timers.call_at(clock.at, lambda: seen.append("third"))
        await until(lambda: seen == ["third"])

    async def test_cancelling_after_the_call_is_harmless(self, clock: SetClock, timers: TimerHeap) -> None:
        timer = timers.call_at(clock.at, lambda: None)
        await until(lambda: len(timers) == 0)
        timer.cancel()
        assert (len(timers), timers.size) == (0, 0)

    async def test_the_heap_does_not_fill_with_cancelled_moments(self, clock: SetClock, timers: TimerHeap) -> None:
        kept = [timers.call_at(clock.at + 10_000 + number, lambda: None) for number in range(100)]
        for _ in range(10_000):
            timers.call_at(clock.at + 60_000, lambda: None).cancel()
            assert timers.size <= 2 * len(kept) + COMPACT_ABOVE
        assert len(timers) == 100
        for timer in kept:
            timer.cancel()
        assert len(timers) == 0

    async def test_closing_forgets_everything(self, clock: SetClock, timers: TimerHeap) -> None:
        seen: list[str] = []
        timer = timers.call_at(clock.at, lambda: seen.append("never"))
        timers.close()
        await turn(3)
        timer.cancel()
        assert (seen, len(timers)) == ([], 0)


@pytest.fixture
def quiet(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """Keep the traceback of a planted bug out of the output."""
    with caplog.at_level(logging.CRITICAL, logger="asyncio"):
        yield


class TestFairness:
    async def test_many_due_moments_are_spread_over_turns_of_the_loop(self, clock: SetClock, timers: TimerHeap) -> None:
        seen: list[int] = []
        for number in range(10 * PER_TURN):
            timers.call_at(clock.at, partial(seen.append, number))
        grown = 0
        while len(seen) < 10 * PER_TURN:
            before = len(seen)
            await turn()
            assert len(seen) - before <= PER_TURN
            grown += len(seen) > before
        assert seen == sorted(seen)
        assert grown == 10

    async def test_a_moment_that_asks_for_itself_again_lets_the_loop_turn(
        self, clock: SetClock, timers: TimerHeap
    ) -> None:
        calls: list[int] = []

        def again() -> None:
            calls.append(len(calls))
            timers.call_at(clock.at, again)

        timers.call_at(clock.at, again)
        await turn(3)
        assert 0 < len(calls) <= 3 * PER_TURN
        timers.close()

    @pytest.mark.usefixtures("quiet")
    async def test_a_bug_in_one_callback_delays_no_other(self, clock: SetClock, timers: TimerHeap) -> None:
        seen: list[str] = []

        def stumble() -> None:
            raise RuntimeError("planted")

        timers.call_at(clock.at, stumble)
        timers.call_at(clock.at, lambda: seen.append("fine"))
        await until(lambda: seen == ["fine"])
