"""The end of a match and its ranking: docs/rules/timberwall.md, section 9."""

from warroom_games.api import Seat
from warroom_games.timberwall.state import SEATS, Ending, State, Table, rival_of

WINNING_STREAK = 10
"""The number of own turns in a row with every forest that wins."""  # §9.2


def cause(table: Table) -> Ending | None:
    """Return why the match is over at the end of this turn; None if it is not."""
    if table.bases[rival_of(table.seat)].hp == 0:
        return "base"  # §9.1
    if table.streaks[table.seat] >= WINNING_STREAK:
        return "forests"  # §9.2
    return "cap" if table.turn >= table.options.last_turn else None  # §9.3


def ranks(state: State, reason: Ending, winner: Seat) -> tuple[int, ...]:
    """Return the rank of each seat. After the last turn the stronger one wins, and equals share the rank."""  # §9.4
    if reason != "cap":
        return tuple(1 + (seat != winner) for seat in SEATS)
    standings = [_standing(state, seat) for seat in SEATS]
    return tuple(1 + (standings[rival_of(seat)] > standings[seat]) for seat in SEATS)


def _standing(state: State, seat: Seat) -> tuple[int, int]:
    own = state.board.holdings[seat]
    return state.table.bases[seat].hp, sum(unit.points for unit in own.units) + own.reserves
