"""Progress of commands: a line in a terminal that is updated while they work; elsewhere, a plain line now and then."""

import sys
from shutil import get_terminal_size
from time import monotonic
from typing import Final, TextIO

from warroom_games.words import printable

CLEAR: Final = "\r\x1b[K"

BAR: Final = 24
REDRAW_S: Final = 0.1
LINE_EVERY_S: Final = 30.0
LINES: Final = 10
"""Lines in a log, if the command is quicker than one line in half a minute."""
_MINUTE_S: Final = 60
_HOUR_S: Final = 3600


class ProgressLine:
    """Shows where the work is, below the lines that stay."""

    def __init__(self, stream: TextIO, *, silent: bool = False) -> None:
        self._stream = stream
        self._silent = silent
        self.is_terminal = stream.isatty()
        """Whether the line is updated; elsewhere each milestone is a line of its own."""
        self._shown = ""

    def show(self, text: str, *, is_milestone: bool) -> None:
        """Show where the work is now; without a terminal only milestones become lines."""
        if self.is_terminal:
            self._shown = printable(text)[: get_terminal_size().columns - 1]
            self._write(f"{CLEAR}{self._shown}")
        elif is_milestone:
            self.say(text)

    def say(self, line: str) -> None:
        """Print a line that stays."""
        clear, shown = (CLEAR, self._shown) if self._shown else ("", "")
        self._write(f"{clear}{printable(line)}\n{shown}")

    def end(self) -> None:
        """Remove the line."""
        if self._shown:
            self._shown = ""
            self._write(CLEAR)

    def _write(self, text: str) -> None:
        if not self._silent:
            self._stream.write(text)
            self._stream.flush()


class Progress:
    """Shows a bar of what is done of *total*; *done* is what an earlier run did."""

    def __init__(self, label: str, total: int, *, done: int = 0) -> None:
        self._label = label
        self._total = total
        self._done = self._before = self._shown = done
        self._began_s = self._shown_s = monotonic()
        self._line = ProgressLine(sys.stderr)

    def step(self, note: str = "") -> None:
        """Count one more, and show it if it is time."""
        self._done += 1
        now_s = monotonic()
        if not self._is_due(now_s - self._shown_s):
            return
        self._shown_s, self._shown = now_s, self._done
        count = f"{self._done} of {self._total}{f', {note}' if note else ''}"
        text = f"{self._label} {self._bar(now_s)} {count}" if self._line.is_terminal else f"{self._label}: {count}"
        self._line.show(text, is_milestone=True)

    def close(self) -> None:
        """Remove the bar."""
        self._line.end()

    def _is_due(self, passed_s: float) -> bool:
        if self._done == self._total:
            return True
        if self._line.is_terminal:
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
