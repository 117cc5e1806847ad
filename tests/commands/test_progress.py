"""How far a command is."""

import io
import sys

import pytest

from warroom_bots.commands.progress import CLEAR, Progress, ProgressLine


class Terminal(io.StringIO):
    """A stream that is a terminal."""

    def isatty(self) -> bool:
        return True


def test_a_log_gets_ten_lines_and_the_last_one_is_complete(capsys: pytest.CaptureFixture[str]) -> None:
    progress = Progress("Strata", 1000)
    for _ in range(1000):
        progress.step()
    progress.close()
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) == 10
    assert lines[0] == "Strata: 100 of 1000"
    assert lines[-1] == "Strata: 1000 of 1000"


def test_what_an_earlier_run_did_is_counted(capsys: pytest.CaptureFixture[str]) -> None:
    progress = Progress("Strata", 4, done=3)
    progress.step("greedy: crash")
    assert capsys.readouterr().err == "Strata: 4 of 4, greedy: crash\n"


def test_a_terminal_gets_a_bar_that_disappears(monkeypatch: pytest.MonkeyPatch) -> None:
    stream = Terminal()
    monkeypatch.setattr(sys, "stderr", stream)
    progress = Progress("Strata", 2)
    progress.step()
    progress.step()
    assert stream.getvalue().endswith(f"Strata {'█' * 24} 2 of 2")
    progress.close()
    assert stream.getvalue().endswith("\r\x1b[K")
    assert "\n" not in stream.getvalue()


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
    stream = io.StringIO()
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
    stream = io.StringIO()
    line = ProgressLine(stream, silent=True)
    line.show("1 of 3", is_milestone=True)
    line.say("a bot failed")
    assert stream.getvalue() == ""
