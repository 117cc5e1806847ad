"""The commands of a room. Times are milliseconds of the node's play clock."""

from typing import TypeAlias

from msgspec import Struct

from warroom_protocol.messages import OfferName, Position
from warroom_server.ports.store import Committed, Fenced
from warroom_server.room.viewer_addresses import Destination, Viewer


class _Command(Struct, frozen=True, gc=False, array_like=True, tag=str.lower):
    """The base of all commands. The commands of viewers also travel between nodes."""


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
    """Made by the session, and repeated in the answer."""
    position: Position | None
    bot: str | None = None
    """The bot that the player claims to be."""
    has_key: bool = False
    """Whether the viewer showed the room's key. A private room requires it from strangers."""
    rtt_ms: int = 0
    """The lag of the viewer's connection; `Lag` updates it later."""
    relay_ms: int = 0
    """The lag between its node and this one."""


class Watch(RefRequest, frozen=True):
    """A viewer wants to spectate. *player* and *name* identify it in chat."""

    position: Position | None
    player: str = ""
    name: str = ""
    has_key: bool = False


class Leave(RefRequest, frozen=True):
    """A viewer leaves the room. In the lobby its player's place becomes free."""


class Detach(_Command, frozen=True):
    """A viewer is gone. It gets no answer; the seat stays taken and its clock runs on."""

    viewer: Viewer


class Withdraw(_Command, frozen=True):
    """The node refused the unanswered request *ref* of a viewer: the store did not answer in time."""

    viewer: Viewer
    ref: int


class Start(RefRequest, frozen=True):
    """The host wants the match to begin."""


class Fill(RefRequest, frozen=True):
    """The host wants a bot at an open place (*seat* None: at each)."""

    seat: int | None
    bot: str | None


class Kick(RefRequest, frozen=True):
    """The host wants to remove the player at a place."""

    seat: int


class Claim(RefRequest, frozen=True):
    """A bot worker brings a bot for the seat of *ticket*."""

    player: str
    name: str
    ticket: int
    seat_token: str
    rtt_ms: int = 0
    relay_ms: int = 0
    bot: str = "bot"
    """Which bot it is."""


class Act(_Command, frozen=True):
    """A viewer acts for its seat. *arrived* is when the bytes were read.

    If the message is not a valid action, only its id counts and *problem* says what is wrong.
    """

    viewer: Viewer
    id: int
    turn: int
    action: bytes
    arrived: int
    problem: str = ""


class Legal(RefRequest, frozen=True):
    """A viewer asks what its seat may do, and with *notes* what each action costs or brings."""

    notes: bool = False


class Resync(RefRequest, frozen=True):
    """A viewer's copy is wrong and needs a snapshot."""

    reason: str


class Refresh(_Command, frozen=True):
    """A viewer that was too slow for updates can take a snapshot now, or all spectators of a slow node."""

    viewer: Destination


class Resign(RefRequest, frozen=True):
    """A player resigns."""


class Reclaim(RefRequest, frozen=True):
    """A player wants the seat back from the bot that stands in."""


class Offer(RefRequest, frozen=True):
    """A player makes an offer, or (*on* False) withdraws it."""

    what: OfferName
    on: bool


class Say(RefRequest, frozen=True):
    """A viewer says something. *player* and *name* are shown if it holds no seat."""

    player: str
    name: str
    text: str


class Mute(RefRequest, frozen=True):
    """A viewer wants to mute or unmute a player, or the host wants it for everybody."""

    player: str
    on: bool
    everybody: bool


class Lag(_Command, frozen=True):
    """The measured lag of a viewer: the median of its last round trips.

    *relay_ms* is how long a message may take between its node and this one.
    """

    viewer: Viewer
    rtt_ms: int
    relay_ms: int = 0


class Summoned(_Command, frozen=True):
    """A worker was asked for the bot of *ticket*, or (*is_known* False) no worker has such a bot."""

    ticket: int
    is_known: bool


class Rematched(_Command, frozen=True):
    """The room of the rematch exists, or could not be created (*to* None)."""

    to: int | None
    code: str = ""
    key: str | None = None


class Expire(_Command, frozen=True):
    """A moment that `Room.wake_at` once named has passed, and the sockets were polled since.

    *polled* is that moment. The room may need more time by now: its clock stands still during appends. None: the
    moment that `Room.wake_at` names now.
    """

    polled: int | None = None


class Pause(_Command, frozen=True):
    """Stop the room's clock and tell viewers the reason; *is_for_players* if the node waits for players to return."""

    reason: str
    is_for_players: bool = False


class Unpause(_Command, frozen=True):
    """Start the room's clock again."""


class Void(_Command, frozen=True):
    """End the room without a result."""

    reason: str


Entering: TypeAlias = Join | Watch | Claim
"""The requests to enter a room."""

Immediate: TypeAlias = Watch | Legal | Resync | Fill | Say | Mute
"""The requests that never need an entry."""

OtherRequest: TypeAlias = Immediate | Join | Leave | Start | Kick | Claim | Resign | Reclaim | Offer
"""The requests of viewers that are no actions."""

Request: TypeAlias = Act | OtherRequest
"""The requests of viewers; each gets one answer."""

NodeCommand: TypeAlias = Detach | Withdraw | Refresh | Summoned | Rematched | Expire | Pause | Unpause | Void
"""What the node tells a room."""

OtherCommand: TypeAlias = OtherRequest | NodeCommand
"""The commands besides actions, measured lag and answers of the store."""

Command: TypeAlias = Act | Committed | Fenced | Lag | OtherCommand


def was_inside(entering: Entering) -> bool:
    """Whether a viewer that wants to enter claims to have been in the room before."""
    return not isinstance(entering, Claim) and entering.position is not None
