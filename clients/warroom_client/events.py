"""The events of a room, as a program receives them."""

from typing import TypeAlias

from msgspec import Struct

from warroom_protocol import messages as wire


class _RoomEvent(Struct, frozen=True):
    """The base of all events."""


class Refreshed(_RoomEvent, frozen=True):
    """The whole view was replaced: on entering a room, or after missing too many steps."""


class Updated(_RoomEvent, frozen=True):
    """The view advanced one step; *events* are public, *private* only for the own seat."""

    events: tuple[wire.View, ...] = ()
    private: tuple[wire.View, ...] = ()


class Prompted(_RoomEvent, frozen=True):
    """The own seat must act; *turn* identifies the decision, which is due in *remaining_ms*."""

    turn: int
    remaining_ms: int


class Judged(_RoomEvent, frozen=True):
    """The server answered an action of the own seat."""

    verdict: wire.Verdict


class TimedOut(_RoomEvent, frozen=True):
    """A seat ran out of time and the clock acted for it.

    If the seat had *acted*, the turn counts as played. After a missed turn *left* is the number of further misses in a
    row that bring in a bot; None: never.
    """

    seat: int
    receipt: wire.Receipt
    acted: bool = False
    left: int | None = None


class SeatsChanged(_RoomEvent, frozen=True):
    """A seat changed (joined, left, reconnected, disconnected, bot in or out), or the match started.

    *phase* and *seats* belong to this change; the room may have advanced since.
    """

    phase: str
    seats: tuple[wire.SeatState, ...]


class Paused(_RoomEvent, frozen=True):
    """The clock is paused, for at most *left_ms* if that is known."""

    reason: str
    left_ms: int | None = None


class Unpaused(_RoomEvent, frozen=True):
    """The clock runs again."""


class Ended(_RoomEvent, frozen=True):
    """The match is over: rank per seat (1 is best), the reason, and the proof; *rated* says whether it counts.

    *left* lists the seats that bots held at the end; ratings place them behind everyone who stayed.
    """

    ranks: tuple[int, ...]
    reason: str
    seed: str
    chain: str
    detail: str = ""
    rated: bool = False
    left: tuple[int, ...] = ()


class Said(_RoomEvent, frozen=True):
    """A chat message from a player at a seat, or (*seat* None) from a spectator."""

    player: str
    name: str
    seat: int | None
    text: str


class OffersChanged(_RoomEvent, frozen=True):
    """An offer (draw, pause, resume, rematch) was made or withdrawn; `room.offers` has the open ones."""


class Moved(_RoomEvent, frozen=True):
    """A rematch started in another room; `client.move_on(room)` goes there."""

    to: int
    code: str


class Noticed(_RoomEvent, frozen=True):
    """A notice about the room or the connection."""

    code: str
    detail: str


class Drifted(_RoomEvent, frozen=True):
    """The view is still wrong after a new snapshot; the client stops asking (`view.drift`)."""


class Disconnected(_RoomEvent, frozen=True):
    """The connection is lost; the client is reconnecting."""

    reason: str


class Reconnected(_RoomEvent, frozen=True):
    """The client is connected and in the room again."""


class Skipped(_RoomEvent, frozen=True):
    """The program read too slowly, so *count* older events were dropped. The view itself is current."""

    count: int


Event: TypeAlias = (
    Refreshed | Updated | Prompted | Judged | TimedOut | SeatsChanged | Paused | Unpaused | Ended | Said | OffersChanged
    | Moved | Noticed | Drifted | Disconnected | Reconnected | Skipped
)  # fmt: skip
