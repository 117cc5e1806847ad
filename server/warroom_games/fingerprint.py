"""A hash of a game's source, which shows a server that a game changed without a new version."""

from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable
from importlib.util import find_spec
from typing import Final

from warroom_games.api import AnyGame

_BYTES = 8
_SHARED: Final = ("api", "clocks", "codec", "log", "match", "places", "rng", "seating")
"""The modules of this package that, with a game, decide how a log folds."""


def fingerprint(game: AnyGame) -> str:
    """Return a hash of the Python source that folds a match of a game; empty if the game's source cannot be read.

    It covers the game's own package and the modules here that all games share, but no other packages that a game
    imports. Every edit changes the hash, even a harmless one, so it proves nothing by itself. It only says when the
    whole log of a match must be folded again.
    """
    return _of_module(type(game).__module__)


@cache
def _of_module(module: str) -> str:
    digest = sha256()
    is_known = False
    for name, source in sources_of(module):
        is_known = True
        digest.update(f"{name} {len(source)}\n".encode() + source)
    for name in _SHARED:
        digest.update(files(__package__).joinpath(f"{name}.py").read_bytes())
    return digest.hexdigest()[: 2 * _BYTES] if is_known else ""


def sources_of(module: str) -> Iterator[tuple[str, bytes]]:
    """Yield the Python files beside a module with their names, or the module alone if it is in no package."""
    package = module.rpartition(".")[0]
    if package:
        yield from _files_in(files(package), "")
        return
    spec = find_spec(module)
    source = getattr(spec.loader, "get_source", lambda _: None)(module) if spec is not None else None
    if source is not None:
        yield module, source.encode()


def _files_in(folder: Traversable, path: str) -> Iterator[tuple[str, bytes]]:
    for each in sorted(folder.iterdir(), key=lambda file: file.name):
        if each.is_dir():
            yield from _files_in(each, f"{path}{each.name}/")
        elif each.name.endswith(".py"):
            yield path + each.name, each.read_bytes()
