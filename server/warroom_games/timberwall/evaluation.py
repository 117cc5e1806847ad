"""What a seat knows of its chances: of use to bots, and no part of the rules."""

from warroom_games.api import Seat
from warroom_games.estimates import MOST, of_ranks
from warroom_games.timberwall.economy import WOOD_PER_RESERVE
from warroom_games.timberwall.ground import Ground
from warroom_games.timberwall.opening import BASE_HP, FIRST_RESERVES, FIRST_UNITS
from warroom_games.timberwall.state import rival_of
from warroom_games.timberwall.victory import WINNING_STREAK

_BASE = 700
"""Thousandths for a whole base."""
_FOREST = 12
_STREAK = 40
"""Thousandths for an own turn that ended with every forest."""
_ALL_POINTS = 600
"""Thousandths for all points that the rounds so far brought."""
_NEAR = 4
"""Thousandths for a step that the strongest unit is nearer to the enemy base."""


def evaluate(ground: Ground) -> int:
    """Return how well a seat stands by what it knows, in thousandths."""
    table, seat, rival = ground.table, ground.seat, rival_of(ground.seat)
    if table.ended:
        return of_ranks(table.ranks, seat)
    bases = table.bases[seat].hp - table.bases[rival].hp
    estimate = _BASE * bases // BASE_HP + _FOREST * (table.held[seat] - table.held[rival]) + _army(ground, seat)
    estimate += _STREAK * (table.streaks[seat] - table.streaks[rival]) * MOST // (WINNING_STREAK * 100)
    return max(-MOST + 1, min(MOST - 1, estimate))


def _army(ground: Ground, seat: Seat) -> int:
    """Return the value of units and stores, compared with what the rounds so far brought both seats."""
    own, units, table = ground.knowledge, ground.own, ground.table
    brought = FIRST_RESERVES + sum(FIRST_UNITS) + table.round // table.options.reserve_rounds
    points = sum([unit.points for unit in units.values()])
    kept = points + own.reserves + own.wood // WOOD_PER_RESERVE
    strongest = max(units, key=lambda tile: (units[tile].points, -tile), default=ground.home)
    near = ground.grid.distance(ground.home, ground.goal) - ground.grid.distance(strongest, ground.goal)
    return _ALL_POINTS * (kept - brought) // brought + _NEAR * near
