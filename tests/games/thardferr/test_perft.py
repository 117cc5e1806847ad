"""Where all histories of a few actions end, by the rules and by a count that shares nothing with them.

The count is tests/support/thardferr_count.py. It must find as many histories as the golden numbers say, and the same
ledgers at their ends. Battles are left to their oracles.
"""

import tomllib
from collections import Counter
from collections.abc import Iterator
from itertools import product
from pathlib import Path
from typing import Any

import pytest
import thardferr_count
from thardferr_count import JOBS, Position, World, drawn, endings
from thardferr_positions import kingdom, match

from warroom_games.api import IllegalActionError
from warroom_games.thardferr import actions as orders
from warroom_games.thardferr.buildings import BUILDINGS
from warroom_games.thardferr.options import Options
from warroom_games.thardferr.rules import GAME
from warroom_games.thardferr.state import Kingdom, State
from warroom_games.thardferr.strategies import STRATEGIES
from warroom_games.thardferr.technologies import TECHNOLOGIES
from warroom_games.thardferr.units import UNITS

GOLDEN = Path(__file__).parents[2] / "golden/perft/thardferr.toml"
USUAL = {"kinds": ["build", "raze", "train", "buy", "sell"], "numbers": [1, 2], "days": 10, "max_turns": 40}
OPENINGS = [USUAL | entry for entry in tomllib.loads(GOLDEN.read_text())["opening"]]
GIVEN = ("land", "army", "buildings", "stores", "workers", "techs")


def opening(entry: dict[str, Any]) -> State:
    own = kingdom(entry["race"], **{name: entry[name] for name in GIVEN if name in entry})
    return match(own, options=Options(days_per_turn=entry["days"], max_turns=entry["max_turns"]))


def actions(entry: dict[str, Any]) -> list[Any]:
    """Return all actions that are tried, whoever's turn it is."""
    numbers, goods = entry["numbers"], ("iron", "wood", "food")
    strategies = {name for names in STRATEGIES.values() for name in names}
    races = {entry["race"], "human"} if "end_turn" in entry["kinds"] else {entry["race"]}
    units = {name for race in races for name in UNITS[race]}
    tried: dict[str, list[Any]] = {
        "build": [orders.Build(name, count) for name, count in product(BUILDINGS, numbers)],
        "raze": [orders.Raze(name, count) for name, count in product(BUILDINGS, numbers)],
        "train": [orders.Train(name, count) for name, count in product(sorted(units), numbers)],
        "buy": [orders.Buy(good, count) for good, count in product(goods, numbers)],  # type: ignore[arg-type]
        "sell": [orders.Sell(good, count) for good, count in product(goods, numbers)],  # type: ignore[arg-type]
        "research": [orders.Research(name) for name in TECHNOLOGIES],
        "set_strategy": [orders.SetStrategy(None), *map(orders.SetStrategy, sorted(strategies))],
        "assign": [
            orders.Assign(mine=mine, lumber=lumber, agriculture=agriculture, blacksmithing=blacksmithing)
            for mine, lumber, agriculture, blacksmithing in entry.get("assignments", ())
        ],
        "scout": [orders.Scout(seat) for seat in range(3)],
        "end_turn": [orders.EndTurn()],
    }
    return [action for kind in entry["kinds"] for action in tried[kind]]


def last_states(state: State, tried: list[Any], depth: int) -> Iterator[State]:
    """Yield the last state of every history of that length."""
    if depth == 0:
        yield state
        return
    for action in tried:
        seat = state.seat or 0
        try:
            GAME.check(state, seat, action)
        except IllegalActionError:
            continue
        yield from last_states(GAME.apply(state, seat, action).state, tried, depth - 1)


def as_position(state: State) -> Position:
    worlds = tuple(map(as_world, state.kingdoms))
    return Position(worlds, None if state.ended else state.seat, state.round, state.scouted)


def as_world(ledger: Kingdom) -> World:
    """Return a ledger as the count writes it."""
    stores, buildings, workers = ledger.stores, ledger.buildings, ledger.workers
    return {
        "race": ledger.race,
        "land": ledger.land,
        **{good: getattr(stores, good) for good in ("gold", "iron", "wood", "food")},
        **{building.name: buildings.count(kind) for kind, building in BUILDINGS.items()},
        **{troop.unit: troop.count for troop in ledger.army},
        **{f"+{troop.unit}": troop.training for troop in ledger.army},
        **{f"{job} workers": getattr(workers, job.lower()) for job in JOBS},
        **{name: ledger.level(name) for name in TECHNOLOGIES},
        "strategy": ledger.strategy,
        "research": ledger.project and (ledger.project.technology, ledger.project.days_left),
        "can train": ledger.can_train,
    }


def counted(positions: Iterator[Position]) -> Counter[object]:
    """Return how many histories end in each position."""
    return Counter((*(frozenset(world.items()) for world in position.worlds), *position[1:]) for position in positions)


@pytest.mark.parametrize("entry", OPENINGS, ids=lambda entry: entry["name"])
def test_the_rules_and_the_independent_count_agree_with_the_golden_numbers(entry: dict[str, Any]) -> None:
    depths = range(1, len(entry["counts"]) + 1)
    assert len(depths) >= 2
    for depth, golden in zip(depths, entry["counts"], strict=True):
        ruled = counted(map(as_position, last_states(opening(entry), actions(entry), depth)))
        assert ruled.total() == golden
        assert counted(endings(drawn(entry), entry, depth)) == ruled


def test_every_kind_of_action_but_those_of_war_is_counted() -> None:
    assert {kind for entry in OPENINGS for kind in entry["kinds"]} == {*thardferr_count.AT_HOME, "scout", "end_turn"}


def test_the_count_knows_nothing_of_the_package() -> None:
    assert "warroom" not in Path(thardferr_count.__file__).read_text()
