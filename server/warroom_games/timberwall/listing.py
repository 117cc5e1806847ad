"""The list of legal actions: docs/rules/timberwall.md, section 13."""

from collections.abc import Iterable, Iterator
from functools import cache
from itertools import islice
from typing import NamedTuple

from warroom_games.timberwall.actions import (
    Action,
    Attack,
    BuildWall,
    Convert,
    ConvertAll,
    Deploy,
    Direction,
    HitWall,
    Merge,
    Move,
    Pass,
    RemoveWall,
)
from warroom_games.timberwall.economy import WOOD_PER_RESERVE
from warroom_games.timberwall.geometry import Edge, Step, Tile, edges_of, grid
from warroom_games.timberwall.ground import Ground
from warroom_games.timberwall.state import Unit
from warroom_games.timberwall.units import LEVELS, MAX_POINTS, tier
from warroom_games.timberwall.walls import COST

MAX_LISTED = 512


def listed(ground: Ground) -> list[Action]:
    """Return the first 512 legal actions; in any usual position that is all of them."""  # §13.2
    return list(islice(every_action(ground), MAX_LISTED))


def every_action(ground: Ground) -> Iterator[Action]:
    """Yield every legal action: what ends the turn, the pass first of all, then the rest."""
    yield Pass()
    yield from _steps(ground)
    if ground.knowledge.wood >= WOOD_PER_RESERVE:
        yield Convert()
        yield ConvertAll()
    yield from _deployments(ground)
    yield from _buildings(ground)
    yield from _removals(ground)


class _Found(NamedTuple):
    """What units may do towards tiles next to them."""

    sieges: list[Action]
    attacks: list[Action]
    merges: list[Action]
    hits: list[Action]
    moves: list[Action]


def _steps(ground: Ground) -> list[Action]:
    """Return hits on the base, attacks, merges, hits on walls and moves, each by unit and direction."""
    found = _Found([], [], [], [], [])
    moves = _moves(ground.grid.size)
    units = {*ground.own, *ground.enemies}
    busy = units | {ground.home, ground.goal}
    for tile, unit in ground.own.items():
        is_walled = not ground.barred.isdisjoint(ground.grid.hurdles[tile])
        if is_walled or not busy.isdisjoint(ground.grid.neighbours[tile]):
            walls = ground.barred if is_walled else frozenset[Edge]()
            _look_around(ground, unit, ground.grid.steps[tile].values(), found, units=units, walls=walls)
        else:
            found.moves.extend(moves[tile].values())
    return found.sieges + found.attacks + found.merges + found.hits + found.moves


def _look_around(
    ground: Ground, unit: Unit, steps: Iterable[Step], found: _Found, *, units: set[Tile], walls: frozenset[Edge]
) -> None:
    """Find what a unit may do that has something beside it; *walls* are those that may be in its way."""
    own, enemies, x, y = ground.own, ground.enemies, unit.x, unit.y
    for direction, target, edges, beside in steps:
        if beside and (beside[0] in units or beside[1] in units):
            continue
        if walls and not walls.isdisjoint(edges):
            if not beside:
                found.hits.append(HitWall(x, y, direction))  # type: ignore[arg-type]  # a straight step
        elif target in enemies:
            found.attacks.append(Attack(x, y, direction))
        elif target in own:
            if _can_merge(unit.points, own[target].points):
                found.merges.append(Merge(x, y, direction))
        elif target == ground.goal:
            found.sieges.append(Attack(x, y, direction))
        elif target != ground.home:
            found.moves.append(Move(x, y, direction))


@cache
def _moves(size: int) -> tuple[dict[Direction, Move], ...]:
    """Return the moves from each tile: equal values, so one of each is enough."""
    plain = grid(size)
    return tuple(
        {direction: Move(*plain.spot(tile), direction) for direction in ways} for tile, ways in enumerate(plain.steps)
    )


def _can_merge(points: int, target: int) -> bool:
    return target < MAX_POINTS and tier(points) == tier(target)


def _deployments(ground: Ground) -> Iterator[Action]:
    """Yield a unit of every affordable level on every free tile around the base, the strongest first."""
    affordable = [points for points in reversed(LEVELS) if points <= ground.knowledge.reserves]
    free = [ground.grid.spot(tile) for tile in sorted(ground.zone) if ground.is_empty(tile)] if affordable else []
    yield from (Deploy(x, y, points) for points in affordable for x, y in free)


def _buildings(ground: Ground) -> Iterator[Action]:
    """Yield a wall on every edge beside an own unit that may have one."""
    if ground.knowledge.has_built or ground.knowledge.wood < COST:
        return
    edges = sorted({edge for tile in ground.own for edge in edges_of(ground.grid.size, tile)})
    near = ground.wall_free
    for edge in edges:
        if edge not in ground.barred and edge not in ground.cooling and near.isdisjoint(ground.grid.parted(edge)):
            yield BuildWall(*ground.grid.place(edge))


def _removals(ground: Ground) -> Iterator[Action]:
    """Yield the removal of every own wall."""
    own = sorted(edge for edge, wall in ground.walls.items() if wall.owner == ground.seat)
    yield from (RemoveWall(*ground.grid.place(edge)) for edge in own)
