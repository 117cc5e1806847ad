"""Tells players what became of their seats."""

from collections.abc import Callable

from warroom_games.seating import Sitter
from warroom_protocol import codes
from warroom_protocol.messages import Notice
from warroom_server.rooms.commands import ConnectionId
from warroom_server.rooms.floor import Floor


class Usher:
    """Notifies those whose seat another one has now, and shows those out who have none any more."""

    def __init__(self, floor: Floor, forget: Callable[[ConnectionId], None]) -> None:
        self._floor = floor
        self._forget = forget

    def tell(self, sitter: Sitter, code: str) -> None:
        """Notify the connections of a player."""
        notice = Notice(self._floor.room, code, codes.NOTICES[code])
        for connection in self._floor.audience.of_player(sitter.player):
            self._floor.out.send(connection, notice)

    def show_out(self, sitter: Sitter, code: str) -> None:
        """Notify the connections of a player, which are out of the room from here on."""
        self.tell(sitter, code)
        for connection in self._floor.audience.of_player(sitter.player):
            self._forget(connection)
