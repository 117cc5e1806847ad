"""Every open connection of the node, and what happens to those that do not read what they are sent."""

import logging
from collections.abc import Callable, Iterable, Iterator
from typing import Protocol

from warroom_protocol import codes
from warroom_server.counters import Counters
from warroom_server.ports.clock import Clock, Timer, Timers
from warroom_server.ports.connections import Connection
from warroom_server.room import commands
from warroom_server.session.notices import notice
from warroom_server.session.refusals import refuse
from warroom_server.session.session import Session

logger = logging.getLogger(__name__)

SLOW_MS = 10_000
"""How long a viewer may be too slow before its connection is closed."""


class Client:
    """One connection, its session, and the rooms whose frames were left out because it was congested."""

    __slots__ = ("connection", "hello_timer", "rtt_ms", "session", "slow_timer", "stale")

    def __init__(self, connection: Connection, session: Session) -> None:
        self.connection = connection
        self.session = session
        self.rtt_ms = 0
        """The median of the line's last round trips, once it was measured."""
        self.stale: set[int] = set()
        self.hello_timer: Timer | None = None
        self.slow_timer: Timer | None = None

    def welcome(self) -> None:
        """Note that the player said hello, in time."""
        _cancel(self.hello_timer)
        self.hello_timer = None


class RemoteViewers(Protocol):
    """Connections of other nodes that follow rooms here; their numbers are below zero."""

    def __contains__(self, guest: object) -> bool: ...

    def answer(self, guest: int, payload: bytes) -> None:
        """Send what was asked for."""
        ...

    def show(self, guest: int, payload: bytes) -> None:
        """Send what a room shows, or a snapshot later."""
        ...

    def forget(self, guest: int) -> None:
        """Note that the guest's room is not here any more."""
        ...


class Connections:
    """Sends to connections by number: answers always, what a room shows only to those who keep up."""

    def __init__(
        self, *, build_frame: Callable[[bytes], bytes], clock: Clock, timers: Timers, counters: Counters
    ) -> None:
        self._build = build_frame
        self._counters = counters
        self._clock = clock
        self._timers = timers
        self._connections: dict[int, Client] = {}
        self.guests: RemoteViewers | None = None
        """Those who are connected to other nodes."""

    def __len__(self) -> int:
        return len(self._connections)

    def __iter__(self) -> Iterator[Client]:
        return iter(list(self._connections.values()))

    def __contains__(self, connection: int) -> bool:
        is_guest = connection < 0 and self.guests is not None and connection in self.guests
        return connection in self._connections or is_guest

    def get(self, connection: int) -> Client | None:
        """Return the line of a connection, or None if it is gone."""
        return self._connections.get(connection)

    def add(self, client: Client) -> None:
        """Take a new connection in."""
        self._connections[client.connection.id] = client

    def remove(self, connection: int) -> Client | None:
        """Forget a connection that is gone, and return its line."""
        client = self._connections.pop(connection, None)
        if client is not None:
            _cancel(client.hello_timer)
            _cancel(client.slow_timer)
        return client

    def answer(self, connection: int, payload: bytes) -> None:
        """Send what was asked for; a connection that does not read is not read from either, so this is bounded."""
        client = self._connections.get(connection)
        if client is not None:
            client.connection.send(self._build_frame(payload))
        elif connection < 0 and self.guests is not None:
            self.guests.answer(connection, payload)

    def refuse(self, room: int, command: commands.Command, code: str, detail: str = "") -> None:
        """Answer a command that no room takes; without *detail* the answer says what the code means."""
        refusal = refuse(room, command, code, detail)
        if refusal is not None:
            self.answer(*refusal)

    def send_back(self, room: int, request: commands.Request) -> None:
        """Send a viewer to enter a room again that is not here; to anybody else it is unknown, and who leaves has left.

        What was asked is refused, but no action: another copy of it may have come before and count, which only the
        room can tell.
        """
        if not self.is_known(room, request.connection):
            self.refuse(room, request, codes.ROOM_UNKNOWN)
            return
        if isinstance(request, commands.Leave):
            self.refuse(room, request, codes.ROOM_NOT_HERE)
            return
        self.answer(request.connection, notice(room, codes.NOTICE_MOVED))
        if not isinstance(request, commands.Act):
            self.refuse(room, request, codes.ROOM_MOVING)

    def show(self, room: int, viewers: Iterable[int], payload: bytes) -> None:
        """Send what a room shows, as one frame built once; a congested viewer gets a snapshot later instead."""
        frame: bytes | None = None
        for viewer in viewers:
            client = self._connections.get(viewer)
            if client is None:
                if viewer < 0 and self.guests is not None:
                    self.guests.show(viewer, payload)
                continue
            if room in client.stale or client.connection.is_congested:
                self._skip(client, room)
                continue
            frame = frame or self._build_frame(payload)
            client.connection.send(frame)

    def caught_up(self, connection: int) -> set[int]:
        """Note that a connection drained; return the rooms of which it needs a snapshot now."""
        client = self._connections.get(connection)
        if client is None:
            return set()
        _cancel(client.slow_timer)
        client.slow_timer = None
        stale, client.stale = client.stale, set()
        return stale

    def forget(self, room: int, connections: Iterable[int]) -> None:
        """Note that *connections* no longer follow *room*."""
        for connection in connections:
            client = self._connections.get(connection)
            if client is not None:
                client.session.forget(room)
                client.stale.discard(room)
            elif connection < 0 and self.guests is not None:
                self.guests.forget(connection)

    def lose(self, room: int, connections: Iterable[int]) -> None:
        """Note that *room* went away from *connections*, which may still ask for it."""
        for connection in connections:
            client = self._connections.get(connection)
            if client is not None:
                client.session.lose(room)
            self.forget(room, [connection])

    def follows(self, room: int, connection: int) -> bool:
        """Whether a connection follows *room*."""
        client = self._connections.get(connection)
        return connection in self if client is None else room in client.session.following

    def is_known(self, room: int, connection: int) -> bool:
        """Whether a connection follows *room*, or did until the room went away; to all others it is unknown."""
        client = self._connections.get(connection)
        return connection < 0 if client is None else client.session.knows(room)

    def _build_frame(self, payload: bytes) -> bytes:
        self._counters.frames_built += 1
        return self._build(payload)

    def _skip(self, client: Client, room: int) -> None:
        self._counters.skipped_frames += 1
        client.stale.add(room)
        if client.slow_timer is None:
            client.slow_timer = self._timers.call_at(self._clock.now() + SLOW_MS, lambda: self._give_up(client))

    def _give_up(self, client: Client) -> None:
        logger.info("connection too slow connection=%d peer=%s", client.connection.id, client.connection.peer)
        client.connection.close(codes.CLOSE_SLOW, codes.CLOSES[codes.CLOSE_SLOW])


def _cancel(timer: Timer | None) -> None:
    if timer is not None:
        timer.cancel()
