"""A seat that wants a bot."""

from msgspec import Struct


class BotRequest(Struct, frozen=True):
    """A seat of a room that wants a bot (None: any); the bot that comes shows *ticket*."""

    room: int
    game: str
    ticket: int
    bot: str | None
    creator: str = ""
    """Whose room it is."""

    @property
    def key(self) -> tuple[int, int]:
        """What a claim names it by."""
        return self.room, self.ticket
