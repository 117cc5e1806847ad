"""The number of histories within one turn, by the rules and by a count that shares nothing with them.

The independent count below is written from docs/rules/thardferr.md and the data file alone: one flat map of numbers
instead of ledgers, and the data's own names and prices instead of the package's tables.
"""

import json
import tomllib
from itertools import product
from pathlib import Path
from typing import Any

import pytest
from thardferr_positions import kingdom, match

from warroom_games.api import IllegalActionError
from warroom_games.thardferr.actions import Build, Buy, Raze, Sell, Train
from warroom_games.thardferr.buildings import BUILDINGS
from warroom_games.thardferr.founding import START_BUILDINGS
from warroom_games.thardferr.options import Options
from warroom_games.thardferr.rules import GAME
from warroom_games.thardferr.state import State
from warroom_games.thardferr.units import UNITS

GOLDEN = Path(__file__).parents[2] / "golden"
OPENINGS = tomllib.loads((GOLDEN / "perft/thardferr.toml").read_text())["opening"]
DATA: dict[str, Any] = json.loads((GOLDEN / "thardferr/data.json").read_text())
NUMBERS = (1, 2)


# --- by the rules -----------------------------------------------------------------------------------------------


def opening(entry: dict[str, Any]) -> State:
    own = kingdom(
        entry["race"], land=entry.get("land", 20), buildings=entry.get("buildings", {}), stores=entry["stores"]
    )
    return match(own, options=Options(days_per_turn=entry.get("days", 10)))


def actions(race: Any) -> list[Any]:
    named = [
        *(kind(name, count) for kind, name, count in product((Build, Raze), BUILDINGS, NUMBERS)),
        *(Train(name, count) for name, count in product(UNITS[race], NUMBERS)),
    ]
    goods: list[Any] = ["iron", "wood", "food"]
    return named + [kind(good, count) for kind, good, count in product((Buy, Sell), goods, NUMBERS)]


def histories(state: State, universe: list[Any], depth: int) -> int:
    if depth == 0:
        return 1
    total = 0
    for action in universe:
        try:
            GAME.check(state, 0, action)
        except IllegalActionError:
            continue
        total += histories(GAME.apply(state, 0, action).state, universe, depth - 1)
    return total


# --- and independently ------------------------------------------------------------------------------------------

World = dict[str, int]
"""Numbers by name: goods, buildings, units, `+unit` in training, and `land` and `days`."""


def drawn(entry: dict[str, Any]) -> World:
    given = entry.get("buildings", {})
    world = {"land": entry.get("land", 20), "days": entry.get("days", 10), **entry["stores"]}
    for name in DATA["buildings"]:
        kind = name.lower().replace(" ", "_")
        world[name] = given.get(kind, getattr(START_BUILDINGS, kind))
    for unit in DATA["units"][entry["race"]]:
        is_basic = unit in trained(entry["race"], "Training Center")
        world[unit], world[f"+{unit}"] = 10 * is_basic, 0
    return world


def trained(race: str, building: str) -> dict[str, tuple[int, int]]:
    calls = {"Skeleton": "SkeletalLegion", "Zombie": "WraithPikeman"}
    table = DATA["buildings"][building]["unit_production"][race.title()]
    short = {"".join(name.split()[1:]): value for name, value in table.items()}
    return {calls.get(name, name): (value["per_building"], value["per_day"]) for name, value in short.items()}


def counted(world: World, race: str, depth: int) -> int:
    if depth == 0:
        return 1
    return sum(counted(following, race, depth - 1) for following in moves(world, race))


def moves(world: World, race: str) -> list[World]:
    found = []
    for name, count in product(DATA["buildings"], NUMBERS):
        costs = {good: -count * price for good, price in DATA["buildings"][name]["cost"].items()}
        found += changed(world, race, {**costs, name: count})
        found += changed(world, race, {name: -count})
    for unit, count in product(DATA["units"][race], NUMBERS):
        figures = DATA["units"][race][unit]
        prices = {"gold": "base_gold_cost", "iron": "equipment_iron_cost", "wood": "equipment_wood_cost"}
        found += changed(
            world, race, {**{good: -count * figures[key] for good, key in prices.items()}, f"+{unit}": count}
        )
    for good, count in product(("iron", "wood", "food"), NUMBERS):
        price = DATA["market_prices"][good]
        found += changed(world, race, {"gold": -count * price, good: count})
        if good != "food":
            found += changed(world, race, {"gold": count * price // 2, good: -count})
    return found


def changed(world: World, race: str, change: dict[str, int]) -> list[World]:
    """The world after a change, or nothing if that breaks a limit which it did not break before."""
    after = {**world, **{name: world[name] + more for name, more in change.items()}}
    if min(after.values()) < 0:
        return []
    if any(change.get(name, 0) > 0 for name in DATA["buildings"]) and not fits(after):
        return []
    (recruits, *_) = [*(name[1:] for name in change if name.startswith("+")), ""]
    return [after] if not recruits or is_housed(after, race, recruits) else []


def fits(world: World) -> bool:
    built = sum(world[name] for name in DATA["buildings"] if name != "Castle")
    return built <= 10 * world["land"] and world["Castle"] <= world["land"] // 7 + 1


def is_housed(world: World, race: str, recruits: str) -> bool:
    centers = {
        unit: world[building] // needed * a_day
        for building in ("Training Center", "Advanced Training Center")
        for unit, (needed, a_day) in trained(race, building).items()
    }
    if world[f"+{recruits}"] > world["days"] * (centers[recruits] + world["Castle"]):
        return False
    more = DATA["buildings"]["Guard House"]["per_race_bonus"].get(race.title(), {"housing": 40})["housing"]
    room = 40 * world["School"] if recruits == "Mage" else more * world["Guard House"]
    same = [unit for unit in DATA["units"][race] if (unit == "Mage") == (recruits == "Mage")]
    return sum(world[unit] + world[f"+{unit}"] for unit in same) <= room


@pytest.mark.parametrize("entry", OPENINGS, ids=lambda entry: entry["name"])
def test_the_rules_and_the_independent_count_agree_with_the_golden_numbers(entry: dict[str, Any]) -> None:
    depths = range(1, len(entry["counts"]) + 1)
    universe, state = actions(entry["race"]), opening(entry)
    assert len(depths) >= 2
    assert [histories(state, universe, depth) for depth in depths] == entry["counts"]
    assert [counted(drawn(entry), entry["race"], depth) for depth in depths] == entry["counts"]
