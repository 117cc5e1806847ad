"""Parts of an observation: each writes a value of a view as some numbers at a place of an array.

Views share what did not change with those before them. So a feature gets the value that stands in the array already,
and writes only what differs.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import accumulate, compress
from math import inf
from operator import attrgetter, is_not, itemgetter
from typing import Any, NamedTuple, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from warroom_rl.errors import BoundError
from warroom_rl.field_bounds import Path, name_of

Numbers: TypeAlias = NDArray[np.float32]


class Cell(NamedTuple):
    """One number of an observation: what it means, and its limits."""

    name: str
    low: float
    high: float


class Unknown:
    """What stands in an array that was not written yet."""


UNKNOWN = Unknown()


class Feature(Protocol):
    """A part of a view as numbers."""

    size: int

    def cells(self) -> Iterator[Cell]:
        """Yield what each number means."""
        ...

    def write(self, out: Numbers, at: int, value: Any, old: Any) -> None:
        """Write *value* from place *at*, where *old* stands; raise `BoundError` if it does not fit."""
        ...


class Number:
    """A number as it is; True is 1."""

    size = 1

    def __init__(self, path: Path, low: int | None = None, high: int | None = None) -> None:
        self._path = path
        self._low, self._high = -inf if low is None else low, inf if high is None else high

    def cells(self) -> Iterator[Cell]:
        """Yield one number."""
        yield Cell(name_of(self._path), self._low, self._high)

    def write(self, out: Numbers, at: int, value: Any, old: Any) -> None:
        """Write the number."""
        if not self._low <= value <= self._high:
            raise BoundError(f"{name_of(self._path)} is {value}, not from {self._low} to {self._high}")
        out[at] = value


class Category:
    """One of a few values: a flag for each."""

    def __init__(self, path: Path, values: Sequence[Any]) -> None:
        self._path = path
        self._index = {value: index for index, value in enumerate(values)}
        self.size = len(self._index)

    def cells(self) -> Iterator[Cell]:
        """Yield a flag for each value."""
        return (Cell(f"{name_of(self._path)} = {value}", 0, 1) for value in self._index)

    def write(self, out: Numbers, at: int, value: Any, old: Any) -> None:
        """Set the flag of the value."""
        index = self._index.get(value)
        if index is None:
            raise BoundError(f"{name_of(self._path)} is {value!r}, not one of {list(self._index)}")
        if old is UNKNOWN:
            out[at : at + self.size] = 0
        else:
            out[at + self._index[old]] = 0
        out[at + index] = 1


class Members:
    """A list whose items are different values of a few, in any order: a flag for each value."""

    def __init__(self, path: Path, values: Sequence[Any]) -> None:
        self._path = path
        self._index = {value: index for index, value in enumerate(values)}
        self.size = len(self._index)

    def cells(self) -> Iterator[Cell]:
        """Yield a flag for each value."""
        return (Cell(f"{name_of(self._path)} has {value}", 0, 1) for value in self._index)

    def write(self, out: Numbers, at: int, value: Any, old: Any) -> None:
        """Set the flags of the items."""
        index = self._index
        out[at : at + self.size] = 0
        try:
            out[[at + index[item] for item in value]] = 1
        except KeyError as error:
            raise BoundError(f"{name_of(self._path)} has {error.args[0]!r}, not one of {list(index)}") from None


class Text:
    """A text of a few letters: for each place a flag for each letter, all 0 after the end."""

    def __init__(self, path: Path, letters: str, most: int) -> None:
        self._path, self._letters, self._most = path, letters, most
        self.size = len(letters) * most

    def cells(self) -> Iterator[Cell]:
        """Yield the flags of each place."""
        name = name_of(self._path)
        return (Cell(f"{name}[{place}] = {letter}", 0, 1) for place in range(self._most) for letter in self._letters)

    def write(self, out: Numbers, at: int, value: Any, old: Any) -> None:
        """Set the flags of the letters."""
        width = len(self._letters)
        if len(value) > self._most or not set(value) <= set(self._letters):
            raise BoundError(f"{name_of(self._path)} is {value!r}, not at most {self._most} of {self._letters!r}")
        out[at : at + self.size] = 0
        out[[at + place * width + self._letters.index(letter) for place, letter in enumerate(value)]] = 1


class Maybe:
    """A value or None: a flag that there is one, and the value, all 0 without it."""

    def __init__(self, path: Path, inner: Feature) -> None:
        self._path, self._inner = path, inner
        self.size = 1 + inner.size

    def cells(self) -> Iterator[Cell]:
        """Yield the flag and the cells of the value."""
        yield Cell(f"{name_of(self._path)} is given", 0, 1)
        yield from map(with_zero, self._inner.cells())

    def write(self, out: Numbers, at: int, value: Any, old: Any) -> None:
        """Write the value, or zeros."""
        if value is None:
            out[at : at + self.size] = 0
            return
        out[at] = 1
        self._inner.write(out, at + 1, value, UNKNOWN if old is None else old)


class Record:
    """A Struct or a tuple of fixed length: its parts one after another."""

    def __init__(self, path: Path, parts: Sequence[tuple[str | int, Feature]]) -> None:
        self._path = path
        self._names = tuple(name for name, _ in parts)
        self._values = _getter(self._names)
        starts = accumulate((part.size for _, part in parts), initial=0)
        self._parts = tuple((start, part) for start, (_, part) in zip(starts, parts, strict=False))
        self.size = sum(part.size for _, part in parts)

    def cells(self) -> Iterator[Cell]:
        """Yield the cells of all parts; those of a tuple are numbered from 0."""
        own = name_of(self._path)
        for name, (_, part) in zip(self._names, self._parts, strict=True):
            for cell in part.cells():
                yield cell if isinstance(name, str) else numbered(cell, own, name)

    def write(self, out: Numbers, at: int, value: Any, old: Any) -> None:
        """Write the parts that changed."""
        if old is UNKNOWN:
            for (start, part), new in zip(self._parts, self._values(value), strict=True):
                part.write(out, at + start, new, UNKNOWN)
            return
        for (start, part), new, before in zip(self._parts, self._values(value), self._values(old), strict=True):
            if new is not before:
                part.write(out, at + start, new, before)


class Items:
    """A list of limited length: for each place a flag that there is an item, and the item, all 0 without it."""

    def __init__(self, path: Path, item: Feature, most: int) -> None:
        self._path, self._item, self._most = path, item, most
        self._width = 1 + item.size
        self.size = most * self._width

    def cells(self) -> Iterator[Cell]:
        """Yield the cells of each place, numbered from 0."""
        name = name_of(self._path)
        for place in range(self._most):
            yield Cell(f"{name}[{place}] is there", 0, 1)
            for cell in map(with_zero, self._item.cells()):
                yield numbered(cell, name, place)

    def write(self, out: Numbers, at: int, value: Any, old: Any) -> None:
        """Write the items that changed."""
        count, width, item = len(value), self._width, self._item
        if count > self._most:
            raise BoundError(f"{name_of(self._path)} has {count} items, more than the declared {self._most}")
        known = 0 if old is UNKNOWN else len(old)
        out[at + count * width : at + (self.size if old is UNKNOWN else known * width)] = 0
        if known:
            # Most items are the same objects as before, and this loop outside of Python skips them fastest.
            for place in compress(range(count), map(is_not, value, old)):
                item.write(out, at + place * width + 1, value[place], old[place])
        for place in range(known, count):
            out[at + place * width] = 1
            item.write(out, at + place * width + 1, value[place], UNKNOWN)


class Entries:
    """A map with known keys: for each a flag that it is there, and its value."""

    def __init__(self, path: Path, keys: Sequence[Any], value: Feature) -> None:
        self._path, self._keys, self._value = path, tuple(keys), value
        self._width = 1 + value.size
        self.size = len(self._keys) * self._width

    def cells(self) -> Iterator[Cell]:
        """Yield the cells of each key."""
        name = name_of(self._path)
        for key in self._keys:
            yield Cell(f"{name}[{key}] is there", 0, 1)
            for cell in map(with_zero, self._value.cells()):
                yield numbered(cell, name, key)

    def write(self, out: Numbers, at: int, value: Mapping[Any, Any], old: Any) -> None:
        """Write all values."""
        if unknown := set(value).difference(self._keys):
            raise BoundError(f"{name_of(self._path)} has the keys {sorted(unknown)}, which are not declared")
        out[at : at + self.size] = 0
        for place, key in enumerate(self._keys):
            if key in value:
                out[at + place * self._width] = 1
                self._value.write(out, at + place * self._width + 1, value[key], UNKNOWN)


def _getter(names: tuple[str | int, ...]) -> Callable[[Any], tuple[Any, ...]]:
    """Return what gives the parts of a Struct or of a tuple as a tuple."""
    if not names:
        return lambda value: ()
    get: Callable[[Any], Any]
    get = itemgetter(*names) if isinstance(names[0], int) else attrgetter(*map(str, names))
    return get if len(names) > 1 else lambda value: (get(value),)


def with_zero(cell: Cell) -> Cell:
    """Return a cell that may also be 0, because what it belongs to may be missing."""
    return cell._replace(low=min(cell.low, 0), high=max(cell.high, 0))


def numbered(cell: Cell, name: str, place: object) -> Cell:
    """Return a cell of the items of a list with the place of one item in its name."""
    return cell._replace(name=cell.name.replace(f"{name}[]", f"{name}[{place}]", 1))
