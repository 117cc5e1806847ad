"""Judges actions: prepares the entry of an action that counts, or refuses it."""

from msgspec import Struct

from warroom_games.api import IllegalActionError, Seat
from warroom_games.codec import MALFORMED, action_decoder, encode, explain_malformed
from warroom_games.log import Acted
from warroom_games.match import Match
from warroom_protocol import codes
from warroom_protocol.messages import Receipt, Verdict
from warroom_server.room.commands import Act
from warroom_server.room.context import RoomContext
from warroom_server.room.log_fold import Candidate, VerdictCache
from warroom_server.room.membership import Membership
from warroom_server.room.request_queue import Waiting


class Refusal(Struct, frozen=True):
    """Why an action is refused. For a late action the receipt shows how its time was judged."""

    code: str
    detail: str
    receipt: Receipt | None = None


def refusal(code: str) -> Refusal:
    """Return the refusal with the standard text of its code."""
    return Refusal(code, codes.REFUSALS[code])


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
        return refusal(codes.ACT_NOT_STARTED)
    if match.is_over:
        return refusal(codes.ROOM_ENDED)
    if seat in match.out:
        return refusal(codes.SEAT_OUT)
    if seat not in match.asked or turn != match.decisions[seat]:
        expired = verdicts.receipt(turn)
        if expired is None or arrived <= expired.deadline + expired.credit:
            return refusal(codes.ACT_STALE)
        return _late(expired.deadline, expired.credit, arrived, judged)
    if match.is_halted:
        return refusal(codes.ACT_PAUSED)
    due = match.due(seat)
    return None if arrived <= due + credit else _late(due, credit, arrived, judged)


def _late(deadline: int, credit: int, arrived: int, judged: int) -> Refusal:
    detail = f"your move arrived {arrived - deadline} ms after the deadline; credit {credit} ms"
    return Refusal(codes.ACT_LATE, detail, Receipt(deadline, credit, arrived, judged))


class Actions:
    """Judges one action at a time. It adopts nothing."""

    __slots__ = ("_context", "_decode", "_log", "_membership", "_out", "_time")

    def __init__(self, context: RoomContext, membership: Membership) -> None:
        self._context = context
        self._membership = membership
        self._log = context.log
        self._time = context.time
        self._out = context.out
        self._decode = action_decoder(context.match.game)

    def consider(self, act: Act, waiting: Waiting, now: int, after: Candidate | None = None) -> Candidate | None:
        """Return the entry of an action; None if it was answered.

        An entry that follows *after*, which is not committed, is returned only if all is well: a refusal could tell
        what is not committed, so the action has to wait.
        """
        # The verdict belongs to the sender of the action, even if somebody else plays the seat now.
        player = waiting.player or self._context.audience.player_of(act.viewer)
        match = self._log.match if after is None else after.advanced.match
        actor = None if player is None else self._log.actors.get(player)
        seat, credit, is_owners = None if actor is None else actor.seat, 0, False
        if (
            actor is None
            or seat not in match.asked
            or act.turn != match.decisions[seat]
            or match.deadline is None
            or waiting.arrived > match.deadline
            or match.is_halted
            or act.problem
            or act.id in actor.verdicts.accepted
            or act.id in actor.verdicts.refused
        ):
            grant = self._grant(act, waiting, player, now) if after is None else None
            if grant is None:
                return None
            seat, credit, is_owners = grant
        try:
            action = self._decode(act.action)
        except MALFORMED as error:
            if after is None:
                wrong = explain_malformed(match.game, act.action, error)
                self._refuse(act, player, Refusal(codes.ACT_MALFORMED, wrong))
            return None
        try:
            at = waiting.arrived if act.arrived == now else self._time.at(now)
            entry = Acted(at, seat, act.id, encode(action), waiting.arrived, credit, is_owners)
            return self._log.prepare(entry, action, after)
        except IllegalActionError as error:
            if after is None:
                self._refuse(act, player, Refusal(error.code, error.detail))
            return None

    def _grant(self, act: Act, waiting: Waiting, player: str | None, now: int) -> tuple[Seat, int, bool] | None:
        """Judge an action that is not plainly in turn and in time; None if it was answered.

        Return its seat, its lag credit, and whether it counts for an owner although a bot stands in.
        """
        actor = self._log.actor(player)
        if self.answer_again(act, player):
            return None
        if act.problem:
            self._refuse(act, player, Refusal(codes.MESSAGE_INVALID, act.problem))
            return None
        owned = None if actor is None else actor.owned
        # An action that arrived while the owner played the seat counts, even if a bot stands in by now.
        is_owners = actor is not None and actor.seat is None and owned is not None and owned == waiting.seat
        seat = owned if is_owners or actor is None else actor.seat
        if actor is None or seat is None:
            code = self._context.absence(act.viewer, seat) if owned is None else codes.SEAT_BOT
            self._refuse(act, player, refusal(code))
            return None
        match, at = self._log.match, self._time.at(now)
        credit = credit_for(match, seat, waiting)
        refused = judge(match, seat, actor.verdicts, turn=act.turn, arrived=waiting.arrived, judged=at, credit=credit)
        if refused is None:
            return seat, credit, is_owners
        self._refuse(act, player, refused)
        return None

    def answer_again(self, act: Act, player: str | None) -> bool:
        """Repeat the verdict on an action that *player* sent before; return False if there is none."""
        verdicts = self._log.verdicts_of(player)
        known = None if verdicts is None else verdicts.find(act.id)
        if known is not None:
            self._out.send(act.viewer, known)
        return known is not None

    def refuse(self, act: Act, code: str) -> None:
        """Refuse an action with the standard text of a code."""
        self._refuse(act, self._context.audience.player_of(act.viewer), refusal(code))

    def _refuse(self, act: Act, player: str | None, refused: Refusal) -> None:
        actor = self._log.actor(player)
        seat = None if actor is None else actor.held
        p, q = self._membership.streams(seat).numbers(seat)
        verdict = Verdict(self._context.room, act.id, refused.code, refused.detail, p, q, refused.receipt)
        verdicts = self._log.verdicts_of(player)
        if verdicts is not None:
            verdicts.refuse(verdict)
        self._log.work.refused += (refused.code,)
        self._out.send(act.viewer, verdict)
