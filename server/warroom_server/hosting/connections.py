"""Every open connection of the node, and what happens to those that do not read what they are sent."""

import logging
from collections.abc import Callable, Iterable, Iterator

from warroom_protocol import codes
from warroom_server.counters import Counters
from warroom_server.ports.clock import Clock, Timer, Timers
from warroom_server.ports.connections import Connection
from warroom_server.ports.signal import Signal
from warroom_server.room.commands import Act
from warroom_server.session.replies import refuse
from warroom_server.session.session import Session

logger = logging.getLogger(__name__)

SLOW_MS = 10_000
"""How long a viewer may be too slow before its connection is closed."""
EARLY_ACTS = 16
"""Actions that a connection may send to a room before it is decided whether it may enter."""


class Client:
    """One connection, its session, and the rooms whose frames were left out because it was congested."""

    __slots__ = ("connection", "early_acts", "hello_timer", "rtt_ms", "session", "slow_timer", "stale")

    def __init__(self, connection: Connection, session: Session) -> None:
        self.connection = connection
        self.session = session
        self.rtt_ms = 0
        """The median of the line's last round trips, once it was measured."""
        self.stale: set[int] = set()
        self.early_acts: dict[int, list[Act]] = {}
        """By room that the connection is about to enter, the actions that it sent before that was decided."""
        self.hello_timer: Timer | None = None
        self.slow_timer: Timer | None = None

    def welcome(self) -> None:
        """Note that the player said hello, in time."""
        _cancel(self.hello_timer)
        self.hello_timer = None


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
        self.acts_released: Signal[int, list[Act]] = Signal()
        """A connection entered a room: its early actions can be judged, once the room is done with letting it in."""

    def __len__(self) -> int:
        return len(self._connections)

    def __iter__(self) -> Iterator[Client]:
        return iter(list(self._connections.values()))

    def __contains__(self, connection: int) -> bool:
        return connection in self._connections

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

    def show(self, room: int, connections: Iterable[int], payload: bytes) -> None:
        """Send what a room shows, as one frame built once; a congested viewer gets a snapshot later instead."""
        frame: bytes | None = None
        for connection in connections:
            client = self._connections.get(connection)
            if client is None:
                continue
            if room in client.stale or client.connection.is_congested:
                self._skip(client, room)
                continue
            frame = frame or self._build_frame(payload)
            client.connection.send(frame)

    def caught_up(self, connection: int) -> set[int]:
        """Note that a connection drained; return the rooms of which it needs a snapshot now.

        It goes on to be left out of what these show until it `entered` them anew, with a snapshot.
        """
        client = self._connections.get(connection)
        if client is None:
            return set()
        _cancel(client.slow_timer)
        client.slow_timer = None
        return set(client.stale)

    def entered(self, room: int, connection: int) -> bool:
        """Note that a connection is in *room* and is sent all that it missed; return whether it is still open."""
        client = self._connections.get(connection)
        if client is not None:
            client.session.entered(room)
            client.stale.discard(room)
            if acts := client.early_acts.pop(room, None):
                self._timers.call_at(self._clock.now(), lambda: self.acts_released(room, acts))
        return client is not None

    def refuse_acts(self, room: int, connection: int) -> None:
        """Refuse the early actions of a connection that may not enter *room*, now or later."""
        client = self._connections.get(connection)
        for act in () if client is None else client.early_acts.pop(room, ()):
            self.answer(connection, refuse(room, act, codes.ROOM_UNKNOWN))

    def hold_act(self, room: int, connection: int, act: Act) -> None:
        """Keep an action until it is decided whether its connection may enter *room*; too many stay unanswered."""
        client = self._connections.get(connection)
        if client is not None and len(acts := client.early_acts.setdefault(room, [])) < EARLY_ACTS:
            acts.append(act)

    def forget(self, room: int, connection: int) -> None:
        """Note that a connection is not in *room*."""
        client = self._connections.get(connection)
        if client is not None:
            client.session.forget(room)
            client.stale.discard(room)
            client.early_acts.pop(room, None)

    def lose(self, room: int, connection: int) -> None:
        """Note that *room* went away from a connection, which is expected to enter it again."""
        client = self._connections.get(connection)
        if client is not None:
            client.session.lose(room)
            client.stale.discard(room)
            client.early_acts.pop(room, None)  # the client sends them again when it has entered

    def has_lost(self, room: int, connection: int) -> bool:
        """Whether a connection has not entered *room* again since it went away."""
        client = self._connections.get(connection)
        return client is not None and room in client.session.lost

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
