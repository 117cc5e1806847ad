"""The numbers of the package are those of the data file."""

import json
from pathlib import Path
from typing import Any

import pytest

from warroom_games.thardferr import battle, damage, economy, founding, strategies, units
from warroom_games.thardferr.buildings import BUILDINGS, FARMING, FORGING, LUMBER, MACHINERY_WORKERS, MINING, Work
from warroom_games.thardferr.costs import MARKET_PRICES, initial_gold, tegc
from warroom_games.thardferr.technologies import OWN_DAYS, OWN_GOLD, TECHNOLOGIES
from warroom_games.thardferr.units import RACES, UNITS, Race, Unit

DATA: dict[str, Any] = json.loads((Path(__file__).parents[2] / "golden/thardferr/data.json").read_text())
ALL_UNITS = [unit for race in RACES for unit in UNITS[race].values()]


class TestUnits:
    """§1.1"""

    def test_every_race_has_its_six_units_in_the_same_order(self) -> None:
        assert {race: list(UNITS[race]) for race in RACES} == {race: list(each) for race, each in DATA["units"].items()}
        assert len(ALL_UNITS) == 36

    @pytest.mark.parametrize("unit", ALL_UNITS, ids=lambda unit: f"{unit.race} {unit.name}")
    def test_a_unit_has_the_figures_of_the_data(self, unit: Unit) -> None:
        data = DATA["units"][unit.race][unit.name]
        assert data["equipment_gold_cost"] == 0
        assert (unit.melee, unit.short, unit.range, unit.defence) == tuple(
            data[stat] for stat in ("melee", "short", "range", "defense")
        )
        assert (unit.gold, unit.iron, unit.wood) == tuple(
            data[cost] for cost in ("base_gold_cost", "equipment_iron_cost", "equipment_wood_cost")
        )
        assert (unit.half_gold_upkeep / 2, unit.food_upkeep) == (data["upkeep"]["gold"], data["upkeep"]["food"])
        assert (unit.weapon, unit.armour, unit.weight) == (data["weapon_type"], data["armor_type"], data["weight"])
        assert (unit.is_infantry, unit.is_pikeman, unit.is_mounted) == (
            data["infantry"],
            data["pikeman"],
            data["mounted"],
        )
        assert (initial_gold(unit), tegc(unit)) == (data["total_initial_gold"], data["tegc_48h"])

    @pytest.mark.parametrize("unit", ALL_UNITS, ids=lambda unit: f"{unit.race} {unit.name}")
    def test_a_unit_is_trained_as_the_data_says(self, unit: Unit) -> None:
        calls = {"SkeletalLegion": "Skeleton", "WraithPikeman": "Zombie", "PhantomArcher": "Archer"}
        name = calls.get(unit.name, unit.name)
        trained = DATA["buildings"][BUILDINGS[unit.trainer].name]["unit_production"][unit.race.title()]
        (data,) = [value for key, value in trained.items() if "".join(key.split()[1:]) == name]
        assert (unit.centers, unit.per_day) == (data["per_building"], data["per_day"])


class TestStrategies:
    """§2.1, §2.2"""

    def test_the_data_knows_all_strategies_but_one(self) -> None:
        assert set(strategies.ALL_STRATEGIES) - set(DATA["strategies"]) == {"Orc Berserker"}
        assert set(DATA["strategies"]) <= set(strategies.ALL_STRATEGIES)

    @pytest.mark.parametrize("race", RACES)
    def test_a_race_has_the_general_strategies_and_its_own(self, race: Race) -> None:
        kinds = {name: entry["type"] for name, entry in DATA["strategies"].items()}
        data = [name for name, kind in kinds.items() if kind in ("General", f"{race.title()} Unique")]
        assert [name for name in strategies.STRATEGIES[race] if name != "Orc Berserker"] == data
        assert ("Orc Berserker" in strategies.STRATEGIES[race]) == (race == "orc")


class TestTechnologies:
    """§3.1 to §3.3, and the prices of §13.2 to §13.4"""

    def test_trees_hold_over_other_entries_and_free_ones_are_left_as_they_are(self) -> None:
        in_trees = {entry["name"] for tree in DATA["technology_trees"].values() for entry in tree}
        own = {entry["name"] for entry in DATA["race_unique_technologies"].values()}
        free = set(DATA["combat_technologies"]) - in_trees - own
        assert set(TECHNOLOGIES) == in_trees | own | free
        for name in free:
            data, technology = DATA["combat_technologies"][name], TECHNOLOGIES[name]
            assert (technology.max_level, technology.gold, technology.days) == (
                data["max_level"],
                data["cost"],
                data["research_time"],
            )
            assert (technology.after, technology.race) == (None, None)

    @pytest.mark.parametrize("tree", DATA["technology_trees"])
    def test_an_entry_of_a_tree_comes_after_the_one_before_it(self, tree: str) -> None:
        before = None
        for data in DATA["technology_trees"][tree]:
            technology = TECHNOLOGIES[data["name"]]
            assert (technology.after, technology.race) == (before, None)
            assert (technology.max_level, technology.gold, technology.days) == (
                data["max_level"],
                data["cost"],
                data["research_time"],
            )
            before = data["name"]

    def test_every_race_but_the_undead_has_one_of_its_own(self) -> None:
        own = {technology.race: technology for technology in TECHNOLOGIES.values() if technology.race}
        data = {race: entry["name"] for race, entry in DATA["race_unique_technologies"].items()}
        assert {race: technology.name for race, technology in own.items()} == data
        assert all((each.gold, each.days, each.max_level) == (OWN_GOLD, OWN_DAYS, 1) for each in own.values())
        assert (OWN_GOLD, OWN_DAYS) == (100_000, 50)


class TestBuildings:
    """§4.1"""

    def test_buildings_cost_what_the_data_says(self) -> None:
        assert {
            building.name: {"gold": building.gold, "iron": building.iron, "wood": building.wood}
            for building in BUILDINGS.values()
        } == {name: entry["cost"] for name, entry in DATA["buildings"].items()}

    @pytest.mark.parametrize("work", [MINING, LUMBER, FARMING], ids=lambda work: work.building)
    def test_production_is_that_of_the_data(self, work: Work) -> None:
        data = DATA["buildings"][BUILDINGS[work.building].name]
        assert (work.half_output, work.workers) == (2 * data["production_per_day"], data["optimal_workers"])
        assert {race.title(): half / 2 for race, half in work.races.items()} == {
            race: bonus["production_per_day"] for race, bonus in data["per_race_bonus"].items()
        }

    def test_jobs_are_best_with_as_many_workers_as_the_data_says(self) -> None:
        jobs = DATA["economy_as_in_ui"]["worker_jobs"]
        works = {"Mine": MINING, "Lumber": LUMBER, "Agriculture": FARMING, "Blacksmithing": FORGING}
        assert {name: work.workers for name, work in works.items()} == {
            name: job["optimal"] for name, job in jobs.items()
        }
        assert all(job["max"] == 2 * job["optimal"] for job in jobs.values())
        assert jobs["Mine"]["with Machinery"]["optimal"] == MACHINERY_WORKERS

    def test_rooms_are_those_of_the_data(self) -> None:
        guard_house, school = DATA["buildings"]["Guard House"], DATA["buildings"]["School"]
        assert guard_house["housing"]["soldiers"] == economy.GUARD_HOUSE_ROOM
        assert school["housing"]["wizards"] == economy.SCHOOL_ROOM
        assert {race.title(): economy.GUARD_HOUSE_ROOM + more for race, more in economy.GUARD_HOUSE_RACES.items()} == {
            race: bonus["housing"] for race, bonus in guard_house["per_race_bonus"].items()
        }
        assert {race.title(): economy.SCHOOL_ROOM + more for race, more in economy.SCHOOL_RACES.items()} == {
            race: bonus["housing"] for race, bonus in school["per_race_bonus"].items()
        }


class TestOtherFigures:
    """§5.1, §6.1, §6.5, §6.11, §8.3"""

    def test_market_prices_are_those_of_the_data(self) -> None:
        assert DATA["market_prices"] == MARKET_PRICES

    def test_castles_and_healing_work_as_the_data_says(self) -> None:
        scaling = {entry["castles"]: entry["factor"] for entry in DATA["castle_scaling"]}
        assert scaling == {"20+": 0.7, "10-19": 0.75, "2-9": 0.8, "0-1": 1}
        assert battle.CASTLE_FACTORS == ((20, 0.7), (10, 0.75), (2, 0.8), (0, 1.0))
        assert [(entry["ratio_at_least"], entry["fraction"]) for entry in DATA["healing"]] == list(battle.HEALING)

    def test_pools_are_those_of_the_data(self) -> None:
        tower, center = DATA["guard_tower"], DATA["medical_center"]
        assert (tower["per_tower"], tower["per_unit_cap"]) == (damage.TOWER_POOL, damage.TOWER_CAP)
        assert center["defending"] == {
            "per_center": damage.CENTER_POOL_DEFENDING,
            "per_unit_cap": damage.CENTER_CAP_DEFENDING,
        }
        assert center["attacking"] == {
            "per_center": damage.CENTER_POOL_ATTACKING,
            "per_unit_cap": damage.CENTER_CAP_ATTACKING,
        }

    def test_a_kingdom_begins_with_the_default_buildings_of_its_land(self) -> None:
        ratios = DATA["economy_as_in_ui"]["default_building_ratio_per_land"]
        assert DATA["economy_as_in_ui"]["default_land"] == founding.START_LAND
        for kind, building in BUILDINGS.items():
            wanted = 1 if kind == "castle" else founding.START_LAND * ratios[building.name]
            assert founding.START_BUILDINGS.count(kind) == wanted

    def test_the_names_of_the_text_are_those_of_the_data(self) -> None:
        assert DATA["name_map_text_to_data"] == units.TEXT_NAMES
