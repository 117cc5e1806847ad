"""Who follows a room: the connections, and which of them hold which seat."""

from collections.abc import Sequence

from warroom_games.match import Sitter
from warroom_server.rooms.commands import ConnectionId


class Audience:
    """The connections of a room. Several may hold one seat; those of nobody who sits are spectators."""

    def __init__(self) -> None:
        self._players: dict[ConnectionId, str | None] = {}
        self._held: dict[str, tuple[ConnectionId, ...]] = {}
        self._sitting: tuple[str | None, ...] = ()
        self._everyone: tuple[ConnectionId, ...] | None = ()

    def __contains__(self, connection: ConnectionId) -> bool:
        return connection in self._players

    def everyone(self) -> tuple[ConnectionId, ...]:
        """Return all connections, in the order in which they came."""
        if self._everyone is None:
            self._everyone = tuple(self._players)
        return self._everyone

    def of_seat(self, seat: int) -> tuple[ConnectionId, ...]:
        """Return the connections that hold *seat*."""
        player = self._sitting[seat]
        return () if player is None else self._held.get(player, ())

    def player_of(self, connection: ConnectionId) -> str | None:
        """Return as whom a connection is here; None for a spectator and for a stranger."""
        return self._players.get(connection)

    def has(self, player: str) -> bool:
        """Whether any connection of *player* is here."""
        return player in self._held

    @property
    def watching(self) -> int:
        """How many connections hold no seat."""
        return len(self._players) - sum(len(self.of_seat(seat)) for seat in range(len(self._sitting)))

    def seat(self, sitters: Sequence[Sitter | None]) -> None:
        """Learn who sits where."""
        self._sitting = tuple(None if sitter is None else sitter.player for sitter in sitters)

    def attach(self, connection: ConnectionId, player: str | None) -> None:
        """Add a connection, or give it another part to play."""
        self.detach(connection)
        self._players[connection] = player
        self._everyone = None
        if player is not None:
            self._held[player] = (*self._held.get(player, ()), connection)

    def detach(self, connection: ConnectionId) -> bool:
        """Take a connection away; return whether it was here."""
        if connection not in self._players:
            return False
        player = self._players.pop(connection)
        self._everyone = None
        if player is not None:
            left = tuple(other for other in self._held.pop(player) if other != connection)
            if left:
                self._held[player] = left
        return True
