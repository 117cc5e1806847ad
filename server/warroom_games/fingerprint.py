"""Which rules these are, told by their source: how a server notices that a game changed without a new version."""

from collections.abc import Iterator
from functools import cache
from hashlib import sha256
from importlib.resources import files
from importlib.resources.abc import Traversable
from importlib.util import find_spec

from warroom_games.api import AnyGame

_BYTES = 8


def fingerprint(game: AnyGame) -> str:
    """Return a hash of all Python source in the package of a game; empty if that cannot be read.

    It changes with every edit, harmless ones too. So it proves nothing by itself; but where a log does not fold any
    more, it tells a changed game from a damaged log.
    """
    return _of_module(type(game).__module__)


@cache
def _of_module(module: str) -> str:
    digest = sha256()
    is_known = False
    for name, source in _sources(module):
        is_known = True
        digest.update(f"{name} {len(source)}\n".encode() + source)
    return digest.hexdigest()[: 2 * _BYTES] if is_known else ""


def _sources(module: str) -> Iterator[tuple[str, bytes]]:
    """Yield the files beside a module with their names, or the module alone if it is in no package."""
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
