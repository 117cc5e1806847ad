"""Changes of files in folders are found, and what editors leave behind is not."""

import os
from pathlib import Path

import pytest

from warroom_server.commands.watched_files import WatchedFiles


@pytest.fixture
def game(tmp_path: Path) -> Path:
    (tmp_path / "game" / "board").mkdir(parents=True)
    (tmp_path / "game" / "rules.py").write_text("1")
    (tmp_path / "game" / "board" / "board.js").write_text("1")
    return tmp_path / "game"


def test_written_new_and_removed_files_are_found_once(game: Path) -> None:
    files = WatchedFiles([game])
    assert files.changed() == []
    (game / "rules.py").write_text("22")
    (game / "board" / "board.css").write_text("b {}")
    (game / "board" / "board.js").unlink()
    assert files.changed() == [game / "board" / "board.css", game / "board" / "board.js", game / "rules.py"]
    assert files.changed() == []


def test_an_edit_of_the_same_length_is_found_by_its_time(game: Path) -> None:
    files = WatchedFiles([game])
    (game / "rules.py").write_text("2")
    os.utime(game / "rules.py", ns=(1, 1))
    assert files.changed() == [game / "rules.py"]


@pytest.mark.parametrize(
    "name", [".rules.py.swp", ".hidden", "rules.py~", "rules.pyc", "__pycache__/rules.bin", "x.tmp"]
)
def test_leftovers_of_editors_and_caches_do_not_count(name: str, game: Path) -> None:
    files = WatchedFiles([game])
    (game / name).parent.mkdir(exist_ok=True)
    (game / name).write_text("")
    assert files.changed() == []


def test_a_file_alone_can_be_watched_and_may_be_missing(tmp_path: Path) -> None:
    module, other = tmp_path / "module.py", tmp_path / "other.py"
    files = WatchedFiles([module])
    other.write_text("")
    assert files.changed() == []
    module.write_text("")
    assert files.changed() == [module]


def test_other_folders_are_watched_from_now_on_and_known_ones_from_the_last_look(game: Path, tmp_path: Path) -> None:
    new = tmp_path / "new.py"
    new.write_text("")
    files = WatchedFiles([game])
    (game / "rules.py").write_text("changed before")
    files.watch([game, new])
    assert files.changed() == [game / "rules.py"]
    new.write_text("changed")
    assert files.changed() == [new]
