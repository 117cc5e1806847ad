"""Histories of Thardferr without its rules, written from docs/rules/thardferr.md and the data file alone.

A kingdom is one flat map of the data's own names, and each kind of action yields the kingdoms that it may lead to.
"""

import json
from collections.abc import Callable, Iterator
from fractions import Fraction
from itertools import product
from math import ceil, floor
from pathlib import Path
from typing import Any, NamedTuple

World = dict[str, Any]
"""Numbers by name: goods, buildings, units, `+unit` in training, `job workers`, technologies and `land`; and the
`race`, the `strategy`, the `research` with the days that it still takes, and whether somebody `can train`."""

DATA: dict[str, Any] = json.loads((Path(__file__).parents[1] / "golden/thardferr/data.json").read_text())
ECONOMY = DATA["economy_as_in_ui"]
JOBS: dict[str, Any] = ECONOMY["worker_jobs"]
LAND: int = ECONOMY["default_land"]
BUILDINGS = {name: int(LAND * ratio) for name, ratio in ECONOMY["default_building_ratio_per_land"].items()}
BUILDINGS["Castle"] = 1
STORES = {"gold": 60_000, "iron": 1_500, "wood": 1_500, "food": 8_000}
GOODS = {"Mine": "iron", "Mill": "wood", "Farm": "food"}
UPKEEP = ("gold", "food")
LEAVING = ("Blacksmithing", "Lumber", "Mine", "Agriculture")
"""Which workers leave first."""


class Tech(NamedTuple):
    """What a level costs, how many there are, and what must be known before."""

    gold: int
    days: int
    levels: int
    before: str | None = None
    race: str | None = None


def _techs() -> dict[str, Tech]:
    found: dict[str, Tech] = {}
    for race, own in DATA["race_unique_technologies"].items():
        found[own["name"]] = Tech(100_000, 50, 1, race=race)
    for tree in DATA["technology_trees"].values():
        for before, entry in zip([None, *tree], tree, strict=False):
            name = before and before["name"]
            found[entry["name"]] = Tech(entry["cost"], entry["research_time"], entry["max_level"], name)
    for name, entry in DATA["combat_technologies"].items():
        found.setdefault(name, Tech(entry["cost"], entry["research_time"], entry["max_level"]))
    return found


TECHS = _techs()
STRATEGIES: dict[str, str | None] = {
    name: None if entry["type"] == "General" else entry["type"].split()[0].lower()
    for name, entry in DATA["strategies"].items()
}
"""The race that each strategy is for; None if it is for all."""
STRATEGIES["Orc Berserker"] = "orc"


class Position(NamedTuple):
    """Two kingdoms, and whose turn it is; nobody's after the last round."""

    worlds: tuple[World, ...]
    seat: int | None = 0
    round: int = 1
    scouted: int | None = None


def drawn(entry: dict[str, Any]) -> Position:
    """Return an opening: a kingdom that begins otherwise, and a human one as usual."""
    return Position((_founded(**entry), _founded("human")))


def _founded(race: str, **entry: Any) -> World:
    given = {name.lower().replace(" ", "_"): count for name, count in BUILDINGS.items()} | entry.get("buildings", {})
    world: World = {"race": race, "land": entry.get("land", LAND), **STORES, **entry.get("stores", {})}
    world |= {name: given[name.lower().replace(" ", "_")] for name in BUILDINGS}
    for unit in DATA["units"][race]:
        usual = 10 * (unit in _trained(race, "Training Center"))
        world[unit] = entry["army"].get(unit, 0) if "army" in entry else usual
        world[f"+{unit}"] = 0
    # The usual houses have room for the best number in every job.
    best = {job: facts["optimal"] * BUILDINGS[facts["building"]] for job, facts in JOBS.items()}
    world |= {f"{job} workers": entry.get("workers", {}).get(job.lower(), best[job]) for job in JOBS}
    world |= {name: entry.get("techs", {}).get(name, 0) for name in TECHS}
    return {**world, "strategy": None, "research": None, "can train": True}


def _trained(race: str, building: str) -> dict[str, tuple[int, int]]:
    calls = {"Skeleton": "SkeletalLegion", "Zombie": "WraithPikeman"}
    if race == "undead":
        calls["Archer"] = "PhantomArcher"
    table = DATA["buildings"][building]["unit_production"][race.title()]
    short = {"".join(name.split()[1:]): value for name, value in table.items()}
    return {calls.get(name, name): (value["per_building"], value["per_day"]) for name, value in short.items()}


# --- histories --------------------------------------------------------------------------------------------------


def endings(position: Position, entry: dict[str, Any], depth: int) -> Iterator[Position]:
    """Yield where every history of that length ends."""
    if depth == 0:
        yield position
        return
    for following in _moves(position, entry):
        yield from endings(following, entry, depth - 1)


def _moves(position: Position, entry: dict[str, Any]) -> Iterator[Position]:
    seat = position.seat
    if seat is None:
        return
    for kind in entry["kinds"]:
        if kind == "end_turn":
            yield _next_turn(position, entry)
        elif kind == "scout":
            yield from [position._replace(scouted=1 - seat)] if position.scouted is None else []
        else:
            for world in AT_HOME[kind](position.worlds[seat], entry):
                yield _with(position, seat, world)


def _with(position: Position, seat: int, world: World) -> Position:
    worlds = position.worlds
    return position._replace(worlds=(*worlds[:seat], world, *worlds[seat + 1 :]))


def _changed(world: World, change: dict[str, Any]) -> list[World]:
    """The world after a change, or nothing if there is less than nothing of something then."""
    after = {**world, **{name: world[name] + more for name, more in change.items()}}
    return [after] if all(after[name] >= 0 for name in change) else []


# --- at home ----------------------------------------------------------------------------------------------------


def _built(world: World, entry: dict[str, Any]) -> Iterator[World]:
    for name, count in product(BUILDINGS, entry["numbers"]):
        costs = {good: -count * price for good, price in DATA["buildings"][name]["cost"].items()}
        for after in _changed(world, {**costs, name: count}):
            built = sum(after[other] for other in BUILDINGS if other != "Castle")
            if built <= 10 * world["land"] if name != "Castle" else after["Castle"] <= world["land"] // 7 + 1:
                yield after


def _razed(world: World, entry: dict[str, Any]) -> Iterator[World]:
    for name, count in product(BUILDINGS, entry["numbers"]):
        for after in _changed(world, {name: -count}):
            too_many = sum(after[f"{job} workers"] for job in JOBS) - _peasants(after)
            for job in LEAVING:
                leaving = max(0, min(too_many, after[f"{job} workers"]))
                after[f"{job} workers"] -= leaving
                too_many -= leaving
            yield after


def _recruited(world: World, entry: dict[str, Any]) -> Iterator[World]:
    race = world["race"]
    prices = {"gold": "base_gold_cost", "iron": "equipment_iron_cost", "wood": "equipment_wood_cost"}
    for (unit, figures), count in product(DATA["units"][race].items(), entry["numbers"]):
        costs = {good: -count * figures[key] for good, key in prices.items()}
        for after in _changed(world, {**costs, f"+{unit}": count}):
            if world["can train"] and _is_housed(after, unit, entry["days"]):
                yield after


def _is_housed(world: World, unit: str, days: int) -> bool:
    race = world["race"]
    for building in ("Training Center", "Advanced Training Center"):
        needed, a_day = _trained(race, building).get(unit, (1, 0))
        if a_day and world[f"+{unit}"] > days * (world[building] // needed * a_day + world["Castle"]):
            return False
    usual = 65 if world["Barrack"] else 40
    more = DATA["buildings"]["Guard House"]["per_race_bonus"].get(race.title(), {"housing": 40})["housing"] - 40
    room = 40 * world["School"] if unit == "Mage" else (usual + more) * world["Guard House"]
    same = [other for other in DATA["units"][race] if (other == "Mage") == (unit == "Mage")]
    return bool(sum(world[other] + world[f"+{other}"] for other in same) <= room)


def _bought(world: World, entry: dict[str, Any]) -> Iterator[World]:
    for (good, price), count in product(DATA["market_prices"].items(), entry["numbers"]):
        yield from _changed(world, {"gold": -count * price, good: count})


def _sold(world: World, entry: dict[str, Any]) -> Iterator[World]:
    for good, count in product(("iron", "wood"), entry["numbers"]):
        yield from _changed(world, {"gold": count * DATA["market_prices"][good] // 2, good: -count})


def _studied(world: World, entry: dict[str, Any]) -> Iterator[World]:
    for name, tech in TECHS.items():
        is_open = tech.race in (None, world["race"]) and (tech.before is None or world[tech.before])
        if is_open and world["research"] is None and world[name] < tech.levels:
            yield from ({**after, "research": (name, tech.days)} for after in _changed(world, {"gold": -tech.gold}))


def _prepared(world: World, entry: dict[str, Any]) -> Iterator[World]:
    yield {**world, "strategy": None}
    yield from ({**world, "strategy": name} for name, race in STRATEGIES.items() if race in (None, world["race"]))


def _assigned(world: World, entry: dict[str, Any]) -> Iterator[World]:
    for hands in entry["assignments"]:
        if sum(hands) <= _peasants(world):
            yield {**world, **{f"{job} workers": count for job, count in zip(JOBS, hands, strict=True)}}


AT_HOME: dict[str, Callable[[World, dict[str, Any]], Iterator[World]]] = {
    "build": _built,
    "raze": _razed,
    "train": _recruited,
    "buy": _bought,
    "sell": _sold,
    "research": _studied,
    "set_strategy": _prepared,
    "assign": _assigned,
}


# --- turns ------------------------------------------------------------------------------------------------------


def _next_turn(position: Position, entry: dict[str, Any]) -> Position:
    rounds = position.round + (position.seat == 1)
    if rounds > entry["max_turns"]:
        return position._replace(seat=None, scouted=None)
    seat = 0 if position.seat == 1 else 1
    begun = _with(position, seat, _begun(position.worlds[seat], entry["days"]))
    return begun._replace(seat=seat, round=rounds, scouted=None)


def _begun(world: World, days: int) -> World:
    """The kingdom after the start of a turn: recruits, research, goods, upkeep."""
    after, units = dict(world), DATA["units"][world["race"]]
    for unit in units:
        after[unit], after[f"+{unit}"] = world[unit] + world[f"+{unit}"], 0
    if world["research"] is not None:
        name, left = world["research"]
        after["research"] = (name, left - days) if left > days else None
        after[name] += left <= days
    after |= {good: after[good] + days * made for good, made in _made(after).items()}
    due = {good: sum(Fraction(units[unit]["upkeep"][good]) * after[unit] for unit in units) for good in UPKEEP}
    due["food"] += ceil(Fraction(_population(after), 6))
    owed = {good: ceil(days * a_day) for good, a_day in due.items()}
    after["can train"] = all(after[good] >= owed[good] for good in owed)
    if not after["can train"]:
        after |= {unit: after[unit] - floor(Fraction(5, 100) * after[unit]) for unit in units}
    return after | {good: max(0, after[good] - owed[good]) for good in owed}


def _made(world: World) -> dict[str, int]:
    trade = Fraction(1375 if world["Commerce"] else 1250, 1000)
    gold = min(world["Market"], world["land"]) * Fraction(_population(world), world["land"]) * trade
    jobs = {facts["building"]: job for job, facts in JOBS.items()}
    return {"gold": _rounded(gold), **{good: _output(world, kind, jobs[kind]) for kind, good in GOODS.items()}}


def _output(world: World, building: str, job: str) -> int:
    facts = DATA["buildings"][building]
    base = Fraction(facts["per_race_bonus"].get(world["race"].title(), facts)["production_per_day"])
    base += {"Farm": 15 * world["Irrigation"], "Mill": Fraction(3, 2) * world["Wood Recycling"]}.get(building, 0)
    limits = JOBS[job]["with Machinery"] if world["Machinery"] and job == "Mine" else JOBS[job]
    if not world[building]:
        return 0
    hands = Fraction(world[f"{job} workers"], world[building])
    if hands <= limits["optimal"]:
        share = hands / limits["optimal"]
    else:
        share = 1 + (min(hands, limits["max"]) - limits["optimal"]) / (limits["max"] - limits["optimal"]) / 2
    return _rounded(world[building] * base * share)


def _rounded(number: Fraction) -> int:
    return floor(number + Fraction(1, 2))


def _peasants(world: World) -> int:
    return int(world["House"]) * (115 if world["Habitation"] else 100)


def _population(world: World) -> int:
    return _peasants(world) + 10 * sum(int(world[name]) for name in BUILDINGS if name != "House")
