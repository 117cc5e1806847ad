"""What a server would load now, found out in a process of its own: Python cannot forget the modules of this one.

As a program it prints the answer as JSON; its arguments are the games besides the installed ones.
"""

import subprocess
import sys
from collections.abc import Iterator, Sequence
from importlib.machinery import PathFinder
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from warroom_games.registry import ENTRY_POINTS, Registry, RegistryError, load_game, load_games
from warroom_server.adapters.http.page_files import page_files
from warroom_server.adapters.process.kept_child import plain_environment
from warroom_server.lobby.catalog import Catalog

LIMIT_S: Final = 30.0
"""How long loading all games may take."""

_PROGRAM: Final = ("-P", "-c", f"from {__name__} import main; main()")


class LoadedGames(Struct, frozen=True):
    """The result of loading all games."""

    broken: dict[str, str] = {}
    """By name, why an installed game does not load."""
    error: str | None = None
    """Why the server would not start at all."""
    roots: tuple[str, ...] = ()
    """The folders and files that hold the packages of the games, whether they load or not."""


def look(extra: Sequence[str], *, limit_s: float = LIMIT_S) -> LoadedGames:
    """Load all games in another process, those in *extra* (`module:object`) included, and return what it found."""
    command = [sys.executable, *_PROGRAM, *extra]
    try:
        answer = subprocess.run(
            command, env=plain_environment(), capture_output=True, text=True, check=False, timeout=limit_s
        )
    except subprocess.TimeoutExpired:
        return LoadedGames(error=f"the games do not load within {limit_s:g} s")
    if answer.returncode:
        last = (answer.stderr.splitlines() or [f"ended with code {answer.returncode}"])[-1]
        return LoadedGames(error=last)
    return msgspec.json.decode(answer.stdout.splitlines()[-1], type=LoadedGames)  # a game may print while it loads


def main() -> None:
    """Load the games as a server does, and print the result."""
    extra = sys.argv[1:]
    points = entry_points(group=ENTRY_POINTS)
    modules = {reference.partition(":")[0] for reference in (*(point.value for point in points), *extra)}
    roots = tuple(sorted({str(root) for module in modules for root in _roots_of(module)}))
    try:
        registry = load_games(extra)
    except RegistryError as error:
        found = LoadedGames(error=str(error), roots=roots)
    else:
        # Types and pages that no client could be told of would stop the start as well.
        Catalog(registry)
        page_files(registry.newest())
        found = LoadedGames(broken=_broken(registry, list(points)), roots=roots)
    print(f"\n{msgspec.json.encode(found).decode()}")  # a line of its own, whatever a game printed


def _broken(registry: Registry, points: Sequence[EntryPoint]) -> dict[str, str]:
    """Return the reasons of games that do not load, without the hint how to get rid of them."""
    reasons = dict(registry.left_out)
    for point in points:
        if point.name in reasons:
            try:
                load_game(point.value)
            except RegistryError as error:
                reasons[point.name] = str(error)
    return reasons


def _roots_of(module: str) -> Iterator[Path]:
    """Yield the folder of the outermost package of a module, or the file of a module alone."""
    spec = PathFinder.find_spec(module.partition(".")[0])
    if spec is None:
        return
    if spec.submodule_search_locations is not None:
        yield from map(Path, spec.submodule_search_locations)
    elif spec.origin is not None:
        yield Path(spec.origin)
