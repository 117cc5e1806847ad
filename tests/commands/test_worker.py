"""`warroom worker` reports missing requirements in one line."""

import pytest

from warroom_server.cli import main


def test_a_worker_without_a_key_says_where_it_belongs(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("WARROOM_BOT_KEY", raising=False)
    assert main(["worker"]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith("warroom worker: ")
    assert "WARROOM_BOT_KEY" in line


def test_the_help_shows_an_example_without_a_key_on_the_command_line(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["worker", "--help"])
    helped = capsys.readouterr().out
    assert "warroom worker --url ws://127.0.0.1:8000/ws" in helped
    assert "--until-stdin-ends" not in helped
    assert "--key" not in helped
