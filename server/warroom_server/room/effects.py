"""What a room asks its driver to do, in order. A payload is one encoded message."""

from typing import TypeAlias

from msgspec import Struct

from warroom_server.ports.store import Append
from warroom_server.room.viewer_kinds import Destination, Viewer


class _Effect(Struct, frozen=True):
    """The base of all effects."""


class Save(_Effect, frozen=True):
    """Store a snapshot of the room at revision *rev*; nothing waits for it."""

    rev: int
    snapshot: bytes


class Send(_Effect, frozen=True):
    """Send to one viewer. *ref* is set if this answers a request."""

    viewer: Destination
    payload: bytes
    ref: int | None = None


class SendSeat(_Effect, frozen=True):
    """Send to all viewers that held the seat at the time of the decision."""

    seat: int
    payload: bytes
    to: tuple[Viewer, ...]


class SendAll(_Effect, frozen=True):
    """Send to all of *to*, who followed the room at the time of the decision.

    A viewer that entered later in the same command has received it in another way, or must not see it twice.
    """

    payload: bytes
    to: tuple[Destination, ...]


class Entered(_Effect, frozen=True):
    """A viewer is in the room and gets all further messages.

    *is_together* says that it shares the destination `RemoteSpectators` of its node.
    """

    viewer: Viewer
    is_together: bool


class Exited(_Effect, frozen=True):
    """A viewer is not in the room: it left, was removed, or was not admitted."""

    viewer: Viewer


class Summon(_Effect, frozen=True):
    """Find a bot for a seat. The bot claims the seat with *ticket*. *bot* None: any.

    The answer `Summoned` does not promise that the bot will come. If it does not, the room asks again.
    """

    ticket: int
    bot: str | None


class Rematch(_Effect, frozen=True):
    """Create the room of the rematch, with places reserved for players and bots; answer with `Rematched`."""

    reserved: tuple[str | None, ...]
    bots: tuple[str | None, ...]


class Archive(_Effect, frozen=True):
    """The match is over: store its replay, and let the room's keys expire.

    The replay is built from the store's log (`Store.log`, then `warroom_games.replay.seal`), because a room that was
    restored from a snapshot has not seen the early entries.
    """


class Drop(_Effect, frozen=True):
    """Drop the room at once without further answers: this owner must not continue it."""


Effect: TypeAlias = Append | Save | Send | SendSeat | SendAll | Entered | Exited | Summon | Rematch | Archive | Drop
