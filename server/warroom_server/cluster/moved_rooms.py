"""Clients whose room left its owner: told at once, and sent to resume as soon as it is known where the room is."""

from collections import deque
from collections.abc import Collection
from typing import Final

from warroom_protocol import codes
from warroom_protocol.codec import encode
from warroom_protocol.messages import Paused
from warroom_server.hosting.connections import Connections
from warroom_server.ports.clock import Clock, Timers
from warroom_server.session.replies import notice

AT_ONCE: Final = 64
"""How many clients are sent to resume at a time..."""
PACE_MS: Final = 10
"""...and how long after the last ones: many thousands must not come at once."""


class MovedRooms:
    """Sends players before spectators, whatever rooms they are in. Who entered again meanwhile is left alone."""

    def __init__(self, connections: Connections, clock: Clock, timers: Timers) -> None:
        self._connections = connections
        self._clock = clock
        self._timers = timers
        self._waiting: dict[int, tuple[list[int], list[int]]] = {}
        """By room that is looked for, its players and its spectators."""
        self._players: deque[tuple[int, int]] = deque()
        """Rooms and connections that are to be told next."""
        self._spectators: deque[tuple[int, int]] = deque()
        self._is_pacing = False

    def __contains__(self, room: int) -> bool:
        return room in self._waiting

    def lost(self, room: int, players: Collection[int], spectators: Collection[int]) -> None:
        """Tell clients that their room is between two owners."""
        paused = encode(Paused(room, None, codes.PAUSE_MOVING))
        for connection in (*players, *spectators):
            self._connections.lose(room, connection)
            self._connections.answer(connection, paused)
        if players or spectators:
            waiting = self._waiting.setdefault(room, ([], []))
            waiting[0].extend(players)
            waiting[1].extend(spectators)

    def found(self, room: int) -> None:
        """Let the clients of a room resume: it is known where it is, or that there is none any more."""
        players, spectators = self._waiting.pop(room, ([], []))
        self._players.extend((room, connection) for connection in players)
        self._spectators.extend((room, connection) for connection in spectators)
        if not self._is_pacing:
            self._tell()

    def _tell(self) -> None:
        left = AT_ONCE
        for queue in (self._players, self._spectators):
            while queue and left:
                room, connection = queue.popleft()
                if self._connections.has_lost(room, connection):
                    self._connections.answer(connection, notice(room, codes.NOTICE_MOVED))
                    left -= 1
        self._is_pacing = left == 0
        if self._is_pacing:
            self._timers.call_at(self._clock.now() + PACE_MS, self._tell)
