"""The start of kingdoms: docs/rules/thardferr.md, section 8."""

from collections.abc import Sequence

from msgspec.structs import replace

from warroom_games.thardferr.economy import best_workers, peasants, spread_evenly
from warroom_games.thardferr.options import Options
from warroom_games.thardferr.state import Buildings, Kingdom, Stores, Troop, Workers
from warroom_games.thardferr.units import RACES, UNITS, Race

START_LAND = 20
START_STORES = Stores(gold=60_000, iron=1_500, wood=1_500, food=8_000)
START_TROOP = 10
"""The start number of each unit that Training Centers train."""
START_BUILDINGS = Buildings(
    castle=1,
    house=40,
    farm=20,
    mine=10,
    mill=10,
    forge=10,
    market=10,
    guard_house=10,
    school=10,
    training_center=5,
    advanced_training_center=5,
)


def fixed_races(options: Options, seats: int) -> tuple[Race | None, ...]:
    """Return the race of each seat that has one by the room's options."""  # §8.2
    return tuple(None if choice == "pick" else choice for choice in options.races[:seats])


def usual_race(seat: int) -> Race:
    """Return the race of a seat that picks none."""  # §8.2
    return RACES[seat]


def found(race: Race) -> Kingdom:
    """Return a kingdom at its start."""  # §8.3
    army = tuple(
        Troop(unit.name, START_TROOP if unit.trainer == "training_center" else 0) for unit in UNITS[race].values()
    )
    kingdom = Kingdom(
        race=race, land=START_LAND, buildings=START_BUILDINGS, army=army, stores=START_STORES, workers=Workers()
    )
    return replace(kingdom, workers=spread_evenly(best_workers(kingdom), peasants(kingdom)))  # §8.4


def found_all(picks: Sequence[Race | None]) -> tuple[Kingdom, ...]:
    """Return the kingdoms of all seats. A seat that left before picking has its default race."""
    return tuple(found(race or usual_race(seat)) for seat, race in enumerate(picks))
