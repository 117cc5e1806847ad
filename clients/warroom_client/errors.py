"""The errors of the SDK."""

from typing import ClassVar

from warroom_protocol import codes
from warroom_protocol.messages import Receipt


class ClientError(Exception):
    """Base of all errors that the SDK raises on purpose."""


class RejectedError(ClientError):
    """The server refused: *code* is a stable dotted name, *detail* a readable text.

    *receipt* shows how the deadline was judged, if an action was late.
    """

    def __init__(self, code: str, detail: str, receipt: Receipt | None = None) -> None:
        super().__init__(f"{detail} ({code})" if detail else code)
        self.code = code
        self.detail = detail
        self.receipt = receipt


class UnsendableError(ClientError):
    """The message breaks a limit of the protocol and was not sent, because a server would close the connection."""


class DisconnectedError(ClientError):
    """The connection is lost; *code* is the websocket close code (None: it never opened, or broke without one).

    *retry_after_s* is the time that a server at its limit asks to wait before the next attempt, or 0.
    """

    def __init__(self, message: str, code: int | None = None, *, retry_after_s: float = 0.0) -> None:
        super().__init__(message)
        self.code = code
        self.retry_after_s = retry_after_s


class VersionError(ClientError):
    """The server and this client share no protocol version; the text names the versions of both."""

    code: ClassVar[str] = codes.HELLO_VERSION
    """The stable name of this error, as in `RejectedError`."""
