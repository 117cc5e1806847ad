"""Tells players what became of their seats."""

from collections.abc import Callable

from warroom_games.seating import Sitter
from warroom_protocol import codes
from warroom_protocol.messages import Notice
from warroom_server.room.context import RoomContext
from warroom_server.room.viewers import Viewer


class SeatNotices:
    """Notifies those whose seat another one has now, and shows those out who have none any more."""

    def __init__(self, context: RoomContext, forget: Callable[[Viewer], None]) -> None:
        self._context = context
        self._forget = forget

    def tell(self, sitter: Sitter, code: str) -> None:
        """Notify the viewers of a player."""
        notice = Notice(self._context.room, code, codes.NOTICES[code])
        for viewer in self._context.audience.of_player(sitter.player):
            self._context.out.send(viewer, notice)

    def show_out(self, sitter: Sitter, code: str) -> None:
        """Notify the viewers of a player, which are out of the room from here on."""
        self.tell(sitter, code)
        for viewer in self._context.audience.of_player(sitter.player):
            self._forget(viewer)
