"""The open client connections of this node, and the handling of slow readers."""

import logging
from collections.abc import Callable, Iterable, Iterator

from warroom_protocol import codes
from warroom_server.counted_address import address_of
from warroom_server.counters import Counters
from warroom_server.ports.connections import Connection
from warroom_server.ports.event_signal import Signal
from warroom_server.ports.time import Clock, Timer, Timers
from warroom_server.room.commands import Act
from warroom_server.session.replies import refuse
from warroom_server.session.session import Session

logger = logging.getLogger(__name__)

HELLO_MS = 10_000
"""How long a connection may take to say hello."""
SLOW_MS = 10_000
"""How long a viewer may be congested before its connection is closed."""
TURNED_AWAY_MS = 1_000
"""How long a quick match avoids a room that refused the connection: its owner has published why by then."""
EARLY_ACTS = 16
"""Actions that a connection may send to a room that has not decided yet whether it may enter."""


class Client:
    """One connection and its session."""

    __slots__ = (
        "connection", "early_acts", "is_open", "rtt_ms", "session", "slow_timer", "stale", "turned_away"
    )  # fmt: skip

    def __init__(self, connection: Connection, session: Session) -> None:
        self.connection = connection
        self.session = session
        self.is_open = True
        self.rtt_ms = 0
        """The median of the last measured round trips."""
        self.stale: set[int] = set()
        """The rooms whose frames the connection missed while it was congested."""
        self.early_acts: dict[int, list[Act]] = {}
        """By room that the connection waits to enter, the actions that it sent already."""
        self.turned_away: tuple[int, int] | None = None
        """The last room that the connection could not enter, and when."""
        self.slow_timer: Timer | None = None

    @property
    def address(self) -> str:
        """What the connection's rooms count under."""
        return address_of(self.connection.peer)

    def close(self, code: int) -> None:
        """Close the connection with a code of the protocol."""
        self.connection.close(code, codes.CLOSES[code])


class Connections:
    """Sends to connections by number: answers always, frames of rooms only to those that keep up."""

    def __init__(
        self, *, build_frame: Callable[[bytes], bytes], clock: Clock, timers: Timers, counters: Counters
    ) -> None:
        self._build = build_frame
        self._counters = counters
        self._clock = clock
        self._timers = timers
        self._connections: dict[int, Client] = {}
        self.acts_released: Signal[int, list[Act]] = Signal()
        """A connection entered a room, so its early actions can be judged."""

    def __len__(self) -> int:
        return len(self._connections)

    def __iter__(self) -> Iterator[Client]:
        return iter(list(self._connections.values()))

    def __contains__(self, connection: int) -> bool:
        return connection in self._connections

    def get(self, connection: int) -> Client | None:
        """Return an open connection, or None."""
        return self._connections.get(connection)

    def add(self, client: Client) -> None:
        """Add a new connection, and close it unless it says hello in time."""
        self._timers.call_after(HELLO_MS, lambda: self._expect_hello(client))
        self._connections[client.connection.id] = client

    def remove(self, connection: int) -> Client | None:
        """Remove a closed connection and return it."""
        client = self._connections.pop(connection, None)
        if client is not None:
            client.is_open = False
            _cancel(client.slow_timer)
        return client

    def answer(self, connection: int, payload: bytes) -> None:
        """Send an answer. It is never dropped: a connection that does not read is not read from either."""
        client = self._connections.get(connection)
        if client is not None:
            client.connection.send(self._build_frame(payload))

    def show(self, room: int, connections: Iterable[int], payload: bytes) -> None:
        """Send a payload of a room as one frame, built once; a congested viewer gets a snapshot later instead."""
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
        """Note that a connection is no longer congested; return the rooms of which it needs a snapshot.

        It gets no frames of these rooms until it `entered` them again, with a snapshot.
        """
        client = self._connections.get(connection)
        if client is None:
            return set()
        _cancel(client.slow_timer)
        client.slow_timer = None
        return set(client.stale)

    def entered(self, room: int, connection: int) -> bool:
        """Note that a connection is in *room* and gets all that it missed; return whether it is still open."""
        client = self._connections.get(connection)
        if client is not None:
            client.session.entered(room)
            client.stale.discard(room)
            if acts := client.early_acts.pop(room, None):
                self._timers.call_after(0, lambda: self.acts_released(room, acts))
        return client is not None

    def refuse_acts(self, room: int, connection: int) -> None:
        """Refuse the early actions of a connection that may not enter *room*, now or later."""
        client = self._connections.get(connection)
        for act in () if client is None else client.early_acts.pop(room, ()):
            self.answer(connection, refuse(room, act, codes.ROOM_UNKNOWN))

    def hold_act(self, room: int, connection: int, act: Act) -> None:
        """Keep an action until *room* decides whether its connection may enter; surplus ones stay unanswered."""
        client = self._connections.get(connection)
        if client is not None and len(acts := client.early_acts.setdefault(room, [])) < EARLY_ACTS:
            acts.append(act)

    def forget(self, room: int, connection: int) -> None:
        """Note that a connection is not in *room*."""
        client = self._connections.get(connection)
        if client is not None:
            if room in client.session.following and room not in client.session.inside:
                client.turned_away = room, self._clock.now()
            client.session.forget(room)
            client.stale.discard(room)
            client.early_acts.pop(room, None)

    def lose(self, room: int, connection: int) -> None:
        """Note that a connection lost *room* and is expected to enter it again."""
        client = self._connections.get(connection)
        if client is not None:
            client.session.lose(room)
            client.stale.discard(room)
            client.early_acts.pop(room, None)  # the client sends them again after it has entered

    def has_lost(self, room: int, connection: int) -> bool:
        """Whether a connection lost *room* and has not entered it again."""
        client = self._connections.get(connection)
        return client is not None and room in client.session.lost

    def refusing(self, client: Client) -> frozenset[int]:
        """Return the room that a connection could not enter a moment ago, if any."""
        room, refused_ms = client.turned_away or (0, -TURNED_AWAY_MS)
        return frozenset([room] if self._clock.now() - refused_ms < TURNED_AWAY_MS else [])

    def _build_frame(self, payload: bytes) -> bytes:
        self._counters.frames_built += 1
        return self._build(payload)

    def _expect_hello(self, client: Client) -> None:
        if client.is_open and client.session.identity is None:
            client.close(codes.CLOSE_HELLO_TIMEOUT)

    def _skip(self, client: Client, room: int) -> None:
        self._counters.skipped_frames += 1
        client.stale.add(room)
        if client.slow_timer is None:
            client.slow_timer = self._timers.call_after(SLOW_MS, lambda: self._give_up(client))

    def _give_up(self, client: Client) -> None:
        logger.info("connection too slow connection=%d peer=%s", client.connection.id, client.connection.peer)
        client.close(codes.CLOSE_SLOW)


def _cancel(timer: Timer | None) -> None:
    if timer is not None:
        timer.cancel()
