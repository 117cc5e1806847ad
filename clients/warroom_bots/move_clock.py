"""Interrupts a bot that thinks too long about one move, in the thread that it shares with everything else."""

import signal
import threading
from types import FrameType, TracebackType
from typing import Any, Final, Self

TICK_S: Final = 0.25
"""The clock counts ticks, not seconds: while the process was stopped, so were its bots."""


class HungError(BaseException):
    """A bot thought too long. No `Exception`, because a bot may catch those."""


class MoveClock:
    """Raises `HungError` in a bot that thinks longer than *most_s* about one move; use it as a context manager.

    Only the main thread can be interrupted, and only Python code; elsewhere, and without a limit, bots are trusted.
    """

    def __init__(self, most_s: float | None = None) -> None:
        self.most_s = most_s
        self._is_thinking = False
        self._ticks = 0
        self._previous: Any = None

    def __enter__(self) -> Self:
        if self._is_running():
            self._previous = signal.signal(signal.SIGALRM, self._tick)
            signal.setitimer(signal.ITIMER_REAL, TICK_S, TICK_S)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._is_running():
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, self._previous)

    def begin(self) -> None:
        """A bot begins to think."""
        self._ticks = 0
        self._is_thinking = True

    def end(self) -> None:
        """It has chosen."""
        self._is_thinking = False

    def _is_running(self) -> bool:
        return self.most_s is not None and threading.current_thread() is threading.main_thread()

    def _tick(self, number: int, frame: FrameType | None) -> None:
        self._ticks += 1
        if self._is_thinking and self.most_s is not None and self._ticks * TICK_S > self.most_s:
            self._ticks = 0  # a bot that catches even this gets it again
            raise HungError(f"no move within {self.most_s:g} s")
