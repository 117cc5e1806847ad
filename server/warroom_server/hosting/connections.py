"""The open client connections of this node, and the handling of slow readers."""

import logging
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from warroom_protocol import codes
from warroom_server.counted_address import address_of
from warroom_server.counters import Counters
from warroom_server.loop.timeout_queue import TimeoutQueue
from warroom_server.ports.connections import Broadcast, Connection
from warroom_server.ports.listeners import Signal
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


@dataclass(eq=False, slots=True)
class Client:
    """One connection and its session. What is empty for most of them is shared, and replaced instead of changed."""

    connection: Connection
    session: Session
    is_open: bool = True
    rtt_ms: int = 0
    """The median of the last measured round trips."""
    early_acts: tuple[tuple[int, Act], ...] = ()
    """The actions that the connection sent to rooms that it waits to enter."""
    turned_away: tuple[int, int] | None = None
    """The last room that the connection could not enter, and when."""
    slow_timer: Timer | None = None

    @property
    def address(self) -> str:
        """What the connection's rooms count under."""
        return address_of(self.connection.peer)

    def take_early_acts(self, room: int) -> list[Act]:
        """Return the early actions in *room*, and forget them."""
        acts = [act for number, act in self.early_acts if number == room]
        self.early_acts = tuple(early for early in self.early_acts if early[0] != room)
        return acts

    def close(self, code: int) -> None:
        """Close the connection with a code of the protocol."""
        self.connection.close(code, codes.CLOSES[code])


class Connections:
    """Sends to connections by number: answers always, frames of rooms only to those that keep up."""

    def __init__(self, *, broadcast: Broadcast, clock: Clock, timers: Timers, counters: Counters) -> None:
        self._broadcast = broadcast
        self._counters = counters
        self._clock = clock
        self._timers = timers
        self.clients: dict[int, Client] = {}
        """The open connections by their numbers."""
        self._missed: dict[int, set[int]] = {}
        """By connection, the rooms whose frames it missed while it was congested."""
        self._newcomers = TimeoutQueue(HELLO_MS, clock, timers, _is_unnamed, _close_unnamed)
        """New connections, which have to say hello."""
        self.acts_released: Signal[int, list[Act]] = Signal()
        """A connection entered a room, so its early actions can be judged."""

    def __len__(self) -> int:
        return len(self.clients)

    def __iter__(self) -> Iterator[Client]:
        return iter(list(self.clients.values()))

    def find(self, connections: Iterable[int]) -> list[Connection]:
        """Return the open connections among some."""
        clients = map(self.clients.get, connections)
        return [client.connection for client in clients if client is not None]

    def add(self, client: Client) -> None:
        """Add a new connection, and close it unless it says hello in time."""
        self._newcomers.add(client)
        self.clients[client.connection.id] = client

    def remove(self, connection: int) -> Client | None:
        """Remove a closed connection and return it."""
        client = self.clients.pop(connection, None)
        if client is not None:
            client.is_open = False
            self._missed.pop(connection, None)
            _cancel(client.slow_timer)
        return client

    def answer(self, connection: int, payload: bytes) -> None:
        """Send an answer. It is never dropped: a connection that does not read is not read from either."""
        client = self.clients.get(connection)
        if client is not None:
            self._counters.frames_built += 1
            client.connection.send(payload)

    def show(self, room: int, payload: bytes, connections: Sequence[Connection]) -> None:
        """Send a payload of a room as one frame, built once; a congested viewer gets a snapshot later instead."""
        if self._missed:
            connections = self._up_to_date(room, connections)
        if connections:
            self._counters.frames_built += 1
            for congested in self._broadcast(payload, connections):
                self._skip(congested, room)

    def _up_to_date(self, room: int, connections: Sequence[Connection]) -> Sequence[Connection]:
        """Return the connections that have missed nothing of *room*."""
        behind = [connection for connection in connections if room in self._missed.get(connection.id, ())]
        for connection in behind:
            self._skip(connection, room)
        return [connection for connection in connections if connection not in behind] if behind else connections

    def caught_up(self, connection: int) -> set[int]:
        """Note that a connection is no longer congested; return the rooms of which it needs a snapshot.

        It gets no frames of these rooms until it `entered` them again, with a snapshot.
        """
        client = self.clients.get(connection)
        if client is None:
            return set()
        _cancel(client.slow_timer)
        client.slow_timer = None
        return set(self._missed.get(connection, ()))

    def entered(self, room: int, connection: int) -> bool:
        """Note that a connection is in *room* and gets all that it missed; return whether it is still open."""
        client = self.clients.get(connection)
        if client is not None:
            client.session.entered(room)
            self._refreshed(room, connection)
            if acts := client.take_early_acts(room):
                self._timers.call_after(0, lambda: self.acts_released(room, acts))
        return client is not None

    def refuse_acts(self, room: int, connection: int) -> None:
        """Refuse the early actions of a connection that may not enter *room*, now or later."""
        client = self.clients.get(connection)
        for act in () if client is None else client.take_early_acts(room):
            self.answer(connection, refuse(room, act, codes.ROOM_UNKNOWN))

    def hold_act(self, room: int, connection: int, act: Act) -> None:
        """Keep an action until *room* decides whether its connection may enter; surplus ones stay unanswered."""
        client = self.clients.get(connection)
        if client is not None and sum(number == room for number, _ in client.early_acts) < EARLY_ACTS:
            client.early_acts += ((room, act),)

    def forget(self, room: int, connection: int, *, may_return: bool = False) -> None:
        """Note that a connection is not in *room*, or has lost it and is expected to enter it again."""
        client = self.clients.get(connection)
        if client is not None:
            if may_return:
                client.session.lose(room)
            else:
                if room in client.session.following and room not in client.session.inside:
                    client.turned_away = room, self._clock.now()
                client.session.forget(room)
            self._refreshed(room, connection)
            client.take_early_acts(room)  # a client that may return sends them again after it has entered

    def has_lost(self, room: int, connection: int) -> bool:
        """Whether a connection lost *room* and has not entered it again."""
        client = self.clients.get(connection)
        return client is not None and room in client.session.lost

    def refusing(self, client: Client) -> frozenset[int]:
        """Return the room that a connection could not enter a moment ago, if any."""
        room, refused_ms = client.turned_away or (0, -TURNED_AWAY_MS)
        return frozenset([room] if self._clock.now() - refused_ms < TURNED_AWAY_MS else [])

    def _refreshed(self, room: int, connection: int) -> None:
        """Note that a connection needs no snapshot of *room*."""
        missed = self._missed.get(connection)
        if missed is not None:
            missed.discard(room)
            if not missed:
                del self._missed[connection]

    def _skip(self, connection: Connection, room: int) -> None:
        client = self.clients.get(connection.id)
        if client is None:
            return
        self._counters.skipped_frames += 1
        self._missed.setdefault(connection.id, set()).add(room)
        if client.slow_timer is None and connection.is_congested:
            client.slow_timer = self._timers.call_after(SLOW_MS, lambda: self._give_up(client))

    def _give_up(self, client: Client) -> None:
        logger.info("connection too slow connection=%d peer=%s", client.connection.id, client.connection.peer)
        client.close(codes.CLOSE_SLOW)


def _is_unnamed(client: Client) -> bool:
    return client.is_open and client.session.identity is None


def _close_unnamed(client: Client) -> None:
    client.close(codes.CLOSE_HELLO_TIMEOUT)


def _cancel(timer: Timer | None) -> None:
    if timer is not None:
        timer.cancel()
