"""What a bot derives from its views: known ground, legal actions, and distances over walls and around units."""

from collections.abc import Collection, Container, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, TypeVar

from warroom_bots.api import Decision
from warroom_bots.games.timberwall.switchable_rules import Rule
from warroom_games.timberwall import actions as rules
from warroom_games.timberwall.combat import shield, support
from warroom_games.timberwall.geometry import Edge, Grid, Step, Tile, grid
from warroom_games.timberwall.ground import Ground, survey_views
from warroom_games.timberwall.listing import every_action
from warroom_games.timberwall.state import Unit, Wall
from warroom_games.timberwall.units import tier, wall_damage
from warroom_games.timberwall.walls import HP

A = TypeVar("A", bound=rules.Action)

CROWD = 2
"""Cost of a unit in the way, in steps."""
MENACE = 8
"""Cost of an unbeatable enemy in the way, in steps."""
LOST = 10_000
"""More turns than any path needs: unreachable."""

_KNOWN_LANES = 1 << 8
"""The number of cached sets of walls. Most walls stay from turn to turn."""
_KNOWN_FIELDS = 1 << 12


@dataclass(frozen=True)
class Situation:
    """The ground as the seat knows it, and its legal actions, all taken from its views."""

    ground: Ground
    legal: tuple[rules.Action, ...]
    spawned: int = 0
    """Number of units the seat deployed in this match, as far as the bot knows."""
    ignored: frozenset[Rule] = frozenset()
    """The rules of the document that a study switched off."""

    def obeys(self, rule: Rule) -> bool:
        """Whether a rule of the document is in force."""
        return rule not in self.ignored

    def ways(self, kind: type[A]) -> Iterator[A]:
        """Yield the legal actions of one kind."""
        return iter(self._by_kind.get(kind, ()))

    def fights(self, enemies: Container[Tile]) -> list[rules.Attack]:
        """Return the legal attacks on any of *enemies*."""
        return [attack for attack in self.ways(rules.Attack) if self.target(attack) in enemies]

    def source(self, action: rules.Stepping) -> Tile:
        """Return the position of the unit of an action."""
        return self.ground.grid.tile(action.x, action.y)

    def target(self, action: rules.Stepping) -> Tile:
        """Return the target tile of an action."""
        return self.step(action).target

    def step(self, action: rules.Stepping) -> Step:
        """Return the step of an action, or the step it would make without a wall."""
        return self.ground.grid.steps[self.source(action)][action.direction]

    def own_tier(self, tile: Tile) -> int:
        """Return the tier of the own unit on a tile."""
        return tier(self.ground.own[tile].points)

    def defence(self, tile: Tile) -> int:
        """Return the visible defence strength of the enemy on a tile."""
        enemy = self.ground.enemies[tile]
        return enemy.points + shield(enemy) + support(enemy, self.ground.knowledge.enemies)

    def enemies_within(self, tiles: Iterable[Tile], distance: int) -> list[Tile]:
        """Return the visible enemies within a distance of any of the tiles, sorted by tile."""
        near, measure = list(tiles), self.ground.grid.distance
        return sorted(
            enemy for enemy in self.ground.enemies if any(measure(enemy, tile) <= distance for tile in near)
        )  # fmt: skip

    def friends_beside(self, tile: Tile) -> list[Tile]:
        """Return the own units adjacent to a tile."""
        return [other for other in self.ground.own if other in self.ground.grid.neighbours[tile]]

    @cached_property
    def _by_kind(self) -> dict[type, list[Any]]:
        found: dict[type, list[Any]] = {}
        for action in self.legal:
            found.setdefault(type(action), []).append(action)
        return found

    @cached_property
    def strides(self) -> dict[Tile, list[rules.Move | rules.HitWall]]:
        """The legal moves and hits on walls of each own unit."""
        found: dict[Tile, list[rules.Move | rules.HitWall]] = {}
        for action in self.legal:
            if isinstance(action, rules.Move | rules.HitWall):
                found.setdefault(self.source(action), []).append(action)
        return found

    @cached_property
    def forests(self) -> frozenset[Tile]:
        """The tiles with a forest."""
        return self.ground.forests

    @cached_property
    def free_forests(self) -> list[Tile]:
        """The forests without a known unit."""
        return sorted(self.forests - self.ground.own.keys() - self.ground.enemies.keys())


def look(ground: Ground, *, spawned: int = 0, ignored: frozenset[Rule] = frozenset()) -> Situation:
    """Return what a seat sees and may do."""
    return Situation(ground, tuple(every_action(ground)), spawned, ignored)


def look_at(decision: Decision) -> Situation:
    """Return what a seat sees and may do at a decision."""
    return look(survey_views(decision.public, decision.private, decision.seat))


def field(
    ground: Ground,
    goals: Iterable[Tile],
    unit: Unit,
    *,
    may_break: bool = True,
    closed: Collection[Tile] = (),
    needed: Collection[Tile] = (),
) -> dict[Tile, int]:
    """Return the number of turns a unit needs from each tile to the nearest goal.

    Walls on the way are broken if it *may_break* them, else avoided. *closed* tiles are never crossed. If some tiles
    are *needed*, the search may stop once they are reached, and what it found for others may be too long.
    """
    lanes = _lanes_for(ground, unit, may_break)
    return _field(lanes, goals, _crowds(ground, unit), {ground.home, ground.goal, *closed}, needed)


def open_field(ground: Ground, goal: Tile, unit: Unit) -> Mapping[Tile, int]:
    """Return the number of turns a unit would need from each tile to a goal if there were no other units."""
    places = ground.grid.size, ground.knowledge.neutral_walls, ground.knowledge.walls
    return _open_field(*places, wall_damage(unit.points), goal, (ground.home, ground.goal))


@lru_cache(_KNOWN_FIELDS)
def _open_field(
    size: int, neutral: tuple[Edge, ...], walls: tuple[Wall, ...], damage: int, goal: Tile, dead_ends: tuple[Tile, Tile]
) -> Mapping[Tile, int]:
    return _field(_lanes(size, neutral, walls, damage), [goal], {}, dead_ends, ())


def _field(
    lanes: "_Lanes",
    goals: Iterable[Tile],
    crowds: Mapping[Tile, int],
    dead_ends: Collection[Tile],
    needed: Collection[Tile],
) -> dict[Tile, int]:
    costs = dict.fromkeys(goals, 0)
    by_cost = [list(costs)]
    missing = set(needed)
    for cost, tiles in enumerate(by_cost):
        for tile in tiles:
            if costs[tile] < cost:
                continue  # there was a shorter way
            if missing:
                missing.discard(tile)
                if not missing:
                    return costs
            if cost and tile in dead_ends:
                continue
            onward = cost + 1 + (crowds.get(tile, 0) if cost else 0)
            for target, hits in lanes[tile]:
                there = onward + hits
                if there < costs.get(target, LOST):
                    costs[target] = there
                    while len(by_cost) <= there:
                        by_cost.append([])
                    by_cost[there].append(target)
    return costs


def _crowds(ground: Ground, unit: Unit) -> dict[Tile, int]:
    """Return by tile the cost of the unit there for a unit that passes, in steps."""
    crowds = dict.fromkeys(ground.own, CROWD)
    for tile, enemy in ground.enemies.items():
        crowds[tile] = CROWD if enemy.points < unit.points else MENACE
    return crowds


def _lanes_for(ground: Ground, unit: Unit, may_break: bool) -> "_Lanes":
    damage = wall_damage(unit.points) if may_break else 0
    return _lanes(ground.grid.size, ground.knowledge.neutral_walls, ground.knowledge.walls, damage)


@lru_cache(_KNOWN_LANES)
def _lanes(size: int, neutral: tuple[Edge, ...], walls: tuple[Wall, ...], damage: int) -> "_Lanes":
    """Return the ways between walls of a unit that does them this much *damage*; it does not break any if that is 0."""
    plain = grid(size)
    hits = dict.fromkeys(neutral, 1)
    for wall in walls:
        hits[plain.edge(wall.x, wall.y, wall.side)] = -(-min(wall.hp, HP) // damage) if damage else 0
    return _Lanes(plain, hits if damage else dict.fromkeys(hits, 0))


class _Lanes(dict[Tile, list[tuple[Tile, int]]]):
    """By tile: the tiles to which a unit can step from there, and how often it must hit a wall before."""

    def __init__(self, plain: Grid, hits: Mapping[Edge, int]) -> None:
        super().__init__()
        self._plain = plain
        self._hits = hits

    def __missing__(self, tile: Tile) -> list[tuple[Tile, int]]:
        steps = self._plain.steps[tile].values()
        lanes = [(step.target, hits) for step in steps if (hits := self.hits(step)) is not None]
        self[tile] = lanes
        return lanes

    def hits(self, step: Step) -> int | None:
        """Return how often a unit must hit a wall before it can make a step; None if that does not help."""
        if self._hits.keys().isdisjoint(step.edges):
            return 0
        return (self._hits[step.edges[0]] or None) if step.is_straight else None


def walkers(ground: Ground, goal: Tile) -> set[Tile]:
    """Return the own units that can walk to a free tile now, around walls and units."""
    seen, found, queue = {goal}, set(), [goal]
    for tile in queue:
        for step in ground.grid.steps[tile].values():
            if step.target not in seen and ground.is_open(step):
                seen.add(step.target)
                if step.target in ground.own:
                    found.add(step.target)
                elif ground.is_empty(step.target):
                    queue.append(step.target)
    return found


def advance(
    situation: Situation,
    tile: Tile,
    goals: Iterable[Tile],
    *,
    may_break: bool = True,
    closed: Collection[Tile] = (),
    patience: int | None = CROWD,
) -> tuple[int, rules.Action] | None:
    """Return the distance of the unit on a tile to the nearest goal, and the move or hit towards it.

    A detour of more than *patience* turns is not made; the unit waits instead. With None it never waits.
    """
    ground = situation.ground
    unit = ground.own[tile]
    ways = situation.strides.get(tile, [])
    needed = {tile, *(situation.target(action) for action in ways)}
    lanes = _lanes_for(ground, unit, may_break)
    costs = field(ground, goals, unit, may_break=may_break, closed=closed, needed=needed)
    options: list[tuple[int, int, rules.Action]] = []
    for order, action in enumerate(ways):
        step = situation.step(action)
        hits = lanes.hits(step)
        if hits is not None and step.target in costs and step.target not in closed:
            options.append((costs[step.target] + 1 + hits, order, action))
    best = min(options, default=None)
    if best is None or tile not in costs:
        return None
    if patience is not None and best[0] > costs[tile] + patience:
        return None
    return best[0], best[2]
