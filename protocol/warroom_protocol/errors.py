"""Errors in bytes, patches and codes that came over the wire."""

from typing import ClassVar

from warroom_protocol import codes


class WireError(ValueError):
    """The base of all mistakes of a peer.

    *code* goes to the peer, *close_code* closes the connection after that (None: it stays open), and *ref* is the
    request that the answer belongs to, if one could be read.
    """

    code: ClassVar[str] = codes.MESSAGE_MALFORMED
    close_code: ClassVar[int | None] = codes.CLOSE_MALFORMED

    def __init__(self, detail: str, *, ref: int | None = None) -> None:
        super().__init__(detail)
        self.detail = detail
        self.ref = ref

    @property
    def close_reason(self) -> str:
        """The reason in the close frame; empty: that of the close code."""
        return ""


class DecodeError(WireError):
    """The bytes are not a message of this protocol."""


class UnknownMessageError(WireError):
    """The message has an unknown name; a newer peer may send it, so the connection stays open."""

    code = codes.MESSAGE_UNKNOWN
    close_code = None


class InvalidMessageError(WireError):
    """A request has an invalid field: it is refused, and the connection stays open."""

    code = codes.MESSAGE_INVALID
    close_code = None


class InvalidActError(InvalidMessageError):
    """An action has an invalid field; *room* and *id* name the action that waits for a verdict."""

    def __init__(self, detail: str, *, room: int, id: int) -> None:
        super().__init__(detail)
        self.room = room
        self.id = id


class FrameTooLargeError(WireError):
    """The message is too long."""

    code = codes.MESSAGE_TOO_LARGE
    close_code = codes.CLOSE_TOO_LARGE


class VersionError(WireError):
    """The two sides have no protocol version in common; *detail* names the versions of both."""

    code = codes.HELLO_VERSION
    close_code = codes.CLOSE_VERSION

    @property
    def close_reason(self) -> str:
        """The versions, also for a client that cannot read the error."""
        return self.detail


class PatchError(WireError):
    """The patch does not fit the view: ask for a snapshot."""

    code = codes.VIEW_DRIFT
    close_code = None


class AddressError(ValueError):
    """A text is not the address of a server."""


class RoomCodeError(WireError):
    """The text is not a room code."""

    code = codes.ROOM_UNKNOWN
    close_code = None


class ViewReplayError(ValueError):
    """The bytes are not a view of a match; says why."""


class TopicError(ValueError):
    """The text cannot begin a topic; says why."""


class BrokerUrlError(ValueError):
    """The text is not the URL of a broker; says what was expected, and repeats nothing: it may hold a password."""
