"""Tickets: a seat that wants a bot gives one out, and whoever brings the bot shows it.

A ticket that nobody claims in time is void and another one may be given out, later each time. Nothing in the room waits
for any of this.
"""

from itertools import count

from msgspec import Struct
from msgspec.structs import replace

from warroom_games.api import Seat
from warroom_server.room.effects import Summon
from warroom_server.room.outbox import Outbox

CLAIM_MS = 3_000
"""How long a ticket can be claimed once a worker was asked."""
RETRIES_MS = (250, 500, 1_000, 2_000, 5_000)
"""How long a seat waits before it asks again, after so many times in vain; the last one holds for all later ones."""

_AT_ONCE = 0


class Ticket(Struct, frozen=True):
    """A seat (in the lobby a place) that a bot was asked for, and which one (None: any)."""

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
        self._tickets: dict[int, Ticket] = {}
        self._misses: dict[Seat, tuple[int, int]] = {}
        """By seat how often in a row nobody claimed its ticket, and when it may ask again."""

    def __bool__(self) -> bool:
        return bool(self._tickets)

    def find(self, number: int) -> Ticket | None:
        """Return the ticket with a number, unless that is void."""
        return self._tickets.get(number)

    def number_for(self, seat: Seat) -> int | None:
        """Return the number of the ticket for a seat, if there is one."""
        return next((number for number, ticket in self._tickets.items() if ticket.seat == seat), None)

    def misses(self, seat: Seat) -> int:
        """Return how often in a row a seat asked in vain."""
        return self._misses.get(seat, (0, _AT_ONCE))[0]

    def open_from(self, seat: Seat) -> int | None:
        """Return the moment from which a seat may ask for a bot; None while it has a ticket."""
        return self._misses.get(seat, (0, _AT_ONCE))[1] if self.number_for(seat) is None else None

    def give_out(self, seat: Seat, bot: str | None) -> int:
        """Ask for a bot; return the number of its ticket."""
        number = next(self._numbers)
        self._tickets[number] = Ticket(seat, bot)
        self._out.add(Summon(number, bot))
        return number

    def summoned(self, number: int, *, is_known: bool, now: int) -> Ticket | None:
        """Take note that a worker was asked, or that none has such a bot; return the ticket unless that is void."""
        ticket = self._tickets.get(number)
        if ticket is not None and is_known:
            self._tickets[number] = replace(ticket, is_known=True, expires=now + CLAIM_MS)
        elif ticket is not None:
            self._miss(number, now)
        return ticket

    def claimed(self, number: int) -> None:
        """Take note that a bot has come: its ticket is good until the log has it."""
        self._tickets[number] = replace(self._tickets[number], expires=None)

    def due_at(self) -> int | None:
        """Return when the next ticket is void."""
        return min((ticket.expires for ticket in self._tickets.values() if ticket.expires is not None), default=None)

    def expire(self, now: int) -> None:
        """Give up on the tickets that nobody claimed in time."""
        tickets = self._tickets.items()
        for number in [number for number, ticket in tickets if ticket.expires is not None and ticket.expires <= now]:
            self._miss(number, now)

    def take_back(self, seat: Seat) -> set[int]:
        """Let no bot come to a seat any more that was asked for before; return the numbers that are void now."""
        self._misses.pop(seat, None)
        numbers = {number for number, ticket in self._tickets.items() if ticket.seat == seat}
        for number in numbers:
            del self._tickets[number]
        return numbers

    def close(self) -> set[int]:
        """Let no bot come at all that was asked for before; return the numbers that are void now."""
        numbers = set(self._tickets)
        self._tickets.clear()
        self._misses.clear()
        return numbers

    def _miss(self, number: int, now: int) -> None:
        seat = self._tickets.pop(number).seat
        misses = self.misses(seat) + 1
        self._misses[seat] = misses, now + RETRIES_MS[min(misses, len(RETRIES_MS)) - 1]
