"""The buildings: docs/rules/thardferr.md, section 4."""

from collections.abc import Mapping
from typing import Literal, TypeAlias

from msgspec import Struct

from warroom_games.thardferr.units import Race

BuildingId: TypeAlias = Literal[
    "castle",
    "house",
    "farm",
    "mine",
    "mill",
    "forge",
    "market",
    "guard_house",
    "school",
    "guard_towers",
    "medical_center",
    "training_center",
    "advanced_training_center",
]

CASTLE: BuildingId = "castle"


class Building(Struct, frozen=True):
    """The name, price and purpose of a building."""

    name: str
    gold: int
    iron: int
    wood: int
    effect: str


BUILDINGS: Mapping[BuildingId, Building] = {
    "castle": Building(
        "Castle", 45_000, 1_250, 750, "1500 KS, trains one of each unit a day; from 2 on a fifth stays out of battle"
    ),
    "house": Building("House", 1_050, 0, 50, "homes for 100 peasants, who work"),
    "farm": Building("Farm", 1_500, 0, 100, "100 food a day, with workers"),
    "mine": Building("Mine", 600, 100, 50, "4 iron a day, with workers"),
    "mill": Building("Mill", 450, 0, 50, "5 wood a day, with workers"),
    "forge": Building("Forge", 2_250, 50, 50, "only adds 3 KS"),
    "market": Building("Market", 1_500, 50, 150, "gold for the population; one a land counts"),
    "guard_house": Building("Guard House", 1_500, 0, 75, "room for 40 soldiers"),
    "school": Building("School", 750, 50, 100, "room for 40 Mages"),
    "guard_towers": Building("Guard Towers", 1_200, 15, 75, "keep arrows off in your defence"),
    "medical_center": Building("Medical Center", 3_000, 10, 50, "soften melee, heal the fallen"),
    "training_center": Building("Training Center", 1_800, 125, 125, "train common units"),
    "advanced_training_center": Building("Advanced Training Center", 2_250, 150, 150, "train the best units"),
}
"""Every building by its id, the castle first. Each adds 3 KS, the castle 1500 (§5.5)."""

CHEAPEST_FIRST: tuple[BuildingId, ...] = tuple(
    sorted(
        (kind for kind in BUILDINGS if kind != CASTLE),
        key=lambda kind: (BUILDINGS[kind].gold, BUILDINGS[kind].iron, BUILDINGS[kind].wood),
    )
)
"""The buildings without the castle by price: gold, then iron, then wood (§16.6)."""

BUILDING_NAMES: Mapping[str, BuildingId] = {building.name: kind for kind, building in BUILDINGS.items()}
"""Ids by the names that people and battles use."""


class Work(Struct, frozen=True):
    """The production of one kind of building."""

    building: BuildingId
    half_output: int
    """Twice the daily output of one building with its best number of workers."""
    workers: int
    """The best number of workers; twice as many make half as much again."""
    races: Mapping[Race, int]
    """Races with another (half) output."""


MINING = Work("mine", 2 * 4, 100, {"dwarf": 2 * 5, "orc": 2 * 6})
LUMBER = Work("mill", 2 * 5, 85, {"elf": 2 * 6, "orc": 2 * 7})
FARMING = Work("farm", 2 * 100, 60, {"orc": 2 * 115})
FORGING = Work("forge", 0, 80, {})
"""Forges have workers and make nothing (§11.4)."""
MACHINERY_WORKERS = 85
"""The best number of workers of a mine with Machinery."""
