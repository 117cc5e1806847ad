"""The line that shows how far a command is."""

from io import StringIO

import pytest

from warroom_bots.commands.progress_line import CLEAR, ProgressLine


class Terminal(StringIO):
    """A text stream that says that it is a terminal."""

    def isatty(self) -> bool:
        return True


def test_on_a_terminal_the_line_is_replaced_and_stays_below_what_is_said() -> None:
    stream = Terminal()
    line = ProgressLine(stream)
    line.show("1 of 3", is_milestone=False)
    line.show("2 of 3", is_milestone=True)
    line.say("a bot failed")
    line.end()
    line.say("done")
    assert stream.getvalue() == f"{CLEAR}1 of 3{CLEAR}2 of 3{CLEAR}a bot failed\n2 of 3{CLEAR}done\n"


def test_elsewhere_only_milestones_are_lines() -> None:
    stream = StringIO()
    line = ProgressLine(stream)
    line.show("1 of 3", is_milestone=False)
    line.show("2 of 3", is_milestone=True)
    line.say("a bot failed")
    line.end()
    assert stream.getvalue() == "2 of 3\na bot failed\n"


def test_it_fits_into_the_window(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "10")
    stream = Terminal()
    ProgressLine(stream).show("0123456789abcdef", is_milestone=False)
    assert stream.getvalue() == f"{CLEAR}012345678"


def test_names_cannot_send_commands_to_the_terminal() -> None:
    stream = Terminal()
    line = ProgressLine(stream)
    line.show("a\x1b[2Jb", is_milestone=False)
    line.say("c\x1b[2Jd")
    assert "\x1b[2J" not in stream.getvalue()


def test_a_silent_line_says_nothing() -> None:
    stream = StringIO()
    line = ProgressLine(stream, silent=True)
    line.show("1 of 3", is_milestone=True)
    line.say("a bot failed")
    assert stream.getvalue() == ""
