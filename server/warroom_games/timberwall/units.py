"""Points, tiers and levels: docs/rules/timberwall.md, section 2."""

from bisect import bisect_right

LEVELS = (1, 2, 3, 4, 5, 10, 15, 20, 25, 50, 75, 100, 125, 250, 375, 500)
"""The points at which each level begins, four levels to a tier."""  # §2.2

MAX_POINTS = LEVELS[-1]
SETTLED = 3
"""Own turn ends without a move until a unit is shielded, and until a forest under it gives wood."""  # §2.4, §8.1

_LEVELS_PER_TIER = 4
_LUCK = (1, 2, 4, 8)
_WALL_DAMAGE = (34, 51, 100, 100)
_TIERS = tuple((bisect_right(LEVELS, points) - 1) // _LEVELS_PER_TIER + 1 for points in range(MAX_POINTS + 1))


def tier(points: int) -> int:
    """Return the tier, 1 to 4, of a unit with these points."""  # §2.2
    return _TIERS[points]


def level(points: int) -> int:
    """Return the level, 1 to 4, within the tier."""  # §2.2
    return (bisect_right(LEVELS, points) - 1) % _LEVELS_PER_TIER + 1


def floor(points: int) -> int:
    """Return the points of level 1 of the tier."""  # §6.5
    return LEVELS[(tier(points) - 1) * _LEVELS_PER_TIER]


def luck_of(points: int) -> int:
    """Return the gain or loss by luck."""  # §6.3
    return _LUCK[tier(points) - 1]


def wall_damage(points: int) -> int:
    """Return the damage of one hit on a wall that a player built."""  # §7.4
    return _WALL_DAMAGE[tier(points) - 1]
