"""A bot for Thardferr that trains its race's best army, scouts, and attacks when it is sure to win."""

from collections.abc import Iterator, Mapping

import msgspec
from msgspec import Struct

from warroom_bots.api import Action, BotKind, Decision
from warroom_bots.games.thardferr_armies import ARMY_PLANS, ArmyPlan
from warroom_games.api import Seat
from warroom_games.rng import Rng
from warroom_games.thardferr import actions as rules
from warroom_games.thardferr.attacking import BOTTOM_PERCENT, gain, side_of
from warroom_games.thardferr.battle import fight
from warroom_games.thardferr.buildings import BuildingId
from warroom_games.thardferr.construction import PRICES, free_castles, free_slots
from warroom_games.thardferr.costs import MARKET_PRICES
from warroom_games.thardferr.damage import CENTER_CAP_DEFENDING, CENTER_POOL_DEFENDING, TOWER_CAP, TOWER_POOL
from warroom_games.thardferr.economy import best_workers, peasants
from warroom_games.thardferr.reports import BattleReport
from warroom_games.thardferr.research import is_open
from warroom_games.thardferr.rulesets import RULESETS
from warroom_games.thardferr.selection import FOR_SALE
from warroom_games.thardferr.state import LEAST_LAND, Kingdom
from warroom_games.thardferr.strategies import QUICK_RETREAT, STRATEGIES
from warroom_games.thardferr.technologies import COMMERCE, HABITATION, TECHNOLOGIES
from warroom_games.thardferr.training import free_rooms, trainable
from warroom_games.thardferr.treasury import affordable
from warroom_games.thardferr.units import UNITS, Unit
from warroom_games.thardferr.views import Forecast, Secret, Standing, Table
from warroom_protocol.canonical import plain

ROOM_TO_KEEP = 60
"""Free room for soldiers below which it builds Guard Houses."""
IDLE_HANDS = 200
"""Number of idle peasants at which it reassigns all of them."""
LEAST_GOODS: Mapping[rules.Good, int] = {"iron": 300, "wood": 400}
"""Stock below which it buys goods, if it has gold to spare."""
GOLD_TO_SPARE = 20_000


class _Sight(Struct, frozen=True):
    """What the bot knows in its turn, and its training plan."""

    seat: Seat
    table: Table
    secret: Secret
    kingdom: Kingdom
    forecast: Forecast
    plan: ArmyPlan

    @property
    def days(self) -> int:
        return self.table.options.days_per_turn

    def battle(self, attacker: tuple[Kingdom, str | None], defender: tuple[Kingdom, str | None]) -> BattleReport:
        """Return the outcome of a battle between two whole armies with these strategies."""
        sides = [
            side_of(kingdom, {troop.unit: troop.count for troop in kingdom.army if troop.count}, strategy)
            for kingdom, strategy in (attacker, defender)
        ]
        options = self.table.options
        return fight(sides[0], sides[1], RULESETS[options.ruleset], max_rounds=options.battle_rounds)


class GreedyBot:
    """Trains and builds what it can afford, scouts the richest target, and attacks whenever it wins."""

    def __init__(self, rng: Rng) -> None:
        self._rng = rng
        self._tastes, _ = rng.sample(range(80, 121), 6)
        """Its preference for each unit of its race, in percent, so that no two bots have the same army."""

    def choose(self, decision: Decision) -> Action:
        """Return the first worthwhile action, or else the end of the turn."""
        secret = msgspec.convert(decision.private, Secret)
        if secret.kingdom is None or secret.forecast is None:
            race, self._rng = self._rng.choice(decision.legal)
            return race
        table = msgspec.convert(decision.public, Table)
        plan = self._army_plan(secret.kingdom)
        sight = _Sight(decision.seat, table, secret, secret.kingdom, secret.forecast, plan)
        action: Action = plain(next(_ideas(sight), rules.EndTurn()))
        return action

    def _army_plan(self, kingdom: Kingdom) -> ArmyPlan:
        usual = ARMY_PLANS[kingdom.race]
        tastes = dict(zip(UNITS[kingdom.race], self._tastes, strict=True))
        army = {unit: share * tastes[unit] // 100 for unit, share in usual.army.items()}
        return ArmyPlan(army if len(army) > 1 else usual.army, usual.research)


def _ideas(sight: _Sight) -> Iterator[rules.Action]:
    """Yield worthwhile actions, most urgent first."""
    if sight.table.round < sight.table.options.max_turns:
        yield from _work(sight)
        yield from _training(sight)
        yield from _research(sight)
        yield from _construction(sight)
        yield from _trade(sight)
    else:
        yield from _legacy(sight)
    yield from _scouting(sight)
    yield from _defence(sight)
    yield from _attack(sight)


# --- economy --------------------------------------------------------------------------------------------------------


def _work(sight: _Sight) -> Iterator[rules.Action]:
    """Yield a work assignment if many peasants produce nothing."""
    workers, left = sight.kingdom.workers, peasants(sight.kingdom)
    if left - workers.mine - workers.lumber - workers.agriculture < IDLE_HANDS:
        return
    best, jobs = best_workers(sight.kingdom), ("agriculture", "lumber", "mine")
    hands = dict.fromkeys(jobs, 0)
    for job in (*jobs, *jobs):  # up to the best number, then up to twice that
        more = min(left, getattr(best, job))
        hands[job] += more
        left -= more
    if any(hands[job] != getattr(workers, job) for job in jobs):
        yield rules.Assign(**hands)


def _training(sight: _Sight) -> Iterator[rules.Action]:
    """Yield the training of the unit that is missing most, if its upkeep is affordable."""
    kingdom, units = sight.kingdom, UNITS[sight.kingdom.race]
    missing = []
    for troop, most in zip(kingdom.army, trainable(kingdom, sight.days), strict=True):
        wanted = sight.plan.army.get(troop.unit, 0) * sight.forecast.soldier_room // 100
        lacking = wanted - troop.count - troop.training
        count = min(most, lacking, _bearable(sight, units[troop.unit]))
        if count > 0:
            missing.append((lacking / wanted, troop.unit, count))
    for _, unit, count in sorted(missing, key=lambda each: -each[0]):
        yield rules.Train(unit, count)


def _bearable(sight: _Sight, unit: Unit) -> int:
    """Return how many more of a unit the income supports, counting those in training."""
    units = UNITS[sight.kingdom.race]
    coming = [(units[troop.unit], troop.training) for troop in sight.kingdom.army]
    income, upkeep, stores = sight.forecast.income, sight.forecast.upkeep, sight.kingdom.stores
    halves = 2 * (income.gold - upkeep.gold) - sight.days * sum(each.half_gold_upkeep * count for each, count in coming)
    food = stores.food // 4 + income.food - upkeep.food
    food -= sight.days * sum(each.food_upkeep * count for each, count in coming)
    by_gold = halves // (sight.days * unit.half_gold_upkeep)
    return min(by_gold, food // (sight.days * unit.food_upkeep)) if unit.food_upkeep else by_gold


def _construction(sight: _Sight) -> Iterator[rules.Action]:
    """Yield the next missing buildings; useless ones make room for them."""
    kingdom, slots = sight.kingdom, free_slots(sight.kingdom)
    for kind, wanted in _wants(sight):
        missing = wanted - kingdom.buildings.count(kind)
        count = min(missing, slots, affordable(kingdom.stores, PRICES[kind]))
        if count > 0:
            yield rules.Build(kind, count)
        elif missing > 0 and not slots and kingdom.buildings.forge:
            yield rules.Raze("forge", min(kingdom.buildings.forge, missing))


def _wants(sight: _Sight) -> Iterator[tuple[BuildingId, int]]:
    """Yield the wanted number of each building, most urgent first."""
    kingdom, land = sight.kingdom, sight.kingdom.land
    if sight.forecast.income.food < sight.forecast.upkeep.food + _mouths_to_come(sight):
        yield "farm", kingdom.buildings.farm + 2
    yield "mill", 3 * land // 4
    if free_rooms(kingdom)[0] < ROOM_TO_KEEP:
        yield "guard_house", kingdom.buildings.guard_house + 3
    yield "market", 3 * land // 4
    units = sum(troop.count + troop.training for troop in kingdom.army)
    yield "guard_towers", TOWER_CAP * units // TOWER_POOL
    yield "medical_center", max(CENTER_CAP_DEFENDING * units // CENTER_POOL_DEFENDING, -(-land // 2))
    yield "training_center", land // 2
    yield "advanced_training_center", land // 2
    yield "market", land
    yield "house", 4 * land


def _mouths_to_come(sight: _Sight) -> int:
    """Return the food per turn of the units in training."""
    units = UNITS[sight.kingdom.race]
    return sight.days * sum(units[troop.unit].food_upkeep * troop.training for troop in sight.kingdom.army)


def _trade(sight: _Sight) -> Iterator[rules.Action]:
    """Yield a purchase of goods that block building or training."""
    stores = sight.kingdom.stores
    for good in FOR_SALE:
        if stores.gold >= GOLD_TO_SPARE and getattr(stores, good) < LEAST_GOODS[good]:
            yield rules.Buy(good, stores.gold // 4 // MARKET_PRICES[good])


def _research(sight: _Sight) -> Iterator[rules.Action]:
    """Yield research for the army first, then for the economy."""
    kingdom = sight.kingdom
    if kingdom.project is None:
        for name in (*sight.plan.research, HABITATION, COMMERCE, "Castle Loss Immunity"):
            if kingdom.stores.gold >= TECHNOLOGIES[name].gold and is_open(kingdom, TECHNOLOGIES[name]):
                yield rules.Research(name)


def _legacy(sight: _Sight) -> Iterator[rules.Action]:
    """Yield what still adds strength in the last round: castles, for which it buys goods, and mills."""
    kingdom, castle = sight.kingdom, PRICES["castle"]
    stores = kingdom.stores
    if free_castles(kingdom) > 0:
        lacking = {good: max(0, getattr(castle, good) - getattr(stores, good)) for good in FOR_SALE}
        if stores.gold >= castle.gold + sum(MARKET_PRICES[good] * count for good, count in lacking.items()):
            yield from (rules.Buy(good, count) for good, count in lacking.items() if count)
            yield rules.Build("castle")
    count = min(free_slots(kingdom), affordable(stores, PRICES["mill"]))
    if count > 0:
        yield rules.Build("mill", count)


# --- war ------------------------------------------------------------------------------------------------------------


def _scouting(sight: _Sight) -> Iterator[rules.Action]:
    """Yield the scouting of the kingdom with much land and little strength."""
    if sight.secret.scouted is None and any(troop.count for troop in sight.kingdom.army):
        others = [(seat, standing) for seat, standing in enumerate(sight.table.kingdoms) if seat != sight.seat]
        standing = [(seat, other) for seat, other in others if other.land >= LEAST_LAND]
        if standing:
            seat, _ = max(standing, key=lambda each: _prey(sight.kingdom, each[1]))
            yield rules.Scout(seat)


def _prey(kingdom: Kingdom, other: Standing) -> tuple[int, int]:
    is_bottom_feeding = 100 * other.strength < BOTTOM_PERCENT * kingdom.strength
    return gain(other.land, is_bottom_feeding=is_bottom_feeding), -other.strength


def _defence(sight: _Sight) -> Iterator[rules.Action]:
    """Yield the strategy that defends best against the scouted army."""
    kingdom, scouted = sight.kingdom, sight.secret.scouted
    if scouted is None or not scouted.kingdom.units or not kingdom.units:
        return
    foe = scouted.kingdom
    choices = [strategy for strategy in (None, *STRATEGIES[kingdom.race]) if strategy != QUICK_RETREAT]
    best = max(choices, key=lambda strategy: _steadiness(sight, foe, strategy))
    if best != kingdom.strategy:
        yield rules.SetStrategy(best)


def _steadiness(sight: _Sight, foe: Kingdom, strategy: str | None) -> float:
    """Return how much more than the kingdom an attacker with its race's strategy would lose."""
    report = sight.battle((foe, STRATEGIES[foe.race][-1]), (sight.kingdom, strategy))
    return _lost(foe, report.attacker_final) - _lost(sight.kingdom, report.defender_final)


def _lost(kingdom: Kingdom, left: Mapping[str, int]) -> float:
    """Return the lost share of an army."""
    return 1 - sum(left.values()) / kingdom.units


def _attack(sight: _Sight) -> Iterator[rules.Action]:
    """Yield the winning attack with the whole army that costs least, if any wins."""
    kingdom, scouted = sight.kingdom, sight.secret.scouted
    if scouted is None or not kingdom.units or sight.table.round <= sight.table.options.peace_rounds:
        return
    won = []
    for strategy in (None, *STRATEGIES[kingdom.race]):
        report = sight.battle((kingdom, strategy), (scouted.kingdom, scouted.kingdom.strategy))
        if report.winner == "attacker":
            left = sum(report.attacker_final.values()) - sum(report.defender_final.values())
            won.append((left, strategy))
    if won:
        _, strategy = max(won, key=lambda each: each[0])
        army = {troop.unit: troop.count for troop in kingdom.army if troop.count}
        yield rules.Attack(scouted.seat, army, strategy)


BOT = BotKind(
    name="greedy",
    game="thardferr",
    summary="arms as its race fights best, scouts, and attacks where it is sure to win",
    make=GreedyBot,
)
