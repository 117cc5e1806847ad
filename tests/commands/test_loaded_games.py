"""What a server would load, found out in another process."""

from pathlib import Path

import pytest

from warroom_server.commands.loaded_games import look


def test_games_that_do_not_load_in_time_are_an_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "blocked.py").write_text("import time\n\ntime.sleep(60)\n")
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("PYTHONPATH", str(tmp_path), prepend=":")
    found = look(["blocked:GAME"], limit_s=0.5)
    assert found.error == "the games do not load within 0.5 s"
    assert found.roots == ()
