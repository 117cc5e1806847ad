"""Which rules a game has, told by its source."""

import subprocess
import sys
from importlib import import_module, invalidate_caches
from pathlib import Path
from shutil import copytree, ignore_patterns

import pytest
from sealed_bids import GAME as SEALED_BIDS

import warroom_games
from warroom_games.api import AnyGame
from warroom_games.fingerprint import fingerprint
from warroom_games.registry import load_games

SOURCE = "from sealed_bids import SealedBids\n\nclass Own(SealedBids):\n    bids = {bids}\n\nGAME = Own()\n"


def packaged(folder: Path, name: str, *, bids: int = 1, extra: str = "", notes: str = "") -> AnyGame:
    """Return a game from a package that is written into *folder*."""
    package = folder / name
    (package / "parts").mkdir(parents=True)
    (package / "__init__.py").touch()
    (package / "rules.py").write_text(SOURCE.format(bids=bids))
    (package / "parts" / "board.py").write_text(extra)
    (package / "notes.txt").write_text(notes)
    invalidate_caches()
    game: AnyGame = import_module(f"{name}.rules").GAME
    return game


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Return a folder from which modules can be imported."""
    monkeypatch.syspath_prepend(tmp_path)
    return tmp_path


def test_every_shipped_game_has_a_fingerprint_of_its_own() -> None:
    games = list(load_games().newest())
    prints = {fingerprint(game) for game in games}
    assert len(prints) == len(games)
    assert "" not in prints


def test_a_change_anywhere_in_the_package_changes_it(folder: Path) -> None:
    plain = fingerprint(packaged(folder, "own_plain"))
    assert fingerprint(packaged(folder, "own_copy")) == plain
    assert fingerprint(packaged(folder, "own_notes", notes="not a rule")) == plain
    assert fingerprint(packaged(folder, "own_bids", bids=2)) != plain
    assert fingerprint(packaged(folder, "own_parts", extra="SIZE = 3\n")) != plain


def test_a_module_by_itself_has_one_as_well() -> None:
    assert type(SEALED_BIDS).__module__ == "sealed_bids"
    assert fingerprint(SEALED_BIDS)


def test_what_cannot_be_read_has_none(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (folder / "own_module.py").write_text(SOURCE.format(bids=1))
    module = import_module("own_module")
    (folder / "own_module.py").unlink()
    monkeypatch.delitem(sys.modules, "own_module")
    invalidate_caches()
    assert fingerprint(module.GAME) == ""


def printed(folder: Path) -> str:
    """Return the fingerprint of Strata by the server's source in *folder*."""
    code = (
        "from warroom_games.fingerprint import fingerprint as f; from warroom_games.strata.rules import GAME as g;"
        "import warroom_games as w; print(f(g), w.__file__)"
    )
    command = [sys.executable, "-c", code]
    ran = subprocess.run(command, cwd=folder, env={"PYTHONPATH": str(folder)}, capture_output=True, check=True)
    found, place = ran.stdout.decode().split()
    assert Path(place).is_relative_to(folder)
    return found


def test_a_change_of_what_all_games_share_changes_it(tmp_path: Path) -> None:
    package = tmp_path / "warroom_games"
    copytree(Path(warroom_games.__file__).parent, package, ignore=ignore_patterns("__pycache__"))
    plain = printed(tmp_path)
    for name, is_rule in (("rng.py", True), ("match.py", True), ("sentences.py", False)):
        source = package / name
        kept = source.read_text()
        source.write_text(f"{kept}# edited\n")
        assert (printed(tmp_path) != plain) == is_rule, name
        source.write_text(kept)
