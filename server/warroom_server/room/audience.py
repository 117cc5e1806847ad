"""Who follows a room: the connections, and which of them hold which seat."""

from warroom_server.room.commands import FEED, ConnectionId


class Audience:
    """The connections of a room. Several may hold one seat; those of nobody who sits are spectators."""

    def __init__(self) -> None:
        self._players: dict[ConnectionId, str | None] = {}
        self._held: dict[str, tuple[ConnectionId, ...]] = {}
        self._sitting: tuple[tuple[str, ...], ...] = ()
        self._everyone: tuple[ConnectionId, ...] | None = ()
        self._crowds: dict[ConnectionId, int] = {}
        """By connection of another node, how many look on behind it."""
        self.is_delayed = False
        """Whether spectators are behind, and must not be sent what happens now."""

    def __contains__(self, connection: ConnectionId) -> bool:
        return connection in self._players

    def everyone(self) -> tuple[ConnectionId, ...]:
        """Return all connections, in the order in which they came."""
        if self._everyone is None:
            self._everyone = tuple(self._players)
        return self._everyone

    def of_seat(self, seat: int) -> tuple[ConnectionId, ...]:
        """Return the connections that hold *seat*."""
        players = self._sitting[seat]
        held = self._held
        if len(players) == 1:
            return held.get(players[0], ())
        return tuple(connection for player in players for connection in held.get(player, ()))

    def live(self) -> tuple[ConnectionId, ...]:
        """Return the connections that may know what happens now."""
        return self.players() if self.is_delayed else self.everyone()

    def players(self) -> tuple[ConnectionId, ...]:
        """Return the connections that hold a seat."""
        return tuple(connection for seat in range(len(self._sitting)) for connection in self.of_seat(seat))

    def spectators(self) -> tuple[ConnectionId, ...]:
        """Return the connections that hold no seat."""
        players = frozenset(self.players())
        return tuple(connection for connection in self.everyone() if connection not in players)

    def of_player(self, player: str) -> tuple[ConnectionId, ...]:
        """Return the connections of *player*."""
        return self._held.get(player, ())

    def player_of(self, connection: ConnectionId) -> str | None:
        """Return as whom a connection is here; None for a spectator and for a stranger."""
        return self._players.get(connection)

    def has(self, player: str) -> bool:
        """Whether any connection of *player* is here."""
        return player in self._held

    @property
    def watching(self) -> int:
        """How many connections hold no seat, the feed apart."""
        crowded = sum(self._crowds.values()) - len(self._crowds)
        others = len(self._players) - (FEED in self._players) + crowded
        return others - sum(len(self.of_seat(seat)) for seat in range(len(self._sitting)))

    def crowd(self, connection: ConnectionId, size: int) -> bool:
        """Note how many look on behind a connection; return whether it is here."""
        if connection in self._players:
            self._crowds[connection] = size
        return connection in self._players

    def seat(self, sitting: tuple[tuple[str, ...], ...]) -> None:
        """Learn who sits where: by seat its player, and the bot that stands in."""
        self._sitting = sitting

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
        self._crowds.pop(connection, None)
        self._everyone = None
        if player is not None:
            left = tuple(other for other in self._held.pop(player) if other != connection)
            if left:
                self._held[player] = left
        return True
