"""Whether an action may be put to the rules at all."""

from msgspec import Struct

from warroom_games.api import Seat
from warroom_games.match import Match
from warroom_protocol import codes
from warroom_protocol.messages import Receipt
from warroom_server.room.queue import Waiting
from warroom_server.room.verdict_cache import VerdictCache


class Refusal(Struct, frozen=True):
    """Why an action is refused, and for a late one how that was judged."""

    code: str
    detail: str
    receipt: Receipt | None = None


def refusal(code: str) -> Refusal:
    """Return the refusal that says no more than its code means."""
    return Refusal(code, codes.REFUSALS[code])


_NOT_STARTED = refusal(codes.ACT_NOT_STARTED)
_ENDED = refusal(codes.ROOM_ENDED)
_OUT = refusal(codes.SEAT_OUT)
_STALE = refusal(codes.ACT_STALE)
_PAUSED = refusal(codes.ACT_PAUSED)


def credit_for(match: Match, seat: Seat, waiting: Waiting) -> int:
    """Return how much time an action of *seat* gets beyond its last moment: none where it arrived before."""
    if seat not in match.asked or waiting.arrived <= match.due(seat):
        return 0
    return min(waiting.lag, match.most_credit(seat))


def judge(
    match: Match, seat: Seat, verdicts: VerdictCache, *, turn: int, arrived: int, judged: int, credit: int
) -> Refusal | None:
    """Return why the decision *turn* of *seat* cannot be made (any more); None if the rules are to decide.

    Times are room time. The answer depends on nothing that the seat does not know.
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
