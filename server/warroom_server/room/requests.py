"""Answers the requests of viewers, or prepares the entries that fulfil them."""

from typing import assert_never

from msgspec import Struct

from warroom_games.api import IllegalActionError, MalformedActionError, Seat
from warroom_games.codec import decode_action, encode
from warroom_games.log import Acted, Left, Reclaimed, Resigned
from warroom_games.match import Match
from warroom_games.noting import notes_on
from warroom_protocol import codes
from warroom_protocol.messages import Done, LegalList, Receipt, Verdict
from warroom_server.room.admission import Membership
from warroom_server.room.bots.bot_seating import BotSeats
from warroom_server.room.commands import (
    Act,
    Claim,
    Fill,
    Join,
    Kick,
    Leave,
    Legal,
    Mute,
    Offer,
    Reclaim,
    Request,
    Resign,
    Resync,
    Say,
    Start,
    Watch,
)
from warroom_server.room.context import RoomContext
from warroom_server.room.lobby import Lobby
from warroom_server.room.log_fold import Candidate
from warroom_server.room.past_verdicts import VerdictCache
from warroom_server.room.request_queue import Waiting
from warroom_server.room.social.chat import Chat
from warroom_server.room.social.offers import MatchOffers


class Refusal(Struct, frozen=True):
    """Why an action is refused. For a late action the receipt shows how its time was judged."""

    code: str
    detail: str
    receipt: Receipt | None = None


def refusal(code: str) -> Refusal:
    """Return the refusal with the standard text of its code."""
    return Refusal(code, codes.REFUSALS[code])


_NOT_STARTED = refusal(codes.ACT_NOT_STARTED)
_ENDED = refusal(codes.ROOM_ENDED)
_OUT = refusal(codes.SEAT_OUT)
_STALE = refusal(codes.ACT_STALE)
_PAUSED = refusal(codes.ACT_PAUSED)


def credit_for(match: Match, seat: Seat, waiting: Waiting) -> int:
    """Return the lag credit of an action: zero if it arrived before the deadline."""
    if seat not in match.asked or waiting.arrived <= match.due(seat):
        return 0
    return min(waiting.lag, match.most_credit(seat))


def judge(
    match: Match, seat: Seat, verdicts: VerdictCache, *, turn: int, arrived: int, judged: int, credit: int
) -> Refusal | None:
    """Return why *seat* cannot decide *turn*; None if the rules of the game must judge it.

    All times are room time. The answer depends only on facts that the seat knows.
    """
    if match.phase == "lobby":
        return _NOT_STARTED
    if match.is_over:
        return _ENDED
    if seat in match.out:
        return _OUT
    if seat not in match.asked or turn != match.decisions[seat]:
        expired = verdicts.receipt(turn)
        if expired is None or arrived <= expired.deadline + expired.credit:
            return _STALE
        return _late(expired.deadline, expired.credit, arrived, judged)
    if match.is_halted:
        return _PAUSED
    due = match.due(seat)
    return None if arrived <= due + credit else _late(due, credit, arrived, judged)


def _late(deadline: int, credit: int, arrived: int, judged: int) -> Refusal:
    detail = f"your move arrived {arrived - deadline} ms after the deadline; credit {credit} ms"
    return Refusal(codes.ACT_LATE, detail, Receipt(deadline, credit, arrived, judged))


class Requests:
    """Considers one request at a time. It may admit and remove viewers, but it adopts no entry."""

    def __init__(
        self,
        context: RoomContext,
        membership: Membership,
        *,
        bot_seats: BotSeats,
        chat: Chat,
        offers: MatchOffers,
    ) -> None:
        self._context = context
        self._membership = membership
        self._bot_seats = bot_seats
        self._chat = chat
        self._offers = offers
        self._lobby = Lobby(context)
        self._log = context.log
        self._audience = context.audience
        self._time = context.time
        self._out = context.out
        self._room = context.room

    def needs_log(self, request: Request) -> bool:
        """Whether a request cannot be considered while an append is pending."""
        match request:
            case Act() | Start() | Resign() | Kick() | Offer() | Reclaim():
                # A viewer without a seat is refused in any case. It must not take queue space from players.
                return self._context.seat_of(request.viewer) is not None
            case Claim():
                return True
            case Join():
                # A player who sits already, or comes too late, needs no entry.
                return self._log.match.phase == "lobby" and self._log.match.seat_of(request.player) is None
            case Leave():
                return self._log.match.phase == "lobby" and self._context.seat_of(request.viewer) is not None
            case Watch() | Legal() | Resync() | Fill() | Say() | Mute():
                return False
            case _:
                assert_never(request)

    def consider(self, waiting: Waiting, now: int) -> Candidate | None:
        """Answer a request, or return the entry that must be committed before the answer."""
        match waiting.request:
            case Act() as act:
                return self._act(act, waiting, now)
            case Join() as join:
                return self._join(join, now)
            case Leave() as leave:
                return self._leave(leave)
            case Start() as start:
                return self._lobby.start(start, now)
            case Kick() as kick:
                return self._lobby.kick(kick)
            case Claim() as claim:
                return self._bot_seats.claim(claim, now)
            case Resign() as resign:
                return self._resign(resign, now)
            case Reclaim() as reclaim:
                return self._reclaim(reclaim, now)
            case Offer() as offer:
                return self._offers.consider(offer, now)
            case request:
                self._answer(request, now)
                return None

    def _answer(self, request: Watch | Legal | Resync | Fill | Say | Mute, now: int) -> None:
        """Answer a request that never needs an entry."""
        match request:
            case Watch():
                self._membership.watch(request, now)
            case Legal():
                self._legal(request)
            case Resync():
                self._membership.resync(request, now)
            case Fill():
                self._bot_seats.fill(request)
            case Say():
                self._chat.say(request, now)
            case Mute():
                self._chat.mute(request)
            case _:
                assert_never(request)

    def is_hidden_from(self, request: Request) -> bool:
        """Whether the room is hidden from the sender: it is private and the sender is a stranger without the key."""
        if not self._log.match.opened.room_options.private or request.viewer in self._audience:
            return False
        if isinstance(request, Join | Watch):
            return not (request.has_key or self._log.match.seat_of(request.player) is not None)
        return not isinstance(request, Claim)

    def deny(self, request: Request) -> None:
        """Answer as if the room did not exist."""
        if isinstance(request, Act):
            code = codes.ROOM_UNKNOWN
            self._out.send(request.viewer, Verdict(self._room, request.id, code, codes.REFUSALS[code], 0, 0, None))
        else:
            self._context.refuse(request, codes.ROOM_UNKNOWN)

    def refuse(self, request: Request, code: str, detail: str = "") -> None:
        """Refuse a request. Without *detail* the answer has the standard text of the code."""
        if isinstance(request, Act):
            self._refuse_act(request, self._audience.player_of(request.viewer), refusal(code))
        else:
            self._context.refuse(request, code, detail)

    # --- actions ------------------------------------------------------------------------------------------------

    def answer_again(self, act: Act, player: str | None) -> bool:
        """Repeat the verdict on an action that *player* sent before; return False if there is none."""
        verdicts = self._log.verdicts_of(player)
        known = None if verdicts is None else verdicts.find(act.id)
        if known is not None:
            self._out.send(act.viewer, known)
        return known is not None

    def _act(self, act: Act, waiting: Waiting, now: int) -> Candidate | None:
        match = self._log.match
        # The verdict belongs to the sender of the action, even if somebody else plays the seat now.
        player = waiting.player or self._audience.player_of(act.viewer)
        if self.answer_again(act, player):
            return None
        if act.problem:
            self._refuse_act(act, player, Refusal(codes.MESSAGE_INVALID, act.problem))
            return None
        seat = None if player is None else match.seat_played_by(player)
        owned = None if player is None else match.seat_of(player)
        # An action that arrived while the owner played the seat counts, even if a bot stands in by now.
        is_owners = seat is None and owned is not None and owned == waiting.seat
        seat = owned if is_owners else seat
        if seat is None:
            code = self._context.absence(act.viewer, seat) if owned is None else codes.SEAT_BOT
            self._refuse_act(act, player, refusal(code))
            return None
        at = self._time.at(now)
        verdicts = self._log.verdicts_of(player)
        assert verdicts is not None, "a seated player has verdicts"
        credit = credit_for(match, seat, waiting)
        refused = judge(match, seat, verdicts, turn=act.turn, arrived=waiting.arrived, judged=at, credit=credit)
        if refused is None:
            try:
                action = encode(decode_action(match.game, act.action))
                return self._log.prepare(Acted(at, seat, act.id, action, waiting.arrived, credit, is_owners))
            except MalformedActionError as error:
                refused = Refusal(codes.ACT_MALFORMED, str(error))
            except IllegalActionError as error:
                refused = Refusal(error.code, error.detail)
        self._refuse_act(act, player, refused)
        return None

    def _refuse_act(self, act: Act, player: str | None, refused: Refusal) -> None:
        seat = None if player is None else self._context.seat_of_player(player)
        p, q = (self._membership.streams(None).p, 0) if seat is None else self._log.numbers(seat)
        verdict = Verdict(self._room, act.id, refused.code, refused.detail, p, q, refused.receipt)
        verdicts = self._log.verdicts_of(player)
        if verdicts is not None:
            verdicts.refuse(verdict)
        self._log.work.judged.append(refused.code)
        self._out.send(act.viewer, verdict)

    # --- seats --------------------------------------------------------------------------------------------------

    def _join(self, join: Join, now: int) -> Candidate | None:
        if not self._context.is_seated(join.player):
            return self._lobby.join(join)
        self._membership.welcome(join, now)
        return None

    def _leave(self, leave: Leave) -> Candidate | None:
        seat = self._context.seat_of(leave.viewer)
        if seat is not None and self._log.match.phase == "lobby":
            return self._log.prepare(Left(seat))
        if leave.viewer in self._audience:
            self._membership.part(leave)
        else:
            self._context.refuse(leave, codes.ROOM_NOT_HERE)
        return None

    def _resign(self, resign: Resign, now: int) -> Candidate | None:
        # A bot that stands in must not resign a seat that belongs to a player.
        seat = self._context.playing_seat(resign, self._context.owned_seat(resign.viewer))
        return None if seat is None else self._log.prepare(Resigned(self._time.at(now), seat))

    def _reclaim(self, reclaim: Reclaim, now: int) -> Candidate | None:
        """Give the seat back to its owner from the next turn on."""
        context, match = self._context, self._log.match
        seat = context.owned_seat(reclaim.viewer)
        if seat is None or match.phase == "lobby":
            context.refuse(reclaim, context.absence(reclaim.viewer, seat))
        elif match.is_over:
            context.refuse(reclaim, codes.ROOM_ENDED)
        elif match.stand_in(seat) is None:
            context.refuse(reclaim, codes.SEAT_OUT if seat in match.out else codes.SEAT_NO_BOT)
        elif seat in match.returning:
            self._out.send(reclaim.viewer, Done(reclaim.ref))
        else:
            return self._log.prepare(Reclaimed(self._time.at(now), seat))
        return None

    def _legal(self, request: Legal) -> None:
        seat = self._context.playing_seat(request, self._context.seat_of(request.viewer))
        if seat is None:
            return
        match = self._log.match
        actions = tuple(match.game.legal_actions(match.state, seat))
        notes = notes_on(match.game, match.state, seat, actions) if request.notes else None
        turn, is_complete = match.decisions[seat], match.game.info.complete
        self._out.send(request.viewer, LegalList(request.ref, self._room, turn, is_complete, actions, notes))
