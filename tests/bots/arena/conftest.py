"""Bots that fail, as if packages offered them."""

from pathlib import Path

import faulty_bots
import pytest
from fake_packages import install_bot


@pytest.fixture
def faulty(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Install the faulty bots by their names; the processes of an arena find them, too."""
    folder = tmp_path / "packages"
    folder.mkdir()
    for name in faulty_bots.NAMES:
        install_bot(folder, name, f"from faulty_bots import {name.upper()} as BOT")
    monkeypatch.syspath_prepend(str(folder))
