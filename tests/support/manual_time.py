"""A clock and a heap of moments that move only when a test says so."""

import asyncio
from collections.abc import Callable
from heapq import heappop, heappush


class ManualTimer:
    """A moment that `ManualTime.advance` may reach."""

    def __init__(self, callback: Callable[[], object]) -> None:
        self.callback: Callable[[], object] | None = callback

    def cancel(self) -> None:
        """Never call it."""
        self.callback = None


class ManualTime:
    """`Clock` and `Timers` in one."""

    def __init__(self, now: int = 1_000_000) -> None:
        self._now = now
        self._heap: list[tuple[int, int, ManualTimer]] = []
        self._count = 0

    def now(self) -> int:
        """Return the time that was set."""
        return self._now

    def wall_ms(self) -> int:
        """Return the same time, as if it were of the wall."""
        return self._now

    def steady_ms(self) -> int:
        """Return the same time: here nothing stands still by itself."""
        return self._now

    def call_at(self, when: int, callback: Callable[[], object]) -> ManualTimer:
        """Call *callback* in the `advance` that reaches *when*."""
        timer = ManualTimer(callback)
        self._count += 1
        heappush(self._heap, (when, self._count, timer))
        return timer

    def call_after(self, delay_ms: int, callback: Callable[[], object]) -> ManualTimer:
        """Call *callback* in the `advance` that reaches the end of *delay_ms*."""
        return self.call_at(self._now + delay_ms, callback)

    def call_soon(self, callback: Callable[[], object]) -> object:
        """Call *callback* in the next turn of the running loop."""
        return asyncio.get_running_loop().call_soon(callback)

    @property
    def next_ms(self) -> int | None:
        """The first moment that somebody waits for."""
        while self._heap and self._heap[0][2].callback is None:
            heappop(self._heap)
        return self._heap[0][0] if self._heap else None

    def advance(self, delay_ms: int) -> None:
        """Let time pass, calling back in order what becomes due."""
        end = self._now + delay_ms
        while self._heap and self._heap[0][0] <= end:
            when, _, timer = heappop(self._heap)
            self._now = max(self._now, when)
            callback, timer.callback = timer.callback, None
            if callback is not None:
                callback()
        self._now = end
