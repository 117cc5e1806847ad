"""What people do besides playing: they talk, and agree on a pause, a draw or another match."""

from warroom_games.log import Entry
from warroom_games.match import Match
from warroom_server.rooms.chat import Chat
from warroom_server.rooms.commands import ConnectionId, Mute, Offer, Rematched, Say
from warroom_server.rooms.floor import Floor
from warroom_server.rooms.ledger import Candidate
from warroom_server.rooms.offers import Bargaining
from warroom_server.rooms.pausing import Pausing
from warroom_server.rooms.unwritten import Mutes, Terms

_AT_ONCE = 0


class Manners:
    """Keeps what is offered and what was said."""

    def __init__(self, floor: Floor, pausing: Pausing) -> None:
        self._floor = floor
        self._bargaining = Bargaining(floor, pausing)
        self.chat = Chat(floor)

    @property
    def terms(self) -> Terms:
        """What is offered in a running match."""
        return self._bargaining.terms

    def remember(self, mutes: Mutes, terms: Terms) -> None:
        """Take over who was muted, and what was offered, before this room was here."""
        self.chat.remember(mutes)
        self._bargaining.remember(terms)

    def consider(self, request: Offer | Say | Mute, now: int) -> Candidate | None:
        """Answer a request, or return the entry that its answer has to wait for."""
        match request:
            case Offer():
                return self._bargaining.consider(request, now)
            case Say():
                self.chat.say(request, now)
            case Mute():
                self.chat.mute(request)
        return None

    def greet(self, connection: ConnectionId, heard: int | None) -> None:
        """Tell somebody who comes in what was said, what is offered, and where the match goes on."""
        self.chat.recall(connection, heard)
        floor, moved = self._floor, self._bargaining.moved
        is_player = floor.seat_of(connection) is not None
        if is_player and floor.match.phase != "lobby":
            # Also if it is nothing: who comes back may know of offers that are gone, with the room's last node perhaps.
            floor.out.send(connection, self._bargaining.message())
        if moved is not None and (floor.public_match.is_over or is_player):
            floor.out.send(connection, moved)

    def lead_on(self, to: tuple[ConnectionId, ...]) -> None:
        """Tell those who have seen the end only now where the match goes on."""
        if self._bargaining.moved is not None:
            self._floor.out.send_all(self._bargaining.moved, to)

    def rematched(self, rematched: Rematched) -> None:
        """Lead everybody to the room of the rematch, or say that there is none."""
        self._bargaining.rematched(rematched)

    def due_at(self) -> int | None:
        """Return at once if somebody went and the others agree."""
        return _AT_ONCE if self._bargaining.is_due else None

    def woken(self, now: int) -> None:
        """Begin another match, if all who are left want one."""
        self._bargaining.settle()

    def entry(self, now: int) -> Entry | None:
        """Return what all who are left agree on."""
        return self._bargaining.entry(now)

    def adopted(self, candidate: Candidate, before: Match, now: int) -> None:
        """Take offers back that the match has overtaken, and note who sits."""
        self._bargaining.adopted(candidate, before)
        self.chat.adopted(before)
