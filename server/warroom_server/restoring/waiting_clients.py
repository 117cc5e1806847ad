"""Clients that wait for a room: to enter it, or to resume after its owner was lost.

Both kinds wait until the room is found, here or on another node, or is known to be gone.
"""

from collections import deque
from collections.abc import Mapping
from typing import Final

from msgspec import Struct, field

from warroom_protocol import codes
from warroom_protocol.codec import encode
from warroom_protocol.messages import Paused
from warroom_server.hosting.connections import Connections
from warroom_server.hosting.delivery import Delivery
from warroom_server.hosting.room_host import RoomHost
from warroom_server.ports.listeners import Signal
from warroom_server.ports.store import Whereabouts
from warroom_server.ports.time import Timers
from warroom_server.room.commands import Entering, Join, Request, Watch
from warroom_server.room.viewer_addresses import Local, Viewer
from warroom_server.session.replies import notice

MOVING_MS: Final = 3_500
"""How long a client waits at most to enter a room, and for an answer of its owner. It hears within five seconds."""
SEEK_MS: Final = 200
"""How often a room is looked for while clients wait for it."""
AT_ONCE: Final = 64
"""How many clients are told to resume at a time..."""
PACE_MS: Final = 10
"""...and the pause between two such groups. Thousands of clients must not resume at once."""


class EndNotice(Struct, frozen=True):
    """The end of a match because the rules of its game changed.

    Who may know that it existed: everybody, or only players and those with its key.
    """

    game: str
    """The name of the game."""
    players: frozenset[str]
    is_public: bool

    def refusal_of(self, request: Request) -> tuple[str, str]:
        """Return the code of the refusal for a request to enter, and what the player reads."""
        is_told = self.is_public
        if isinstance(request, Join | Watch):
            is_told = is_told or request.has_key or request.player in self.players
        if not is_told:
            return codes.ROOM_UNKNOWN, ""
        return codes.RULES_CHANGED, (
            f"The rules of {self.game} changed without a new version, so the match cannot go on. "
            "It ended without a result and does not count."
        )


class _LostRoom(Struct):
    """A room whose owner was lost."""

    inside: dict[int, bool] = field(default_factory=dict)
    """By connection that was inside, whether it plays."""
    given_up: Whereabouts | None = None
    """The owner that gave the room up, and its epoch. None: the owner is out of reach, but may still be the owner."""


class WaitingClients:
    """Knows which rooms have to be found, and for whom. Players resume before spectators."""

    def __init__(self, connections: Connections, room_host: RoomHost, delivery: Delivery, timers: Timers) -> None:
        self.sought: Signal[[int]] = Signal()
        """Clients wait for a room; emitted again and again until it is found."""
        self.unanswered: set[int] = set()
        """Rooms that could not be looked for because the store did not answer."""
        self._connections = connections
        self._room_host = room_host
        self._delivery = delivery
        self._timers = timers
        self._entering: dict[int, list[Entering]] = {}
        self._lost: dict[int, _LostRoom] = {}
        self._players: deque[tuple[int, int]] = deque()
        """Rooms and connections that are told to resume next."""
        self._spectators: deque[tuple[int, int]] = deque()
        self._is_seeking = False
        self._is_pacing = False

    def __contains__(self, number: int) -> bool:
        return number in self._entering or number in self._lost

    def rooms(self) -> list[int]:
        """Return the rooms that clients wait for."""
        return list(dict.fromkeys([*self._entering, *self._lost]))

    def entering(self, number: int) -> list[Entering]:
        """Return the requests to enter a room."""
        return self._entering.get(number, [])

    def players(self, number: int) -> set[str]:
        """Return the players who want to join a room."""
        return {command.player for command in self.entering(number) if isinstance(command, Join)}

    def is_lost(self, number: int) -> bool:
        """Whether clients wait to resume in a room."""
        return number in self._lost

    def given_up(self, number: int) -> Whereabouts | None:
        """Return the owner that gave a room up, if one did: it is not where the room is."""
        lost = self._lost.get(number)
        return None if lost is None else lost.given_up

    # --- beginning to wait ----------------------------------------------------------------------------------------

    def enter(self, number: int, command: Entering) -> None:
        """Let a client wait for a room that is not here; refuse it if that takes too long."""
        self._entering.setdefault(number, []).append(command)
        self._timers.call_after(MOVING_MS, lambda: self._give_up(number, command))
        self.seek(number)

    def lose(self, number: int, inside: Mapping[int, bool], given_up: Whereabouts | None) -> None:
        """Tell clients that their room has no owner at the moment, and look for the next one.

        *inside* says for each connection in the room whether it plays.
        """
        paused = encode(Paused(number, None, codes.PAUSE_MOVING))
        for connection in inside:
            self._connections.forget(number, connection, may_return=True)
            self._connections.answer(connection, paused)
        if inside:
            self._lost.setdefault(number, _LostRoom()).inside.update(inside)
        if number in self._lost:
            self._lost[number].given_up = given_up
            self.seek(number)

    def withdraw(self, number: int, viewer: Viewer) -> None:
        """Forget a client that wanted to enter a room and is gone."""
        self._keep(number, [command for command in self.entering(number) if command.viewer != viewer])

    def _keep(self, number: int, entering: list[Entering]) -> None:
        if entering:
            self._entering[number] = entering
        else:
            self._entering.pop(number, None)

    def _give_up(self, number: int, command: Entering) -> None:
        others = [other for other in self.entering(number) if other is not command]
        if len(others) < len(self.entering(number)):
            self._keep(number, others)
            code = codes.STORE_UNAVAILABLE if number in self.unanswered else codes.ROOM_MOVING
            self._delivery.turn_away(number, command, code)

    # --- looking for rooms ----------------------------------------------------------------------------------------

    def seek(self, number: int) -> None:
        """Have a room looked for, now and repeatedly."""
        if not self._is_seeking:
            self._is_seeking = True
            self._timers.call_after(SEEK_MS, self._seek_again)
        self.sought(number)

    def seek_all(self) -> None:
        """Have all rooms looked for that clients wait for."""
        for number in self.rooms():
            self.seek(number)

    def _seek_again(self) -> None:
        self._is_seeking = False
        self.unanswered.intersection_update(self.rooms())
        self.seek_all()

    # --- the end of the wait --------------------------------------------------------------------------------------

    def here(self, number: int) -> None:
        """Let all clients into a room that this node hosts now."""
        self.resume(number)
        for command in self._entering.pop(number, []):
            self._room_host.tell(number, command)

    def elsewhere(self, number: int) -> list[Entering]:
        """Let clients of a room on another node resume; return the requests of local clients to enter it."""
        self.resume(number)
        local: list[Entering] = []
        for command in self._entering.pop(number, []):
            if isinstance(command.viewer, Local):
                local.append(command)
            else:  # its own node looks for the room as well
                self._delivery.turn_away(number, command, codes.ROOM_MOVING)
        return local

    def turn_away(self, number: int, why: str | EndNotice) -> None:
        """Refuse all who want to enter a room, with a code or with a notice."""
        for command in self._entering.pop(number, []):
            code, detail = why.refusal_of(command) if isinstance(why, EndNotice) else (why, "")
            self._delivery.turn_away(number, command, code, detail)

    def resume(self, number: int) -> None:
        """Let clients of a lost room resume: it is found, or there is no such room any more."""
        lost = self._lost.pop(number, None)
        if lost is not None:
            for connection, plays in lost.inside.items():
                (self._players if plays else self._spectators).append((number, connection))
        if not self._is_pacing:
            self._tell_next()

    def _tell_next(self) -> None:
        left = AT_ONCE
        for queue in (self._players, self._spectators):
            while queue and left:
                room, connection = queue.popleft()
                if self._connections.has_lost(room, connection):  # else it has entered again by itself
                    self._connections.answer(connection, notice(room, codes.NOTICE_MOVED))
                    left -= 1
        self._is_pacing = left == 0
        if self._is_pacing:
            self._timers.call_after(PACE_MS, self._tell_next)
