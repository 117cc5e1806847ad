"""`warroom rules`: the rules of a game, to read."""

import sys
from argparse import ArgumentParser, Namespace

from warroom_games.registry import RegistryError, load_games
from warroom_server.adapters.game_files import PAGE, package_of, rules_page
from warroom_server.cli import FAILED, USAGE

SUMMARY = "print the rules of a game"
EXAMPLE = "warroom rules graph_battle | less"


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
        package = package_of(game) or type(game).__module__
        print(f"warroom rules: no rules page came with {game.info.id}: {package} has no {PAGE}", file=sys.stderr)
        return FAILED
    print(page, end="")
    return 0
