"""The notice for players who return to a match that ended because the rules of its game changed."""

from msgspec import Struct

from warroom_protocol import codes
from warroom_server.room import commands


class EndNotice(Struct, frozen=True):
    """Why a match ended, and who may know that it existed: everybody, or players and those with its key."""

    game: str
    """The name of the game."""
    players: frozenset[str]
    is_public: bool

    @property
    def words(self) -> str:
        """What the player is told."""
        return (
            f"The rules of {self.game} changed without a new version, so the match cannot go on. "
            "It ended without a result and does not count."
        )

    def code_for(self, request: commands.Request) -> str:
        """Return the code of the refusal for a request to enter."""
        is_told = self.is_public
        if isinstance(request, commands.Join | commands.Watch):
            is_told = is_told or request.has_key or request.player in self.players
        return codes.RULES_CHANGED if is_told else codes.ROOM_UNKNOWN
