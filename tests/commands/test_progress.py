"""The progress of commands that know how much they have to do."""

import io
import sys

import pytest

from warroom_bots.commands.progress import Progress


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
