"""Console input and output: a terminal with a separate input line, or a plain pipe."""

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
from warroom_terminal.line_editor import LineEditor
from warroom_terminal.line_wrapping import wrapped

CHUNK_BYTES: Final = 4096
FROM_THE_START: Final = "\r\x1b[K"
_DUMB: Final = frozenset({"", "dumb"})


class Console(Protocol):
    """The console of a game. Use it as a context manager to restore the terminal afterwards."""

    ticks: bool
    """Whether the input line can show a countdown."""

    def __enter__(self) -> Self:
        """Take over the terminal."""
        ...

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Restore the terminal."""
        ...

    @property
    def width(self) -> int:
        """Characters per line."""
        ...

    @property
    def height(self) -> int:
        """Visible lines."""
        ...

    def show(self, lines: Iterable[str]) -> None:
        """Print lines above the input line, wrapped between words."""
        ...

    def draw(self, lines: Iterable[str]) -> None:
        """Print the lines of a picture unwrapped."""
        ...

    def ask(self, prompt: str) -> None:
        """Set the prompt in front of the input line."""
        ...

    async def read(self) -> str | None:
        """Return the next typed line; None at the end of the input."""
        ...


class _Keyboard:
    """Reads a file descriptor in its own thread; works for regular files and terminals alike."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._loop = asyncio.get_running_loop()
        self._chunks: asyncio.Queue[bytes] = asyncio.Queue()
        threading.Thread(target=self._read, name="keyboard", daemon=True).start()

    async def read(self) -> bytes:
        """Return new input; empty at the end."""
        return await self._chunks.get()

    def _read(self) -> None:
        while True:
            try:
                # Read the descriptor directly: this thread would hold a buffered file's lock while the program exits.
                chunk = os.read(self._descriptor, CHUNK_BYTES)
            except OSError:
                chunk = b""
            try:
                self._loop.call_soon_threadsafe(self._chunks.put_nowait, chunk)
            except RuntimeError:
                return  # the loop is already closed
            if not chunk:
                return


class _Window:
    """The current size of the terminal. A pipe counts as a large one."""

    @property
    def width(self) -> int:
        """Characters per line."""
        return shutil.get_terminal_size((100, 40)).columns

    @property
    def height(self) -> int:
        """Visible lines."""
        return shutil.get_terminal_size((100, 40)).lines


class PlainConsole(_Window):
    """Prints line by line, for pipes and simple terminals."""

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
        """Print lines unwrapped: programs that read a pipe need them whole."""
        self.draw(lines)

    def draw(self, lines: Iterable[str]) -> None:
        """Print lines."""
        self._out.write("".join(f"{printable(line)}\n" for line in lines))
        self._out.flush()

    def ask(self, prompt: str) -> None:
        """Do nothing: a prompt without a newline would break the output of a pipe."""

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
    """A terminal with an input line at the bottom and a changing prompt; output is printed above it."""

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
        """Print lines above the input line, wrapped between words."""
        width = self.width
        self.draw(part for line in lines for part in wrapped(line, width))

    def draw(self, lines: Iterable[str]) -> None:
        """Print lines above the input line."""
        self._out.write(FROM_THE_START + "".join(f"{printable(line)}\n" for line in lines))
        self._shown = ""
        self._draw()

    def ask(self, prompt: str) -> None:
        """Change the prompt."""
        self._prompt = prompt
        self._draw()

    async def read(self) -> str | None:
        """Return the next typed line; None at the end of the input."""
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
        # Show the end of a long line: that is where the cursor is.
        line = whole if len(whole) <= room else "…" + whole[1 - room :]
        if line != self._shown:
            self._shown = line
            self._out.write(FROM_THE_START + line)
        self._out.flush()


def console_for(terminal: str) -> Console:
    """Return the console for standard input and output; *terminal* is the value of TERM."""
    descriptor = sys.stdin.fileno()
    if sys.stdin.isatty() and sys.stdout.isatty() and terminal not in _DUMB:
        return EditingConsole(descriptor, sys.stdout)
    return PlainConsole(descriptor, sys.stdout)
