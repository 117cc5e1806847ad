"""Tells players what became of their seats."""

from collections.abc import Callable

from warroom_games.seating import Sitter
from warroom_protocol import codes
from warroom_protocol.messages import Notice
from warroom_server.room.commands import ConnectionId
from warroom_server.room.context import RoomContext


class SeatNotices:
    """Notifies those whose seat another one has now, and shows those out who have none any more."""

    def __init__(self, context: RoomContext, forget: Callable[[ConnectionId], None]) -> None:
        self._context = context
        self._forget = forget

    def tell(self, sitter: Sitter, code: str) -> None:
        """Notify the connections of a player."""
        notice = Notice(self._context.room, code, codes.NOTICES[code])
        for connection in self._context.audience.of_player(sitter.player):
            self._context.out.send(connection, notice)

    def show_out(self, sitter: Sitter, code: str) -> None:
        """Notify the connections of a player, which are out of the room from here on."""
        self.tell(sitter, code)
        for connection in self._context.audience.of_player(sitter.player):
            self._forget(connection)
