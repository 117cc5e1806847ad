"""What a room can be told. Times are milliseconds of the node's play clock."""

from typing import TypeAlias

from msgspec import Struct

from warroom_protocol.messages import OfferName, Position
from warroom_server.room.viewers import Destination, Viewer


class _Command(Struct, frozen=True, array_like=True, tag=str.lower):
    """The base of all commands; those of viewers also travel between nodes."""


class RefRequest(_Command, frozen=True):
    """The base of all requests except `Act`. The answer carries *ref*."""

    viewer: Viewer
    ref: int


class Join(RefRequest, frozen=True):
    """A viewer wants the seat of *player*, or a free one (*seat* None: any)."""

    player: str
    name: str
    seat: int | None
    seat_token: str
    """Echoed in the answer; the session made it."""
    position: Position | None
    bot: str | None = None
    """Which bot the player says to be."""
    has_key: bool = False
    """Whether the viewer showed the room's key, which a private room wants of strangers."""
    rtt_ms: int = 0
    """How long the viewer's line takes, as `Lag` tells it later."""
    relay_ms: int = 0
    """The same of the way between its node and this one."""


class Watch(RefRequest, frozen=True):
    """A viewer wants to spectate, as *player* so that it can talk."""

    position: Position | None
    player: str = ""
    name: str = ""
    has_key: bool = False


class Leave(RefRequest, frozen=True):
    """A viewer no longer follows the room; in the lobby its player's place becomes free."""


class Detach(_Command, frozen=True):
    """A viewer is gone. No answer is due; the seat stays taken and its clock runs on."""

    viewer: Viewer


class Withdraw(_Command, frozen=True):
    """The node refused the unanswered requests of a viewer, its actions apart: the store did not answer in time."""

    viewer: Viewer


class Start(RefRequest, frozen=True):
    """The host wants the match to begin."""


class Fill(RefRequest, frozen=True):
    """The host wants a bot at an open place (*seat* None: at each)."""

    seat: int | None
    bot: str | None


class Kick(RefRequest, frozen=True):
    """The host wants a place freed, and whoever sits there gone."""

    seat: int


class Claim(RefRequest, frozen=True):
    """A bot worker brings a bot for the seat that *ticket* was given out for."""

    player: str
    name: str
    ticket: int
    seat_token: str
    rtt_ms: int = 0
    relay_ms: int = 0
    bot: str = "bot"
    """Which bot it is."""


class Act(_Command, frozen=True):
    """A viewer plays for its seat; *arrived* is when the bytes were read.

    Of a message that is no valid action only the id counts; *problem* says what is wrong with the rest.
    """

    viewer: Viewer
    id: int
    turn: int
    action: bytes
    arrived: int
    problem: str = ""


class Legal(RefRequest, frozen=True):
    """A viewer asks what its seat may do, and with *notes* what that costs or brings."""

    notes: bool = False


class Resync(RefRequest, frozen=True):
    """A viewer's copy went wrong: send it a snapshot."""

    reason: str


class Refresh(_Command, frozen=True):
    """A viewer that was too slow for updates can take a snapshot now, or all spectators of a node that was."""

    viewer: Destination


class Resign(RefRequest, frozen=True):
    """A viewer gives its seat's match up."""


class Reclaim(RefRequest, frozen=True):
    """A player wants the own seat back from the bot that stands in."""


class Offer(RefRequest, frozen=True):
    """A player offers the others something, or (*on* False) takes that back."""

    what: OfferName
    on: bool


class Say(RefRequest, frozen=True):
    """A viewer says something; *player* and *name* are shown where it holds no seat."""

    player: str
    name: str
    text: str


class Mute(RefRequest, frozen=True):
    """A viewer wants to hear a player no more (or again), or the host wants that for everybody."""

    player: str
    on: bool
    everybody: bool


class Lag(_Command, frozen=True):
    """The line of a viewer takes so long: the median of its last round trips.

    *relay_ms* is how long whatever it sends may be under way between its node and this one.
    """

    viewer: Viewer
    rtt_ms: int
    relay_ms: int = 0


class Summoned(_Command, frozen=True):
    """A bot was asked to claim *ticket*, or (*is_known* False) no worker has such a bot for the game."""

    ticket: int
    is_known: bool


class Rematched(_Command, frozen=True):
    """The room of the rematch exists, or could not be made (*to* None)."""

    to: int | None
    code: str = ""
    key: str | None = None


class Committed(_Command, frozen=True):
    """The store has the entry in flight, at revision *rev*."""

    rev: int


class Fenced(_Command, frozen=True):
    """Another owner holds the room: stop."""


class Expire(_Command, frozen=True):
    """Time has passed `Room.wake_at`, and the sockets were polled since."""


class Pause(_Command, frozen=True):
    """Stop the room's clock, and tell everybody why; *is_for_players* while some are waited for, too."""

    reason: str
    is_for_players: bool = False


class Unpause(_Command, frozen=True):
    """Let the room's clock run again."""


class Void(_Command, frozen=True):
    """End the room without a result."""

    reason: str


Entering: TypeAlias = Join | Watch | Claim
"""What a viewer asks for that wants to come in."""

Request: TypeAlias = (
    Join | Watch | Leave | Start | Fill | Kick | Claim | Act | Legal | Resync | Resign | Reclaim | Offer | Say | Mute
)
"""What a viewer asks for; each gets one answer."""

Command: TypeAlias = (
    Request | Detach | Withdraw | Refresh | Lag | Summoned | Rematched | Committed | Fenced | Expire
    | Pause | Unpause | Void
)  # fmt: skip


def was_inside(entering: Entering) -> bool:
    """Whether somebody who wants to enter a room says to have been there before."""
    return not isinstance(entering, Claim) and entering.position is not None
