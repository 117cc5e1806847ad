"""Delivers what rooms send: to connections of this node, to other nodes, and to the feed."""

from collections.abc import Iterable
from typing import Final, Protocol

from warroom_protocol import codes
from warroom_server.hosting.connections import Connections
from warroom_server.hosting.room_events import RoomEvents
from warroom_server.room.commands import Act, Entering, Request, was_inside
from warroom_server.room.viewer_kinds import Destination, Feed, Local, Remote, RemoteSpectators, Viewer
from warroom_server.session.replies import refuse

PASSING: Final = frozenset(
    {codes.STORE_UNAVAILABLE, codes.ROOM_MOVING, codes.ROOM_BUSY, codes.RULES_UNAVAILABLE, codes.SERVER_DRAINING}
)
"""Temporary refusals: a connection that was in the room may enter it again."""


class RemoteViewers(Protocol):
    """Viewers on other nodes."""

    def answer(self, room: int, viewer: Remote, payload: bytes, ref: int | None) -> None:
        """Send an answer to the request *ref*, or a message that must not be skipped."""
        ...

    def show(self, room: int, epoch: int, to: Iterable[Remote | RemoteSpectators], payload: bytes) -> None:
        """Send an update. A viewer that is too slow gets a snapshot later."""
        ...

    def entered(self, room: int, epoch: int, viewer: Remote, *, is_together: bool) -> bool:
        """Note that a viewer is in a room; return False if it is gone."""
        ...

    def exited(self, room: int, viewer: Remote, *, may_return: bool) -> None:
        """Note that a viewer is not in a room."""
        ...

    def lost(self, room: int, epoch: int) -> None:
        """Note that a room leaves this node."""
        ...


class Delivery:
    """Sends to viewers: answers always, updates only to those who keep up."""

    def __init__(self, connections: Connections, remote: RemoteViewers, events: RoomEvents) -> None:
        self._connections = connections
        self._remote = remote
        self._events = events

    def answer(self, room: int, epoch: int, to: Destination, payload: bytes, ref: int | None = None) -> None:
        """Send an answer to the request *ref*, or a message that must not be skipped."""
        match to:
            case Local(connection=connection):
                self._connections.answer(connection, payload)
            case Remote():
                self._remote.answer(room, to, payload, ref)
            case RemoteSpectators():
                self._remote.show(room, epoch, (to,), payload)
            case Feed():
                self._events.fed(room, payload)

    def show(self, room: int, epoch: int, to: Iterable[Destination], payload: bytes) -> None:
        """Send an update as one frame built once. A viewer that is too slow gets a snapshot later."""
        here: list[int] = []
        elsewhere: list[Remote | RemoteSpectators] = []
        for destination in to:
            if isinstance(destination, Local):
                here.append(destination.connection)
            elif isinstance(destination, Feed):
                self._events.fed(room, payload)
            else:
                elsewhere.append(destination)
        self._connections.show(room, here, payload)
        if elsewhere:
            self._remote.show(room, epoch, elsewhere, payload)

    def refuse(self, room: int, request: Request, code: str, detail: str = "") -> None:
        """Refuse a request with *code*; without *detail* the answer explains the code."""
        ref = None if isinstance(request, Act) else request.ref
        self.answer(room, 0, request.viewer, refuse(room, request, code, detail), ref)

    def turn_away(self, room: int, entering: Entering, code: str, detail: str = "") -> None:
        """Refuse a viewer that wants to enter and is not inside."""
        self.refuse(room, entering, code, detail)
        if code not in PASSING and isinstance(entering.viewer, Local):
            self._connections.refuse_acts(room, entering.viewer.connection)
        self._exited(room, entering.viewer, may_return=code in PASSING and was_inside(entering))

    def entered(self, room: int, epoch: int, viewer: Viewer, *, is_together: bool) -> bool:
        """Note that a viewer is in a room; return False if it is gone."""
        match viewer:
            case Local(connection=connection):
                return self._connections.entered(room, connection)
            case Remote():
                return self._remote.entered(room, epoch, viewer, is_together=is_together)
            case Feed():
                return True

    def exited(self, room: int, viewer: Viewer) -> None:
        """Note that a viewer is not in a room."""
        self._exited(room, viewer, may_return=False)

    def _exited(self, room: int, viewer: Viewer, *, may_return: bool) -> None:
        match viewer:
            case Local(connection=connection):
                (self._connections.lose if may_return else self._connections.forget)(room, connection)
            case Remote():
                self._remote.exited(room, viewer, may_return=may_return)
            case Feed():
                pass

    def lost(self, room: int, epoch: int) -> None:
        """Tell viewers on other nodes that a room leaves this node."""
        self._remote.lost(room, epoch)
