"""What a room can be told. Times are milliseconds of the node's play clock; a connection is a number."""

from typing import TypeAlias

from msgspec import Struct

from warroom_protocol.messages import Position

ConnectionId: TypeAlias = int


class _Command(Struct, frozen=True):
    """The base of all commands."""


class Join(_Command):
    """A connection wants the seat of *player*, or a free one (*seat* None: any)."""

    connection: ConnectionId
    ref: int
    player: str
    name: str
    seat: int | None
    seat_token: str
    """Echoed in the answer; the session made it."""
    position: Position | None


class Watch(_Command):
    """A connection wants to spectate."""

    connection: ConnectionId
    ref: int
    position: Position | None


class Leave(_Command):
    """A connection no longer follows the room; in the lobby its player's place becomes free."""

    connection: ConnectionId
    ref: int


class Detach(_Command):
    """A connection is gone. No answer is due; the seat stays taken and its clock runs on."""

    connection: ConnectionId


class Start(_Command):
    """The host wants the match to begin."""

    connection: ConnectionId
    ref: int


class Act(_Command):
    """A connection plays for its seat; *arrived* is when the bytes were read."""

    connection: ConnectionId
    id: int
    turn: int
    action: bytes
    arrived: int


class Legal(_Command):
    """A connection asks what its seat may do."""

    connection: ConnectionId
    ref: int


class Resync(_Command):
    """A viewer's copy went wrong: send it a snapshot."""

    connection: ConnectionId
    ref: int
    reason: str


class Refresh(_Command):
    """A viewer that was too slow for updates can take a snapshot now."""

    connection: ConnectionId


class Resign(_Command):
    """A connection gives its seat's match up."""

    connection: ConnectionId
    ref: int


class Committed(_Command):
    """The store has the entry in flight, at revision *rev*."""

    rev: int


class Behind(_Command):
    """The store has only *head* entries: what follows is to be appended again."""

    head: int


class Fenced(_Command):
    """Another owner holds the room: stop."""


class Expire(_Command):
    """Time has passed `Room.wake_at`, and the sockets were polled since."""


class Pause(_Command):
    """Stop the room's clock, and tell everybody why."""

    reason: str


class Unpause(_Command):
    """Let the room's clock run again."""


class Void(_Command):
    """End the room without a result."""

    reason: str


Command: TypeAlias = (
    Join | Watch | Leave | Detach | Start | Act | Legal | Resync | Refresh | Resign | Committed | Behind | Fenced
    | Expire | Pause | Unpause | Void
)  # fmt: skip
