"""Answers the requests of viewers, or prepares the entries that fulfil them."""

from dataclasses import dataclass
from typing import assert_never

from msgspec.structs import replace

from warroom_games.api import Seat
from warroom_games.log import Left, Reclaimed, Resigned
from warroom_games.noting import notes_on
from warroom_protocol import codes
from warroom_protocol.messages import Done, LegalList, Position, Verdict
from warroom_server.room import commands, lobby
from warroom_server.room.actions import Actions
from warroom_server.room.audience import Listed
from warroom_server.room.bots.bot_seating import BotSeats
from warroom_server.room.commands import Act, Request
from warroom_server.room.context import RoomContext
from warroom_server.room.log_fold import Candidate
from warroom_server.room.membership import Membership
from warroom_server.room.request_queue import Waiting
from warroom_server.room.social.chat import Chat
from warroom_server.room.social.offers import MatchOffers
from warroom_server.room.viewer_addresses import Local


@dataclass(frozen=True, eq=False, slots=True)
class Requests:
    """Considers one request at a time. It may admit and remove viewers, but it adopts no entry."""

    _context: RoomContext
    _membership: Membership
    _actions: Actions
    _bot_seats: BotSeats
    _chat: Chat
    _offers: MatchOffers

    def needs_log(self, request: Request) -> bool:
        """Whether a request cannot be considered while an append is pending."""
        if isinstance(request, commands.Immediate):
            return False
        match request:
            case Act() | commands.Start() | commands.Resign() | commands.Kick() | commands.Offer() | commands.Reclaim():
                # A viewer without a seat is refused in any case. It must not take queue space from players.
                return self._context.seat_of(request.viewer) is not None
            case commands.Claim():
                return True
            case commands.Join():
                # A player who sits already, or comes too late, needs no entry.
                return self._context.match.phase == "lobby" and self._context.match.seat_of(request.player) is None
            case commands.Leave():
                return self._context.match.phase == "lobby" and self._context.seat_of(request.viewer) is not None

    def consider(self, waiting: Waiting, now: int) -> Candidate | None:
        """Answer a request, or return the entry that must be committed before the answer."""
        match waiting.request:
            case Act() as act:
                return self._actions.consider(act, waiting, now)
            case commands.Join() as join:
                return self._join(join, now)
            case commands.Leave() as leave:
                return self._leave(leave)
            case commands.Start() as start:
                return lobby.start(self._context, start, now)
            case commands.Kick() as kick:
                return lobby.kick(self._context, kick)
            case commands.Claim() as claim:
                return self._bot_seats.claim(claim, now)
            case commands.Resign() as resign:
                return self._resign(resign, now)
            case commands.Reclaim() as reclaim:
                return self._reclaim(reclaim, now)
            case commands.Offer() as offer:
                return self._offers.consider(offer, now)
            case request:
                self._answer(request, now)
                return None

    def _answer(self, request: commands.Immediate, now: int) -> None:
        """Answer a request that never needs an entry."""
        match request:
            case commands.Watch():
                self._membership.watch(request, now)
            case commands.Legal():
                self._legal(request)
            case commands.Resync():
                self._membership.resync(request, now)
            case commands.Fill():
                self._bot_seats.lobby_bots.fill(request)
            case commands.Say():
                self._chat.say(request, now)
            case commands.Mute():
                self._chat.mute(request)
            case _:
                assert_never(request)

    def is_hidden_from(self, request: Request) -> bool:
        """Whether the room is hidden from the sender: it is private and the sender is a stranger without the key."""
        if not self._context.match.opened.room_options.private or request.viewer in self._context.audience:
            return False
        if isinstance(request, commands.Join | commands.Watch):
            return not (request.has_key or self._context.match.seat_of(request.player) is not None)
        return not isinstance(request, commands.Claim)

    def deny(self, request: Request) -> None:
        """Answer as if the room did not exist."""
        if isinstance(request, Act):
            code = codes.ROOM_UNKNOWN
            verdict = Verdict(self._context.room, request.id, code, codes.REFUSALS[code], 0, 0, None)
            self._context.out.send(request.viewer, verdict)
        else:
            self._context.refuse(request, codes.ROOM_UNKNOWN)

    def refuse(self, request: Request, code: str, detail: str = "") -> None:
        """Refuse a request. Without *detail* the answer has the standard text of the code."""
        if isinstance(request, Act):
            self._actions.refuse(request, code)
        else:
            self._context.refuse(request, code, detail)

    # --- seats --------------------------------------------------------------------------------------------------

    def _join(self, join: commands.Join, now: int) -> Candidate | None:
        if join.player not in self._context.log.actors:
            return lobby.join(self._context, join)
        self._membership.welcome(join, now)
        return None

    def _leave(self, leave: commands.Leave) -> Candidate | None:
        seat = self._context.seat_of(leave.viewer)
        if seat is not None and self._context.match.phase == "lobby":
            return self._context.log.prepare(Left(seat))
        if leave.viewer in self._context.audience:
            self._membership.part(leave)
        else:
            self._context.refuse(leave, codes.ROOM_NOT_HERE)
        return None

    def _resign(self, resign: commands.Resign, now: int) -> Candidate | None:
        # A bot that stands in must not resign a seat that belongs to a player.
        seat = self._context.playing_seat(resign, self._context.owned_seat(resign.viewer))
        return None if seat is None else self._context.log.prepare(Resigned(self._context.time.at(now), seat))

    def _reclaim(self, reclaim: commands.Reclaim, now: int) -> Candidate | None:
        """Give the seat back to its owner from the next turn on."""
        context, match = self._context, self._context.match
        seat = context.owned_seat(reclaim.viewer)
        if seat is None or match.phase == "lobby":
            context.refuse(reclaim, context.absence(reclaim.viewer, seat))
        elif match.is_over:
            context.refuse(reclaim, codes.ROOM_ENDED)
        elif match.stand_in(seat) is None:
            context.refuse(reclaim, codes.SEAT_OUT if seat in match.out else codes.SEAT_NO_BOT)
        elif seat in match.returning:
            self._context.out.send(reclaim.viewer, Done(reclaim.ref))
        else:
            return self._context.log.prepare(Reclaimed(self._context.time.at(now), seat))
        return None

    def _legal(self, request: commands.Legal) -> None:
        seat = self._context.playing_seat(request, self._context.seat_of(request.viewer))
        if seat is None:
            return
        match = self._context.match
        turn, is_complete = match.decisions[seat], match.game.info.complete
        actions, notes = None, None
        if not self._has_list(request, seat):
            actions = tuple(match.game.legal_actions(match.state, seat))
            notes = notes_on(match.game, match.state, seat, actions) if request.notes else None
        listed = LegalList(request.ref, self._context.room, turn, is_complete, actions, notes)
        self._context.out.send(request.viewer, listed)

    def _has_list(self, request: commands.Legal, seat: Seat) -> bool:
        """Whether a viewer already has the list that it asks for; if not, note that it gets it.

        The list depends only on what the seat knows, so it is the same while the seat's views are.
        """
        if not isinstance(request.viewer, Local):
            return False  # an edge drops an answer that comes too late, so its client may not have the list
        match = self._context.match
        position = Position(match.life, *self._context.log.streams.numbers(seat))
        listed = Listed(seat, match.decisions[seat], seat in match.asked, position, request.notes)
        known = self._context.audience.listed(request.viewer)
        if known in (listed, replace(listed, has_notes=True)):
            return True
        self._context.audience.note_list(request.viewer, listed)
        return False
