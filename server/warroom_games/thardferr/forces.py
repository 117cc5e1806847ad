"""One side of a battle: as people write it, and as the rules understand it."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Annotated

from msgspec import Meta, Struct

from warroom_games.thardferr import strategies, technologies, units
from warroom_games.thardferr.buildings import BUILDING_NAMES
from warroom_games.thardferr.names import UnknownNameError, known_name
from warroom_games.thardferr.rulesets import Ruleset
from warroom_games.thardferr.strategies import ALL_STRATEGIES
from warroom_games.thardferr.technologies import TECHNOLOGIES
from warroom_games.thardferr.units import RACES, UNITS, Race, Unit

Count = Annotated[int, Meta(ge=0, le=1_000_000_000)]
"""The limit of units, buildings or land: far below the largest exact integer of a double."""

DEFAULT_LAND = 20


class Force(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One side of a battle, as people write it."""

    race: str
    army: dict[str, Count]
    """The number of each unit; their order is the order of summation."""
    strategy: str | None = None
    techs: dict[str, Count | bool] = {}
    """The level of each technology; true means level 1, false none."""
    buildings: dict[str, Count] = {}
    land: Count = DEFAULT_LAND


class Side(Struct, frozen=True, kw_only=True):
    """One side of a battle with every name known (§1.2, §1.3)."""

    race: Race
    army: Mapping[str, int]
    units: tuple[Unit, ...]
    """The unit of each stack of the army."""
    strategy: str | None
    techs: Mapping[str, int]
    buildings: Mapping[str, int]
    land: int


def muster(force: Force, ruleset: Ruleset) -> Side:
    """Return the force with its names as the data has them; raise `UnknownNameError` for an unknown name."""
    race = known_race(force.race)
    army: dict[str, int] = {}
    for name, count in force.army.items():
        unit = known_unit(race, name) if ruleset.knows_all_units else name
        army[unit] = army.get(unit, 0) + count
    return Side(
        race=race,
        army=army,
        units=tuple(UNITS[race].get(name) or stranger(race, name) for name in army),
        strategy=None if force.strategy is None else known_strategy(force.strategy),
        techs={known_technology(name): int(level) for name, level in force.techs.items()},
        buildings={known_building(name): count for name, count in force.buildings.items()},
        land=force.land,
    )


def known_race(name: str) -> Race:
    """Return the race with this name, in any case of letters."""
    for race in RACES:
        if race == name.lower():
            return race
    raise UnknownNameError("race", name, RACES)


def known_unit(race: Race, name: str) -> str:
    """Return a unit's name as the data has it."""
    return known_name(f"{race} unit", name, UNITS[race], units.TEXT_NAMES)


def known_strategy(name: str) -> str:
    """Return a strategy's full name."""
    return known_name("strategy", name, ALL_STRATEGIES, strategies.TEXT_NAMES)


def known_technology(name: str) -> str:
    """Return a technology's name as the data has it."""
    return known_name("technology", name, TECHNOLOGIES, technologies.TEXT_NAMES)


def known_building(name: str) -> str:
    """Return a building's name."""
    return known_name("building", name, BUILDING_NAMES)


@lru_cache(maxsize=64)
def stranger(race: Race, name: str) -> Unit:
    """Return the unit without stats that stands for an unknown name in the ruleset `calculator` (§7.5)."""
    return Unit(
        race=race,
        name=name,
        melee=0,
        short=0,
        range=0,
        defence=0,
        gold=0,
        iron=0,
        wood=0,
        half_gold_upkeep=0,
        food_upkeep=0,
        weight=1.0,
        weapon=None,
        armour=None,
        is_infantry=False,
        is_pikeman=False,
        is_mounted=False,
        trainer="training_center",
        centers=1,
        per_day=0,
    )
