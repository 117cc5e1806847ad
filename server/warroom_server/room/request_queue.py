"""Requests that wait for the store: a bounded queue, in order of arrival, fair between seats."""

from collections import Counter, deque
from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from warroom_games.api import Seat
from warroom_server.room.commands import Act, Request
from warroom_server.room.viewer_kinds import Viewer

PER_SEAT = 8
"""Waiting requests of one player, or of one viewer without a seat."""

WITHOUT_SEAT = 64
"""Waiting requests of all viewers without a seat."""

Lane: TypeAlias = str | Viewer
"""The key that limits are counted by: a player, or a viewer without a seat."""


class Waiting(Struct, frozen=True):
    """A request, and what was known when it arrived."""

    request: Request
    lane: Lane
    player: str | None
    """The sender, if known. It stays true after the viewer has gone."""
    arrived: int
    """In room time."""
    lag: int = 0
    """The lag of the sender's connection, as far as it was known then."""
    seat: Seat | None = None
    """For an action: the seat that the sender played at arrival. A bot may stand in there by now."""


class RequestQueue:
    """The request queue of a room. One sender cannot take the space of others."""

    def __init__(self) -> None:
        self._line: deque[Waiting] = deque()
        self._lanes: Counter[Lane] = Counter()
        self._without_seat = 0

    def requests(self) -> list[Request]:
        """Return all waiting requests, in order."""
        return [waiting.request for waiting in self._line]

    def holds(self, lane: Lane) -> bool:
        """Whether a request of *lane* waits."""
        return self._lanes[lane] > 0

    def offer(self, waiting: Waiting) -> bool:
        """Queue a request; return False if its lane is full."""
        is_seatless = not isinstance(waiting.lane, str)
        if self._lanes[waiting.lane] >= PER_SEAT or (is_seatless and self._without_seat >= WITHOUT_SEAT):
            return False
        self._line.append(waiting)
        self._count(waiting, 1)
        return True

    def take(self) -> Waiting | None:
        """Remove and return the oldest request."""
        if not self._line:
            return None
        waiting = self._line.popleft()
        self._count(waiting, -1)
        return waiting

    def readdress(self, lane: Lane, act: Act) -> bool:
        """Redirect the answer to a queued action to the viewer that sent it again."""
        for index, waiting in enumerate(self._line):
            request = waiting.request
            if waiting.lane == lane and isinstance(request, Act) and request.id == act.id:
                again = replace(request, viewer=act.viewer)
                self._line[index] = replace(waiting, request=again)
                return True
        return False

    def forget(self, viewer: Viewer, ref: int | None = None) -> None:
        """Remove the request *ref* of a viewer, or all of them, except its actions: they arrived and count."""
        kept: deque[Waiting] = deque()
        for waiting in self._line:
            request = waiting.request
            if request.viewer == viewer and not isinstance(request, Act) and ref in (None, request.ref):
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
