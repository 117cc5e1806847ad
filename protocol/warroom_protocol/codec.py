"""Messages to bytes and back, within the limits."""

import re
from collections.abc import Mapping
from typing import Annotated, Any, Final, TypeAlias

from msgspec import Meta, Raw, Struct, convert
from msgspec.msgpack import Decoder, Encoder

from warroom_protocol.errors import DecodeError, FrameTooLargeError, UnknownMessageError, WireError
from warroom_protocol.limits import MAX_CLIENT_BYTES, MAX_INTEGER, MAX_SERVER_BYTES, SCAN_ABOVE_BYTES
from warroom_protocol.messages import (
    CLIENT_MESSAGES,
    SERVER_MESSAGES,
    Act,
    ClientMessage,
    Create,
    Quick,
    Ref,
    ServerMessage,
)
from warroom_protocol.scan import scan

# What a client may put into an action or an option. No type can be recursive and bounded, so each level is spelt out.
_Key: TypeAlias = Annotated[str, Meta(max_length=64)]
_Scalar: TypeAlias = bool | Annotated[int, Meta(ge=-MAX_INTEGER, le=MAX_INTEGER)] | str | None
_Inner: TypeAlias = _Scalar | list[_Scalar] | dict[_Key, _Scalar]
_Middle: TypeAlias = _Scalar | list[_Inner] | dict[_Key, _Inner]
_Outer: TypeAlias = _Scalar | list[_Middle] | dict[_Key, _Middle]
_Plain: TypeAlias = dict[_Key, _Scalar | list[_Outer] | dict[_Key, _Outer]]

# What msgspec raises on hostile bytes: bad data and bad UTF-8, keys that cannot be hashed, and depth.
_BROKEN: Final = (ValueError, TypeError, RecursionError)

_encode: Final = Encoder().encode
_client: Final[Decoder[ClientMessage]] = Decoder(ClientMessage)
_server: Final[Decoder[ServerMessage]] = Decoder(ServerMessage)
_plain: Final[Decoder[Any]] = Decoder(_Plain)
_parts: Final = Decoder(list[Raw])
_name: Final = Decoder(str)
_ref: Final[Decoder[int]] = Decoder(Ref)


def encode(message: ClientMessage | ServerMessage) -> bytes:
    """Return the bytes of a message."""
    return _encode(message)


def decode_client(frame: bytes) -> ClientMessage:
    """Return the message that a client sent; raise a `WireError` for whatever is wrong with it.

    An action is known to be a map of plain values afterwards, but not yet to be one of the game's.
    """
    if len(frame) > MAX_CLIENT_BYTES:
        raise FrameTooLargeError(f"a client's message has at most {MAX_CLIENT_BYTES} bytes, this one {len(frame)}")
    if len(frame) > SCAN_ABOVE_BYTES:
        scan(frame)
    try:
        message = _client.decode(frame)
        if isinstance(message, Act):
            _plain.decode(message.action)
        elif isinstance(message, Create | Quick):
            convert(message.options, _Plain)
            convert(message.room_options, _Plain)
    except _BROKEN as error:
        raise _diagnosis(frame, error, CLIENT_MESSAGES) from error
    return message


def decode_server(frame: bytes) -> ServerMessage:
    """Return the message that a server sent; raise a `WireError` for whatever is wrong with it."""
    if len(frame) > MAX_SERVER_BYTES:
        raise FrameTooLargeError(f"a server's message has at most {MAX_SERVER_BYTES} bytes, this one {len(frame)}")
    try:
        return _server.decode(frame)
    except _BROKEN as error:
        raise _diagnosis(frame, error, SERVER_MESSAGES) from error


def _diagnosis(frame: bytes, error: Exception, kinds: Mapping[str, type[Struct]]) -> WireError:
    """Return what to tell the sender of a frame that could not be decoded."""
    try:
        parts = _parts.decode(frame)
        name = _name.decode(parts[0])
    except (*_BROKEN, IndexError):
        return DecodeError(f"not an array that begins with a name: {error}")
    ref = None if name == "act" else _readable_ref(parts)
    if name not in kinds:
        return UnknownMessageError(f"no message is called {name[:64]!r}", ref=ref)
    return DecodeError(f"{name}: {_with_names(str(error), kinds[name])}", ref=ref)


def _with_names(problem: str, kind: type[Struct]) -> str:
    """Return what is wrong with a message, with the name of the field where the decoder counts positions."""
    fields = kind.__struct_fields__

    def named(found: re.Match[str]) -> str:
        position = int(found[1])
        return f"`{fields[position - 1]}" if 0 < position <= len(fields) else found[0]

    return re.sub(r"`\$\[(\d+)\]", named, problem)


def _readable_ref(parts: list[Raw]) -> int | None:
    """Return the ref of a request, the first field of all but `act`."""
    try:
        return _ref.decode(parts[1])
    except (*_BROKEN, IndexError):
        return None
