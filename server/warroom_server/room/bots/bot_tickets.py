"""Tickets: a seat that wants a bot gives one out, and whoever brings the bot shows it.

A ticket that nobody claims in time is void and another one may be given out, later each time. Nothing in the room waits
for any of this.
"""

from itertools import count

from msgspec import Struct
from msgspec.structs import replace

from warroom_games.api import Seat
from warroom_server.room.context import AT_ONCE
from warroom_server.room.effects import Summon
from warroom_server.room.outbox import Outbox

CLAIM_MS = 3_000
"""How long a ticket can be claimed once a worker was asked."""
RETRIES_MS = (250, 500, 1_000, 2_000, 5_000)
"""How long a seat waits before it asks again, after so many times in vain; the last one holds for all later ones."""


class Ticket(Struct, frozen=True):
    """A seat (in the lobby a place) that a bot was asked for, and which one (None: any)."""

    number: int
    seat: Seat
    bot: str | None
    is_known: bool = False
    """Whether a worker was asked."""
    expires: int | None = None
    """When it is void; None: no worker was asked yet, or its bot has come."""


class BotTickets:
    """The tickets of a room that were given out and are not void; at most one for each seat."""

    def __init__(self, out: Outbox, now: int) -> None:
        self._out = out
        # Beginning with the time, so that tickets of an earlier owner of the room fit none of this one's.
        self._numbers = count(now + 1)
        self._tickets: dict[Seat, Ticket] = {}
        self._misses: dict[Seat, tuple[int, int]] = {}
        """By seat how often in a row nobody claimed its ticket, and when it may ask again."""

    def __bool__(self) -> bool:
        return bool(self._tickets)

    def find(self, number: int) -> Ticket | None:
        """Return the valid ticket with a number, if there is one."""
        return next((ticket for ticket in self._tickets.values() if ticket.number == number), None)

    def ticket_for(self, seat: Seat) -> Ticket | None:
        """Return the valid ticket of a seat, if there is one."""
        return self._tickets.get(seat)

    def misses(self, seat: Seat) -> int:
        """Return how often in a row a seat asked in vain."""
        return self._misses.get(seat, (0, AT_ONCE))[0]

    def open_from(self, seat: Seat) -> int | None:
        """Return the moment from which a seat may ask for a bot; None while it has a ticket."""
        return self._misses.get(seat, (0, AT_ONCE))[1] if seat not in self._tickets else None

    def give_out(self, seat: Seat, bot: str | None) -> None:
        """Ask for a bot with a new ticket."""
        ticket = self._tickets[seat] = Ticket(next(self._numbers), seat, bot)
        self._out.add(Summon(ticket.number, bot))

    def summoned(self, number: int, *, is_known: bool, now: int) -> Ticket | None:
        """Note that a worker was asked, or that no worker has the bot; return the ticket if it is valid."""
        ticket = self.find(number)
        if ticket is not None and is_known:
            self._tickets[ticket.seat] = replace(ticket, is_known=True, expires=now + CLAIM_MS)
        elif ticket is not None:
            self._miss(ticket.seat, now)
        return ticket

    def claimed(self, ticket: Ticket) -> None:
        """Note that the bot has come: its ticket stays valid until the log has the bot."""
        self._tickets[ticket.seat] = replace(ticket, expires=None)

    def due_at(self) -> int | None:
        """Return when the next ticket is void."""
        return min((ticket.expires for ticket in self._tickets.values() if ticket.expires is not None), default=None)

    def expire(self, now: int) -> None:
        """Give up on the tickets that nobody claimed in time."""
        for ticket in list(self._tickets.values()):
            if ticket.expires is not None and ticket.expires <= now:
                self._miss(ticket.seat, now)

    def take_back(self, seat: Seat) -> None:
        """Void the ticket of a seat."""
        self._misses.pop(seat, None)
        self._tickets.pop(seat, None)

    def _miss(self, seat: Seat, now: int) -> None:
        del self._tickets[seat]
        misses = self.misses(seat) + 1
        self._misses[seat] = misses, now + RETRIES_MS[min(misses, len(RETRIES_MS)) - 1]
