"""What a room can be told. Times are milliseconds of the node's play clock; a connection is a number."""

from typing import TypeAlias

from msgspec import Struct

from warroom_protocol.messages import Position

ConnectionId: TypeAlias = int


class _Command(Struct, frozen=True):
    """The base of all commands."""


class Join(_Command, frozen=True):
    """A connection wants the seat of *player*, or a free one (*seat* None: any)."""

    connection: ConnectionId
    ref: int
    player: str
    name: str
    seat: int | None
    seat_token: str
    """Echoed in the answer; the session made it."""
    position: Position | None


class Watch(_Command, frozen=True):
    """A connection wants to spectate."""

    connection: ConnectionId
    ref: int
    position: Position | None


class Leave(_Command, frozen=True):
    """A connection no longer follows the room; in the lobby its player's place becomes free."""

    connection: ConnectionId
    ref: int


class Detach(_Command, frozen=True):
    """A connection is gone. No answer is due; the seat stays taken and its clock runs on."""

    connection: ConnectionId


class Start(_Command, frozen=True):
    """The host wants the match to begin."""

    connection: ConnectionId
    ref: int


class Act(_Command, frozen=True):
    """A connection plays for its seat; *arrived* is when the bytes were read."""

    connection: ConnectionId
    id: int
    turn: int
    action: bytes
    arrived: int


class Legal(_Command, frozen=True):
    """A connection asks what its seat may do."""

    connection: ConnectionId
    ref: int


class Resync(_Command, frozen=True):
    """A viewer's copy went wrong: send it a snapshot."""

    connection: ConnectionId
    ref: int
    reason: str


class Refresh(_Command, frozen=True):
    """A viewer that was too slow for updates can take a snapshot now."""

    connection: ConnectionId


class Resign(_Command, frozen=True):
    """A connection gives its seat's match up."""

    connection: ConnectionId
    ref: int


class Committed(_Command, frozen=True):
    """The store has the entry in flight, at revision *rev*."""

    rev: int


class Behind(_Command, frozen=True):
    """The store has only *head* entries: what follows is to be appended again."""

    head: int


class Fenced(_Command, frozen=True):
    """Another owner holds the room: stop."""


class Expire(_Command, frozen=True):
    """Time has passed `Room.wake_at`, and the sockets were polled since."""


class Pause(_Command, frozen=True):
    """Stop the room's clock, and tell everybody why."""

    reason: str


class Unpause(_Command, frozen=True):
    """Let the room's clock run again."""


class Void(_Command, frozen=True):
    """End the room without a result."""

    reason: str


Request: TypeAlias = Join | Watch | Leave | Start | Act | Legal | Resync | Resign
"""What a connection asks for; each gets one answer."""

Command: TypeAlias = (
    Join | Watch | Leave | Detach | Start | Act | Legal | Resync | Refresh | Resign | Committed | Behind | Fenced
    | Expire | Pause | Unpause | Void
)  # fmt: skip
