"""Training: docs/rules/thardferr.md, section 12."""

from collections.abc import Mapping

from msgspec.structs import replace

from warroom_games.api import IllegalActionError
from warroom_games.thardferr.actions import Train
from warroom_games.thardferr.economy import mage_room, soldier_room
from warroom_games.thardferr.forces import known_unit
from warroom_games.thardferr.names import UnknownNameError
from warroom_games.thardferr.state import Kingdom, Stores, Troop
from warroom_games.thardferr.treasury import affordable, check_price, pay, times
from warroom_games.thardferr.units import UNITS, Race

MAGE = "Mage"


def unit_of(race: Race, name: str) -> str:
    """Return a unit's name as the data has it; refuse a unit of another race."""
    try:
        return known_unit(race, name)
    except UnknownNameError as error:
        raise IllegalActionError("unknown.unit", str(error)) from error


PRICES: Mapping[Race, Mapping[str, Stores]] = {
    race: {name: Stores(gold=unit.gold, iron=unit.iron, wood=unit.wood) for name, unit in units.items()}
    for race, units in UNITS.items()
}
"""The full price of one unit (§12.1)."""


def troop_of(kingdom: Kingdom, unit: str) -> Troop:
    """Return the troop of a unit of the kingdom's race."""
    return next(troop for troop in kingdom.army if troop.unit == unit)


def capacity(kingdom: Kingdom, unit: str, days: int) -> int:
    """Return how many of a unit the kingdom can train in this many days."""  # §12.2
    trained, buildings = UNITS[kingdom.race][unit], kingdom.buildings
    is_basic = trained.trainer == "training_center"
    centers = buildings.training_center if is_basic else buildings.advanced_training_center
    return days * (centers // trained.centers * trained.per_day + buildings.castle)


def unused_capacity(kingdom: Kingdom, troop: Troop, days: int) -> int:
    """Return how many more of a unit the kingdom can train this turn."""
    return max(0, capacity(kingdom, troop.unit, days) - troop.training)


def free_rooms(kingdom: Kingdom) -> tuple[int, int]:
    """Return the room for more soldiers and Mages, counting those in training."""  # §12.3
    soldiers = mages = 0
    for troop in kingdom.army:
        if troop.unit == MAGE:
            mages += troop.count + troop.training
        else:
            soldiers += troop.count + troop.training
    return max(0, soldier_room(kingdom) - soldiers), max(0, mage_room(kingdom) - mages)


def trainable(kingdom: Kingdom, days: int) -> list[int]:
    """Return how many more of each unit the kingdom can train this turn, if it trains no others."""
    if not kingdom.can_train:
        return [0] * len(kingdom.army)
    soldiers, mages = free_rooms(kingdom)
    prices = PRICES[kingdom.race]
    most = []
    for troop in kingdom.army:
        room = mages if troop.unit == MAGE else soldiers
        paid = affordable(kingdom.stores, prices[troop.unit]) if room else 0
        most.append(min(room, paid, unused_capacity(kingdom, troop, days)) if paid else 0)
    return most


def check_train(kingdom: Kingdom, action: Train, days: int) -> None:
    """Refuse units that cannot be trained, housed or paid."""
    unit = unit_of(kingdom.race, action.unit)
    if not kingdom.can_train:
        raise IllegalActionError("train.stopped", "you cannot train this turn: the upkeep was not paid")  # §11.8
    left = unused_capacity(kingdom, troop_of(kingdom, unit), days)
    if action.count > left:
        raise IllegalActionError("train.capacity", f"you can train only {left} more {unit} this turn")  # §12.2
    room = free_rooms(kingdom)[unit == MAGE]
    if action.count > room:
        raise IllegalActionError("train.room", f"there is room for only {room} more {unit}")  # §12.3
    check_price(kingdom.stores, times(PRICES[kingdom.race][unit], action.count))


def train(kingdom: Kingdom, unit: str, count: int) -> Kingdom:
    """Pay for units and begin their training."""  # §12.1
    paid = pay(kingdom, times(PRICES[kingdom.race][unit], count))
    army = tuple(
        Troop(troop.unit, troop.count, troop.training + count) if troop.unit == unit else troop for troop in paid.army
    )
    return replace(paid, army=army)
