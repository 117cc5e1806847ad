"""Consoles: a pipe, and a terminal whose input line and output do not disturb each other."""

import asyncio
import io
import os
import pty
import termios
from collections.abc import Iterator
from pathlib import Path

import pytest
from wait_until import until

from warroom_terminal.console import FROM_THE_START, EditingConsole, PlainConsole


class Screen(io.StringIO):
    """Keeps what is written."""


@pytest.fixture
def terminal() -> Iterator[tuple[int, int]]:
    """Return both ends of a terminal: the user's and the program's."""
    keys, program = pty.openpty()
    yield keys, program
    os.close(keys)
    os.close(program)


async def read_all(console: PlainConsole) -> list[str]:
    lines = []
    async with asyncio.timeout(5):
        while (line := await console.read()) is not None:
            lines.append(line)
    return lines


async def test_a_pipe_is_read_line_by_line_to_its_end() -> None:
    program, keys = os.pipe()
    screen = Screen()
    with PlainConsole(program, screen) as console:
        os.write(keys, b"1\n/say h\xc3\xbcb")
        os.write(keys, b"sch\n\nlast")
        os.close(keys)
        assert await read_all(console) == ["1", "/say hübsch", "", "last"]
        assert await console.read() is None
        console.show(["a name\x1b[2J"])
        console.ask("ignored")
    os.close(program)
    assert screen.getvalue() == "a name?[2J\n"


async def test_a_file_is_read_like_a_pipe(tmp_path: Path) -> None:
    path = tmp_path / "typed"
    path.write_text("1\n2\n")
    typed = os.open(path, os.O_RDONLY)
    with PlainConsole(typed, Screen()) as console:
        assert await read_all(console) == ["1", "2"]
    os.close(typed)


async def test_output_is_printed_above_the_input_line(terminal: tuple[int, int]) -> None:
    keys, program = terminal
    screen = Screen()
    before = termios.tcgetattr(program)
    with EditingConsole(program, screen) as console:
        console.ask("your move, 5 s")
        os.write(keys, b"bi")
        reading = asyncio.create_task(console.read())
        await until(lambda: "bi" in screen.getvalue())
        console.show(["Bob: hello"])
        console.ask("your move, 4 s")
        os.write(keys, b"d\x7fd 4\n")
        assert await reading == "bid 4"
        os.write(keys, b"\x04")
        assert await console.read() is None
    shown = screen.getvalue()
    assert f"{FROM_THE_START}Bob: hello\n{FROM_THE_START}your move, 5 s> bi" in shown
    assert f"{FROM_THE_START}your move, 4 s> bi" in shown
    assert "> bid 4\n" in shown
    assert termios.tcgetattr(program) == before


async def test_a_long_line_shows_its_end(terminal: tuple[int, int], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "20")
    _, program = terminal
    screen = Screen()
    with EditingConsole(program, screen) as console:
        console.ask("somebody with a long name, 5 s")
    assert screen.getvalue() == f"{FROM_THE_START}…a long name, 5 s> {FROM_THE_START}"


async def test_text_is_broken_between_words_and_a_picture_is_not(
    terminal: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "20")
    monkeypatch.setenv("LINES", "9")
    _, program = terminal
    screen = Screen()
    with EditingConsole(program, screen) as console:
        console.show(["somebody with a long name"])
        console.draw(["#.#.#.#.# #.#.#.#.#.#.#.#"])
        assert (console.width, console.height) == (20, 9)
    shown = screen.getvalue()
    assert "somebody with a long\n    name\n" in shown
    assert "#.#.#.#.# #.#.#.#.#.#.#.#\n" in shown
