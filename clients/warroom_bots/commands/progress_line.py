"""A line on a terminal that is updated while a command works; elsewhere, plain lines."""

from shutil import get_terminal_size
from typing import Final, TextIO

from warroom_games.words import printable

CLEAR: Final = "\r\x1b[K"


class ProgressLine:
    """Shows where the work is, below the lines that stay."""

    def __init__(self, stream: TextIO, *, silent: bool = False) -> None:
        self._stream = stream
        self._silent = silent
        self._is_terminal = stream.isatty()
        self._shown = ""

    def show(self, text: str, *, is_milestone: bool) -> None:
        """Show where the work is now; without a terminal only milestones become lines."""
        if self._is_terminal:
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
