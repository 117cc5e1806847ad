"""Finds out which files in some folders have changed since the last look."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final, TypeAlias

_CACHES: Final = "__pycache__"
_LEFTOVERS: Final = ("~", ".pyc", ".swp", ".tmp")
"""Endings of files that editors and Python leave behind."""

_Looks: TypeAlias = dict[Path, tuple[int, int]]
"""Time of the last change and size, by file."""


class WatchedFiles:
    """Remembers the files in *roots*, which are folders or single files. Hidden files and caches do not count."""

    def __init__(self, roots: Iterable[Path]) -> None:
        self._roots = frozenset(roots)
        self._known = self._look()

    def watch(self, roots: Iterable[Path]) -> None:
        """Watch other folders from now on; for those that were watched before, the last look still counts."""
        before, self._roots = self._roots, frozenset(roots)
        new = WatchedFiles(self._roots - before)
        self._known |= new._known

    def changed(self) -> list[Path]:
        """Return the files that were written, made or removed since the last call, in order."""
        before, self._known = self._known, self._look()
        return sorted(path for path in before.keys() | self._known.keys() if before.get(path) != self._known.get(path))

    def _look(self) -> _Looks:
        found: _Looks = {}
        for path in {file for root in self._roots for file in _files_in(root)}:
            try:
                status = path.stat()
            except OSError:
                continue  # it was removed just now
            found[path] = status.st_mtime_ns, status.st_size
        return found


def _files_in(root: Path) -> Iterator[Path]:
    try:
        inside = list(root.iterdir()) if root.is_dir() else None
    except OSError:
        return
    if inside is None:
        yield root
        return
    for path in inside:
        if path.name.startswith(".") or path.name == _CACHES or path.name.endswith(_LEFTOVERS):
            continue
        yield from _files_in(path)
