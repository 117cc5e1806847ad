"""The cost of units and of their stats: docs/rules/thardferr.md, section 5."""

from collections.abc import Iterable, Mapping
from functools import cache

from msgspec import Struct

from warroom_games.thardferr.units import Unit

MARKET_PRICES: Mapping[str, int] = {"wood": 80, "iron": 100, "food": 60}
"""Gold for one of each."""

TEGC_DAYS = 2


class Efficiency(Struct, frozen=True):
    """The effective gold per point of a stat; None if the unit has none of it."""

    melee: float | None
    defence: float | None
    range: float | None


def initial_gold(unit: Unit) -> int:
    """Return the price of a unit with iron and wood added one to one, not at market prices."""  # §5.2
    return unit.gold + unit.iron + unit.wood


@cache
def tegc(unit: Unit) -> int:
    """Return the total effective gold cost of a unit: its price and 48 hours of upkeep."""  # §5.3
    gold = unit.half_gold_upkeep * TEGC_DAYS // 2
    return initial_gold(unit) + gold + unit.food_upkeep * TEGC_DAYS * MARKET_PRICES["food"]


def army_tegc(units: Iterable[Unit], counts: Iterable[int]) -> int:
    """Return the total effective gold cost of an army."""
    return sum(tegc(unit) * count for unit, count in zip(units, counts, strict=True))


@cache
def efficiency(unit: Unit) -> Efficiency:
    """Return the gold per point of melee, defence and range of a unit."""  # §5.4
    cost = tegc(unit)
    return Efficiency(_per(cost, unit.melee), _per(cost, unit.defence), _per(cost, unit.range))


def _per(cost: int, points: int) -> float | None:
    return cost / points if points else None
