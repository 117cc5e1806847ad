"""Messages to bytes and back, within the limits."""

from collections.abc import Callable
from typing import Any, Final

from msgspec import convert, msgpack
from msgspec.msgpack import Decoder, Encoder

from warroom_protocol.diagnosis import BROKEN, diagnose_client, diagnose_server
from warroom_protocol.errors import FrameTooLargeError
from warroom_protocol.limits import MAX_CLIENT_BYTES, MAX_SERVER_BYTES, SCAN_ABOVE_BYTES
from warroom_protocol.messages import SERVER_MESSAGES, Act, ClientMessage, Create, Quick, ServerMessage
from warroom_protocol.plain import Plain
from warroom_protocol.scan import scan

encode: Final[Callable[[ClientMessage | ServerMessage], bytes]] = Encoder().encode
"""Return the bytes of a message."""
_client: Final[Decoder[ClientMessage]] = Decoder(ClientMessage)
_act: Final[Decoder[Act]] = Decoder(Act)
_ACT: Final = msgpack.encode(Act.__struct_config__.tag)
_server: Final[Decoder[ServerMessage]] = Decoder(ServerMessage)
_plain: Final[Decoder[Any]] = Decoder(Plain)


def decode_act(frame: bytes) -> Act | None:
    """Return the action in a message, or None if it is anything else, or not plainly right: see `decode_client`."""
    if len(frame) > SCAN_ABOVE_BYTES or not frame.startswith(_ACT, 1):  # after the one byte that begins the array
        return None
    try:
        act = _act.decode(frame)
        _plain.decode(act.action)
    except BROKEN:
        return None
    return act


def decode_client(frame: bytes) -> ClientMessage:
    """Return the message that a client sent; raise a `WireError` if anything is wrong with it.

    An action is known to be a map of plain values afterwards, but not yet to be one of the game's.
    """
    if len(frame) > MAX_CLIENT_BYTES:
        raise FrameTooLargeError(f"a client's message has at most {MAX_CLIENT_BYTES} bytes, this one {len(frame)}")
    try:
        if len(frame) > SCAN_ABOVE_BYTES:
            scan(frame)
        message = _client.decode(frame)
        if isinstance(message, Act):
            _plain.decode(message.action)
        elif isinstance(message, Create | Quick):
            convert(message.options, Plain)
            convert(message.room_options, Plain)
    except BROKEN as error:
        raise diagnose_client(frame, error) from error
    return message


def decode_server(frame: bytes) -> ServerMessage:
    """Return the message that a server sent; raise a `WireError` if anything is wrong with it."""
    if len(frame) > MAX_SERVER_BYTES:
        raise FrameTooLargeError(f"a server's message has at most {MAX_SERVER_BYTES} bytes, this one {len(frame)}")
    try:
        return _server.decode(frame)
    except BROKEN as error:
        raise diagnose_server(frame, error, SERVER_MESSAGES) from error
