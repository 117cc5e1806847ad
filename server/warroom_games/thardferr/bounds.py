"""The bounds of a match for programs that learn."""

from warroom_games.bounds import Bounds, Flags
from warroom_games.thardferr.attacking import RECORDS
from warroom_games.thardferr.buildings import BUILDINGS
from warroom_games.thardferr.strategies import ALL_STRATEGIES
from warroom_games.thardferr.technologies import TECHNOLOGIES
from warroom_games.thardferr.units import RACES, UNITS

_UNITS = tuple(dict.fromkeys(unit for race in RACES for unit in UNITS[race]))
_KINDS = max(map(len, UNITS.values()))
"""The number of units of a race."""


def bounds_of(seats: int) -> Bounds:
    """Return the bounds of a match with so many seats."""
    everyone = tuple(range(seats))
    return {
        "building": tuple(BUILDINGS),
        "unit": _UNITS,
        "technology": tuple(TECHNOLOGIES),
        "strategy": ALL_STRATEGIES,
        "attacker_strategy": ALL_STRATEGIES,
        "target_strategy": ALL_STRATEGIES,
        "attack.army": _UNITS,
        "capacity": _UNITS,
        "kingdom.army": _KINDS,
        "attackers": _KINDS,
        "defenders": _KINDS,
        "technologies": len(TECHNOLOGIES),
        "records": RECORDS,
        "picked": seats,
        "kingdoms": seats,
        "seat": everyone,
        "target": everyone,
        "attacker": everyone,
        "out": Flags(everyone),
        # Told blow by blow for people; its results are in the record of the battle.
        "course": None,
    }
