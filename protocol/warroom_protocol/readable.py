"""Messages with the names of their fields, which the wire leaves out: for JSON, and for people."""

import msgspec
from msgspec import Struct

from warroom_protocol.codec import decode_server


def twin_of(payload: bytes) -> bytes:
    """Return the JSON twin of a server's message: its name under `type`, and its fields."""
    message = decode_server(payload)
    return msgspec.json.encode({"type": message.__struct_config__.tag, **named(message)})


def named(part: Struct) -> dict[str, object]:
    """Return a message or part as a map by field name, and everything inside it likewise; binary data is hex."""
    return {name: _named(value) for name, value in msgspec.structs.asdict(part).items()}


def _named(value: object) -> object:
    if isinstance(value, Struct):
        return named(value)
    if isinstance(value, tuple | list):
        return [_named(item) for item in value]
    return value.hex() if isinstance(value, bytes) else value
