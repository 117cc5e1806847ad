"""Building and razing: docs/rules/thardferr.md, section 10."""

from collections.abc import Mapping
from typing import cast

from msgspec.structs import replace

from warroom_games.api import IllegalActionError
from warroom_games.thardferr.actions import Build, Raze
from warroom_games.thardferr.buildings import BUILDING_NAMES, BUILDINGS, CASTLE, CHEAPEST_FIRST, BuildingId
from warroom_games.thardferr.economy import castle_cap, slots, without_idlers
from warroom_games.thardferr.names import UnknownNameError, known_name
from warroom_games.thardferr.state import Buildings, Kingdom, Stores
from warroom_games.thardferr.treasury import check_price, pay, times


def kind_of(name: str) -> BuildingId:
    """Return the building with this id or full name; refuse an unknown one."""
    try:
        return cast(BuildingId, known_name("building", name, BUILDINGS, BUILDING_NAMES))
    except UnknownNameError as error:
        raise IllegalActionError("unknown.building", str(error)) from error


PRICES: Mapping[BuildingId, Stores] = {
    kind: Stores(gold=building.gold, iron=building.iron, wood=building.wood) for kind, building in BUILDINGS.items()
}
"""The price of one building of each kind."""


def free_slots(kingdom: Kingdom) -> int:
    """Return how many more buildings the land has room for, castles not counted."""  # §10.2
    return slots(kingdom.land) - kingdom.buildings.on_slots


def free_castles(kingdom: Kingdom) -> int:
    """Return how many more castles the land allows."""  # §10.3
    return castle_cap(kingdom.land) - kingdom.buildings.castle


def check_build(kingdom: Kingdom, action: Build) -> None:
    """Refuse buildings without room or without the means."""
    kind = kind_of(action.building)
    if kind == CASTLE:
        if action.count > (room := free_castles(kingdom)):
            raise IllegalActionError("build.castle_cap", f"your land has room for only {room} more castles")  # §10.3
    elif action.count > (room := free_slots(kingdom)):
        raise IllegalActionError("build.no_slot", f"your land has room for only {room} more buildings")  # §10.2
    check_price(kingdom.stores, times(PRICES[kind], action.count))


def build(kingdom: Kingdom, kind: BuildingId, count: int) -> Kingdom:
    """Pay for buildings and add them."""  # §10.1
    paid = pay(kingdom, times(PRICES[kind], count))
    return replace(paid, buildings=changed(kingdom.buildings, {kind: kingdom.buildings.count(kind) + count}))


def check_raze(kingdom: Kingdom, action: Raze) -> None:
    """Refuse to raze buildings that do not exist."""
    have = kingdom.buildings.count(kind_of(action.building))
    if action.count > have:
        raise IllegalActionError("raze.too_many", f"you have only {have} of {action.building}, not {action.count}")


def raze(kingdom: Kingdom, kind: BuildingId, count: int) -> Kingdom:
    """Raze buildings without compensation."""  # §10.4
    return settled(
        replace(kingdom, buildings=changed(kingdom.buildings, {kind: kingdom.buildings.count(kind) - count}))
    )


def shrunk(kingdom: Kingdom, land: int) -> tuple[Kingdom, dict[BuildingId, int]]:
    """Return the kingdom on less land, and the lost buildings of each kind, the cheapest first."""  # §16.6
    buildings = kingdom.buildings
    lost: dict[BuildingId, int] = {CASTLE: max(0, buildings.castle - castle_cap(land))}
    excess = buildings.on_slots - slots(land)
    for kind in CHEAPEST_FIRST:
        lost[kind] = min(max(excess, 0), buildings.count(kind))
        excess -= lost[kind]
    lost = {kind: count for kind, count in lost.items() if count}
    kept = changed(buildings, {kind: buildings.count(kind) - count for kind, count in lost.items()})
    return settled(replace(kingdom, land=land, buildings=kept)), lost


def settled(kingdom: Kingdom) -> Kingdom:
    """Dismiss the workers for whom there are no houses any more."""  # §11.5
    return replace(kingdom, workers=without_idlers(kingdom))


def changed(buildings: Buildings, numbers: dict[BuildingId, int]) -> Buildings:
    """Return the buildings with other numbers of some kinds."""
    return replace(buildings, **numbers)
