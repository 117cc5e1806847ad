"""Remembers the vectors of actions: lists of legal actions are much the same from step to step."""

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from warroom_games.codec import encode
from warroom_rl.errors import BoundError

MOST_NUMBERS = 1 << 21
"""After so many numbers it forgets all vectors."""

_NOWHERE = -1


class KnownVectors:
    """A table with a row for each action that was seen."""

    def __init__(self, width: int, make: Callable[[Any], NDArray[np.int64]]) -> None:
        self._make = make
        self._rows: dict[Any, int] = {}
        """By the action, or by its bytes if it holds a map or a list."""
        self._table = np.zeros((64, width), np.int64)
        self._used = 0

    def of(self, actions: Iterable[Any]) -> NDArray[np.int64]:
        """Return the vectors of those actions that have one."""
        if self._used * self._table.shape[1] > MOST_NUMBERS:
            self._rows.clear()
            self._used = 0
        rows = [row for action in actions if (row := self._row(action)) != _NOWHERE]
        return self._table[rows]

    def _row(self, action: Any) -> int:
        try:
            return self._rows[action]
        except KeyError:
            return self._add(action, action)
        except TypeError:
            key = encode(action)
            row = self._rows.get(key)
            return self._add(key, action) if row is None else row

    def _add(self, key: Any, action: Any) -> int:
        try:
            vector = self._make(action)
        except BoundError:
            self._rows[key] = _NOWHERE
            return _NOWHERE
        if self._used == len(self._table):
            self._table = np.concatenate((self._table, np.zeros_like(self._table)))
        row = self._rows[key] = self._used
        self._table[row] = vector
        self._used += 1
        return row
