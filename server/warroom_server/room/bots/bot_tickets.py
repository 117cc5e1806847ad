"""Tickets for bots: a seat that wants a bot gives one out, and the bot claims the seat with it.

An unclaimed ticket expires. The seat then asks again, with growing delays. Nothing in the room waits for a bot.
"""

from itertools import count

from msgspec import Struct
from msgspec.structs import replace

from warroom_games.api import Seat
from warroom_server.room.context import AT_ONCE
from warroom_server.room.effects import Outbox, Summon

CLAIM_MS = 3_000
"""How long a ticket is valid after a worker was asked."""
RETRIES_MS = (250, 500, 1_000, 2_000, 5_000)
"""Delays before a seat asks again, by failed attempts; the last one applies to all further attempts."""


class Ticket(Struct, frozen=True):
    """A request for a bot for a seat (in the lobby: a place). *bot* None means any bot."""

    number: int
    seat: Seat
    bot: str | None
    is_known: bool = False
    """Whether a worker was asked."""
    expires: int | None = None
    """When it expires; None until a worker was asked, and again once the bot has come."""


class BotTickets:
    """The valid tickets of a room, at most one per seat."""

    __slots__ = ("_misses", "_numbers", "_out", "_tickets")

    def __init__(self, out: Outbox, now: int) -> None:
        self._out = out
        # Numbers start with the time, so that tickets of an earlier owner are not valid here.
        self._numbers = count(now + 1)
        self._tickets: dict[Seat, Ticket] = {}
        self._misses: dict[Seat, tuple[int, int]] = {}
        """By seat, the failed attempts in a row and the moment of the next attempt."""

    def __bool__(self) -> bool:
        return bool(self._tickets)

    def find(self, number: int) -> Ticket | None:
        """Return the valid ticket with a number, if there is one."""
        return next((ticket for ticket in self._tickets.values() if ticket.number == number), None)

    def ticket_for(self, seat: Seat) -> Ticket | None:
        """Return the valid ticket of a seat, if there is one."""
        return self._tickets.get(seat)

    def misses(self, seat: Seat) -> int:
        """Return the failed attempts of a seat in a row."""
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
        """Return when the next ticket expires."""
        return min((ticket.expires for ticket in self._tickets.values() if ticket.expires is not None), default=None)

    def expire(self, now: int) -> None:
        """Void the tickets that nobody claimed in time."""
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
