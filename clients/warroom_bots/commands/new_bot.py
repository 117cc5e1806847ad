"""`warroom new-bot`: write a small working bot package as a starting point."""

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Mapping
from importlib.metadata import entry_points
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from shlex import quote
from textwrap import fill

from warroom_bots.registry import bots_for
from warroom_games.api import AnyGame
from warroom_games.forms import forms_of, wanted
from warroom_games.registry import ENTRY_POINTS, RegistryError, load_game, load_games
from warroom_games.scaffolding import activation, create_package, names_of, why_no_package

SUMMARY = "create a small working bot package with a test and an entry point"
EXAMPLE = "warroom new-bot my_bot --game graph_battle --out bots"

TEMPLATES = files("warroom_bots.commands") / "bot_template"
COLUMNS = 120

LAYOUT: Mapping[str, str | None] = {
    ".gitignore": "gitignore.txt",
    "pyproject.toml": "pyproject.toml.txt",
    "{id}.py": "bot.py.txt",
    "tests/test_{id}.py": "test_bot.py.txt",
}
"""Template of each file in the package."""

BOT_IMPORTS = {
    "warroom_bots.api": ("Action", "BotKind", "Decision"),
    "warroom_games.api": ("Seat",),
    "warroom_games.rng": ("Rng",),
}
TEST_IMPORTS = {"warroom_bots.registry": ("find_bot",), "warroom_bots.simulation": ("simulate",)}


def configure(parser: ArgumentParser) -> None:
    """Add the command's own arguments."""
    parser.add_argument("name", metavar="NAME", help="the bot's name and module name, such as my_bot")
    parser.add_argument("--game", required=True, metavar="GAME", help="the game it plays: its id, or MODULE:OBJECT")
    parser.add_argument(
        "--out", type=Path, default=Path(), metavar="DIR", help="parent folder (default: the current one)"
    )


def run(args: Namespace) -> int:
    """Write the package, and print the next steps."""
    folder = args.out / args.name
    try:
        reference, game = _named_game(args.game)
        if refusal := why_not(args.name, game):
            print(f"warroom new-bot: {refusal}", file=sys.stderr)
            return 2
        written = create_package(folder, TEMPLATES, LAYOUT, _values(args.name, reference, game))
    except RegistryError as error:
        print(f"warroom new-bot: {error}", file=sys.stderr)
        return 2
    except FileExistsError as error:
        print(f"warroom new-bot: {error.filename} already exists; nothing was changed", file=sys.stderr)
        return 1
    except OSError as error:
        print(f"warroom new-bot: cannot write {error.filename}: {error.strerror}", file=sys.stderr)
        return 1
    print("\n".join([*map(str, written), "", *_next_steps(args.name, game, folder)]))
    return 0


def why_not(name: str, game: AnyGame) -> str | None:
    """Return why a bot for a game cannot have that name, or None."""
    if refusal := why_no_package(name):
        return refusal
    if name in bots_for(game.info.id):
        return f"{game.info.id} already has a bot {name!r}"
    if find_spec(name) is not None:
        return f"{name!r} is not available: a module of that name is installed"
    return None


def _named_game(text: str) -> tuple[str, AnyGame]:
    """Return a game and its reference; raise `RegistryError` if there is none."""
    if ":" in text:
        return text, load_game(text)
    game = load_games().get(text)
    for point in entry_points(group=ENTRY_POINTS):
        if point.value.partition(":")[0] in sys.modules and load_game(point.value) is game:
            return point.value, game
    raise AssertionError("an installed game has an entry point")


def _values(name: str, reference: str, game: AnyGame) -> dict[str, str]:
    """Return what the templates are filled in with."""
    module, _, path = reference.partition(":")
    state = game.state_type
    rules = {module: (path if path == "GAME" else f"{path} as GAME",)}
    types = {state.__module__: (state.__name__,)}
    return {
        **names_of(name),
        "game": game.info.id,
        "game_name": game.info.name,
        "actions": _actions(game),
        "state": state.__name__,
        "imports": _imports(BOT_IMPORTS, rules, types),
        "test_imports": _imports(TEST_IMPORTS, rules),
    }


def _actions(game: AnyGame) -> str:
    """Describe the actions of a game."""
    forms = forms_of(game.action_type).items()
    listed = "; ".join(f"`{kind}` takes {wanted(form)}" if form else f"`{kind}`" for kind, form in forms)
    return fill(f"Its actions: {listed}.", COLUMNS, break_long_words=False, break_on_hyphens=False)


def _imports(*sources: Mapping[str, tuple[str, ...]]) -> str:
    """Return import lines in the order in which linters want them."""
    names: dict[str, set[str]] = {}
    for source in sources:
        for module, imported in source.items():
            names.setdefault(module, set()).update(imported)
    return "\n".join(f"from {module} import {', '.join(sorted(names[module]))}" for module in sorted(names))


def _next_steps(name: str, game: AnyGame, folder: Path) -> list[str]:
    info = game.info
    return [
        f"{name} plays {info.name}. Edit {folder / f'{name}.py'} to make it yours. Next steps:",
        *activation(),
        f"  cd {quote(str(folder))}",
        f"  warroom simulate {info.id} --bots {name}.py,random --seed 1 --out match.replay",
        "  pytest",
        f"  warroom arena {info.id} --bots {name}.py,random --games 100",
        f"  warroom bot {info.id} --bot {name}.py",
        "  pip install --no-deps --no-build-isolation --editable .",
        f"  warroom bot {info.id} --bot {name}",
    ]
