"""`warroom new-game`: write a small working game package as a starting point."""

import sys
from argparse import ArgumentParser, Namespace
from importlib.resources import files
from keyword import iskeyword
from pathlib import Path
from re import fullmatch
from shlex import quote
from shutil import which
from string import Template

from warroom_games.registry import load_games

SUMMARY = "create a small working game package with tests, a rules page and an entry point"
EXAMPLE = "warroom new-game four_corners --out games"

MAX_NAME = 24
"""Longest name that keeps every generated line within the line length."""

TEMPLATES = files("warroom_server.commands") / "game_template"

LAYOUT = {
    ".gitignore": "gitignore.txt",
    "pyproject.toml": "pyproject.toml.txt",
    "{id}/__init__.py": "init.py.txt",
    "{id}/rules.py": "rules.py.txt",
    "{id}/RULES.md": "rules.md.txt",
    "tests/test_laws.py": "test_laws.py.txt",
    "tests/test_rules.py": "test_rules.py.txt",
}
"""Template of each file in the package."""

MARKER = "{id}/py.typed"
"""An empty file that marks the package as typed."""


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
        args.out.mkdir(parents=True, exist_ok=True)
        folder.mkdir()
        written = write_package(args.name, folder)
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
    if not fullmatch(r"[a-z][a-z0-9]*(_[a-z0-9]+)*", name) or len(name) > MAX_NAME:
        allowed = f"at most {MAX_NAME} lower-case letters, digits and single underscores, starting with a letter"
        return f"{name!r} is not a valid name; use {allowed}"
    if iskeyword(name) or name in sys.stdlib_module_names:
        return f"{name!r} is not a valid name: it is a Python keyword or standard module"
    if name in ("docs", "tests") or name.startswith("warroom"):
        return f"{name!r} is not available: Warroom has a folder or package of that name"
    if name in {game.info.id for game in load_games()}:
        return f"a game {name!r} already exists"
    return None


def write_package(name: str, folder: Path) -> list[Path]:
    """Write every file of the package into an empty folder, and return their paths."""
    words = name.split("_")
    values = {
        "id": name,
        "title": " ".join(words).title(),
        "class_name": "".join(word.title() for word in words),
        "dashed": "-".join(words),
    }
    written = []
    for path, template in LAYOUT.items():
        text = Template((TEMPLATES / template).read_text(encoding="utf-8")).substitute(values)
        written.append(_write(folder / path.format(id=name), text))
    return [*written, _write(folder / MARKER.format(id=name), "")]


def _write(path: Path, text: str) -> Path:
    path.parent.mkdir(exist_ok=True)
    path.write_text(text, encoding="utf-8")
    return path


def _next_steps(name: str, folder: Path) -> list[str]:
    return [
        f"{name} is a complete game. Edit {folder / name / 'rules.py'} to make it yours. Next steps:",
        *_activation(),
        f"  cd {quote(str(folder))}",
        f"  warroom check-game {name}",
        "  pytest",
        "  pip install --no-deps --no-build-isolation --editable .",
        f"  warroom simulate {name} --seed 1 --out match.replay",
    ]


def _activation() -> list[str]:
    """Return the line that puts `warroom` and `pytest` on the path, if the user called `./dev` or a full path."""
    script = Path(sys.prefix, "bin", "activate")
    found = which("warroom")
    if not script.is_file() or (found is not None and Path(found).parent == script.parent):
        return []
    here = Path.cwd()
    return [f"  . {quote(str(script.relative_to(here) if script.is_relative_to(here) else script))}"]
