"""The JSON twins of a client's messages: maps with the names of the fields, which the wire leaves out.

A twin becomes the message that it stands for before anyone judges it, so every check and limit of the wire holds for it
too. `readable` makes the twins of a server's messages.
"""

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, Final, get_args

import msgspec
from msgspec import NODEFAULT, Struct

from warroom_protocol.errors import DecodeError
from warroom_protocol.messages import CLIENT_MESSAGES

_BROKEN: Final = (ValueError, TypeError, RecursionError, OverflowError)
"""What msgspec raises on hostile text, and on numbers that MessagePack does not have."""

_LEAST_OF_A_MESSAGE: Final = b"\x80"
"""JSON begins with a smaller byte, a message with this one or a greater one."""

_text: Final = msgspec.json.Decoder(dict[str, Any])


def message_of(text: bytes) -> bytes:
    """Return the message of which a client sent the JSON twin.

    Text that is not a twin stays as it is, so its refusal says what is wrong with it. Bytes that could be a message
    already get a space in front: text must not carry one.
    """
    try:
        message, problem = read_twin(text)
    except DecodeError:
        return text if text[:1] < _LEAST_OF_A_MESSAGE else b" " + text
    return text if problem else message


def read_twin(text: bytes) -> tuple[bytes, str]:
    """Return the message that a twin stands for, and what is wrong with the names in it, if anything.

    Raise `DecodeError` if the text is no twin.
    """
    try:
        fields = _text.decode(text)
        name = fields.pop("type", None)
        if not isinstance(name, str):
            raise DecodeError("the map has no text under `type`, which names the message")
        kind = CLIENT_MESSAGES.get(name)
        if kind is None:
            return msgspec.msgpack.encode([name, fields.get("ref")]), ""
        problem = next(_misnamed(name, kind, fields), "")
        return msgspec.msgpack.encode([name, *_row(kind, fields)]), problem
    except _BROKEN as error:
        raise DecodeError(f"neither a message nor the JSON twin of one: {error}") from error


def _row(kind: type[Struct], fields: Mapping[str, Any]) -> list[object]:
    """Return the fields in their order; missing ones have their default, or null if they have none."""
    row: list[object] = []
    for field in _fields(kind):
        if field.name in fields:
            row.append(_inside(field, fields[field.name]))
        elif field.default_factory is not NODEFAULT:
            row.append(field.default_factory())
        else:
            row.append(None if field.default is NODEFAULT else field.default)
    return row


def _inside(field: msgspec.structs.FieldInfo, value: object) -> object:
    """Return what a field holds, with every part as an array."""
    part = _part(field.type)
    if part is None:
        return value
    if isinstance(value, list):
        return [_row(part, item) if isinstance(item, dict) else item for item in value]
    return _row(part, value) if isinstance(value, dict) else value


def _misnamed(name: str, kind: type[Struct], fields: Mapping[str, Any]) -> Iterator[str]:
    """Yield what is wrong with the names of a message or part, and of the parts inside it."""
    known = {field.name: field for field in _fields(kind)}
    for key, value in fields.items():
        if key not in known:
            yield f"{name} has no field {key[:64]!r}; it has {', '.join(known)}"
        elif part := _part(known[key].type):
            for item in value if isinstance(value, list) else [value]:
                if isinstance(item, dict):
                    yield from _misnamed(f"{key} of {name}", part, item)
    if missing := [field.name for field in known.values() if field.required and field.name not in fields]:
        yield f"{name} needs {', '.join(missing)}"


_fields: Final = cache(msgspec.structs.fields)  # it resolves annotations, which is slow


@cache
def _part(kind: Any) -> type[Struct] | None:
    """Return the type of the parts that a field holds; None if it holds none."""
    if isinstance(kind, type) and issubclass(kind, Struct):
        return kind
    return next(filter(None, map(_part, get_args(kind))), None)
