"""What lies beside the rules in the package of a game: its rules page, and the board that it may ship for the page."""

from collections.abc import Iterator
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

import warroom_games
from warroom_games.api import AnyGame

PAGE = "RULES.md"
"""What the rules page is called in the package of a game."""
BOARD = "board"
"""The folder in the package of a game whose files the page may load."""
BOARD_MODULE = "board.js"
"""The file in it that is the board."""


def rules_page(game: AnyGame) -> str | None:
    """Return the rules page that came with a game, or None."""
    pages = (page.read_text(encoding="utf-8") for page in _places(game) if page.is_file())
    return next(pages, None)


def board_files(game: AnyGame) -> Iterator[tuple[str, bytes]]:
    """Yield name and contents of each file of the board that the game's package ships."""
    package = package_of(game)
    folder = files(package) / BOARD if package else None
    if folder is None or not folder.is_dir() or not (folder / BOARD_MODULE).is_file():
        return
    for file in sorted(folder.iterdir(), key=lambda each: each.name):
        if file.is_file():
            yield file.name, file.read_bytes()


def package_of(game: AnyGame) -> str:
    """Return the package that holds the module of the rules; nothing if that is a module by itself."""
    return type(game).__module__.rpartition(".")[0]


def _places(game: AnyGame) -> Iterator[Traversable]:
    """Yield where the page may be: in the game's own package, among Warroom's, or in the folders of a checkout."""
    package = package_of(game)
    if package:
        yield files(package) / PAGE
    if package.partition(".")[0] == warroom_games.__name__:
        yield files(warroom_games) / "rules_pages" / f"{game.info.id}.md"
        yield Path(warroom_games.__file__).parents[2] / "docs" / "rules" / f"{game.info.id}.md"
