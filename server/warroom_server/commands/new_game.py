"""`warroom new-game`: write a small working game package as a starting point."""

import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Mapping
from importlib.resources import files
from pathlib import Path
from shlex import quote

from warroom_games.registry import load_games
from warroom_games.scaffolding import activation, create_package, names_of, why_no_package

SUMMARY = "create a small working game package with tests, a rules page and an entry point"
EXAMPLE = "warroom new-game four_corners --out games"

TEMPLATES = files("warroom_server.commands") / "game_template"

LAYOUT: Mapping[str, str | None] = {
    ".gitignore": "gitignore.txt",
    "pyproject.toml": "pyproject.toml.txt",
    "{id}/__init__.py": "init.py.txt",
    "{id}/rules.py": "rules.py.txt",
    "{id}/RULES.md": "rules.md.txt",
    "tests/test_laws.py": "test_laws.py.txt",
    "tests/test_rules.py": "test_rules.py.txt",
    "{id}/py.typed": None,
}
"""Template of each file in the package."""


def configure(parser: ArgumentParser) -> None:
    """Add the command's own arguments."""
    parser.add_argument("name", metavar="NAME", help="the game's id and package name, such as four_corners")
    parser.add_argument(
        "--out", type=Path, default=Path(), metavar="DIR", help="parent folder (default: the current one)"
    )


def run(args: Namespace) -> int:
    """Write the package, and print the next steps."""
    folder = args.out / args.name
    if refusal := why_not(args.name):
        print(f"warroom new-game: {refusal}", file=sys.stderr)
        return 2
    try:
        written = create_package(folder, TEMPLATES, LAYOUT, names_of(args.name))
    except FileExistsError as error:
        print(f"warroom new-game: {error.filename} already exists; nothing was changed", file=sys.stderr)
        return 1
    except OSError as error:
        print(f"warroom new-game: cannot write {error.filename}: {error.strerror}", file=sys.stderr)
        return 1
    print("\n".join([*map(str, written), "", *_next_steps(args.name, folder)]))
    return 0


def why_not(name: str) -> str | None:
    """Return why a game cannot have that name, or None."""
    if refusal := why_no_package(name):
        return refusal
    if name in {game.info.id for game in load_games()}:
        return f"a game {name!r} already exists"
    return None


def _next_steps(name: str, folder: Path) -> list[str]:
    return [
        f"{name} is a complete game. Edit {folder / name / 'rules.py'} to make it yours. Next steps:",
        *activation(),
        f"  cd {quote(str(folder))}",
        f"  warroom check-game {name}",
        "  pytest",
        "  pip install --no-deps --no-build-isolation --editable .",
        f"  warroom simulate {name} --seed 1 --out match.replay",
    ]
