"""Bots for seats: those that the host or the clock asks for, and those that stand in for players who are away."""

from warroom_games.log import Entry
from warroom_games.match import Match
from warroom_protocol import codes
from warroom_server.rooms.commands import Claim, Fill, Reclaim
from warroom_server.rooms.floor import Floor
from warroom_server.rooms.ledger import Candidate


class Hiring:
    """Finds out which seats want a bot, gives out tickets for them, and lets owners take their seats back."""

    def __init__(self, floor: Floor) -> None:
        self._floor = floor

    def consider(self, request: Fill | Claim | Reclaim, now: int) -> Candidate | None:
        """Answer a request, or return the entry that its answer has to wait for."""
        self._floor.refuse(request, codes.BOT_UNKNOWN)
        return None

    def due_at(self) -> int | None:
        """Return when a seat will want a bot, or a place is to be freed."""
        return None

    def woken(self, now: int) -> None:
        """Ask for bots that are wanted by now."""

    def entry(self, now: int) -> Entry | None:
        """Return the entry that is due: a place freed, a seat given back."""
        return None

    def adopted(self, candidate: Candidate, before: Match, now: int) -> None:
        """Take note of who sits and who acts."""
