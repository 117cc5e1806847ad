"""Progress of commands that know how much they have to do: a bar in a terminal, a line now and then in a log."""

import sys
from time import monotonic
from typing import Final

from warroom_bots.commands.progress_line import ProgressLine

BAR: Final = 24
REDRAW_S: Final = 0.1
LINE_EVERY_S: Final = 30.0
LINES: Final = 10
"""Lines in a log, if the command is quicker than one line in half a minute."""
_MINUTE_S: Final = 60
_HOUR_S: Final = 3600


class Progress:
    """Counts what is done of *total*; *done* is what an earlier run did."""

    def __init__(self, label: str, total: int, *, done: int = 0) -> None:
        self._label = label
        self._total = total
        self._done = self._before = self._shown = done
        self._began_s = self._shown_s = monotonic()
        self._line = ProgressLine(sys.stderr)
        self._is_terminal = sys.stderr.isatty()

    def step(self, note: str = "") -> None:
        """Count one more, and show it if it is time."""
        self._done += 1
        now_s = monotonic()
        if not self._is_due(now_s - self._shown_s):
            return
        self._shown_s, self._shown = now_s, self._done
        count = f"{self._done} of {self._total}{f', {note}' if note else ''}"
        text = f"{self._label} {self._bar(now_s)} {count}" if self._is_terminal else f"{self._label}: {count}"
        self._line.show(text, is_milestone=True)

    def close(self) -> None:
        """Remove the bar."""
        self._line.end()

    def _is_due(self, passed_s: float) -> bool:
        if self._done == self._total:
            return True
        if self._is_terminal:
            return passed_s >= REDRAW_S
        return passed_s >= LINE_EVERY_S or self._done * LINES // self._total > self._shown * LINES // self._total

    def _bar(self, now_s: float) -> str:
        full = BAR * self._done // self._total
        rest_s = (now_s - self._began_s) / (self._done - self._before) * (self._total - self._done)
        left = f" {_in_words(rest_s)} left," if self._done < self._total else ""
        return f"{'█' * full}{'░' * (BAR - full)}{left}"


def _in_words(seconds: float) -> str:
    whole = round(seconds)
    if whole < _MINUTE_S:
        return f"{whole} s"
    if whole < _HOUR_S:
        return f"{whole // _MINUTE_S}:{whole % _MINUTE_S:02} min"
    return f"{whole // _HOUR_S}:{whole % _HOUR_S // _MINUTE_S:02} h"
