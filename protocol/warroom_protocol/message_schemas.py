"""JSON Schemas of all messages: draft 2020-12, valid for strict validators.

Messages have two forms. The *twin* is a message as JSON, a map with the names of the fields; types are generated from
it. The *wire* form is the array that MessagePack carries. Messages of a server are always complete; a client may leave
out optional fields at the end.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final, Literal, TypeAlias

import msgspec
from msgspec import Struct
from msgspec.structs import FieldInfo

from warroom_protocol.descriptions import described, meaning
from warroom_protocol.limits import MAX_INTEGER, MAX_OPERATIONS, MAX_PATH
from warroom_protocol.messages import CLIENT_MESSAGES, PARTS, SERVER_MESSAGES
from warroom_protocol.plain import PLAIN_FIELDS, PLAIN_WORDS, Plain

Schema: TypeAlias = dict[str, Any]
Side: TypeAlias = Literal["client", "server"]
Form: TypeAlias = Literal["twin", "wire"]

DRAFT: Final = "https://json-schema.org/draft/2020-12/schema"

_DEFS: Final = "#/$defs/"
_DROPPED: Final = frozenset({"title", "description", "default"})
_MESSAGES: Final[Mapping[Side, Mapping[str, type[Struct]]]] = {"client": CLIENT_MESSAGES, "server": SERVER_MESSAGES}


def message_schemas() -> dict[str, Schema]:
    """Return a document for each side and form, by file name."""
    return {
        "client.json": _messages("client", "twin"),
        "server.json": _messages("server", "twin"),
        "wire/client.json": _messages("client", "wire"),
        "wire/server.json": _messages("server", "wire"),
    }


def document(title: str, description: str, roots: Iterable[str], pool: Mapping[str, Schema]) -> Schema:
    """Return the schema of anything that fits one of the *roots*, with the definitions in *pool* that these need."""
    names = tuple(roots)
    needed: dict[str, Schema] = {}
    _gather(names, pool, needed)
    choices = [ref(name) for name in names]
    return {"$schema": DRAFT, "title": title, "description": description, "anyOf": choices, "$defs": needed}


def definitions(side: Side, form: Form) -> dict[str, Schema]:
    """Return the schemas of all messages and parts of a side by the names of their classes, and of plain values."""
    kinds: tuple[type[Struct], ...] = (*_MESSAGES[side].values(), *PARTS)
    _, arrays = msgspec.json.schema_components(kinds, ref_template=_DEFS + "{name}", schema_hook=lambda _: ref("View"))
    build = _twin if form == "twin" else _wire
    return {kind.__name__: build(kind, _fields(kind, arrays[kind.__name__], side, form), side) for kind in kinds} | {
        "View": _view(),
        "Patch": _patch(),
        "Plain": _plain(),
    }


def ref(name: str) -> Schema:
    """Return a reference to a definition of the same document."""
    return {"$ref": _DEFS + name}


def _messages(side: Side, form: Form) -> Schema:
    names = [kind.__name__ for kind in _MESSAGES[side].values()]
    sender = "a client" if side == "client" else "the server"
    shape = "a map with the names of the fields" if form == "twin" else "the array that MessagePack carries"
    text = f"A message of {sender}, as {shape}. What the texts call nil is null."
    return document(f"{side.title()}Message", text, names, definitions(side, form))


def _gather(names: Iterable[str], pool: Mapping[str, Schema], found: dict[str, Schema]) -> None:
    """Add the named definitions, and all that these refer to, to *found*."""
    for name in names:
        if name not in found:
            found[name] = pool[name]
            _gather(_referred(pool[name]), pool, found)


def _referred(schema: Any) -> Iterator[str]:
    if isinstance(schema, dict):
        if "$ref" in schema:
            yield schema["$ref"].removeprefix(_DEFS)
        schema = list(schema.values())
    if isinstance(schema, list):
        for part in schema:
            yield from _referred(part)


# --- the two forms ----------------------------------------------------------------------------------------------


def _twin(kind: type[Struct], fields: Mapping[str, Schema], side: Side) -> Schema:
    tag = {} if kind.__struct_config__.tag is None else {"type": {"const": kind.__struct_config__.tag}}
    required = [field.name for field in msgspec.structs.fields(kind) if _is_required(field, side)]
    return {
        **_head(kind),
        "type": "object",
        "properties": {**tag, **fields},
        "required": [*tag, *required],
        "additionalProperties": False,
    }


def _wire(kind: type[Struct], fields: Mapping[str, Schema], side: Side) -> Schema:
    """Return a tuple, or several: strict validators want each to have one length."""
    tag = [] if kind.__struct_config__.tag is None else [{"const": kind.__struct_config__.tag}]
    items = [*tag, *(_noted(schema, title=name) for name, schema in fields.items())]
    left_out = sum(not _is_required(field, side) for field in msgspec.structs.fields(kind))
    if not left_out:
        return {**_head(kind), **_tuple(items)}
    brief = [{key: part for key, part in item.items() if key not in ("description", "default")} for item in items]
    shorter = [_tuple(brief[: len(items) - count]) for count in range(1, left_out + 1)]
    return {**_head(kind), "anyOf": [_tuple(items), *shorter]}


def _head(kind: type[Struct]) -> Schema:
    return {"title": kind.__name__, "description": described(kind)}


def _noted(schema: Schema, **texts: object) -> Schema:
    """Return a schema with texts; a bare reference stays one, because generators copy what is beside it."""
    return {**texts, "allOf": [schema]} if "$ref" in schema else {**texts, **schema}


def _tuple(items: list[Schema]) -> Schema:
    return {"type": "array", "prefixItems": items, "minItems": len(items), "maxItems": len(items)}


def _is_required(field: FieldInfo, side: Side) -> bool:
    return field.required or side == "server"


# --- fields -----------------------------------------------------------------------------------------------------


def _fields(kind: type[Struct], array: Schema, side: Side, form: Form) -> dict[str, Schema]:
    """Return the schemas of the fields from those of the items of msgspec's array."""
    fields = msgspec.structs.fields(kind)
    items = array["prefixItems"][-len(fields) :]
    found = {}
    for field, item in zip(fields, items, strict=True):
        default = {} if _is_required(field, side) else {"default": item["default"]}
        found[field.name] = _noted(_field(field.name, item, side, form), description=meaning(kind, field), **default)
    return found


def _field(name: str, item: Schema, side: Side, form: Form) -> Schema:
    if name in PLAIN_FIELDS and side == "client":
        return ref("Plain")
    if "contentEncoding" in item:  # JSON has no binary data: the twin holds it as hex
        return {} if form == "wire" else {"type": "string", "contentEncoding": "base16"}
    bare: Schema = _bare(item)
    return bare


def _bare(schema: Any) -> Any:
    """Return the schema of a type without its own texts; the title names patches, which have no type.

    `items`: false says nothing beside `maxItems`, and some generators take it for a list that is always empty.
    """
    if isinstance(schema, list):
        return [_bare(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    if schema.get("title") == "patch":
        return ref("Patch")
    return {key: _bare(part) for key, part in schema.items() if key not in _DROPPED and part is not False}


# --- values without types ---------------------------------------------------------------------------------------


def _view() -> Schema:
    return {
        "title": "View",
        "description": "A plain value: a view or part of one, an event, an action, or an option.",
        "anyOf": [
            {"type": "null"},
            {"type": "boolean"},
            {"type": "integer", "minimum": -MAX_INTEGER, "maximum": MAX_INTEGER},
            {"type": "string"},
            {"type": "array", "items": ref("View")},
            {"type": "object", "additionalProperties": ref("View")},
        ],
    }


def _patch() -> Schema:
    step = {"anyOf": [{"type": "string"}, {"type": "integer", "minimum": 0}]}
    path = {"title": "path", "type": "array", "items": step, "maxItems": MAX_PATH}
    keep = {"title": "keep", "type": "integer", "minimum": 0}
    items = {"title": "items", "type": "array", "items": ref("View")}
    operations = [_tuple([path, ref("View")]), _tuple([path]), _tuple([path, keep, items])]
    return {
        "title": "Patch",
        "description": "How a view changed: operations that set a value, remove a key, or cut a list and append to it.",
        "type": "array",
        "items": {"anyOf": operations},
        "maxItems": MAX_OPERATIONS,
    }


def _plain() -> Schema:
    whole = msgspec.json.schema(Plain)
    return {
        "title": "Plain",
        "description": PLAIN_WORDS,
        "type": "object",
        "propertyNames": whole["propertyNames"],
        "additionalProperties": ref("View"),
    }
