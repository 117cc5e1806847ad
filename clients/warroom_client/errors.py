"""What can go wrong for a client, as types that a caller can tell apart."""

from warroom_protocol.messages import Receipt


class ClientError(Exception):
    """The base of everything that the SDK raises on purpose."""


class RejectedError(ClientError):
    """The server refused: *code* is one of the stable dotted names, *detail* says it in words.

    *receipt* shows how the deadline was judged, where an action came too late.
    """

    def __init__(self, code: str, detail: str, receipt: Receipt | None = None) -> None:
        super().__init__(f"{detail} ({code})" if detail else code)
        self.code = code
        self.detail = detail
        self.receipt = receipt


class UnsendableError(ClientError):
    """What was to be sent breaks a limit of the protocol, so it was not: a server closes the line for such messages."""


class DisconnectedError(ClientError):
    """The line is gone; *code* is the websocket close code (None: it never opened, or broke without one)."""

    def __init__(self, message: str, code: int | None = None) -> None:
        super().__init__(message)
        self.code = code


class VersionError(ClientError):
    """The server and this client have no protocol version in common."""
