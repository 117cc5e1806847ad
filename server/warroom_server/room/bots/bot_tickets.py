"""Tickets for bots: a seat that wants a bot gives one out, and the bot claims the seat with it.

An unclaimed ticket expires. The seat then asks again, with growing delays. Nothing in the room waits for a bot.
"""

from collections.abc import Mapping
from typing import Final

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


_NO_TICKETS: Final[Mapping[Seat, Ticket]] = {}
_NO_MISSES: Final[Mapping[Seat, tuple[int, int]]] = {}


class BotTickets:
    """The valid tickets of a room, at most one per seat. Most rooms have none: mappings are replaced, not changed."""

    __slots__ = ("_last", "_misses", "_out", "_tickets")

    def __init__(self, out: Outbox, now: int) -> None:
        self._out = out
        # Numbers start with the time, so that tickets of an earlier owner are not valid here.
        self._last = now
        """The number of the last ticket."""
        self._tickets = _NO_TICKETS
        self._misses = _NO_MISSES
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
        self._last += 1
        ticket = Ticket(self._last, seat, bot)
        self._keep(ticket)
        self._out.add(Summon(ticket.number, bot))

    def summoned(self, number: int, *, is_known: bool, now: int) -> Ticket | None:
        """Note that a worker was asked, or that no worker has the bot; return the ticket if it is valid."""
        ticket = self.find(number)
        if ticket is not None and is_known:
            self._keep(replace(ticket, is_known=True, expires=now + CLAIM_MS))
        elif ticket is not None:
            self._miss(ticket.seat, now)
        return ticket

    def claimed(self, ticket: Ticket) -> None:
        """Note that the bot has come: its ticket stays valid until the log has the bot."""
        self._keep(replace(ticket, expires=None))

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
        if seat in self._misses:
            self._misses = {other: missed for other, missed in self._misses.items() if other != seat}
        self._drop(seat)

    def _miss(self, seat: Seat, now: int) -> None:
        self._drop(seat)
        misses = self.misses(seat) + 1
        self._misses = {**self._misses, seat: (misses, now + RETRIES_MS[min(misses, len(RETRIES_MS)) - 1])}

    def _keep(self, ticket: Ticket) -> None:
        self._tickets = {**self._tickets, ticket.seat: ticket}

    def _drop(self, seat: Seat) -> None:
        if seat in self._tickets:
            self._tickets = {other: ticket for other, ticket in self._tickets.items() if other != seat}
