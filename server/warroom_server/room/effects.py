"""What a room asks its driver to do, in order, and the outbox that collects it. A payload is one encoded message."""

from collections.abc import Callable
from typing import TypeAlias

from msgspec import Struct

from warroom_protocol.codec import encode
from warroom_protocol.messages import ServerMessage
from warroom_server.ports.store import Append
from warroom_server.room.viewer_addresses import Destination, Viewer
from warroom_server.room.work_counters import RoomCounters


class _Effect(Struct, frozen=True, gc=False):
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


Effect: TypeAlias = Append | Save | Send | SendAll | Entered | Exited | Summon | Rematch | Archive | Drop


class ActionOutput(Struct, frozen=True):
    """Where the consequences of an action go, without an effect for each. One output serves all rooms of a node."""

    append: Callable[[Append], None]
    """Append an entry to the log of its room, and answer with `Room.committed`."""
    show: Callable[[int, bytes, tuple[Destination, ...]], None]
    """Send a message of a room to viewers; one that is too slow gets a snapshot later instead."""
    answer: Callable[[int, Destination, bytes], None]
    """Send one viewer a message of a room that must not be skipped."""


class Outbox:
    """Collects effects. Each message is encoded once, however many viewers get it."""

    __slots__ = ("_work", "effects")

    def __init__(self, work: RoomCounters) -> None:
        self._work = work
        self.effects: list[Effect] = []
        """What was collected so far, in order."""

    @property
    def output(self) -> ActionOutput:
        """Turns the consequences of actions into effects."""
        return ActionOutput(self.add, self._show, self._answer)

    def take(self) -> list[Effect]:
        """Return the collected effects, and start again."""
        effects, self.effects = self.effects, []
        return effects

    def add(self, effect: Effect) -> None:
        """Add *effect*."""
        self.effects.append(effect)

    def send(self, viewer: Destination, message: ServerMessage) -> None:
        """Send to one viewer. A message with a ref answers a request."""
        self.effects.append(Send(viewer, self._encode(message), getattr(message, "ref", None)))

    def send_all(self, message: ServerMessage, to: tuple[Destination, ...]) -> None:
        """Send to all of *to*."""
        self.effects.append(SendAll(self._encode(message), to))

    def _show(self, _: int, payload: bytes, to: tuple[Destination, ...]) -> None:
        self.effects.append(SendAll(payload, to))

    def _answer(self, _: int, viewer: Destination, payload: bytes) -> None:
        self.effects.append(Send(viewer, payload))

    def _encode(self, message: ServerMessage) -> bytes:
        self._work.messages += 1
        return encode(message)
