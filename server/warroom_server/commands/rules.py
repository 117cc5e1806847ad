"""`warroom rules`: the rules of a game, to read."""

import sys
from argparse import ArgumentParser, Namespace
from importlib.resources import files
from pathlib import Path

import warroom_games
from warroom_games.registry import RegistryError, load_games
from warroom_server.cli import FAILED, USAGE

SUMMARY = "print the rules of a game"
EXAMPLE = "warroom rules graph_battle | less"


def configure(parser: ArgumentParser) -> None:
    """Add the command's own arguments."""
    parser.add_argument("game", metavar="GAME", help="the id of a game, as `warroom games` lists it")


def run(args: Namespace) -> int:
    """Print the rules page."""
    try:
        game = load_games().get(args.game)
    except RegistryError as error:
        print(f"warroom rules: {error}", file=sys.stderr)
        return USAGE
    page = rules_page(game.info.id)
    if page is None:
        print(f"warroom rules: no rules page came with {game.info.id}", file=sys.stderr)
        return FAILED
    print(page, end="")
    return 0


def rules_page(game: str) -> str | None:
    """Return the rules page of a game: from the installed package, or from the folders of a checkout."""
    packaged = files(warroom_games) / "rules_pages" / f"{game}.md"
    checkout = Path(warroom_games.__file__).parents[2] / "docs" / "rules" / f"{game}.md"
    for page in (packaged, checkout):
        if page.is_file():
            return page.read_text(encoding="utf-8")
    return None
