"""Tells all nodes which rooms this one owns from now on."""

from collections.abc import Callable
from typing import Protocol

from warroom_server.cluster.messages import MAX_ROOMS, Owns
from warroom_server.hosting.hosted_room import HostedRoom
from warroom_server.hosting.room_events import RoomEvents


class Broadcast(Protocol):
    """The links to all nodes."""

    def broadcast(self, message: Owns) -> None:
        """Send something to every other node."""
        ...


class OwnerNews:
    """Gathers the rooms that are taken over in one turn of the loop, and tells of them together."""

    def __init__(self, *, events: RoomEvents, links: Broadcast, soon: Callable[[Callable[[], object]], object]) -> None:
        self._links = links
        self._soon = soon
        self._rooms: list[tuple[int, int]] = []
        events.taken_over.append(self._add)

    def _add(self, hosted: HostedRoom) -> None:
        if not self._rooms:
            self._soon(self._tell)
        self._rooms.append((hosted.room.number, hosted.epoch))

    def _tell(self) -> None:
        rooms, self._rooms = self._rooms, []
        for first in range(0, len(rooms), MAX_ROOMS):
            self._links.broadcast(Owns(tuple(rooms[first : first + MAX_ROOMS])))
