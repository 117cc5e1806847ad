"""Reads the features of a view from its type and from the game's bounds."""

from typing import Any

import msgspec.inspect as inspect

from warroom_games.bounds import Bound, Flags, Letters
from warroom_rl.domain_types import KEYS, LENGTH, categories_of, limits, listed_values
from warroom_rl.errors import SetupError
from warroom_rl.features import Category, Entries, Feature, Items, Maybe, Members, Number, Record, Text
from warroom_rl.field_bounds import ITEM, FieldBounds, Path, Undeclared, name_of


class FeatureTypes:
    """Makes features; a Struct of the type *constant*, which never changes in an environment, has none."""

    def __init__(self, bounds: FieldBounds, constant: Any) -> None:
        self._bounds, self._constant = bounds, constant

    def of(self, kind: inspect.Type, path: Path) -> Feature | None:
        """Return the feature of a type, None if it is left out; raise `SetupError` if it has no bound."""
        if isinstance(kind, inspect.Metadata):
            return self.of(kind.type, path)
        bound = self._bounds.find(path)
        if bound is None or (isinstance(kind, inspect.StructType) and kind.cls is self._constant):
            return None
        if isinstance(bound, Flags):
            return Members(path, bound.values)
        if isinstance(kind, inspect.UnionType):
            return self._either(kind, path)
        categories = categories_of(bound)
        if categories is not None and not isinstance(kind, inspect.DictType):
            return Category(path, categories)
        if isinstance(kind, inspect.BoolType):
            return Number(path, 0, 1)
        if values := listed_values(kind):
            return Category(path, values)
        return self._measured(kind, bound, path)

    def _measured(self, kind: inspect.Type, bound: Bound | Undeclared, path: Path) -> Feature | None:
        match kind:
            case inspect.IntType():
                low, high = (bound.start, bound.stop - 1) if isinstance(bound, range) else limits(kind)
                return Number(path, low, high)
            case inspect.StrType():
                if not isinstance(bound, Letters):
                    self._bounds.miss(path, "the possible texts, or their letters")
                    return None
                return Text(path, bound.letters, bound.most)
            case inspect.StructType(fields=fields):
                return self._record(path, [(field.name, field.type, (*path, field.name)) for field in fields])
            case inspect.NamedTupleType(fields=fields):
                return self._record(path, [(n, field.type, (*path, field.name)) for n, field in enumerate(fields)])
            case inspect.TupleType(item_types=kinds):
                return self._record(path, [(n, each, (*path, ITEM)) for n, each in enumerate(kinds)])
            case inspect.VarTupleType() | inspect.ListType():
                return self._items(kind, bound, path)
            case inspect.DictType():
                return self._entries(kind, bound, path)
            case _:
                raise SetupError(f"{name_of(path)} has a type that has no numbers; leave it out with None in `bounds`")

    def _either(self, kind: inspect.UnionType, path: Path) -> Feature | None:
        others = [each for each in kind.types if not isinstance(each, inspect.NoneType)]
        values = categories_of(self._bounds.find(path))
        if values is not None:
            return Category(path, values if None in values or len(others) == len(kind.types) else (None, *values))
        if len(others) != 1:
            raise SetupError(f"{name_of(path)} may have several types; leave it out with None in `bounds`")
        if values := listed_values(others[0]):
            return Category(path, (None, *values))
        inner = self.of(others[0], path)
        return None if inner is None else Maybe(path, inner)

    def _record(self, path: Path, fields: list[tuple[str | int, inspect.Type, Path]]) -> Record:
        features = [(name, self.of(kind, place)) for name, kind, place in fields]
        return Record(path, [(name, feature) for name, feature in features if feature is not None])

    def _items(
        self, kind: inspect.VarTupleType | inspect.ListType, bound: Bound | Undeclared, path: Path
    ) -> Feature | None:
        most = bound if isinstance(bound, int) else kind.max_length
        if most is None:
            self._bounds.miss(path, LENGTH)
        item = self.of(kind.item_type, (*path, ITEM))
        return None if item is None else Items(path, item, most or 0)

    def _entries(self, kind: inspect.DictType, bound: Bound | Undeclared, path: Path) -> Feature | None:
        keys = categories_of(bound) or listed_values(kind.key_type)
        if not keys:
            self._bounds.miss(path, KEYS)
        value = self.of(kind.value_type, (*path, ITEM))
        return None if value is None else Entries(path, keys, value)
