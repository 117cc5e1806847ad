"""What every part of a room works on: the ledger, who is there, the time, and what is to be sent."""

from typing import Protocol

from msgspec import Struct

from warroom_games.api import Seat
from warroom_games.log import Entry
from warroom_games.match import Match
from warroom_protocol import codes
from warroom_server.room.audience import Audience
from warroom_server.room.clock.room_clock import RoomTime
from warroom_server.room.commands import Act, Entering, Request
from warroom_server.room.effects import Exited
from warroom_server.room.log_fold import Candidate, LogFold
from warroom_server.room.outbox import Outbox
from warroom_server.room.presence import Absences, Presence
from warroom_server.room.viewers import Destination, Viewer


class Curtain(Struct):
    """How far spectators have seen the match, where they are behind."""

    shown: Match | None = None


class RoomContext(Struct, frozen=True):
    """The common ground of a room's parts."""

    log: LogFold
    audience: Audience
    time: RoomTime
    presence: Presence
    out: Outbox
    absences: Absences
    curtain: Curtain

    @property
    def match(self) -> Match:
        """The match after the last entry that the store has."""
        return self.log.match

    @property
    def public_match(self) -> Match:
        """The match as an anonymous spectator may know it."""
        return self.curtain.shown or self.match

    @property
    def room(self) -> int:
        """The room's number."""
        return self.log.match.opened.room

    def seat_of(self, viewer: Destination) -> Seat | None:
        """Return which seat a viewer holds: that of its player, or that it stands in for."""
        player = self.audience.player_of(viewer)
        return None if player is None else self.seat_of_player(player)

    def seat_of_player(self, player: str) -> Seat | None:
        """Return where *player* sits or stands in."""
        seat = self.match.seat_of(player)
        return self.match.seat_played_by(player) if seat is None else seat

    def owned_seat(self, viewer: Viewer) -> Seat | None:
        """Return the seat that is a viewer's own, whoever plays there."""
        player = self.audience.player_of(viewer)
        return None if player is None else self.match.seat_of(player)

    def is_seated(self, player: str) -> bool:
        """Whether *player* sits here, or stands in for one who does."""
        return self.match.seat_of(player) is not None or self.match.seat_played_by(player) is not None

    def refuse(self, request: Request, code: str, detail: str = "") -> None:
        """Refuse a request that is no action; without *detail* the answer says what the code means."""
        assert not isinstance(request, Act), "an action gets a verdict"
        self.out.refuse(request.viewer, request.ref, code, detail)
        if isinstance(request, Entering) and request.viewer not in self.audience:
            self.out.add(Exited(request.viewer))

    def absence(self, viewer: Viewer, seat: Seat | None) -> str:
        """Return why a viewer that holds no seat, or none of a running match, cannot play."""
        if viewer not in self.audience:
            return codes.ROOM_NOT_HERE
        return codes.SEAT_NONE if seat is None else codes.ACT_NOT_STARTED


class Part(Protocol):
    """A part of a room that also acts by itself, as time passes and as the match goes on."""

    def due_at(self) -> int | None:
        """Return the moment of the node's clock at which it wants to be `woken`; None: at none."""
        ...

    def woken(self, now: int) -> None:
        """Do what is due, the log apart."""
        ...

    def entry(self, now: int) -> Entry | None:
        """Return the entry that it wants in the log now, before anything that waits; nothing is on its way."""
        ...

    def adopted(self, candidate: Candidate, before: Match, now: int) -> None:
        """Take note of an entry that the store has, once it was shown and answered."""
        ...
