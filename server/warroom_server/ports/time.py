"""Clocks and timers."""

from collections.abc import Callable
from typing import Protocol


class Clock(Protocol):
    """The clocks of a node."""

    def now(self) -> int:
        """Return milliseconds of play: monotonic, and paused while the event loop stalls."""

    def wall_ms(self) -> int:
        """Return milliseconds since 1970, for people."""

    def steady_ms(self) -> int:
        """Return milliseconds that never pause, for leases and whatever other nodes wait for."""


class Timer(Protocol):
    """A scheduled call that can be cancelled."""

    def cancel(self) -> None:
        """Cancel the call; harmless after it happened."""


class Timers(Protocol):
    """The timers of a node, in one heap."""

    def call_at(self, when: int, callback: Callable[[], object]) -> Timer:
        """Call *callback* once `Clock.now()` has reached *when*."""

    def call_after(self, delay_ms: int, callback: Callable[[], object]) -> Timer:
        """Call *callback* once *delay_ms* milliseconds of play have passed."""

    def call_soon(self, callback: Callable[[], object]) -> object:
        """Call *callback* in the loop's next turn, after a poll of the sockets."""
