"""Requests that wait for the store: a bounded queue, in order of arrival, fair between seats."""

from typing import TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from warroom_games.api import Seat
from warroom_server.room.commands import Act, Request
from warroom_server.room.viewer_addresses import Viewer

PER_SEAT = 8
"""Waiting requests of one player, or of one viewer without a seat."""

WITHOUT_SEAT = 64
"""Waiting requests of all viewers without a seat."""

Lane: TypeAlias = str | Viewer
"""The key that limits are counted by: a player, or a viewer without a seat."""


class Waiting(Struct, frozen=True, gc=False):
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

    __slots__ = ("line",)

    def __init__(self) -> None:
        self.line: list[Waiting] = []
        """The waiting requests, in order."""

    def requests(self) -> list[Request]:
        """Return all waiting requests, in order."""
        return [waiting.request for waiting in self.line]

    def holds(self, lane: Lane) -> bool:
        """Whether a request of *lane* waits."""
        return any(waiting.lane == lane for waiting in self.line)

    def offer(self, waiting: Waiting) -> bool:
        """Queue a request; return False if its lane is full."""
        lanes = [other.lane for other in self.line]
        is_seatless = _is_seatless(waiting.lane)
        if lanes.count(waiting.lane) >= PER_SEAT or (is_seatless and sum(map(_is_seatless, lanes)) >= WITHOUT_SEAT):
            return False
        self.line.append(waiting)
        return True

    def take(self) -> Waiting | None:
        """Remove and return the oldest request."""
        return self.line.pop(0) if self.line else None

    def readdress(self, lane: Lane, act: Act) -> bool:
        """Redirect the answer to a queued action to the viewer that sent it again."""
        for index, waiting in enumerate(self.line):
            request = waiting.request
            if waiting.lane == lane and isinstance(request, Act) and request.id == act.id:
                again = replace(request, viewer=act.viewer)
                self.line[index] = replace(waiting, request=again)
                return True
        return False

    def forget(self, viewer: Viewer, ref: int | None = None) -> None:
        """Remove the request *ref* of a viewer, or all of them, except its actions: they arrived and count."""

        def is_left(request: Request) -> bool:
            return isinstance(request, Act) or request.viewer != viewer or ref not in (None, request.ref)

        self.line = [waiting for waiting in self.line if is_left(waiting.request)]


def _is_seatless(lane: Lane) -> bool:
    return not isinstance(lane, str)
