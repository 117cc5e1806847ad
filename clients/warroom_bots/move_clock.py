"""Interrupts a bot that thinks too long about one move, or a game whose rules do not come back.

Both run in the thread that they share with everything else.
"""

import signal
import threading
from types import FrameType, TracebackType
from typing import Any, Final, Self

TICK_S: Final = 0.25
"""The clock counts ticks, not seconds: while the process was stopped, so was everything in it."""
RULES_S: Final = 10.0
"""The longest that the rules may take from one move to the next; as long as a move, if that may take longer."""


class HungError(BaseException):
    """A bot or a game took too long. No `Exception`, because a bot may catch those."""


class MoveClock:
    """Raises `HungError` in a bot that thinks longer than *most_s* about one move; use it as a context manager.

    Between the moves of a match it watches the rules. Only the main thread can be interrupted, and only Python code;
    elsewhere, and without a limit, bots and games are trusted.
    """

    def __init__(self, most_s: float | None = None, *, rules_s: float = RULES_S) -> None:
        self._most_s = most_s
        self._rules_s = max(rules_s, most_s or 0.0)
        self._is_playing = False
        self._is_thinking = False
        self._ticks = 0
        self._previous: Any = None

    def __enter__(self) -> Self:
        if self.is_running:
            self._previous = signal.signal(signal.SIGALRM, self._tick)
            signal.setitimer(signal.ITIMER_REAL, TICK_S, TICK_S)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.is_running:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, self._previous)

    def watch_bot(self) -> None:
        """A bot begins to think."""
        self._ticks = 0
        self._is_thinking = True

    def watch_rules(self) -> None:
        """It has chosen: the rules go on."""
        self._ticks = 0
        self._is_thinking = False

    def begin(self) -> None:
        """A match begins, with the rules."""
        self._is_playing = True
        self.watch_rules()

    def end(self) -> None:
        """The match is over."""
        self._is_playing = False

    @property
    def is_running(self) -> bool:
        """Whether it can interrupt here."""
        return self._most_s is not None and threading.current_thread() is threading.main_thread()

    def _tick(self, number: int, frame: FrameType | None) -> None:
        self._ticks += 1
        most_s = self._most_s if self._is_thinking else self._rules_s
        if self._is_playing and most_s is not None and self._ticks * TICK_S > most_s:
            self._ticks = 0  # a bot that catches even this gets it again
            raise HungError(f"no {'move' if self._is_thinking else 'step'} within {most_s:g} s")
