"""A loop that never waits: when nothing is left to do, its clock goes on to the next moment that somebody waits for.

So a test knows how long something takes, to the millisecond and however busy the machine is, and waits for none of it.
"""

import asyncio
from math import ceil
from selectors import DefaultSelector, SelectorKey

from manual_time import ManualTime

_EPSILON_MS = 1e-6


class ManualLoop(asyncio.SelectorEventLoop):
    """A loop whose time is a `ManualTime`, which parts that ask no loop may have as their clock."""

    def __init__(self) -> None:
        self.manual = ManualTime()
        super().__init__(_Selector(self.manual))

    def time(self) -> float:
        """Return the time that has come."""
        return self.manual.now() / 1000


class _Selector(DefaultSelector):
    def __init__(self, time: ManualTime) -> None:
        super().__init__()
        self._time = time

    def select(self, timeout: float | None = None) -> list[tuple[SelectorKey, int]]:
        """Return what can be read or written; if there is nothing, let time pass instead of waiting."""
        next_ms = self._time.next_ms
        waits_ms = [] if next_ms is None else [next_ms - self._time.now()]
        if timeout is not None:
            waits_ms.append(ceil(1000 * timeout - _EPSILON_MS))
        ready = super().select(0 if waits_ms else None)
        if not ready and waits_ms:
            self._time.advance(max(min(waits_ms), 0))
        return ready
