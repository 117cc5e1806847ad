"""What people do besides playing: they talk, and agree on a pause, a draw or another match."""

from warroom_games.log import Entry
from warroom_games.match import Match
from warroom_protocol import codes
from warroom_server.rooms.commands import Mute, Offer, Say
from warroom_server.rooms.floor import Floor
from warroom_server.rooms.ledger import Candidate


class Manners:
    """Keeps what is offered and what was said."""

    def __init__(self, floor: Floor) -> None:
        self._floor = floor

    def consider(self, request: Offer | Say | Mute, now: int) -> Candidate | None:
        """Answer a request, or return the entry that its answer has to wait for."""
        self._floor.refuse(request, codes.OFFER_NOW)
        return None

    def due_at(self) -> int | None:
        """Return when an agreed pause ends by itself."""
        return None

    def woken(self, now: int) -> None:
        """Do what is due."""

    def entry(self, now: int) -> Entry | None:
        """Return the end of a pause that has lasted too long."""
        return None

    def adopted(self, candidate: Candidate, before: Match, now: int) -> None:
        """Take offers back that the match has overtaken."""
