"""What can be wrong with bytes, patches and codes that came over the wire."""

from typing import ClassVar

from warroom_protocol import codes


class WireError(ValueError):
    """The base of everything that a peer can get wrong.

    *code* is what to tell the peer, *close_code* how to close the connection after telling it (None: it may stay),
    *ref* the request that the answer belongs to, where one could be read.
    """

    code: ClassVar[str] = codes.MESSAGE_MALFORMED
    close_code: ClassVar[int | None] = codes.CLOSE_MALFORMED

    def __init__(self, detail: str, *, ref: int | None = None) -> None:
        super().__init__(detail)
        self.detail = detail
        self.ref = ref


class DecodeError(WireError):
    """The bytes are not a message of this protocol."""


class UnknownMessageError(WireError):
    """The message has a name that this side does not know; a newer peer may send such, so the connection stays."""

    code = codes.MESSAGE_UNKNOWN
    close_code = None


class InvalidMessageError(WireError):
    """A request has a field that cannot be so: it is refused, and the connection stays."""

    code = codes.MESSAGE_INVALID
    close_code = None


class InvalidActError(InvalidMessageError):
    """An action has a field that cannot be so; *room* and *id* say which one waits for a verdict."""

    def __init__(self, detail: str, *, room: int, id: int) -> None:
        super().__init__(detail)
        self.room = room
        self.id = id


class FrameTooLargeError(WireError):
    """The message is longer than its sender may make it."""

    code = codes.MESSAGE_TOO_LARGE
    close_code = codes.CLOSE_TOO_LARGE


class VersionError(WireError):
    """The two sides have no protocol version in common."""

    code = codes.HELLO_VERSION
    close_code = codes.CLOSE_VERSION


class PatchError(WireError):
    """The patch does not fit the view: ask for a snapshot."""

    code = codes.VIEW_DRIFT
    close_code = None


class RoomCodeError(WireError):
    """The text is not a room code."""

    code = codes.ROOM_UNKNOWN
    close_code = None


class ViewReplayError(ValueError):
    """The bytes are no view of a match; says why."""


class TopicError(ValueError):
    """The text cannot begin a topic; says why."""


class BrokerUrlError(ValueError):
    """The text is no address of a broker; says what was expected, and repeats nothing, for it may hold a password."""
