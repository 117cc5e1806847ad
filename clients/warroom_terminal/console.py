"""Where a player types and reads: a terminal on which both do not disturb each other, or a plain pipe."""

import asyncio
import os
import shutil
import sys
import termios
import threading
import tty
from collections.abc import Iterable
from types import TracebackType
from typing import Final, Protocol, Self, TextIO

from warroom_games.words import printable
from warroom_terminal.folding import folded
from warroom_terminal.line_editor import LineEditor

CHUNK_BYTES: Final = 4096
FROM_THE_START: Final = "\r\x1b[K"
_DUMB: Final = frozenset({"", "dumb"})


class Console(Protocol):
    """What a game is played on. Use it as a context manager, so that the terminal is left as it was found."""

    ticks: bool
    """Whether the line in which the player types can show a countdown."""

    def __enter__(self) -> Self:
        """Take the terminal."""
        ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Give it back."""
        ...

    @property
    def width(self) -> int:
        """How many letters fit into a line."""
        ...

    @property
    def height(self) -> int:
        """How many lines are seen at a time."""
        ...

    def show(self, lines: Iterable[str]) -> None:
        """Print lines above the one that is being typed; what is too long for the window is broken between words."""
        ...

    def draw(self, lines: Iterable[str]) -> None:
        """Print the lines of a picture as they are."""
        ...

    def ask(self, prompt: str) -> None:
        """Say in front of what is typed how things stand."""
        ...

    async def read(self) -> str | None:
        """Return the next line that was typed; None at the end of the input."""
        ...


class _Keyboard:
    """Reads a file descriptor in a thread of its own, for regular files and terminals alike."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._loop = asyncio.get_running_loop()
        self._chunks: asyncio.Queue[bytes] = asyncio.Queue()
        threading.Thread(target=self._read, name="keyboard", daemon=True).start()

    async def read(self) -> bytes:
        """Return what was typed since; nothing at the end."""
        return await self._chunks.get()

    def _read(self) -> None:
        while True:
            try:
                # Not through a buffered file, whose lock this thread would hold while the program ends.
                chunk = os.read(self._descriptor, CHUNK_BYTES)
            except OSError:
                chunk = b""
            try:
                self._loop.call_soon_threadsafe(self._chunks.put_nowait, chunk)
            except RuntimeError:
                return  # the loop has ended meanwhile
            if not chunk:
                return


class _Window:
    """How large the terminal is now; a pipe counts as a roomy one."""

    @property
    def width(self) -> int:
        """How many letters fit into a line."""
        return shutil.get_terminal_size((100, 40)).columns

    @property
    def height(self) -> int:
        """How many lines are seen at a time."""
        return shutil.get_terminal_size((100, 40)).lines


class PlainConsole(_Window):
    """Prints one line after the other, for pipes and for terminals that can do no more."""

    ticks = False

    def __init__(self, descriptor: int, out: TextIO) -> None:
        self._keyboard = _Keyboard(descriptor)
        self._out = out
        self._typed = b""
        self._lines: list[str] = []
        self._is_done = False

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._out.flush()

    def show(self, lines: Iterable[str]) -> None:
        """Print lines; whoever reads a pipe wants them whole."""
        self.draw(lines)

    def draw(self, lines: Iterable[str]) -> None:
        """Print lines."""
        self._out.write("".join(f"{printable(line)}\n" for line in lines))
        self._out.flush()

    def ask(self, prompt: str) -> None:
        """Do nothing: a prompt without end would stand in the middle of what others read."""

    async def read(self) -> str | None:
        """Return the next line; None at the end of the input."""
        while not self._lines and not self._is_done:
            chunk = await self._keyboard.read()
            *whole, self._typed = (self._typed + chunk).split(b"\n")
            if not chunk and self._typed:
                whole, self._typed = [*whole, self._typed], b""
            self._is_done = not chunk
            self._lines += [line.decode(errors="replace") for line in whole]
        return self._lines.pop(0) if self._lines else None


class EditingConsole(_Window):
    """A terminal whose last line is being typed, with a prompt that changes, while news are printed above."""

    ticks = True

    def __init__(self, descriptor: int, out: TextIO) -> None:
        self._descriptor = descriptor
        self._keyboard = _Keyboard(descriptor)
        self._out = out
        self._editor = LineEditor()
        self._prompt = ""
        self._shown = ""
        self._done: list[str | None] = []
        self._settings = termios.tcgetattr(descriptor)

    def __enter__(self) -> Self:
        tty.setcbreak(self._descriptor, termios.TCSADRAIN)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        termios.tcsetattr(self._descriptor, termios.TCSADRAIN, self._settings)
        self._out.write(FROM_THE_START)
        self._out.flush()

    def show(self, lines: Iterable[str]) -> None:
        """Print lines above the one that is being typed, broken between words."""
        width = self.width
        self.draw(part for line in lines for part in folded(line, width))

    def draw(self, lines: Iterable[str]) -> None:
        """Print lines above the one that is being typed."""
        self._out.write(FROM_THE_START + "".join(f"{printable(line)}\n" for line in lines))
        self._shown = ""
        self._draw()

    def ask(self, prompt: str) -> None:
        """Change what stands in front of the line that is being typed."""
        self._prompt = prompt
        self._draw()

    async def read(self) -> str | None:
        """Return the next line that was typed; None at the end of the input."""
        while not self._done:
            keys = await self._keyboard.read()
            self._done += self._editor.feed(keys) if keys else [None]
            self._draw()
        line = self._done.pop(0)
        if line is not None:
            self.show([f"> {line}"])
        return line

    def _draw(self) -> None:
        whole = printable(f"{self._prompt}> {self._editor.text}")
        room = self.width - 1
        # The end of a line that is too long is where the player types.
        line = whole if len(whole) <= room else "…" + whole[1 - room :]
        if line != self._shown:
            self._shown = line
            self._out.write(FROM_THE_START + line)
        self._out.flush()


def console_for(terminal: str) -> Console:
    """Return what fits the standard input and output; *terminal* is what the environment calls it (TERM)."""
    descriptor = sys.stdin.fileno()
    if sys.stdin.isatty() and sys.stdout.isatty() and terminal not in _DUMB:
        return EditingConsole(descriptor, sys.stdout)
    return PlainConsole(descriptor, sys.stdout)
