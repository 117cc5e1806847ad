"""What can happen in a room, as a program that follows it sees it."""

from typing import TypeAlias

from msgspec import Struct

from warroom_protocol import messages as wire


class _Happening(Struct, frozen=True):
    """The base of all events."""


class Refreshed(_Happening, frozen=True):
    """The whole view was replaced: on entering a room, and when too much was missed to go on step by step."""


class Updated(_Happening, frozen=True):
    """The view moved one step on; *events* is what happened, *private* what only the own seat may know of it."""

    events: tuple[wire.View, ...] = ()
    private: tuple[wire.View, ...] = ()


class Prompted(_Happening, frozen=True):
    """The own seat is asked to act; *turn* names the decision, which is due in *remaining_ms*."""

    turn: int
    remaining_ms: int


class Judged(_Happening, frozen=True):
    """The server answered an action of the own seat."""

    verdict: wire.Verdict


class TimedOut(_Happening, frozen=True):
    """A seat ran out of time and the clock acted for it.

    A turn in which the seat had *acted* is a played one. After a missed turn *left* says how many more in a row bring a
    bot; None: none comes for that.
    """

    seat: int
    receipt: wire.Receipt
    acted: bool = False
    left: int | None = None


class SeatsChanged(_Happening, frozen=True):
    """Someone sat down, left, came back or lost the line, a bot took a seat or gave it back, or the match started.

    *phase* and *seats* are those of this change; the room may have gone on meanwhile.
    """

    phase: str
    seats: tuple[wire.SeatState, ...]


class Paused(_Happening, frozen=True):
    """The room's clock stands still, for *left_ms* at most if that is known."""

    reason: str
    left_ms: int | None = None


class Unpaused(_Happening, frozen=True):
    """The room's clock runs again."""


class Ended(_Happening, frozen=True):
    """The match is over: rank per seat (1 is best), why, and what proves it; *rated* says that it will count.

    *left* names the seats that bots held at the end: for ratings they are behind everyone who stayed.
    """

    ranks: tuple[int, ...]
    reason: str
    seed: str
    chain: str
    detail: str = ""
    rated: bool = False
    left: tuple[int, ...] = ()


class Said(_Happening, frozen=True):
    """Somebody said something: a player at a seat, or (*seat* None) a spectator."""

    player: str
    name: str
    seat: int | None
    text: str


class OffersChanged(_Happening, frozen=True):
    """A draw, a pause, its end or a rematch was offered, or is no longer: `room.offers` has all that are open."""


class Moved(_Happening, frozen=True):
    """There is a rematch in another room; `client.move_on(room)` goes there."""

    to: int
    code: str


class Noticed(_Happening, frozen=True):
    """The server says something about the room or the connection."""

    code: str
    detail: str


class Drifted(_Happening, frozen=True):
    """The copy of the view stays wrong although it was asked for anew; the client asks no more (`view.drift`)."""


class Disconnected(_Happening, frozen=True):
    """The line broke; the client is trying to come back."""

    reason: str


class Reconnected(_Happening, frozen=True):
    """The line is back, and so is the room."""


class Skipped(_Happening, frozen=True):
    """The program read too slowly: *count* older pieces of news were dropped. The view itself is current."""

    count: int


Event: TypeAlias = (
    Refreshed | Updated | Prompted | Judged | TimedOut | SeatsChanged | Paused | Unpaused | Ended | Said | OffersChanged
    | Moved | Noticed | Drifted | Disconnected | Reconnected | Skipped
)  # fmt: skip
