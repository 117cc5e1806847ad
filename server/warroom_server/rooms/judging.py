"""Whether an action may be put to the rules at all."""

from msgspec import Struct

from warroom_games.api import Seat
from warroom_games.match import Match
from warroom_protocol import codes
from warroom_protocol.messages import Receipt
from warroom_server.rooms.verdicts import Verdicts


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


def judge(match: Match, seat: Seat, verdicts: Verdicts, *, turn: int, arrived: int, judged: int) -> Refusal | None:
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
        return _STALE if expired is None else _late(expired.deadline, expired.credit, arrived, judged)
    if match.is_halted:
        return _PAUSED
    due = match.due(seat)
    return None if arrived <= due else _late(due, 0, arrived, judged)


def _late(deadline: int, credit: int, arrived: int, judged: int) -> Refusal:
    return Refusal(codes.ACT_LATE, codes.REFUSALS[codes.ACT_LATE], Receipt(deadline, credit, arrived, judged))
