"""What a room asks its driver to do, in this order. A payload is one encoded message."""

from typing import TypeAlias

from msgspec import Struct

from warroom_server.room.viewers import Destination, Viewer


class _Effect(Struct, frozen=True):
    """The base of all effects."""


class Append(_Effect, frozen=True):
    """Add one entry to the room's log; the answer comes back as `Committed` or `Fenced`."""

    rev: int
    entry: bytes
    chain: bytes
    """SHA-256 over the chain so far, this entry, and the state after it."""


class Save(_Effect, frozen=True):
    """Keep a snapshot of the room as of revision *rev*; nothing waits for it."""

    rev: int
    snapshot: bytes


class Send(_Effect, frozen=True):
    """Send to one viewer; *ref* is that of the request which this answers, if it answers one."""

    viewer: Destination
    payload: bytes
    ref: int | None = None


class SendSeat(_Effect, frozen=True):
    """Send to every viewer that held the seat when it was decided."""

    seat: int
    payload: bytes
    to: tuple[Viewer, ...]


class SendAll(_Effect, frozen=True):
    """Send to everyone who followed the room when it was decided: the public stream, and what is public besides it.

    Whoever came later in the same command was sent it in another way, or must not see it twice.
    """

    payload: bytes
    to: tuple[Destination, ...]


class Entered(_Effect, frozen=True):
    """A viewer is in the room: what is sent from here on is all that it misses.

    *is_together* says that what is for several goes to it as to one of the `RemoteSpectators` of its node.
    """

    viewer: Viewer
    is_together: bool


class Exited(_Effect, frozen=True):
    """A viewer is not in the room: it left, was sent away, or was not let in."""

    viewer: Viewer


class Summon(_Effect, frozen=True):
    """Find a bot for a seat; whoever claims it shows *ticket*. *bot* None: any.

    Answered with `Summoned`, which says nothing about whether the bot will come: the room asks again if it does not.
    """

    ticket: int
    bot: str | None


class Rematch(_Effect, frozen=True):
    """Make the room of the rematch, with places kept for players and bots (by place); answer with `Rematched`."""

    reserved: tuple[str | None, ...]
    bots: tuple[str | None, ...]


class Archive(_Effect, frozen=True):
    """The match is over: keep its replay, and let the room's keys expire.

    The replay is sealed from the store's log (`Store.log`, then `warroom_games.replay.seal`): a room that was restored
    from a snapshot has never seen the early entries.
    """


class Drop(_Effect, frozen=True):
    """Forget the room at once, answering nothing more: this owner cannot go on with it as it is."""


Effect: TypeAlias = Append | Save | Send | SendSeat | SendAll | Entered | Exited | Summon | Rematch | Archive | Drop
