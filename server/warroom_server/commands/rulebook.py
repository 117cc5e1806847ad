"""`warroom rules`: show the rules of a game."""

import pydoc
import shutil
import sys
from argparse import ArgumentParser, Namespace

from warroom_games.registry import RegistryError, load_games
from warroom_games.rulebook import PAGE, for_players, how_to_play, package_of, rules_page
from warroom_games.typesetting import typeset
from warroom_server.cli import FAILED, USAGE

SUMMARY = "show the rules of a game"
EXAMPLE = "warroom rules graph_battle"

WIDEST = 100
"""Line width; longer lines are hard to read."""


def configure(parser: ArgumentParser) -> None:
    """Add the command's own arguments."""
    parser.add_argument("game", metavar="GAME", help="the id of a game, as `warroom games` lists it")
    length = parser.add_mutually_exclusive_group()
    length.add_argument("--short", action="store_true", help="only the short version")
    length.add_argument("--all", action="store_true", help="also the technical sections: actions, events, views")
    parser.add_argument("--markdown", action="store_true", help="print the Markdown source")
    parser.add_argument(
        "--game", dest="games", action="append", default=[], metavar="MODULE:OBJECT",
        help="also look for GAME here (may be repeated)",
    )  # fmt: skip


def run(args: Namespace) -> int:
    """Show the rules page, in a pager on a terminal."""
    try:
        game = load_games(args.games).get(args.game)
    except RegistryError as error:
        print(f"warroom rules: {error}", file=sys.stderr)
        return USAGE
    page = rules_page(game)
    if page is None:
        package = package_of(game) or type(game).__module__
        print(f"warroom rules: {game.info.id} has no rules page: {package} has no {PAGE}", file=sys.stderr)
        return FAILED
    if args.short:
        page = how_to_play(page) or page
    elif not args.all:
        page = for_players(page)
    _show(page if args.markdown else "\n".join(typeset(page, _width())) + "\n")
    return 0


def _width() -> int:
    return min(shutil.get_terminal_size().columns, WIDEST)


def _show(text: str) -> None:
    """Print a text; on a terminal, page by page if it is too long."""
    is_long = len(text.splitlines()) >= shutil.get_terminal_size().lines
    if is_long and sys.stdout.isatty() and sys.stdin.isatty():
        pydoc.pager(text)
    else:
        print(text, end="")
