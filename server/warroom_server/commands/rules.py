"""`warroom rules`: the rules of a game, to read."""

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Iterator
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path

import warroom_games
from warroom_games.api import AnyGame
from warroom_games.registry import RegistryError, load_games
from warroom_server.cli import FAILED, USAGE

SUMMARY = "print the rules of a game"
EXAMPLE = "warroom rules graph_battle | less"

PAGE = "RULES.md"
"""What the rules page is called in the package of a game."""


def configure(parser: ArgumentParser) -> None:
    """Add the command's own arguments."""
    parser.add_argument("game", metavar="GAME", help="the id of a game, as `warroom games` lists it")
    parser.add_argument(
        "--game", dest="games", action="append", default=[], metavar="MODULE:OBJECT",
        help="look for GAME here as well (may be repeated)",
    )  # fmt: skip


def run(args: Namespace) -> int:
    """Print the rules page."""
    try:
        game = load_games(args.games).get(args.game)
    except RegistryError as error:
        print(f"warroom rules: {error}", file=sys.stderr)
        return USAGE
    page = rules_page(game)
    if page is None:
        package = _package(game) or type(game).__module__
        print(f"warroom rules: no rules page came with {game.info.id}: {package} has no {PAGE}", file=sys.stderr)
        return FAILED
    print(page, end="")
    return 0


def rules_page(game: AnyGame) -> str | None:
    """Return the rules page that came with a game, or None."""
    pages = (page.read_text(encoding="utf-8") for page in _places(game) if page.is_file())
    return next(pages, None)


def _places(game: AnyGame) -> Iterator[Traversable]:
    """Yield where the page may be: in the game's own package, among Warroom's, or in the folders of a checkout."""
    package = _package(game)
    if package:
        yield files(package) / PAGE
    if package.partition(".")[0] == warroom_games.__name__:
        yield files(warroom_games) / "rules_pages" / f"{game.info.id}.md"
        yield Path(warroom_games.__file__).parents[2] / "docs" / "rules" / f"{game.info.id}.md"


def _package(game: AnyGame) -> str:
    """Return the package that holds the module of the rules; nothing if that is a module by itself."""
    return type(game).__module__.rpartition(".")[0]
