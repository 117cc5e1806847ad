"""What people do besides playing: they talk, and agree on a pause, a draw or another match."""

from warroom_games.log import Entry
from warroom_games.match import Match
from warroom_server.room.clock.pauses import Pauses
from warroom_server.room.commands import Mute, Offer, Rematched, Say
from warroom_server.room.context import RoomContext
from warroom_server.room.handoff_state import Mutes, Terms
from warroom_server.room.log_fold import Candidate
from warroom_server.room.social.chat import Chat
from warroom_server.room.social.offers import MatchOffers
from warroom_server.room.viewers import Destination

_AT_ONCE = 0


class Manners:
    """Keeps what is offered and what was said."""

    def __init__(self, context: RoomContext, pauses: Pauses) -> None:
        self._context = context
        self._offers = MatchOffers(context, pauses)
        self.chat = Chat(context)

    @property
    def terms(self) -> Terms:
        """What is offered in a running match."""
        return self._offers.terms

    def remember(self, mutes: Mutes, terms: Terms) -> None:
        """Take over who was muted, and what was offered, before this room was here."""
        self.chat.remember(mutes)
        self._offers.remember(terms)

    def consider(self, request: Offer | Say | Mute, now: int) -> Candidate | None:
        """Answer a request, or return the entry that its answer has to wait for."""
        match request:
            case Offer():
                return self._offers.consider(request, now)
            case Say():
                self.chat.say(request, now)
            case Mute():
                self.chat.mute(request)
        return None

    def greet(self, viewer: Destination) -> None:
        """Tell somebody who comes in what was said, what is offered, and where the match goes on."""
        self.chat.recall(viewer)
        context, moved = self._context, self._offers.moved
        is_player = context.seat_of(viewer) is not None
        if is_player and context.match.phase != "lobby":
            # Also if it is nothing: who comes back may know of offers that are gone, with the room's last node perhaps.
            context.out.send(viewer, self._offers.message())
        if moved is not None and (context.public_match.is_over or is_player):
            context.out.send(viewer, moved)

    def lead_on(self, to: tuple[Destination, ...]) -> None:
        """Tell those who have seen the end only now where the match goes on."""
        if self._offers.moved is not None:
            self._context.out.send_all(self._offers.moved, to)

    def rematched(self, rematched: Rematched) -> None:
        """Lead everybody to the room of the rematch, or say that there is none."""
        self._offers.rematched(rematched)

    def due_at(self) -> int | None:
        """Return at once if somebody went and the others agree."""
        return _AT_ONCE if self._offers.is_due else None

    def woken(self, now: int) -> None:
        """Begin another match, if all who are left want one."""
        self._offers.settle()

    def entry(self, now: int) -> Entry | None:
        """Return what all who are left agree on."""
        return self._offers.entry(now)

    def adopted(self, candidate: Candidate, before: Match, now: int) -> None:
        """Take offers back that the match has overtaken, and note who sits."""
        self._offers.adopted(candidate, before)
        self.chat.adopted(before)
