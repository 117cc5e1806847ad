"""The offered actions: docs/rules/thardferr.md, section 21.3. There are far too many to list all.

The selection depends only on the seat's own ledger and on public facts.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache

from msgspec.structs import asdict

from warroom_games.api import Seat
from warroom_games.thardferr.actions import (
    MOST,
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
from warroom_games.thardferr.buildings import CASTLE, BuildingId
from warroom_games.thardferr.construction import PRICES, free_castles, free_slots
from warroom_games.thardferr.costs import MARKET_PRICES
from warroom_games.thardferr.economy import best_workers, peasants, spread_evenly
from warroom_games.thardferr.research import is_open
from warroom_games.thardferr.state import Kingdom, State, Troop, Workers
from warroom_games.thardferr.strategies import STRATEGIES
from warroom_games.thardferr.technologies import TECHNOLOGIES
from warroom_games.thardferr.training import trainable
from warroom_games.thardferr.treasury import affordable
from warroom_games.thardferr.units import RACES, Race

GOODS: tuple[Good, ...] = ("iron", "wood", "food")
FOR_SALE: tuple[Good, ...] = ("iron", "wood")

# Actions that are offered again and again are created once.
_ONE_OF: Mapping[BuildingId, Build] = {kind: Build(kind, 1) for kind in PRICES}
_RAZINGS: Mapping[BuildingId, Raze] = {kind: Raze(kind, 1) for kind in PRICES if kind != CASTLE}
_STRATEGIES: Mapping[Race, tuple[SetStrategy, ...]] = {
    race: tuple(map(SetStrategy, (None, *STRATEGIES[race]))) for race in RACES
}
_CHEAPEST_RESEARCH = min(technology.gold for technology in TECHNOLOGIES.values())
_SCOUTINGS = tuple(map(Scout, range(len(RACES))))


def offered(state: State, seat: Seat) -> list[Action]:
    """Return the selection for the current seat, the end of the turn last."""
    kingdom = state.kingdoms[seat]
    targets = tuple(other for other, standing in enumerate(state.kingdoms) if other != seat and standing.is_standing)
    return [
        *_buildings(kingdom),
        *_trainings(kingdom, state.options.days_per_turn),
        *_assignments(kingdom),
        *_researches(kingdom),
        *_trades(kingdom),
        *(choice for choice in _STRATEGIES[kingdom.race] if choice.strategy != kingdom.strategy),
        *([_SCOUTINGS[target] for target in targets] if state.scouted is None else ()),
        *(() if state.is_peace else _attacks(kingdom.race, kingdom.army, targets)),
        EndTurn(),
    ]


def _buildings(kingdom: Kingdom) -> list[Action]:
    """Return one building and as many as possible of each kind; without a free slot, razing one of each."""
    slots, stores = free_slots(kingdom), kingdom.stores
    choices: list[Action] = []
    for kind, price in PRICES.items():
        room = free_castles(kingdom) if kind == CASTLE else slots
        if room > 0 and stores.gold >= price.gold and (most := min(room, affordable(stores, price))):
            choices.append(_ONE_OF[kind])
            if most > 1:
                choices.append(Build(kind, most))
    if not slots:
        choices += [razing for kind, razing in _RAZINGS.items() if kingdom.buildings.count(kind)]
    return choices


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
    """Return the different offered ways of spreading this many peasants."""
    ways = dict.fromkeys((spread_evenly(best, hands), *_preferences(best, hands)))
    return tuple((Assign(**asdict(workers)), workers) for workers in ways)


def _preferences(best: Workers, hands: int) -> Iterator[Workers]:
    """Yield, for each productive job, twice its best number of workers, and the rest for the others."""
    jobs = ("mine", "lumber", "agriculture")
    for job in jobs:
        left, given = hands, {}
        for other in sorted(jobs, key=lambda name: name != job):
            given[other] = min(left, getattr(best, other) * (2 if other == job else 1))
            left -= given[other]
        yield Workers(**given)


def _researches(kingdom: Kingdom) -> Iterator[Action]:
    """Yield every technology that can be learned and paid now."""
    if kingdom.project is None and kingdom.stores.gold >= _CHEAPEST_RESEARCH:
        for technology in TECHNOLOGIES.values():
            if kingdom.stores.gold >= technology.gold and is_open(kingdom, technology):
                yield Research(technology.name)


def _trades(kingdom: Kingdom) -> Iterator[Action]:
    """Yield buying each good for a quarter of the gold, and selling half of the iron or wood, at most `MOST`."""
    stores = kingdom.stores
    for good in GOODS:
        if count := min(stores.gold // 4 // MARKET_PRICES[good], MOST):
            yield Buy(good, count)
    for good in FOR_SALE:
        if count := min(getattr(stores, good) // 2, MOST):
            yield Sell(good, count)


@lru_cache(maxsize=256)
def _attacks(race: Race, army: Iterable[Troop], targets: Iterable[Seat]) -> tuple[Attack, ...]:
    """Return every target and strategy, with the whole army and with half of each unit.

    An army seldom changes within a turn, and units in training make no difference except to the cache.
    """
    whole = {troop.unit: troop.count for troop in army if troop.count}
    half = {unit: count // 2 for unit, count in whole.items() if count > 1}
    armies = [each for each in (whole, half) if each]
    strategies = (None, *STRATEGIES[race])
    return tuple(Attack(target, each, strategy) for target in targets for strategy in strategies for each in armies)
