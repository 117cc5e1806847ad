"""Messages with the names of their fields, which the wire leaves out: for JSON, and for people."""

import msgspec
from msgspec import Struct


def named(part: Struct) -> dict[str, object]:
    """Return a message or part as a map by field name, and everything inside it likewise."""
    return {name: _named(value) for name, value in msgspec.structs.asdict(part).items()}


def _named(value: object) -> object:
    if isinstance(value, Struct):
        return named(value)
    if isinstance(value, tuple | list):
        return [_named(item) for item in value]
    return value
