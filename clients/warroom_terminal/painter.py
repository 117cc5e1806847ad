"""Draws lines on a terminal in place, or prints them block by block elsewhere."""

import os
from collections.abc import Sequence
from types import TracebackType
from typing import Final, Protocol, Self, TextIO

from warroom_games.words import printable

ENTER: Final = "\x1b[?1049h\x1b[?25l\x1b[?7l"
"""Switch to the alternate screen, hide the cursor, and cut long lines instead of wrapping them."""
LEAVE: Final = "\x1b[?7h\x1b[?25h\x1b[?1049l"
HOME: Final = "\x1b[H"
CLEAR_LINE: Final = "\x1b[K"
CLEAR_BELOW: Final = "\x1b[J"
FALLBACK_SIZE: Final = os.terminal_size((100, 40))


class Painter(Protocol):
    """The output for scenes. Use it as a context manager to restore the terminal afterwards."""

    ticks: bool
    """Whether to repaint when only time has passed."""

    @property
    def rows(self) -> int | None:
        """Number of visible lines; None if unlimited."""
        ...

    @property
    def columns(self) -> int | None:
        """Characters per line; None if unlimited."""
        ...

    def __enter__(self) -> Self:
        """Take over the terminal."""
        ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Restore the terminal and leave the last scene on it."""
        ...

    def paint(self, lines: Sequence[str]) -> None:
        """Show a scene."""
        ...


class ScreenPainter:
    """Redraws the screen of a terminal."""

    ticks = True

    def __init__(self, out: TextIO) -> None:
        self._out = out
        self._last: Sequence[str] = ()

    def __enter__(self) -> Self:
        self._out.write(ENTER)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._out.write(LEAVE)
        size = self._size()
        # Leave the last row to the shell.
        for line in self._last[: size.lines - 1]:
            self._out.write(f"{printable(line)[: size.columns]}\n")
        self._out.flush()

    @property
    def rows(self) -> int:
        """Current number of lines."""
        return self._size().lines

    @property
    def columns(self) -> int:
        """Current characters per line."""
        return self._size().columns

    def paint(self, lines: Sequence[str]) -> None:
        """Overwrite each line in place; cut what does not fit."""
        self._last = lines
        size = self._size()
        shown = [printable(line)[: size.columns] for line in lines[: size.lines]]
        # Clearing after a line that fills its row would erase its last character.
        below = f"\n{CLEAR_BELOW}" if len(shown) < size.lines else ""
        self._out.write(HOME + "\n".join(CLEAR_LINE + line for line in shown) + below)
        self._out.flush()

    def _size(self) -> os.terminal_size:
        try:
            size = os.get_terminal_size(self._out.fileno())
        except OSError:
            return FALLBACK_SIZE
        # A terminal of unknown size reports 0.
        return size if size.columns and size.lines else FALLBACK_SIZE


class BlockPainter:
    """Prints one block per scene, for files and pipes."""

    ticks = False
    rows = None
    columns = None

    def __init__(self, out: TextIO) -> None:
        self._out = out

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._out.flush()

    def paint(self, lines: Sequence[str]) -> None:
        """Print the lines and an empty one."""
        self._out.write("\n".join([*map(printable, lines), "", ""]))
        self._out.flush()


def painter_for(out: TextIO) -> Painter:
    """Return the painter that fits an output."""
    return ScreenPainter(out) if out.isatty() else BlockPainter(out)
