"""The end of a match and its ranking: docs/rules/thardferr.md, section 17."""

from warroom_games.api import Result, Seat
from warroom_games.thardferr.state import Reason, State


def rank(state: State, reason: Reason) -> Result:
    """Rank seats in play by KS; below them the seats that are out, later ones higher."""  # §17.3
    keys = [_standing(state, seat) for seat in range(state.seats)]
    return Result(tuple(1 + sum(other > key for other in keys) for key in keys), reason)


def _standing(state: State, seat: Seat) -> tuple[bool, int]:
    if seat in state.out:
        return False, state.out.index(seat)
    return True, state.kingdoms[seat].strength if state.kingdoms else 0
