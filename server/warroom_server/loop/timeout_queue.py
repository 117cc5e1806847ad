"""Items that time out in the order in which they began: one timer serves all of them."""

from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from warroom_server.ports.time import Clock, Timers

T = TypeVar("T")


@dataclass(eq=False)
class TimeoutQueue(Generic[T]):
    """Calls *expire* with each item that is still pending *delay_ms* after it was added. Others are dropped early."""

    _delay_ms: int
    _clock: Clock
    _timers: Timers
    _is_pending: Callable[[T], bool]
    _expire: Callable[[T], None]

    def __post_init__(self) -> None:
        self._items: deque[tuple[int, T]] = deque()
        self._is_armed = False

    def add(self, item: T) -> None:
        """Add an item, if it is pending."""
        while self._items and not self._is_pending(self._items[0][1]):
            self._items.popleft()
        if self._is_pending(item):
            self._items.append((self._clock.now() + self._delay_ms, item))
            self._arm()

    def _arm(self) -> None:
        if self._items and not self._is_armed:
            self._is_armed = True
            self._timers.call_at(self._items[0][0], self._run)

    def _run(self) -> None:
        self._is_armed = False
        while self._items and self._items[0][0] <= self._clock.now():
            _, item = self._items.popleft()
            if self._is_pending(item):
                self._expire(item)
        self._arm()
