"""The actions of a game as forms: the action types and their fields."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, TypeAlias

import msgspec
import msgspec.inspect as inspect
from msgspec import Struct


class Field(Struct, frozen=True):
    """One field of an action."""

    name: str
    kind: Any
    """Its type, as annotated."""
    is_required: bool
    words: int
    """How many typed words it takes: three for a place with three coordinates."""
    is_text: bool
    is_map: bool
    choices: tuple[str, ...]
    """The allowed values, if they are few and named."""


Form: TypeAlias = tuple[Field, ...]


@cache
def forms_of(action_type: Any) -> Mapping[str, Form]:
    """Return the form of each action type, in the game's order."""
    found = inspect.type_info(action_type)
    parts = found.types if isinstance(found, inspect.UnionType) else (found,)
    return {str(part.tag): _form(part.cls) for part in parts if isinstance(part, inspect.StructType)}


def wanted(form: Form) -> str:
    """Describe the fields of a form: `source and target`; optional ones are in brackets."""
    names = [field.name if field.is_required else f"[{field.name}]" for field in form]
    return listed(names) if names else "nothing more"


def listed(names: Sequence[str]) -> str:
    """Join names for people: `a, b and c`."""
    return " and ".join([", ".join(names[:-1]), names[-1]] if len(names) > 1 else names)


def _form(cls: Any) -> Form:
    return tuple(_field(field) for field in msgspec.structs.fields(cls))


def _field(field: msgspec.structs.FieldInfo) -> Field:
    kinds = _kinds(inspect.type_info(field.type))
    return Field(
        name=field.encode_name,
        kind=field.type,
        is_required=field.required,
        words=max(map(_words, kinds), default=1),
        is_text=any(isinstance(kind, inspect.StrType) for kind in kinds),
        is_map=any(isinstance(kind, inspect.DictType) for kind in kinds),
        choices=tuple(str(value) for kind in kinds if isinstance(kind, inspect.LiteralType) for value in kind.values),
    )


def _kinds(kind: inspect.Type) -> list[inspect.Type]:
    """Return the possible types of a value, without annotations."""
    if isinstance(kind, inspect.Metadata):
        return _kinds(kind.type)
    if isinstance(kind, inspect.UnionType):
        return [each for part in kind.types for each in _kinds(part) if not isinstance(each, inspect.NoneType)]
    return [kind]


def _words(kind: inspect.Type) -> int:
    match kind:
        case inspect.TupleType(item_types=items):
            return len(items)
        case inspect.NamedTupleType(fields=fields):
            return len(fields)
        case _:
            return 1
