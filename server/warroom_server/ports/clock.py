"""Clocks and timers."""

from collections.abc import Callable
from typing import Protocol


class Clock(Protocol):
    """The clocks of a node."""

    def now(self) -> int:
        """Return milliseconds of play: monotonic, and paused while the event loop stalls."""
        ...

    def wall_ms(self) -> int:
        """Return milliseconds since 1970, for people."""
        ...

    def steady_ms(self) -> int:
        """Return milliseconds that never pause, for leases and whatever other nodes wait for."""
        ...


class Timer(Protocol):
    """A scheduled call that can be cancelled."""

    def cancel(self) -> None:
        """Cancel the call; harmless after it happened."""
        ...


class Timers(Protocol):
    """The timers of a node, in one heap."""

    def call_at(self, when: int, callback: Callable[[], None]) -> Timer:
        """Call *callback* once `Clock.now()` has reached *when*."""
        ...
