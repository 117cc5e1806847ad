"""The actions that are offered: docs/rules/thardferr.md, section 21.3. There are far more than anyone can list.

All of it depends on the seat's own ledger and on what everybody knows.
"""

from collections.abc import Iterator
from functools import lru_cache

from msgspec.structs import asdict

from warroom_games.api import Seat
from warroom_games.thardferr.actions import (
    Action,
    Assign,
    Attack,
    Build,
    Buy,
    EndTurn,
    Good,
    Raze,
    Research,
    Scout,
    Sell,
    SetStrategy,
    Train,
)
from warroom_games.thardferr.buildings import CASTLE
from warroom_games.thardferr.construction import PRICES, free_castles, free_slots
from warroom_games.thardferr.costs import MARKET_PRICES
from warroom_games.thardferr.economy import best_workers, peasants, spread_evenly
from warroom_games.thardferr.research import is_open
from warroom_games.thardferr.state import Kingdom, State, Workers
from warroom_games.thardferr.strategies import STRATEGIES
from warroom_games.thardferr.technologies import TECHNOLOGIES
from warroom_games.thardferr.training import trainable
from warroom_games.thardferr.treasury import affordable

GOODS: tuple[Good, ...] = ("iron", "wood", "food")
FOR_SALE: tuple[Good, ...] = ("iron", "wood")


def offered(state: State, seat: Seat) -> list[Action]:
    """Return the selection for the seat whose turn it is, the end of the turn last."""
    kingdom = state.kingdoms[seat]
    targets = [other for other in range(state.seats) if other != seat and state.kingdoms[other].is_standing]
    return [
        *_buildings(kingdom),
        *_trainings(kingdom, state.options.days_per_turn),
        *_assignments(kingdom),
        *_researches(kingdom),
        *_trades(kingdom),
        *(SetStrategy(name) for name in (None, *STRATEGIES[kingdom.race]) if name != kingdom.strategy),
        *(map(Scout, targets) if state.scouted is None else ()),
        *_attacks(kingdom, [] if state.is_peace else targets),
        EndTurn(),
    ]


def _buildings(kingdom: Kingdom) -> Iterator[Action]:
    """Yield one building and as many as possible of each kind; without a free slot, razing one of each."""
    slots, castles, stores = free_slots(kingdom), free_castles(kingdom), kingdom.stores
    for kind, price in PRICES.items():
        most = min(castles if kind == CASTLE else slots, affordable(stores, price))
        if most > 0:
            yield Build(kind, 1)
        if most > 1:
            yield Build(kind, most)
    if not slots:
        yield from (Raze(kind, 1) for kind in PRICES if kind != CASTLE and kingdom.buildings.count(kind))


def _trainings(kingdom: Kingdom, days: int) -> Iterator[Action]:
    """Yield half and all of what can be trained of each unit."""
    for troop, most in zip(kingdom.army, trainable(kingdom, days), strict=True):
        if most > 1:
            yield Train(troop.unit, most // 2)
        if most > 0:
            yield Train(troop.unit, most)


def _assignments(kingdom: Kingdom) -> Iterator[Action]:
    """Yield an even spread of the peasants, and one for each job that fills it first."""
    for action, workers in _spreads(best_workers(kingdom), peasants(kingdom)):
        if workers != kingdom.workers:
            yield action


@lru_cache(maxsize=1024)
def _spreads(best: Workers, hands: int) -> tuple[tuple[Assign, Workers], ...]:
    """Return the different ways of spreading so many peasants that are offered."""
    ways = dict.fromkeys((spread_evenly(best, hands), *_preferences(best, hands)))
    return tuple((Assign(**asdict(workers)), workers) for workers in ways)


def _preferences(best: Workers, hands: int) -> Iterator[Workers]:
    """Yield, for each job that makes something, twice its best number of workers, and the rest for the others."""
    jobs = ("mine", "lumber", "agriculture")
    for job in jobs:
        left, given = hands, {}
        for other in sorted(jobs, key=lambda name: name != job):
            given[other] = min(left, getattr(best, other) * (2 if other == job else 1))
            left -= given[other]
        yield Workers(**given)


def _researches(kingdom: Kingdom) -> Iterator[Action]:
    """Yield every technology that can be learned and paid now."""
    if kingdom.project is None:
        for technology in TECHNOLOGIES.values():
            if kingdom.stores.gold >= technology.gold and is_open(kingdom, technology):
                yield Research(technology.name)


def _trades(kingdom: Kingdom) -> Iterator[Action]:
    """Yield buying each good for a quarter of the gold, and selling half of the iron or wood."""
    stores = kingdom.stores
    for good in GOODS:
        if count := stores.gold // 4 // MARKET_PRICES[good]:
            yield Buy(good, count)
    for good in FOR_SALE:
        if count := getattr(stores, good) // 2:
            yield Sell(good, count)


def _attacks(kingdom: Kingdom, targets: list[Seat]) -> Iterator[Action]:
    """Yield every target and strategy, with the whole army and with half of each unit."""
    whole = {troop.unit: troop.count for troop in kingdom.army if troop.count}
    half = {unit: count // 2 for unit, count in whole.items() if count > 1}
    armies = [army for army in (whole, half) if army]
    for target in targets:
        for strategy in (None, *STRATEGIES[kingdom.race]):
            for army in armies:
                yield Attack(target, army, strategy)
