"""Where time comes from, and who is called when it has passed."""

from collections.abc import Callable
from typing import Protocol


class Clock(Protocol):
    """Where time comes from."""

    def now(self) -> int:
        """Return milliseconds of play: monotonic, and standing still over stalls of the loop."""
        ...

    def wall_ms(self) -> int:
        """Return milliseconds since 1970, for people."""
        ...

    def steady_ms(self) -> int:
        """Return milliseconds that go on whatever happens to this process, for what others wait for."""
        ...


class Timer(Protocol):
    """Something that will be called unless it is cancelled first."""

    def cancel(self) -> None:
        """Never call it; harmless when it already was."""
        ...


class Timers(Protocol):
    """The node's one heap of moments."""

    def call_at(self, when: int, callback: Callable[[], object]) -> Timer:
        """Call *callback* once `Clock.now()` has reached *when*."""
        ...

    def call_after(self, delay_ms: int, callback: Callable[[], object]) -> Timer:
        """Call *callback* once *delay_ms* milliseconds of play have passed."""
        ...

    def call_soon(self, callback: Callable[[], object]) -> object:
        """Call *callback* in the loop's next turn, after a poll of the sockets."""
        ...
