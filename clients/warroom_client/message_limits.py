"""Checks outgoing messages against limits that would make a server close the connection."""

from warroom_client.errors import UnsendableError
from warroom_protocol import messages as wire
from warroom_protocol.canonical import canonical
from warroom_protocol.codec import decode_client, encode
from warroom_protocol.errors import WireError

_UNENCODABLE = (OverflowError, TypeError, ValueError, RecursionError)


def packed(action: object) -> bytes:
    """Encode an action; raise `UnsendableError` if it has values that no message can carry."""
    try:
        return canonical(action)
    except _UNENCODABLE as error:
        raise UnsendableError(f"this action cannot be sent: {error}") from error


def check(message: wire.ClientMessage) -> None:
    """Raise `UnsendableError` if the message breaks a limit of the protocol."""
    try:
        decode_client(encode(message))
    except WireError as error:
        raise UnsendableError(f"this cannot be sent: {error.detail}") from error
    except _UNENCODABLE as error:
        raise UnsendableError(f"this cannot be sent: {error}") from error
