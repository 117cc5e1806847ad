"""Reads the finite sets of values from types: those that msgspec can decode an action's field into."""

from collections.abc import Callable, Iterable
from functools import partial
from operator import attrgetter
from typing import Any, TypeVar, cast

import msgspec.inspect as inspect

from warroom_games.bounds import Bound, Flags, Letters
from warroom_rl.domains import Amounts, Domain, Maybe, Product, Several, Span, Values
from warroom_rl.errors import SetupError
from warroom_rl.field_bounds import ITEM, FieldBounds, Path, Undeclared, name_of

T = TypeVar("T")

LENGTH = "the greatest length of the list"
KEYS = "the keys of the map"


def domain_of(kind: inspect.Type, path: Path, bounds: FieldBounds) -> Domain:
    """Return the set of the values of a type; raise `SetupError` if it has no bound."""
    match kind:
        case inspect.Metadata():
            return domain_of(kind.type, path, bounds)
        case inspect.UnionType():
            return _either(kind, path, bounds)
        case inspect.LiteralType() | inspect.EnumType() | inspect.BoolType() | inspect.NoneType():
            return Values(listed_values(kind))
        case _:
            bound = bounds.find(path)
            categories = categories_of(bound)
            if categories is not None and not isinstance(kind, inspect.DictType):
                return Values(categories)
            return _bounded(kind, bound, path, bounds)


def _bounded(kind: inspect.Type, bound: Bound | Undeclared, path: Path, bounds: FieldBounds) -> Domain:
    match kind:
        case inspect.IntType():
            return span(kind, bound, path, bounds)
        case inspect.TupleType(item_types=kinds):
            names = tuple(map(str, range(len(kinds))))
            return product(kinds, names, path, bounds, make=tuple, split=iter)
        case inspect.NamedTupleType(fields=fields):
            names, cls = tuple(field.name for field in fields), cast(Any, kind.cls)
            return product([field.type for field in fields], names, path, bounds, make=cls._make, split=iter)
        case inspect.StructType():
            return struct(kind, path, bounds)
        case inspect.VarTupleType() | inspect.ListType():
            most = bound if isinstance(bound, int) else kind.max_length
            if most is None:
                bounds.miss(path, LENGTH)
            return Several(domain_of(kind.item_type, (*path, ITEM), bounds), kind.min_length or 0, most or 0)
        case inspect.DictType():
            return _amounts(kind, path, bounds)
        case inspect.StrType():
            bounds.miss(path, "the allowed texts")
            return Values(())
        case _:
            raise SetupError(
                f"{name_of(path)} has a type without a fixed number of values; list its values in `bounds`"
            )


def _either(kind: inspect.UnionType, path: Path, bounds: FieldBounds) -> Domain:
    others = [each for each in kind.types if not isinstance(each, inspect.NoneType)]
    if len(others) == len(kind.types) or len(others) > 1:
        raise SetupError(f"{name_of(path)} may have several types; list its values in `bounds`")
    return Maybe(domain_of(others[0], path, bounds))


def span(kind: inspect.IntType, bound: Bound | Undeclared, path: Path, bounds: FieldBounds) -> Span:
    """Return the values of a number, by a declared range or by its type."""
    if isinstance(bound, range):
        if bound.step != 1 or not bound:
            raise SetupError(f"{name_of(path)} needs a range with some values and a step of 1, not {bound}")
        return Span(bound.start, len(bound))
    low, high = limits(kind)
    if low is None or high is None:
        bounds.miss(path, "the range of the number")
        return Span(0, 1)
    return Span(low, high - low + 1)


def struct(kind: inspect.StructType, path: Path, bounds: FieldBounds) -> Product:
    """Return the values of a Struct."""
    names = tuple(field.name for field in kind.fields)
    kinds = [field.type for field in kind.fields]
    split = _fields if len(names) != 1 else _only_field
    return product(kinds, names, path, bounds, make=partial(_made, kind.cls, names), split=partial(split, names))


def product(
    kinds: Iterable[inspect.Type],
    names: tuple[str, ...],
    path: Path,
    bounds: FieldBounds,
    *,
    make: Callable[[Iterable[Any]], Any],
    split: Callable[[Any], Iterable[Any]],
) -> Product:
    """Return the values of all parts together; the items of a tuple have one name."""
    is_named = not names or not names[0].isdigit()
    parts = tuple(
        domain_of(kind, (*path, name if is_named else ITEM), bounds) for kind, name in zip(kinds, names, strict=True)
    )
    return Product(parts, names, make, split)


def _amounts(kind: inspect.DictType, path: Path, bounds: FieldBounds) -> Amounts:
    keys = categories_of(bounds.find(path)) or listed_values(kind.key_type)
    if not keys:
        bounds.miss(path, KEYS)
    number = domain_of(kind.value_type, (*path, ITEM), bounds)
    if not isinstance(number, Span) or number.low != 0:
        raise SetupError(f"the values of {name_of(path)} must be numbers from 0")
    return Amounts(keys, number, len(keys) if kind.max_length is None else kind.max_length)


def listed_values(kind: inspect.Type) -> tuple[Any, ...]:
    """Return the values of a type that lists them; nothing if it does not."""
    match kind:
        case inspect.Metadata():
            return listed_values(kind.type)
        case inspect.LiteralType(values=values):
            return tuple(values)
        case inspect.EnumType(cls=cls):
            return tuple(cls)
        case inspect.BoolType():
            return False, True
        case inspect.NoneType():
            return (None,)
        case _:
            return ()


def limits(kind: inspect.IntType) -> tuple[int | None, int | None]:
    """Return the least and the greatest number that a type allows."""
    low = kind.ge if kind.gt is None else kind.gt + 1
    high = kind.le if kind.lt is None else kind.lt - 1
    return low, high


def categories_of(bound: Bound | Undeclared) -> tuple[Any, ...] | None:
    """Return the values that a bound lists; None if it is no list of values."""
    if bound is None or isinstance(bound, int | range | Letters | Flags | Undeclared):
        return None
    return tuple(bound)


def _made(cls: Callable[..., T], names: tuple[str, ...], values: Iterable[Any]) -> T:
    return cls(**dict(zip(names, values, strict=True)))


def _fields(names: tuple[str, ...], value: Any) -> tuple[Any, ...]:
    fields: tuple[Any, ...] = attrgetter(*names)(value) if names else ()
    return fields


def _only_field(names: tuple[str, ...], value: Any) -> tuple[Any, ...]:
    return (getattr(value, names[0]),)
