"""Bots that stand in for absent players.

Everybody sees who plays a seat, so a stand-in must not depend on secrets: whether a seat has acted in the running turn,
or ran out of time in it. Only two things count: which seats take part in the turn, and what was true when it began.
"""

from warroom_games.api import Seat
from warroom_games.log import StoodIn
from warroom_games.match import Match
from warroom_protocol import codes
from warroom_server.room.bots.bot_tickets import BotTickets
from warroom_server.room.context import AT_ONCE, RoomContext
from warroom_server.room.log_fold import Candidate
from warroom_server.room.membership import Membership


class StandIns:
    """Decides which seats of a running match want a bot, and notifies owners and bots."""

    __slots__ = ("_context", "_membership", "_tickets")

    def __init__(self, context: RoomContext, tickets: BotTickets, membership: Membership) -> None:
        self._context = context
        self._tickets = tickets
        self._membership = membership

    # --- which seats want a bot ---------------------------------------------------------------------------------

    @property
    def is_quiet(self) -> bool:
        """Whether no seat can want a bot: nobody is absent and no time-outs count. Checked with each entry."""
        is_away = self._tickets or self._context.absences
        return not is_away and not any(clock.missed for clock in self._context.match.clocks)

    def candidates(self) -> list[Seat]:
        """Return the seats that may want a bot: those that take part in the running turn."""
        return [seat for seat, clock in enumerate(self._context.match.clocks) if clock.was_asked]

    def wanted_at(self, seat: Seat) -> int | None:
        """Return the room time from which a seat wants a bot; None if it is unknown."""
        match = self._context.match
        if match.is_over or seat in match.out:
            return None
        most = match.opened.room_options.timeouts
        if most and match.clocks[seat].missed >= most:
            return AT_ONCE
        return self._context.absences.over_at(match, match.holder(seat))

    def bot_for(self, seat: Seat) -> str | None:
        """Return the bot that a seat wants. After a failed attempt any bot will do."""
        return None if self._tickets.misses(seat) else self._context.match.opened.room_options.bot or None

    # --- committed entries --------------------------------------------------------------------------------------

    def adopted(self, candidate: Candidate, before: Match) -> None:
        """Notify owners and bots about who plays from now on."""
        after = self._context.match
        if isinstance(candidate.entry, StoodIn):
            self._membership.notify(after.sitter_at(candidate.entry.seat).player, codes.NOTICE_STOOD_IN)
        if after.stand_ins is before.stand_ins:
            return
        for seat, (bot, relieved) in enumerate(zip(after.stand_ins, before.stand_ins or after.stand_ins, strict=True)):
            if bot is not relieved:
                self._tickets.take_back(seat)
                if relieved is not None:
                    self._membership.show_out(relieved.player, codes.NOTICE_RELIEVED)
