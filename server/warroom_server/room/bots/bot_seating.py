"""Bots for seats: for open places in the lobby, and for absent players in the match."""

from collections.abc import Iterator
from itertools import chain, count

from warroom_games.api import Seat
from warroom_games.log import Entry, Sat, StoodIn
from warroom_games.match import Match
from warroom_protocol import codes
from warroom_server.room.bots.bot_tickets import BotTickets
from warroom_server.room.bots.lobby_bots import LobbyBots
from warroom_server.room.bots.stand_ins import StandIns
from warroom_server.room.commands import Claim, Summoned
from warroom_server.room.context import RoomContext
from warroom_server.room.log_fold import Candidate
from warroom_server.room.membership import Membership


class BotSeats:
    """Gives out tickets for seats that want a bot, and seats the bots that claim them."""

    __slots__ = ("_context", "_stand_ins", "_tickets", "lobby_bots")

    def __init__(self, context: RoomContext, now: int, membership: Membership) -> None:
        self._context = context
        self._tickets = BotTickets(context.out, now)
        self.lobby_bots = LobbyBots(context, self._tickets, membership)
        """The bots that the host asks for, and how long open places have waited."""
        self._stand_ins = StandIns(context, self._tickets, membership)

    @property
    def _vacancies(self) -> LobbyBots | StandIns:
        """The part that currently decides which seats want a bot."""
        return self.lobby_bots if self._context.match.phase == "lobby" else self._stand_ins

    # --- requests -----------------------------------------------------------------------------------------------

    def summoned(self, summoned: Summoned, now: int) -> None:
        """Note that a worker was asked for a bot, or that no worker has it."""
        ticket = self._tickets.summoned(summoned.ticket, is_known=summoned.is_known, now=now)
        if ticket is not None:
            self.lobby_bots.summoned(ticket, is_known=summoned.is_known)

    def claim(self, claim: Claim, now: int) -> Candidate | None:
        """Seat a bot that shows a valid ticket, if the seat still wants one."""
        context, match = self._context, self._context.match
        at = context.time.at(now)
        ticket = self._tickets.find(claim.ticket)
        is_barred = claim.player in context.log.actors or claim.player in match.kicked
        if ticket is None or is_barred or not self._is_claimable(ticket.seat, at):
            context.refuse(claim, codes.CLAIM_GONE)
            return None
        self._tickets.claimed(ticket)  # so that it does not expire before the entry is committed
        if match.phase == "lobby":
            return context.log.prepare(
                Sat(ticket.seat, claim.player, self._free_name(claim.name), claim.bot, hired=True)
            )
        return context.log.prepare(StoodIn(at, ticket.seat, claim.player, claim.name, claim.bot))

    def _free_name(self, wish: str) -> str:
        """Return a name that no other seat has: each worker numbers its bots without knowing those of others."""
        taken = {sitter.name for sitter in self._context.match.seats if sitter is not None}
        numbered = (f"{wish.rpartition(' ')[0] or wish} {number}" for number in count(1))
        return next(name for name in chain((wish,), numbered) if name not in taken)

    def _is_claimable(self, seat: Seat, at: int) -> bool:
        return self.lobby_bots.is_open(seat) if self._context.match.phase == "lobby" else self._is_wanted(seat, at)

    # --- the part of a room -------------------------------------------------------------------------------------

    def due_at(self) -> int | None:
        """Return when a seat wants a bot, a ticket expires, or a place is freed."""
        match = self._context.match
        if match.is_over or self._is_quiet():
            return None
        void_at = self._tickets.due_at()
        changes = self.lobby_bots.moments() if match.phase == "lobby" else ()
        return min((*(() if void_at is None else (void_at,)), *changes, *self._openings()), default=None)

    def woken(self, now: int) -> None:
        """Ask for the bots that are wanted now, and again for those that did not come."""
        self._tickets.expire(now)
        self._hire(now)

    def entry(self, now: int) -> Entry | None:
        """Return the entry that is due in the lobby."""
        return self.lobby_bots.entry(now) if self._context.match.phase == "lobby" else None

    def adopted(self, candidate: Candidate, before: Match, now: int) -> None:
        """Follow who sits and who plays."""
        if before.phase == "lobby":
            self.lobby_bots.adopted(candidate, before, now)
        self._stand_ins.adopted(candidate, before)
        self._hire(now)

    def _is_quiet(self) -> bool:
        return self._context.match.phase == "playing" and self._stand_ins.is_quiet

    def _openings(self) -> Iterator[int]:
        """Return when each seat without a ticket wants a bot and may ask for one."""
        for seat in self._vacancies.candidates():
            open_from, wanted_at = self._tickets.open_from(seat), self._vacancies.wanted_at(seat)
            wanted_from = None if wanted_at is None else self._context.time.when(wanted_at)
            if open_from is not None and wanted_from is not None:
                yield max(open_from, wanted_from)

    def _hire(self, now: int) -> None:
        """Ask for a bot for every seat that wants one and is not waiting to retry."""
        if self._is_quiet():
            return
        at = self._context.time.at(now)
        for seat in self._vacancies.candidates():
            open_from = self._tickets.open_from(seat)
            if open_from is not None and open_from <= now and self._is_wanted(seat, at):
                self._tickets.give_out(seat, self._vacancies.bot_for(seat))

    def _is_wanted(self, seat: Seat, at: int) -> bool:
        """Whether a seat wants a bot at room time *at*."""
        wanted_at = self._vacancies.wanted_at(seat)
        return wanted_at is not None and wanted_at <= at
