"""Puts lines on a terminal: redrawn in place where that is possible, one block after the other elsewhere."""

import os
from collections.abc import Sequence
from types import TracebackType
from typing import Final, Protocol, Self, TextIO

from warroom_games.words import printable

ENTER: Final = "\x1b[?1049h\x1b[?25l\x1b[?7l"
"""Another screen, without a cursor, on which a line that is too long is cut off rather than continued below."""
LEAVE: Final = "\x1b[?7h\x1b[?25h\x1b[?1049l"
HOME: Final = "\x1b[H"
CLEAR_LINE: Final = "\x1b[K"
CLEAR_BELOW: Final = "\x1b[J"
FALLBACK_SIZE: Final = os.terminal_size((100, 40))


class Painter(Protocol):
    """Where scenes go. Use it as a context manager, so that the terminal is left as it was found."""

    ticks: bool
    """Whether it makes sense to paint again only because time has passed."""

    @property
    def rows(self) -> int | None:
        """How many lines fit; None where there is no end to them."""
        ...

    @property
    def columns(self) -> int | None:
        """How many letters fit into a line; None where there is no end to it."""
        ...

    def __enter__(self) -> Self:
        """Take the terminal."""
        ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Give it back, with the last scene left standing."""
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
        # The last row is for what the shell says next.
        for line in self._last[: size.lines - 1]:
            self._out.write(f"{printable(line)[: size.columns]}\n")
        self._out.flush()

    @property
    def rows(self) -> int:
        """How many lines the terminal has now."""
        return self._size().lines

    @property
    def columns(self) -> int:
        """How many letters a line of the terminal has now."""
        return self._size().columns

    def paint(self, lines: Sequence[str]) -> None:
        """Write each line over the one that stood there; what does not fit is cut off."""
        self._last = lines
        size = self._size()
        shown = [printable(line)[: size.columns] for line in lines[: size.lines]]
        # Clearing behind a line that fills its row would take its last letter.
        below = f"\n{CLEAR_BELOW}" if len(shown) < size.lines else ""
        self._out.write(HOME + "\n".join(CLEAR_LINE + line for line in shown) + below)
        self._out.flush()

    def _size(self) -> os.terminal_size:
        try:
            size = os.get_terminal_size(self._out.fileno())
        except OSError:
            return FALLBACK_SIZE
        # A terminal that nobody told its size says 0.
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
