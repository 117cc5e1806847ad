"""The messages in docs/PROTOCOL_REFERENCE.md, made from their types: positions, field types, meanings, answers."""

import json

import msgspec
from msgspec import NODEFAULT, Raw, Struct
from msgspec import inspect as types
from protocol_answers import ANSWERS, ERRORS

from warroom_protocol.descriptions import described, meaning
from warroom_protocol.messages import CLIENT_MESSAGES, PARTS, SERVER_MESSAGES
from warroom_protocol.parts import Message

ARROWS = {"client": "→", "server": "←"}
_INTEGERS = {(0, 2**53): "u53", (0, 2**32): "u32", (0, 2**16): "u16", (0, 64): "seat", (None, None): "int"}


def fields_table(kind: type[Struct]) -> str:
    """Return the table of a message's or part's fields."""
    first = 1 if issubclass(kind, Message) else 0
    rows = ["| # | field | type | meaning |", "|---|---|---|---|"]
    for position, field in enumerate(msgspec.structs.fields(kind), first):
        rows.append(f"| {position} | `{field.name}` | {field_type(field)} | {meaning(kind, field)} |")
    return "\n".join(rows) + "\n"


def field_type(field: msgspec.structs.FieldInfo) -> str:
    """Return the type of a field in the words of the document, with its default if it may be left out."""
    words = "map" if field.type is Raw else type_words(types.type_info(field.type))
    if field.required:
        return words
    return f"{words}, optional: {json.dumps(field_default(field))}".replace("null", "nil")


def field_default(field: msgspec.structs.FieldInfo) -> object:
    """Return what an optional field is when it is left out."""
    return field.default if field.default is not NODEFAULT else field.default_factory()


def type_words(kind: types.Type) -> str:
    """Return a type in the words of the document."""
    match kind:
        case types.Metadata(type=inner, extra_json_schema=schema):
            return str((schema or {}).get("title") or type_words(inner))
        case types.UnionType(types=options):
            (some,) = [option for option in options if not isinstance(option, types.NoneType)]
            return f"{type_words(some)} ?"
        case types.VarTupleType(item_type=item, min_length=least, max_length=most):
            return f"[{type_words(item)}]" + _bounds(least, most)
        case types.TupleType(item_types=items):
            return "[" + ", ".join(map(type_words, items)) + "]"
        case types.StructType(cls=part):
            return f"[{part.__name__}](#{part.__name__.lower()})"
        case _:
            return _plain_words(kind)


def _plain_words(kind: types.Type) -> str:
    """Return a type that holds no others in the words of the document."""
    match kind:
        case types.IntType(ge=low, lt=high, le=None) if (low, high) in _INTEGERS:
            return _INTEGERS[low, high]
        case types.IntType(ge=low, le=high):
            return f"int, {low} to {high}"
        case types.StrType(max_length=most):
            return "text" if most is None else f"text {most}"
        case types.LiteralType(values=values):
            return "one of " + ", ".join(f"`{value}`" for value in values)
        case _:
            return {types.BoolType: "bool", types.DictType: "map", types.BytesType: "bin"}[type(kind)]


def _bounds(least: int | None, most: int | None) -> str:
    if most is None:
        return ""
    return f", at most {most}" if least is None else f", {least} to {most}"


def message_block(direction: str, name: str, example: str) -> str:
    """Return the section of a message."""
    kind = {"client": CLIENT_MESSAGES, "server": SERVER_MESSAGES}[direction][name]
    parts = [f"### {ARROWS[direction]} {name}\n", described(kind) + "\n", fields_table(kind)]
    if direction == "client":
        parts.append(f"*Answer:* {_linked(ANSWERS[name])}.\n\n*Errors:* {ERRORS[name]}.\n")
    return "\n".join([*parts, example])


def _linked(answer: str) -> str:
    """Turn the names of messages from the server into links."""
    for name in SERVER_MESSAGES:
        anchor = f"-{name}-1" if name in CLIENT_MESSAGES else f"-{name}"
        answer = answer.replace(f"`{name}`", f"[`{name}`](#{anchor})")
    return answer


def parts_block() -> str:
    """Return the sections of all parts."""
    return "\n".join(f"### {part.__name__}\n\n{described(part)}\n\n{fields_table(part)}" for part in PARTS)
