"""One heap of timers for the whole node, driven by a single timer of the loop."""

import asyncio
from collections.abc import Callable
from heapq import heapify, heappop, heappush

from msgspec import Struct

from warroom_server.ports.time import Clock

PER_TURN = 64
"""Callbacks per turn of the loop; the others wait for the next turn, after a poll of the sockets."""

COMPACT_ABOVE = 64
"""Cancelled entries that the heap may always hold."""

_NUMBER_BITS = 64
"""The low bits of a key: the number of its timer. The higher ones are its time."""


class HeapTimer(Struct, order=True, gc=False):
    """One timer of a heap. There are many, so the garbage collector does not look at them."""

    key: int
    """Its time and its number in one integer, which takes less memory than both; no two are equal."""
    callback: Callable[[], object] | None
    """None once it was called or cancelled: then nothing leads from here back to who holds the timer."""
    heap: "TimerHeap"

    def cancel(self) -> None:
        """Cancel the callback, unless it was called."""
        if self.callback is not None:
            self.callback = None
            self.heap.cancelled()


class TimerHeap:
    """Calls back once the node's clock has reached a time: never before, in order of time and then of asking.

    The clock may stand still and the loop may wake early, so the loop's timer is only a reason to look at the clock.
    An exception of a callback reaches the loop's exception handler and delays no other callback.
    """

    def __init__(self, clock: Clock, loop: asyncio.AbstractEventLoop | None = None) -> None:
        self._clock = clock
        self._loop = loop or asyncio.get_running_loop()
        self._heap: list[HeapTimer] = []
        """All timers that were not called, cancelled ones included."""
        self._cancelled = 0
        """How many of them were cancelled."""
        self._count = 0
        self._wake: asyncio.Handle | None = None
        self._wake_at = 0
        self._is_running = False

    def __len__(self) -> int:
        return len(self._heap) - self._cancelled

    @property
    def size(self) -> int:
        """How many entries the heap holds, cancelled ones included."""
        return len(self._heap)

    def call_at(self, when: int, callback: Callable[[], object]) -> HeapTimer:
        """Call *callback* once `Clock.now()` has reached *when*, in a later turn of the loop."""
        self._count += 1
        timer = HeapTimer(when << _NUMBER_BITS | self._count, callback, self)
        heappush(self._heap, timer)
        if not self._is_running and (self._wake is None or when < self._wake_at):
            self._arm()
        return timer

    def call_after(self, delay_ms: int, callback: Callable[[], object]) -> HeapTimer:
        """Call *callback* once *delay_ms* milliseconds of play have passed."""
        return self.call_at(self._clock.now() + delay_ms, callback)

    def call_soon(self, callback: Callable[[], object]) -> asyncio.Handle:
        """Call *callback* in the loop's next turn, after a poll of the sockets."""
        return self._loop.call_soon(callback)

    def close(self) -> None:
        """Remove all timers."""
        for timer in self._heap:
            timer.callback = None
        self._heap.clear()
        self._cancelled = 0
        self._disarm()

    def cancelled(self) -> None:
        """Count a timer that was cancelled; remove all of these when there are many."""
        self._cancelled += 1
        if self._cancelled > len(self) // 4 + COMPACT_ABOVE:
            self._heap = [timer for timer in self._heap if timer.callback is not None]
            heapify(self._heap)
            self._cancelled = 0

    def _arm(self) -> None:
        self._disarm()
        if not self._heap:
            return
        self._wake_at = self._heap[0].key >> _NUMBER_BITS
        delay_ms = max(self._wake_at - self._clock.now(), 0)
        self._wake = self._loop.call_later(delay_ms / 1000, self._run)

    def _disarm(self) -> None:
        if self._wake is not None:
            self._wake.cancel()
            self._wake = None

    def _run(self) -> None:
        self._wake = None
        self._is_running = True
        now = self._clock.now()
        try:
            for _ in range(PER_TURN):
                if not self._heap or self._heap[0].key >> _NUMBER_BITS > now:
                    break
                timer = heappop(self._heap)
                callback, timer.callback = timer.callback, None
                if callback is None:
                    self._cancelled -= 1
                else:
                    callback()
        finally:
            self._is_running = False
            self._arm()
