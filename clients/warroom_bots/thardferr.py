"""A bot for Thardferr that arms as far as its income bears, scouts, and attacks where it is sure to win."""

from collections.abc import Iterator

import msgspec
from msgspec import Struct

from warroom_bots.api import Action, BotKind, Decision
from warroom_games.api import Seat
from warroom_games.rng import Rng
from warroom_games.thardferr import actions as rules
from warroom_games.thardferr.attacking import gain, side_of
from warroom_games.thardferr.battle import fight
from warroom_games.thardferr.buildings import BuildingId
from warroom_games.thardferr.construction import PRICES, free_slots
from warroom_games.thardferr.costs import tegc
from warroom_games.thardferr.rulesets import RULESETS
from warroom_games.thardferr.state import Kingdom
from warroom_games.thardferr.strategies import STRATEGIES
from warroom_games.thardferr.training import free_rooms, trainable
from warroom_games.thardferr.treasury import affordable
from warroom_games.thardferr.units import UNITS, Unit
from warroom_games.thardferr.views import Forecast, Secret, Standing, Table
from warroom_protocol.canonical import plain

ROOM_TO_KEEP = 60
"""With less room for soldiers than this it builds Guard Houses."""
BOTTOM_PERCENT = 60


class _Sight(Struct, frozen=True):
    """What the bot knows in its turn."""

    seat: Seat
    table: Table
    secret: Secret
    kingdom: Kingdom
    forecast: Forecast


class GreedyBot:
    """Trains and builds what it can keep up, looks at the fattest prey, and takes any battle that it wins."""

    def __init__(self, rng: Rng) -> None:
        self._rng = rng

    def choose(self, decision: Decision) -> Action:
        """Return the first thing worth doing, or else the end of the turn."""
        secret = msgspec.convert(decision.private, Secret)
        if secret.kingdom is None or secret.forecast is None:
            race, self._rng = self._rng.choice(decision.legal)
            return race
        table = msgspec.convert(decision.public, Table)
        sight = _Sight(decision.seat, table, secret, secret.kingdom, secret.forecast)
        action: Action = plain(next(_ideas(sight), rules.EndTurn()))
        return action


def _ideas(sight: _Sight) -> Iterator[rules.Action]:
    """Yield what is worth doing, the most urgent first."""
    yield from _training(sight)
    yield from _construction(sight)
    yield from _scouting(sight)
    yield from _attack(sight)


# --- at home ----------------------------------------------------------------------------------------------------


def _training(sight: _Sight) -> Iterator[rules.Action]:
    """Yield as many as possible of the unit that gives most for its cost, if it can be kept up."""
    kingdom = sight.kingdom
    counts = trainable(kingdom, sight.table.options.days_per_turn)
    units = UNITS[kingdom.race]
    for troop, most in sorted(zip(kingdom.army, counts, strict=True), key=lambda each: -_value(units[each[0].unit])):
        count = min(most, _bearable(sight, units[troop.unit]))
        if count > 0:
            yield rules.Train(troop.unit, count)


def _value(unit: Unit) -> float:
    """Return what a unit is worth in battle for its cost."""
    return (unit.melee + unit.short + unit.range + unit.defence) / tegc(unit)


def _bearable(sight: _Sight, unit: Unit) -> int:
    """Return how many more of a unit the income pays and feeds, those in training counted as there."""
    days = sight.table.options.days_per_turn
    units = UNITS[sight.kingdom.race]
    coming = [(units[troop.unit], troop.training) for troop in sight.kingdom.army]
    income, upkeep, stores = sight.forecast.income, sight.forecast.upkeep, sight.kingdom.stores
    halves = 2 * (income.gold - upkeep.gold) - days * sum(each.half_gold_upkeep * count for each, count in coming)
    food = stores.food // 4 + income.food - upkeep.food - days * sum(each.food_upkeep * count for each, count in coming)
    by_gold = halves // (days * unit.half_gold_upkeep)
    return min(by_gold, food // (days * unit.food_upkeep)) if unit.food_upkeep else by_gold


def _construction(sight: _Sight) -> Iterator[rules.Action]:
    """Yield the next buildings that the kingdom lacks."""
    kingdom = sight.kingdom
    for kind, wanted in _wants(sight):
        missing = min(wanted - kingdom.buildings.count(kind), free_slots(kingdom))
        count = min(missing, affordable(kingdom.stores, PRICES[kind]))
        if count > 0:
            yield rules.Build(kind, count)


def _wants(sight: _Sight) -> Iterator[tuple[BuildingId, int]]:
    kingdom, land = sight.kingdom, sight.kingdom.land
    if sight.forecast.income.food < sight.forecast.upkeep.food:
        yield "farm", kingdom.buildings.farm + 2
    yield "market", land
    if free_rooms(kingdom)[0] < ROOM_TO_KEEP:
        yield "guard_house", kingdom.buildings.guard_house + 3
    yield "medical_center", -(-land // 2)
    yield "training_center", land
    yield "house", 4 * land


# --- abroad -----------------------------------------------------------------------------------------------------


def _scouting(sight: _Sight) -> Iterator[rules.Action]:
    """Yield a look at the kingdom whose land is most and whose strength is least."""
    if sight.secret.scouted is None and any(troop.count for troop in sight.kingdom.army):
        others = [(seat, standing) for seat, standing in enumerate(sight.table.kingdoms) if seat != sight.seat]
        standing = [(seat, other) for seat, other in others if other.land >= 5]
        if standing:
            seat, _ = max(standing, key=lambda each: _prey(sight.kingdom, each[1]))
            yield rules.Scout(seat)


def _prey(kingdom: Kingdom, other: Standing) -> tuple[int, int]:
    is_bottom_feeding = 100 * other.strength < BOTTOM_PERCENT * kingdom.strength
    return gain(other.land, is_bottom_feeding=is_bottom_feeding), -other.strength


def _attack(sight: _Sight) -> Iterator[rules.Action]:
    """Yield the attack with the whole army that wins at the least cost, if any wins."""
    kingdom, scouted = sight.kingdom, sight.secret.scouted
    army = {troop.unit: troop.count for troop in kingdom.army if troop.count}
    if scouted is None or not army or sight.table.round <= sight.table.options.peace_rounds:
        return
    ruleset = RULESETS[sight.table.options.ruleset]
    defenders = {troop.unit: troop.count for troop in scouted.kingdom.army}
    target = side_of(scouted.kingdom, defenders, scouted.kingdom.strategy)
    won = []
    for strategy in (None, *STRATEGIES[kingdom.race]):
        rounds = sight.table.options.battle_rounds
        report = fight(side_of(kingdom, army, strategy), target, ruleset, max_rounds=rounds)
        if report.winner == "attacker":
            left = sum(report.attacker_final.values()) - sum(report.defender_final.values())
            won.append((left, strategy))
    if won:
        _, strategy = max(won, key=lambda each: each[0])
        yield rules.Attack(scouted.seat, army, strategy)


BOT = BotKind(
    name="greedy",
    game="thardferr",
    summary="arms as its income bears, scouts, and attacks where it is sure to win",
    make=GreedyBot,
)
