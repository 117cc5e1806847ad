"""A console for tests: the test types the input, and the output is recorded."""

import asyncio
from collections.abc import Iterable
from types import TracebackType
from typing import Self

from wait_until import until


class Typist:
    """A user at a console."""

    def __init__(self, *, ticks: bool = False, width: int = 100, height: int = 40) -> None:
        self.ticks = ticks
        self.width = width
        self.height = height
        self.lines: list[str] = []
        self.prompt = ""
        self._typed: asyncio.Queue[str | None] = asyncio.Queue()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        pass

    def show(self, lines: Iterable[str]) -> None:
        """Record printed lines."""
        self.lines += lines

    def draw(self, lines: Iterable[str]) -> None:
        """Record a picture."""
        self.lines += lines

    def ask(self, prompt: str) -> None:
        """Record the prompt."""
        self.prompt = prompt

    async def read(self) -> str | None:
        """Return the test's input."""
        return await self._typed.get()

    def type(self, *lines: str | None) -> None:
        """Type lines; None ends the input."""
        for line in lines:
            self._typed.put_nowait(line)

    async def sees(self, text: str) -> None:
        """Wait until a line with the text is shown."""
        try:
            await until(lambda: any(text in line for line in self.lines), within_s=3)
        except TimeoutError as error:
            raise AssertionError(f"{text!r} is not among {self.lines}") from error
