"""Finds the declared bound of a field by its name."""

from collections.abc import Sequence
from typing import TypeAlias

from warroom_games.api import AnyGame
from warroom_games.bounds import Bound, Bounding, Bounds
from warroom_rl.errors import SetupError

Path: TypeAlias = tuple[str, ...]
"""The names that lead to a field: `("public", "nodes", "[]", "color")`."""

ITEM = "[]"
"""The name of all items of a list, and of all values of a map."""


class Undeclared:
    """What `FieldBounds.find` returns for a field without a declared bound: None means something else."""


UNDECLARED = Undeclared()


class FieldBounds:
    """The bounds that a game declares for one match; notes which of them were used, and which are missing."""

    def __init__(self, bounds: Bounds) -> None:
        self._bounds = {tuple(name.split(".")): bound for name, bound in bounds.items()}
        self._unused = set(self._bounds)
        self._missing: list[str] = []

    def find(self, path: Sequence[str]) -> Bound | Undeclared:
        """Return the bound with the longest name that fits the end of *path*."""
        for start in range(len(path)):
            key = tuple(path[start:])
            if key in self._bounds:
                self._unused.discard(key)
                return self._bounds[key]
        return UNDECLARED

    def miss(self, path: Path, wanted: str) -> None:
        """Note that a field needs a bound, and what it would say."""
        key = ".".join(path[-2:] if path[-1] == ITEM else path[-1:])
        self._missing.append(f"{key!r} ({name_of(path)}: {wanted})")

    def require_complete(self, game: str) -> None:
        """Raise `SetupError` if a bound is missing, or if one fits no field: its name has an error."""
        if self._missing:
            missing = "; ".join(self._missing)
            raise SetupError(f"{game} has types without bounds; its method `bounds` must declare {missing}")
        if self._unused:
            names = ", ".join(sorted(".".join(key) for key in self._unused))
            raise SetupError(f"{game} declares bounds for {names}, but has no such fields in its actions and views")


def bounds_of(game: AnyGame, seats: int, options: object) -> FieldBounds:
    """Return the bounds that a game declares for a match, if any."""
    return FieldBounds(game.bounds(seats, options) if isinstance(game, Bounding) else {})


def name_of(path: Sequence[str]) -> str:
    """Format a path: `public.nodes[].color`."""
    return ".".join(path).replace(f".{ITEM}", ITEM)
