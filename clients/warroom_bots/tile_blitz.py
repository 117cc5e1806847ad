"""A bot for Tile Blitz that takes what costs least and keeps its strength at the front."""

from collections.abc import Callable, Iterator
from typing import TypeAlias

import msgspec
from msgspec import Struct

from warroom_bots.api import Action, BotKind, Decision
from warroom_games.api import Seat
from warroom_games.rng import Rng
from warroom_games.tile_blitz import actions as rules
from warroom_games.tile_blitz.attacking import MIN_TROOPS
from warroom_games.tile_blitz.board import NEIGHBOURS
from warroom_games.tile_blitz.combat import LOSSES, defence, fight
from warroom_games.tile_blitz.state import Table, Tile

_TILE_WORTH = 5
_ENEMY_WORTH = 2
_ELIMINATION_WORTH = 20


class _Sight(Struct, frozen=True):
    """What the bot looks at: the table, its own tiles, and those of them that have a foreign neighbour."""

    table: Table
    seat: Seat
    legal: tuple[rules.Action, ...]
    own: frozenset[int]
    front: tuple[int, ...]


class _Plan(Struct, frozen=True):
    """An attack with what goes before it: infantry to buy for the source, or units to keep out of it in a refuge."""

    source: int
    target: int
    buys: int
    troops: int
    tanks: int
    refuge: int
    worth: int


Idea: TypeAlias = Callable[[_Sight], list[rules.Action]]
"""Returns equally good actions, or nothing if it has none to offer."""


class GreedyBot:
    """Builds every tank, makes the cheapest conquests, brings the rear up, and saves nothing."""

    def __init__(self, rng: Rng) -> None:
        self._rng = rng

    def choose(self, decision: Decision) -> Action:
        """Return what the first idea that has one offers, drawn among equals."""
        sight = _look(decision)
        choices = next(filter(None, (idea(sight) for idea in _IDEAS)), [rules.EndTurn()])
        action, self._rng = self._rng.choice(choices)
        return msgspec.to_builtins(action)


def _look(decision: Decision) -> _Sight:
    table = msgspec.convert(decision.public, Table)
    color = table.players[decision.seat].color
    own = frozenset(index for index, tile in enumerate(table.tiles) if tile.color == color)
    front = tuple(index for index in sorted(own) if not own.issuperset(NEIGHBOURS[index]))
    legal = tuple(msgspec.convert(action, rules.Action) for action in decision.legal)
    return _Sight(table, decision.seat, legal, own, front)


def _tanks(sight: _Sight) -> list[rules.Action]:
    """Build a tank where the enemy is strongest."""
    builds = [action for action in sight.legal if isinstance(action, rules.BuildTank)]
    most = max((_threat(sight, build.tile - 1) for build in builds), default=0)
    return [build for build in builds if _threat(sight, build.tile - 1) == most]


def _conquests(sight: _Sight) -> list[rules.Action]:
    """Take the next step towards the conquest that is worth most, if one is worth anything."""
    plans = [plan for plan in _plans(sight) if plan.worth > 0]
    most = max((plan.worth for plan in plans), default=0)
    return [_next_step(plan) for plan in plans if plan.worth == most]


def _advances(sight: _Sight) -> list[rules.Action]:
    """Bring a stack from the rear towards the front."""
    moves = [action for action in sight.legal if isinstance(action, rules.Move | rules.March)]
    return [move for move in moves if move.source - 1 not in sight.front]


def _reserves(sight: _Sight) -> list[rules.Action]:
    """Spend the gold that is left where the enemy is strongest."""
    gold = sight.table.players[sight.seat].gold
    if not gold:
        return []
    most = max(_threat(sight, index) for index in sight.front)
    return [rules.BuildInfantry(index + 1, gold) for index in sight.front if _threat(sight, index) == most]


_IDEAS: tuple[Idea, ...] = (_tanks, _conquests, _advances, _reserves)


def _plans(sight: _Sight) -> Iterator[_Plan]:
    for source in sight.front:
        for target in NEIGHBOURS[source]:
            if target not in sight.own:
                plan = _plan(sight, source, target)
                if plan.buys <= sight.table.players[sight.seat].gold:
                    yield plan


def _plan(sight: _Sight, source: int, target: int) -> _Plan:
    """Attack with as little as wins: under the document's losses what is more than enough is lost."""
    table = sight.table
    army, against = table.tiles[source], defence(table.tiles[target])
    buys = max(MIN_TROOPS - army.troops, against + 1 - army.power, 0)
    refuge = _refuge(sight, source) if table.options.losses == "document" else source
    surplus = 0 if refuge == source else max(0, army.power - against - 1)
    tanks = min(army.tanks, surplus // 2) if army.troops else 0
    troops = max(0, min(army.troops - MIN_TROOPS, surplus - 2 * tanks))
    force = Tile(army.color, army.troops + buys - troops, army.tanks - tanks)
    battle = fight(force, LOSSES[table.options.losses](force.power, against))
    worth = _prize(table, target) - battle.troops_lost - 2 * battle.tanks_lost
    return _Plan(source, target, buys, troops, tanks, refuge, worth)


def _refuge(sight: _Sight, source: int) -> int:
    """Return the strongest tile of the front beside the source, or the source itself if there is none."""
    beside = [index for index in NEIGHBOURS[source] if index in sight.front]
    return max(beside, key=lambda index: sight.table.tiles[index].power, default=source)


def _prize(table: Table, target: int) -> int:
    """Return what it is worth to hold the target and to have beaten its units."""
    tile = table.tiles[target]
    if tile.color is None:
        return _TILE_WORTH
    is_last = sum(other.color == tile.color for other in table.tiles) == 1
    return _TILE_WORTH + _ENEMY_WORTH + tile.power + _ELIMINATION_WORTH * is_last


def _next_step(plan: _Plan) -> rules.Action:
    if plan.troops or plan.tanks:
        return rules.Move(plan.source + 1, plan.refuge + 1, plan.troops, plan.tanks)
    if plan.buys:
        return rules.BuildInfantry(plan.source + 1, plan.buys)
    return rules.Attack(plan.source + 1, plan.target + 1)


def _threat(sight: _Sight, index: int) -> int:
    """Return the power of the strongest foreign tile beside this one."""
    return max((defence(sight.table.tiles[other]) for other in NEIGHBOURS[index] if other not in sight.own), default=0)


BOT = BotKind(
    name="greedy", game="tile_blitz", summary="makes the cheapest conquests and saves nothing", make=GreedyBot
)
