"""A request for a bot: a room sends it when a seat needs one, and nodes pass it on to each other."""

from msgspec import Struct


class BotRequest(Struct, frozen=True):
    """A seat needs *bot* (None: any). The bot that comes shows *ticket*."""

    room: int
    game: str
    ticket: int
    bot: str | None
    creator: str = ""
    """The player who created the room."""

    @property
    def key(self) -> tuple[int, int]:
        """What a bot worker claims: the room and the ticket."""
        return self.room, self.ticket
