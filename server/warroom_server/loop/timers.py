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


class HeapTimer(Struct, frozen=True, gc=False):
    """One timer of a heap. There are many, so the garbage collector does not look at them."""

    heap: "TimerHeap"
    key: int

    def cancel(self) -> None:
        """Cancel the callback, unless it was called."""
        self.heap.cancel(self.key)


class TimerHeap:
    """Calls back once the node's clock has reached a time: never before, in order of time and then of asking.

    The clock may stand still and the loop may wake early, so the loop's timer is only a reason to look at the clock.
    An exception of a callback reaches the loop's exception handler and delays no other callback.

    The key of a timer is its time and its number in one integer, which takes less memory than a tuple of both: each
    connection has a timer. Keys are in the order in which the timers are due.
    """

    def __init__(self, clock: Clock, loop: asyncio.AbstractEventLoop | None = None) -> None:
        self._clock = clock
        self._loop = loop or asyncio.get_running_loop()
        self._heap: list[int] = []
        """The keys of all timers, cancelled ones included."""
        self._callbacks: dict[int, Callable[[], object]] = {}
        """By key, the callbacks that were neither called nor cancelled."""
        self._count = 0
        self._wake: asyncio.Handle | None = None
        self._wake_at = 0
        self._is_running = False

    def __len__(self) -> int:
        return len(self._callbacks)

    @property
    def size(self) -> int:
        """How many entries the heap holds, cancelled ones included."""
        return len(self._heap)

    def call_at(self, when: int, callback: Callable[[], object]) -> HeapTimer:
        """Call *callback* once `Clock.now()` has reached *when*, in a later turn of the loop."""
        self._count += 1
        key = when << _NUMBER_BITS | self._count
        self._callbacks[key] = callback
        heappush(self._heap, key)
        if not self._is_running and (self._wake is None or when < self._wake_at):
            self._arm()
        return HeapTimer(self, key)

    def call_after(self, delay_ms: int, callback: Callable[[], object]) -> HeapTimer:
        """Call *callback* once *delay_ms* milliseconds of play have passed."""
        return self.call_at(self._clock.now() + delay_ms, callback)

    def call_soon(self, callback: Callable[[], object]) -> asyncio.Handle:
        """Call *callback* in the loop's next turn, after a poll of the sockets."""
        return self._loop.call_soon(callback)

    def close(self) -> None:
        """Remove all timers."""
        self._heap.clear()
        self._callbacks.clear()
        self._disarm()

    def cancel(self, key: int) -> None:
        """Cancel a timer, if it is pending; remove cancelled entries when they are the majority."""
        self._callbacks.pop(key, None)
        if len(self._heap) > 2 * len(self._callbacks) + COMPACT_ABOVE:
            self._heap = [each for each in self._heap if each in self._callbacks]
            heapify(self._heap)

    def _arm(self) -> None:
        self._disarm()
        if not self._heap:
            return
        self._wake_at = self._heap[0] >> _NUMBER_BITS
        delay_ms = self._wake_at - self._clock.now()
        if delay_ms > 0:
            self._wake = self._loop.call_later(delay_ms / 1000, self._run)
        else:
            self._wake = self._loop.call_soon(self._run)

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
                if not self._heap or self._heap[0] >> _NUMBER_BITS > now:
                    break
                callback = self._callbacks.pop(heappop(self._heap), None)
                if callback is not None:
                    callback()
        finally:
            self._is_running = False
            self._arm()
