"""What a seat knows of its chances: of use to bots, and no part of the rules."""

from warroom_games.api import Seat
from warroom_games.estimates import MOST, of_ranks
from warroom_games.timberwall.economy import WOOD_PER_RESERVE
from warroom_games.timberwall.opening import BASE_HP, FIRST_RESERVES, FIRST_UNITS
from warroom_games.timberwall.state import Base, Table, Unit, rival_of
from warroom_games.timberwall.victory import WINNING_STREAK

_BASE = 700
"""Thousandths for a whole base."""
_FOREST = 12
_STREAK = 400
"""Thousandths for as many own turns with every forest as win."""
_POINTS = 600
"""Thousandths for all points that the rounds so far brought."""
_STEP = 4
"""Thousandths for a step by which the strongest unit is nearer to the enemy base."""


def evaluate(table: Table, seat: Seat, *, units: tuple[Unit, ...], stores: int) -> int:
    """Return how well a seat with these *units* stands, in thousandths; *stores* are reserves and wood, in points."""
    if table.ended:
        return of_ranks(table.ranks, seat)
    rival = rival_of(seat)
    points = sum([unit.points for unit in units]) + stores
    # What the rival has is hidden, but the rounds brought it as much.
    brought = FIRST_RESERVES + sum(FIRST_UNITS) + table.round // table.options.reserve_rounds
    estimate = (
        _BASE * (table.bases[seat].hp - table.bases[rival].hp) // BASE_HP
        + _FOREST * (table.held[seat] - table.held[rival])
        + _STREAK * (table.streaks[seat] - table.streaks[rival]) // WINNING_STREAK
        + _POINTS * (points - brought) // brought
        - _STEP * _distance(units, table.bases[rival], table.options.size)
    )
    return max(1 - MOST, min(MOST - 1, estimate))


def stores(reserves: int, wood: int) -> int:
    """Return what reserves and wood are worth in points."""
    return reserves + wood // WOOD_PER_RESERVE


def _distance(units: tuple[Unit, ...], goal: Base, farthest: int) -> int:
    """Return the steps of the strongest unit to a base, if no wall is in the way."""
    if not units:
        return farthest
    strongest = max(units, key=lambda unit: unit.points)
    return max(abs(strongest.x - goal.x), abs(strongest.y - goal.y))
