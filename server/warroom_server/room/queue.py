"""What waits while the store has not answered: bounded, in order of arrival, fair between seats."""

from collections import Counter, deque
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from warroom_games.api import Seat
from warroom_server.room.commands import Act, Request
from warroom_server.room.viewers import Viewer

PER_SEAT = 8
"""How much one player, or one viewer that holds no seat, may have waiting."""

WITHOUT_SEAT = 64
"""How much may wait of all viewers that hold no seat."""

Lane: TypeAlias = str | Viewer
"""Whose waiting line it is: a player's (text), or that of a viewer without a seat (its number)."""


class Waiting(Struct, frozen=True):
    """A request, and what was known when it arrived."""

    request: Request
    lane: Lane
    player: str | None
    """Who sent it, if that was known already; it stays true when the viewer goes."""
    arrived: int
    """In room time."""
    lag: int = 0
    """How long the sender's line took, as far as it was known then."""
    seat: Seat | None = None
    """For an action the seat that was the sender's to play when it arrived: a bot may stand in there since."""


class RequestQueue:
    """One line for the room, in which nobody can take the room of others."""

    def __init__(self) -> None:
        self._line: deque[Waiting] = deque()
        self._lanes: Counter[Lane] = Counter()
        self._without_seat = 0

    def requests(self) -> list[Request]:
        """Return what waits, in order."""
        return [waiting.request for waiting in self._line]

    def holds(self, lane: Lane) -> bool:
        """Whether something of *lane* waits."""
        return self._lanes[lane] > 0

    def offer(self, waiting: Waiting) -> bool:
        """Let it wait, or return False because its lane is full."""
        is_seatless = not isinstance(waiting.lane, str)
        if self._lanes[waiting.lane] >= PER_SEAT or (is_seatless and self._without_seat >= WITHOUT_SEAT):
            return False
        self._line.append(waiting)
        self._count(waiting, 1)
        return True

    def take(self) -> Waiting | None:
        """Return what has waited longest."""
        if not self._line:
            return None
        waiting = self._line.popleft()
        self._count(waiting, -1)
        return waiting

    def readdress(self, lane: Lane, act: Act) -> bool:
        """Let the answer to an action that waits already go to the viewer that sent it again."""
        for index, waiting in enumerate(self._line):
            request = waiting.request
            if waiting.lane == lane and isinstance(request, Act) and request.id == act.id:
                again = replace(request, viewer=act.viewer)
                self._line[index] = replace(waiting, request=again)
                return True
        return False

    def forget(self, viewer: Viewer) -> None:
        """Throw away what a lost viewer asked for, but not its actions: they arrived, and count."""
        kept: deque[Waiting] = deque()
        for waiting in self._line:
            if waiting.request.viewer == viewer and not isinstance(waiting.request, Act):
                self._count(waiting, -1)
            else:
                kept.append(waiting)
        self._line = kept

    def _count(self, waiting: Waiting, change: int) -> None:
        self._lanes[waiting.lane] += change
        if not self._lanes[waiting.lane]:
            del self._lanes[waiting.lane]
        if not isinstance(waiting.lane, str):
            self._without_seat += change
