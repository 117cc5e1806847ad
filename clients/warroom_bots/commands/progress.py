"""Progress of long commands on standard error: a bar in a terminal, a line now and then in a log."""

import sys
from time import monotonic
from typing import Final

BAR: Final = 24
REDRAW_S: Final = 0.1
LINE_EVERY_S: Final = 30.0
LINES: Final = 10
"""Lines in a log, if the command is quicker than one line in half a minute."""
_MINUTE_S: Final = 60
_HOUR_S: Final = 3600


class Progress:
    """Counts what is done of *total*; what an earlier run did is in *done*."""

    def __init__(self, label: str, total: int, *, done: int = 0) -> None:
        self._label = label
        self._total = total
        self._done = self._before = done
        self._began_s = monotonic()
        self._shown_s = float("-inf")
        self._shown = done
        self._is_terminal = sys.stderr.isatty()

    def step(self, note: str = "") -> None:
        """Count one more, and show it if it is time."""
        self._done += 1
        now_s = monotonic()
        if self._is_terminal:
            if now_s - self._shown_s >= REDRAW_S or self._done == self._total:
                self._shown_s = now_s
                self._write(f"\r{self._bar(now_s)}{f'  {note}' if note else ''}\x1b[K")
            return
        is_tenth = (self._done * LINES) // self._total > (self._shown * LINES) // self._total
        if is_tenth or now_s - max(self._shown_s, self._began_s) >= LINE_EVERY_S:
            self._shown_s, self._shown = now_s, self._done
            self._write(f"{self._label}: {self._done} of {self._total}{f', {note}' if note else ''}\n")

    def close(self) -> None:
        """Remove the bar."""
        if self._is_terminal:
            self._write("\r\x1b[K")

    def _bar(self, now_s: float) -> str:
        full = BAR * self._done // self._total
        rest_s = (now_s - self._began_s) / (self._done - self._before) * (self._total - self._done)
        left = f", {_clock(rest_s)} left" if self._done < self._total else ""
        return f"{self._label} {'█' * full}{'░' * (BAR - full)} {self._done}/{self._total}{left}"

    def _write(self, text: str) -> None:
        sys.stderr.write(text)
        sys.stderr.flush()


def _clock(seconds: float) -> str:
    whole = round(seconds)
    if whole < _MINUTE_S:
        return f"{whole} s"
    if whole < _HOUR_S:
        return f"{whole // _MINUTE_S}:{whole % _MINUTE_S:02} min"
    return f"{whole // _HOUR_S}:{whole % _HOUR_S // _MINUTE_S:02} h"
