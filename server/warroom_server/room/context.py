"""The context that all parts of a room share: its log, viewers, clock and outgoing effects."""

from typing import Final, Protocol

from warroom_games.api import Seat
from warroom_games.log import Entry
from warroom_games.match import Match
from warroom_protocol import codes
from warroom_protocol.messages import Error, Notice
from warroom_server.room.audience import Audience
from warroom_server.room.clock.room_time import RoomTime
from warroom_server.room.commands import Entering, RefRequest
from warroom_server.room.effects import Exited, Outbox
from warroom_server.room.log_fold import Candidate, LogFold
from warroom_server.room.presence import Absences, Presence, host
from warroom_server.room.viewer_addresses import Destination, Viewer

AT_ONCE: Final = 0
"""A moment that has passed, in room time and on every node's clock."""


class RoomContext:
    """The state that the parts of a room share, and questions that several of them ask."""

    __slots__ = ("absences", "audience", "log", "out", "presence", "time")

    def __init__(self, log: LogFold, now: int) -> None:
        match = log.match
        self.log = log
        self.out = Outbox(log.work)
        self.time = RoomTime(match.at, now)
        self.audience = Audience()
        self.audience.seat(match.seats, match.stand_ins)
        self.presence = Presence(now)
        self.absences = Absences()
        self.absences.note(match, self.audience, match.at)

    @property
    def match(self) -> Match:
        """The match after the last committed entry."""
        return self.log.match

    @property
    def public_match(self) -> Match:
        """The match as an anonymous spectator may know it."""
        return self.audience.delayed_match or self.match

    @property
    def room(self) -> int:
        """The room's number."""
        return self.log.match.opened.room

    def seat_of(self, viewer: Destination) -> Seat | None:
        """Return the seat that a viewer holds: the seat of its player, or the seat that its bot stands in for."""
        actor = self.log.actor(self.audience.player_of(viewer))
        return None if actor is None else actor.held

    def owned_seat(self, viewer: Viewer) -> Seat | None:
        """Return the seat that belongs to a viewer's player, even while a bot stands in."""
        actor = self.log.actor(self.audience.player_of(viewer))
        return None if actor is None else actor.owned

    def is_host(self, viewer: Viewer) -> bool:
        """Whether a viewer is a viewer of the host."""
        player = self.audience.player_of(viewer)
        return player is not None and player == host(self.match)

    def notice(self, code: str) -> Notice:
        """Return the notice with *code* and its standard text."""
        return Notice(self.room, code, codes.NOTICES[code])

    def refuse(self, request: RefRequest, code: str, detail: str = "") -> None:
        """Refuse a request that is not an action. Without *detail* the answer has the standard text of the code."""
        self.out.send(request.viewer, Error(request.ref, code, detail or codes.REFUSALS[code]))
        if isinstance(request, Entering) and request.viewer not in self.audience:
            self.out.add(Exited(request.viewer))

    def absence(self, viewer: Viewer, seat: Seat | None) -> str:
        """Return the code for a viewer without a seat (*seat* None), or with a seat in a lobby."""
        if viewer not in self.audience:
            return codes.ROOM_NOT_HERE
        return codes.SEAT_NONE if seat is None else codes.ACT_NOT_STARTED

    def playing_seat(self, request: RefRequest, seat: Seat | None) -> Seat | None:
        """Return *seat* if it takes part in a running match; refuse the request otherwise."""
        match = self.match
        if seat is None or match.phase == "lobby":
            self.refuse(request, self.absence(request.viewer, seat))
        elif match.is_over:
            self.refuse(request, codes.ROOM_ENDED)
        elif seat in match.out:
            self.refuse(request, codes.SEAT_OUT)
        else:
            return seat
        return None


class Part(Protocol):
    """A part of a room that also acts by itself, when time passes or the match goes on."""

    def due_at(self) -> int | None:
        """Return the moment of the node's clock at which the room calls `woken`; None for never."""

    def woken(self, now: int) -> None:
        """Do everything that is due and needs no log entry."""

    def entry(self, now: int) -> Entry | None:
        """Return the entry to append now, before queued requests. The room asks only while no append is pending."""

    def adopted(self, candidate: Candidate, before: Match, now: int) -> None:
        """Follow a committed entry. The room has already sent its frames and its answer."""
