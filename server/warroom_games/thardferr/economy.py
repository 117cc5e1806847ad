"""People, production and upkeep: docs/rules/thardferr.md, section 11. Everything is exact, without floats."""

from msgspec.structs import astuple

from warroom_games.thardferr.buildings import (
    FARMING,
    FORGING,
    LUMBER,
    MACHINERY_WORKERS,
    MINING,
    BuildingId,
    Work,
)
from warroom_games.thardferr.state import Kingdom, Stores, Workers
from warroom_games.thardferr.technologies import (
    BARRACK,
    COMMERCE,
    HABITATION,
    IRRIGATION,
    MACHINERY,
    WOOD_RECYCLING,
)
from warroom_games.thardferr.units import UNITS, Race

HOUSE_ROOM, HABITATION_ROOM = 100, 115
OTHER_ROOM = 10
GUARD_HOUSE_ROOM, BARRACK_ROOM = 40, 65
SCHOOL_ROOM = 40
GUARD_HOUSE_RACES: dict[Race, int] = {"orc": 10, "gnome": 20}
SCHOOL_RACES: dict[Race, int] = {"gnome": 20}
FARM_IRRIGATION = 2 * 15
MILL_RECYCLING = 3
MOUTHS_PER_FOOD = 6

SLOTS_PER_LAND = 10
LAND_PER_CASTLE = 7


# --- housing and land -------------------------------------------------------------------------------------------


def peasants(kingdom: Kingdom) -> int:
    """Return the number of peasants: as many as the houses hold."""  # §11.1
    room = HABITATION_ROOM if kingdom.level(HABITATION) else HOUSE_ROOM
    return kingdom.buildings.house * room


def max_population(kingdom: Kingdom) -> int:
    """Return the peasants, plus ten for every other building."""  # §11.1
    return peasants(kingdom) + OTHER_ROOM * (kingdom.buildings.total - kingdom.buildings.house)


def soldier_room(kingdom: Kingdom) -> int:
    """Return how many units other than Mages the Guard Houses hold."""  # §12.3
    room = BARRACK_ROOM if kingdom.level(BARRACK) else GUARD_HOUSE_ROOM
    return kingdom.buildings.guard_house * (room + GUARD_HOUSE_RACES.get(kingdom.race, 0))


def mage_room(kingdom: Kingdom) -> int:
    """Return how many Mages the Schools hold."""  # §12.3
    return kingdom.buildings.school * (SCHOOL_ROOM + SCHOOL_RACES.get(kingdom.race, 0))


def slots(land: int) -> int:
    """Return how many buildings other than castles the land has room for."""  # §10.2
    return SLOTS_PER_LAND * land


def castle_cap(land: int) -> int:
    """Return how many castles the land allows."""  # §10.3
    return land // LAND_PER_CASTLE + 1


# --- work -------------------------------------------------------------------------------------------------------


def best_workers(kingdom: Kingdom) -> Workers:
    """Return the best number of workers in each job."""  # §11.3
    buildings = kingdom.buildings
    miners = MACHINERY_WORKERS if kingdom.level(MACHINERY) else MINING.workers
    return Workers(
        mine=buildings.mine * miners,
        lumber=buildings.mill * LUMBER.workers,
        agriculture=buildings.farm * FARMING.workers,
        blacksmithing=buildings.forge * FORGING.workers,
    )


def spread_evenly(best: Workers, left: int) -> Workers:
    """Return this many peasants spread evenly over the jobs, up to the best number of each."""  # §8.4
    wanted = list(astuple(best))
    given = [0] * len(wanted)
    while left and given != wanted:
        open_jobs = [job for job, want in enumerate(wanted) if given[job] < want]
        share = max(1, left // len(open_jobs))
        for job in open_jobs:
            hands = min(share, wanted[job] - given[job], left)
            given[job] += hands
            left -= hands
    mine, lumber, agriculture, blacksmithing = given
    return Workers(mine=mine, lumber=lumber, agriculture=agriculture, blacksmithing=blacksmithing)


def without_idlers(kingdom: Kingdom) -> Workers:
    """Return the remaining workers if the houses are too few: forge workers leave first, farmers last."""  # §11.5
    excess = kingdom.workers.total - peasants(kingdom)
    if excess <= 0:
        return kingdom.workers
    kept = dict(zip(Workers.__struct_fields__, astuple(kingdom.workers), strict=True))
    for job in ("blacksmithing", "lumber", "mine", "agriculture"):
        gone = min(excess, kept[job])
        kept[job] -= gone
        excess -= gone
    return Workers(**kept)


def produced(kingdom: Kingdom) -> Stores:
    """Return what the kingdom produces in a day."""  # §11.3, §11.6
    irrigation = FARM_IRRIGATION if kingdom.level(IRRIGATION) else 0
    recycling = MILL_RECYCLING if kingdom.level(WOOD_RECYCLING) else 0
    best, workers = best_workers(kingdom), kingdom.workers
    return Stores(
        gold=_gold(kingdom),
        iron=_output(kingdom, MINING, workers.mine, best.mine),
        wood=_output(kingdom, LUMBER, workers.lumber, best.lumber, recycling),
        food=_output(kingdom, FARMING, workers.agriculture, best.agriculture, irrigation),
    )


def _output(kingdom: Kingdom, work: Work, workers: int, best: int, extra: int = 0) -> int:
    """Return the output of a kind of buildings: proportional up to *best* workers, half as much for as many more."""
    if not best:
        return 0
    kind: BuildingId = work.building
    half_full = kingdom.buildings.count(kind) * (work.races.get(kingdom.race, work.half_output) + extra)
    beyond = min(max(workers - best, 0), best)
    return _rounded(half_full * (2 * min(workers, best) + beyond), 4 * best)


def _gold(kingdom: Kingdom) -> int:
    """Return the trade of the markets; one per land counts."""  # §11.6
    eighths = 11 if kingdom.level(COMMERCE) else 10
    markets = min(kingdom.buildings.market, kingdom.land)
    return _rounded(markets * max_population(kingdom) * eighths, 8 * kingdom.land)


def _rounded(numerator: int, denominator: int) -> int:
    return (2 * numerator + denominator) // (2 * denominator)


# --- upkeep -----------------------------------------------------------------------------------------------------


def food_upkeep(kingdom: Kingdom) -> int:
    """Return the daily food of people and units."""  # §11.7
    units = UNITS[kingdom.race]
    soldiers = sum(units[troop.unit].food_upkeep * troop.count for troop in kingdom.army)
    return -(-max_population(kingdom) // MOUTHS_PER_FOOD) + soldiers


def gold_upkeep(kingdom: Kingdom, days: int) -> int:
    """Return the gold that the units cost in this many days, rounded up."""  # §11.7
    units = UNITS[kingdom.race]
    halves = sum(units[troop.unit].half_gold_upkeep * troop.count for troop in kingdom.army)
    return -(-halves * days // 2)
