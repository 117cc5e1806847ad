"""What lies beside the rules in the package of a game: the board that it may ship for the page."""

from collections.abc import Iterator
from importlib.resources import files

from warroom_games.api import AnyGame
from warroom_games.rulebook import package_of

BOARD = "board"
"""The folder in the package of a game whose files the page may load."""
BOARD_MODULE = "board.js"
"""The file in it that is the board."""


def board_files(game: AnyGame) -> Iterator[tuple[str, bytes]]:
    """Yield name and contents of each file of the board that the game's package ships."""
    package = package_of(game)
    folder = files(package) / BOARD if package else None
    if folder is None or not folder.is_dir() or not (folder / BOARD_MODULE).is_file():
        return
    for file in sorted(folder.iterdir(), key=lambda each: each.name):
        if file.is_file():
            yield file.name, file.read_bytes()
