"""The law that a state cannot change: a host keeps old states, and shares their parts with views and other states."""

from collections.abc import Iterator
from enum import Enum
from functools import cache
from typing import Any, Final

import msgspec
from msgspec import Struct, inspect

from warroom_games.law import LawBrokenError
from warroom_games.playthrough import Playthrough

_SAMPLE: Final = 12
_LEAVES: Final = (int, str, bytes, float, Enum, type(None))
_MUTABLE: Final = {
    inspect.ListType: "a list",
    inspect.DictType: "a dict",
    inspect.SetType: "a set",
    inspect.ByteArrayType: "a bytearray",
}
"""Declared types that can change, and their names."""


def states_are_frozen(match: Playthrough) -> None:
    """A state is made of frozen Structs, tuples, numbers, text, bools and bytes, at every depth."""
    state_type: Any = match.game.state_type
    found = _in_types(state_type)
    if found is not None:
        raise LawBrokenError(found)
    known: set[int] = set()
    states = match.sample(_SAMPLE)  # keeps every object alive, so that an id stands for one of them
    for state in states:
        for where, what in _changeable(state, type(state).__name__, known):
            raise LawBrokenError(f"{where} is {what}")


@cache
def _in_types(state_type: Any) -> str | None:
    """Return what is wrong with the declared types of a state: a random match may never fill some fields."""
    seen: set[type] = set()
    waiting = [(state_type.__name__, msgspec.inspect.type_info(state_type))]
    for where, kind in waiting:
        if isinstance(kind, inspect.StructType):
            if not kind.cls.__struct_config__.frozen:
                return f"{kind.cls.__name__} is a Struct without frozen=True"
            if kind.cls not in seen:
                seen.add(kind.cls)
                waiting += [(f"{kind.cls.__name__}.{field.name}", field.type) for field in kind.fields]
        elif type(kind) in _MUTABLE:
            return f"{where} is declared as {_MUTABLE[type(kind)]}"
        else:
            waiting += [(where, inner) for inner in _inner(kind)]
    return None


def _inner(kind: inspect.Type) -> Iterator[inspect.Type]:
    """Yield the types that a type without fields contains."""
    match kind:
        case inspect.UnionType(types=types):
            yield from types
        case inspect.TupleType(item_types=types):
            yield from types
        case inspect.VarTupleType(item_type=item) | inspect.FrozenSetType(item_type=item):
            yield item
        case inspect.Metadata(type=annotated):
            yield annotated
        case _:
            return


def _changeable(value: Any, where: str, known: set[int]) -> Iterator[tuple[str, str]]:
    """Yield the place and type of each part that can change; parts that many states share are looked at once."""
    if isinstance(value, _LEAVES) or id(value) in known:
        return
    known.add(id(value))
    if isinstance(value, Struct):
        if not value.__struct_config__.frozen:
            yield where, f"a {type(value).__name__}, a Struct without frozen=True"
        for name in value.__struct_fields__:
            yield from _changeable(getattr(value, name), f"{where}.{name}", known)
    elif isinstance(value, tuple | frozenset):
        for number, item in enumerate(value):
            yield from _changeable(item, f"{where}[{number}]", known)
    else:
        yield where, f"a {type(value).__name__}"
