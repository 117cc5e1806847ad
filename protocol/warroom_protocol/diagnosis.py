"""Diagnose frames that could not be decoded. Valid frames never come here."""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Annotated, Any, Final

import msgspec
from msgspec import Meta, Raw, Struct
from msgspec.msgpack import Decoder

from warroom_protocol.errors import (
    DecodeError,
    InvalidActError,
    InvalidMessageError,
    UnknownMessageError,
    VersionError,
    WireError,
)
from warroom_protocol.expectations import in_words, shown
from warroom_protocol.json_twin import read_twin
from warroom_protocol.messages import CLIENT_MESSAGES, Act, ActionId, Hello, Ref, RoomNumber, Welcome
from warroom_protocol.plain import PLAIN_FIELDS, PLAIN_WORDS, Plain
from warroom_protocol.versions import SUPPORTED, mismatch

BROKEN: Final = (ValueError, TypeError, RecursionError)
"""What msgspec raises on hostile bytes: bad data and bad UTF-8, keys that cannot be hashed, and depth."""

_SECRETS: Final = frozenset({"token", "seat_token", "key", "ticket"})
"""Fields whose values are never repeated: a refusal may end up in a log."""
_LEAST_OF_NO_TEXT: Final = b"\x80"
"""Below it, a first byte is a number in MessagePack, and no message; it may begin text."""
_LONG_TEXT: Final = 40
"""A longer text is described by its length."""

_parts: Final = Decoder(list[Raw])
_name: Final = Decoder(str)
_offered: Final = Decoder(list[Annotated[int, Meta(ge=0, lt=2**16)]])
_decoder: Final[Callable[[Any], Decoder[Any]]] = cache(Decoder)
_fields: Final = cache(msgspec.structs.fields)  # it resolves annotations, which is slow


def diagnose_client(frame: bytes, error: Exception, problem: str = "") -> WireError:
    """Return the error for a client whose frame is not a valid message.

    If the request can be answered, one bad field refuses that request and nothing more. *problem* says what is wrong,
    if it is known.
    """
    if frame[:1] < _LEAST_OF_NO_TEXT:
        return _diagnose_text(frame, error)
    found = _head(frame, error, CLIENT_MESSAGES)
    if isinstance(found, WireError):
        return found
    kind, parts = found
    name = str(kind.__struct_config__.tag)
    if kind is Act:
        room, action_id = _value(parts, 1, RoomNumber), _value(parts, 2, ActionId)
        if room is None or action_id is None:
            return DecodeError("act: it cannot be answered without a room and an id")
        return InvalidActError(problem or _problem(name, kind, parts, error), room=room, id=action_id)
    ref = _value(parts, 1, Ref)
    if kind is Hello and (offered := _versions(parts)) and SUPPORTED.isdisjoint(offered):
        # Other versions may have other fields behind these.
        return VersionError(mismatch(server=SUPPORTED, client=offered), ref=ref)
    if ref is None:
        return DecodeError(f"{name}: it cannot be answered without a ref, a whole number of 53 bits")
    return InvalidMessageError(problem or _problem(name, kind, parts, error), ref=ref)


def _diagnose_text(text: bytes, error: Exception) -> WireError:
    try:
        message, problem = read_twin(text)
    except DecodeError as wrong:
        return wrong
    if not problem:
        return DecodeError("a message is a MessagePack array, and this is the JSON twin of one")
    return diagnose_client(message, error, problem)


def diagnose_server(frame: bytes, error: Exception, kinds: Mapping[str, type[Struct]]) -> WireError:
    """Return the error for a frame of a server."""
    found = _head(frame, error, kinds)
    if isinstance(found, WireError):
        return found
    kind, parts = found
    name = str(kind.__struct_config__.tag)
    if kind is Welcome and (version := _value(parts, 2, int)) is not None:
        if version not in SUPPORTED:
            return VersionError(mismatch(server=[version], client=SUPPORTED))
        problem = _problem(name, kind, parts, error)
        return VersionError(f"the server's protocol {version} is not the one of this client: {problem}")
    return DecodeError(f"{name}: {error}")


def _head(
    frame: bytes, error: Exception, kinds: Mapping[str, type[Struct]]
) -> tuple[type[Struct], list[Raw]] | WireError:
    """Return the kind of a message and its parts, or the error that prevents it."""
    try:
        parts = _parts.decode(frame)
        name = _name.decode(parts[0])
    except (*BROKEN, IndexError):
        return DecodeError(f"not an array that begins with a name: {error}")
    kind = kinds.get(name)
    if kind is None:
        return UnknownMessageError(f"no message is called {name[:64]!r}", ref=_value(parts, 1, Ref))
    return kind, parts


def _versions(parts: list[Raw]) -> list[int] | None:
    """Return the versions that a hello offers, whatever stands behind them."""
    try:
        return _offered.decode(parts[2])
    except (*BROKEN, IndexError):
        return None


def _value(parts: list[Raw], position: int, kind: Any) -> int | None:
    """Return the number at a position, if it is one of that kind."""
    try:
        value: int = _decoder(kind).decode(parts[position])
    except (*BROKEN, IndexError):
        return None
    return value


def _problem(name: str, kind: type[Struct], parts: list[Raw], error: Exception) -> str:
    """Say which field of a message is wrong and what it may hold, or what else is wrong."""
    fields = _fields(kind)
    given = len(parts) - 1
    if given > len(fields):
        return f"{name} has {given} fields; allowed: at most {len(fields)}"
    for field, part in zip(fields, parts[1:], strict=False):
        is_plain = field.name in PLAIN_FIELDS
        try:
            _decoder(Plain if is_plain else field.type).decode(part)
        except BROKEN as wrong:
            allowed = PLAIN_WORDS if is_plain else _allowed(field.type)
            said = f"; allowed: {allowed}" if allowed else f": {wrong}"
            takes_text = not is_plain and _takes_text(field.type)
            value = "that" if field.name in _SECRETS else _repeated(part, takes_text=takes_text)
            return f"{field.name} of {name} cannot be {value}{said}"
    if missing := [field.name for field in fields[given:] if field.required]:
        return f"{name} needs {', '.join(missing)}"
    return f"{name}: {error}"


@cache
def _allowed(kind: Any) -> str:
    return in_words(msgspec.json.schema(kind))


@cache
def _takes_text(kind: Any) -> bool:
    schema = msgspec.json.schema(kind)
    return any(
        part.get("type") == "string" or any(isinstance(word, str) for word in part.get("enum", ()))
        for part in schema.get("anyOf", [schema])
    )


def _repeated(part: Raw, *, takes_text: bool) -> str:
    """Return a value as its refusal names it.

    Text in a field that takes none is not repeated: it may be a secret at the wrong position.
    """
    try:
        value = msgspec.msgpack.decode(part)
    except BROKEN:
        return "that"
    if isinstance(value, str) and (len(value) > _LONG_TEXT or not takes_text):
        return f"a text of {len(value)} characters"
    return "that" if not isinstance(value, str) and _has_text(value) else shown(value)


def _has_text(value: object) -> bool:
    match value:
        case dict():
            return any(_has_text(part) for pair in value.items() for part in pair)
        case list() | tuple():
            return any(map(_has_text, value))
        case _:
            return isinstance(value, str | bytes)
