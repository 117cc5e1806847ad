"""Delivers what rooms send: to connections of this node, to other nodes, and to the feed."""

from collections.abc import Iterable, Mapping
from typing import Final, Protocol

from msgspec import Struct

from warroom_protocol import codes
from warroom_server.hosting.connections import Connections
from warroom_server.hosting.hosted_room import HostedRoom
from warroom_server.hosting.room_events import RoomEvents
from warroom_server.ports.connections import Connection
from warroom_server.room.commands import Act, Entering, Request, was_inside
from warroom_server.room.viewer_addresses import FEED, Destination, Feed, Local, Remote, RemoteSpectators, Viewer
from warroom_server.session.replies import refuse

PASSING: Final = frozenset(
    {codes.STORE_UNAVAILABLE, codes.ROOM_MOVING, codes.ROOM_BUSY, codes.RULES_UNAVAILABLE, codes.SERVER_DRAINING}
)
"""Temporary refusals: a connection that was in the room may enter it again."""


class RemoteViewers(Protocol):
    """Viewers on other nodes."""

    def answer(self, room: int, viewer: Remote, payload: bytes, ref: int | None) -> None:
        """Send an answer to the request *ref*, or a message that must not be skipped."""

    def show(self, room: int, epoch: int, to: Iterable[Remote | RemoteSpectators], payload: bytes) -> None:
        """Send an update. A viewer that is too slow gets a snapshot later."""

    def entered(self, room: int, epoch: int, viewer: Remote, *, is_together: bool) -> bool:
        """Note that a viewer is in a room; return False if it is gone."""

    def exited(self, room: int, viewer: Remote, *, may_return: bool) -> None:
        """Note that a viewer is not in a room."""

    def lost(self, room: int, epoch: int) -> None:
        """Note that a room leaves this node."""


class Route(Struct, frozen=True):
    """Where a message for some viewers goes, kept for the next message to the same viewers."""

    to: tuple[Destination, ...]
    connections: tuple[Connection, ...]
    elsewhere: tuple[Remote | RemoteSpectators, ...]
    is_fed: bool


class Delivery:
    """Sends to viewers: answers always, updates only to those who keep up.

    *rooms* are the rooms of this node, which know their epochs.
    """

    def __init__(
        self, connections: Connections, remote: RemoteViewers, events: RoomEvents, rooms: Mapping[int, HostedRoom]
    ) -> None:
        self._connections = connections
        self._remote = remote
        self._events = events
        self._rooms = rooms
        self._routes: dict[int, Route] = {}
        """By room, where its last message for several viewers went."""
        events.removed.append(lambda hosted: self._routes.pop(hosted.room.number, None))

    def answer(self, room: int, to: Destination, payload: bytes, ref: int | None = None) -> None:
        """Send an answer to the request *ref*, or a message that must not be skipped."""
        if isinstance(to, Local):
            self._connections.answer(to.connection, payload)
        elif isinstance(to, Remote):
            self._remote.answer(room, to, payload, ref)
        else:
            self.show(room, payload, (to,))

    def show(self, room: int, payload: bytes, to: tuple[Destination, ...]) -> None:
        """Send an update as one frame built once. A viewer that is too slow gets a snapshot later."""
        if len(to) == 1 and isinstance(viewer := to[0], Local):
            client = self._connections.clients.get(viewer.connection)
            if client is not None:
                self._connections.show(room, payload, (client.connection,))
            return
        route = self._routes.get(room)
        if route is None or route.to is not to:
            route = self._route(to)
            if len(to) > 1:
                self._routes[room] = route
        if route.connections:
            self._connections.show(room, payload, route.connections)
        if route.is_fed:
            self._events.fed(room, payload)
        if route.elsewhere:
            hosted = self._rooms.get(room)
            self._remote.show(room, 0 if hosted is None else hosted.epoch, route.elsewhere, payload)

    def _route(self, to: tuple[Destination, ...]) -> Route:
        connections: list[Connection] = []
        elsewhere: list[Remote | RemoteSpectators] = []
        for destination in to:
            if isinstance(destination, Local):
                client = self._connections.clients.get(destination.connection)
                if client is not None:
                    connections.append(client.connection)
            elif not isinstance(destination, Feed):
                elsewhere.append(destination)
        return Route(to, tuple(connections), tuple(elsewhere), FEED in to)

    def refuse(self, room: int, request: Request, code: str, detail: str = "") -> None:
        """Refuse a request with *code*; without *detail* the answer explains the code."""
        ref = None if isinstance(request, Act) else request.ref
        self.answer(room, request.viewer, refuse(room, request, code, detail), ref)

    def turn_away(self, room: int, entering: Entering, code: str, detail: str = "") -> None:
        """Refuse a viewer that wants to enter and is not inside."""
        self.refuse(room, entering, code, detail)
        if code not in PASSING and isinstance(entering.viewer, Local):
            self._connections.refuse_acts(room, entering.viewer.connection)
        self.exited(room, entering.viewer, may_return=code in PASSING and was_inside(entering))

    def entered(self, room: int, epoch: int, viewer: Viewer, *, is_together: bool) -> bool:
        """Note that a viewer is in a room; return False if it is gone."""
        if isinstance(viewer, Local):
            return self._connections.entered(room, viewer.connection)
        return not isinstance(viewer, Remote) or self._remote.entered(room, epoch, viewer, is_together=is_together)

    def exited(self, room: int, viewer: Viewer, *, may_return: bool = False) -> None:
        """Note that a viewer is not in a room."""
        self._routes.pop(room, None)  # it may hold the last references to connections that are gone
        if isinstance(viewer, Local):
            self._connections.forget(room, viewer.connection, may_return=may_return)
        elif isinstance(viewer, Remote):
            self._remote.exited(room, viewer, may_return=may_return)

    def lost(self, room: int, epoch: int) -> None:
        """Tell viewers on other nodes that a room leaves this node."""
        self._remote.lost(room, epoch)
