"""The list of legal actions: docs/rules/timberwall.md, section 13."""

from bisect import bisect_right
from collections.abc import Iterator
from functools import cache, lru_cache
from typing import NamedTuple

from warroom_games.timberwall.actions import (
    Action,
    Attack,
    BuildWall,
    Convert,
    ConvertAll,
    Deploy,
    HitWall,
    Merge,
    Move,
    Pass,
    RemoveWall,
)
from warroom_games.timberwall.economy import WOOD_PER_RESERVE
from warroom_games.timberwall.geometry import Edge, Tile, around, edges_of, grid, masks
from warroom_games.timberwall.ground import ZONE, Ground
from warroom_games.timberwall.opening import base_spots
from warroom_games.timberwall.units import LEVELS, MAX_POINTS, tier
from warroom_games.timberwall.walls import COST

MAX_LISTED = 512

_KNOWN_PLACES = 1 << 14
"""The number of cached surroundings of a unit. Most of a board stays the same from turn to turn."""

_PASS, _CONVERT, _CONVERT_ALL = Pass(), Convert(), ConvertAll()


def listed(ground: Ground) -> list[Action]:
    """Return the first 512 legal actions; usually that is all of them."""  # §13.2
    return every_action(ground)[:MAX_LISTED]


def every_action(ground: Ground) -> list[Action]:
    """Return all legal actions: those that end the turn with the pass first, then the others."""
    actions: list[Action] = [_PASS]
    actions += _steps(ground)
    if ground.knowledge.wood >= WOOD_PER_RESERVE:
        actions += (_CONVERT, _CONVERT_ALL)
    actions += _deployments(ground)
    actions += _buildings(ground)
    actions += _removals(ground)
    return actions


def _steps(ground: Ground) -> list[Action]:
    """Return hits on the base, attacks, merges, hits on walls and moves, each by unit and direction."""
    size, own, enemies = ground.grid.size, ground.own, ground.enemies
    near, barred, walls = masks(size, 1), ground.barred, ground.grid.hurdles
    units = sum([1 << tile for tile in (*own, *enemies)])
    sieges: list[Action] = []
    attacks: list[Action] = []
    merges: list[Action] = []
    hits: list[Action] = []
    moves: list[Action] = []
    ranks = {tile: tier(unit.points) for tile, unit in own.items()}
    for tile, rank in ranks.items():
        place = _place(size, tile, near[tile] & units, barred & walls[tile])
        moves += place.moves
        hits += place.hits
        for target, attack, merge in place.contacts:
            if target in ranks:
                if ranks[target] == rank and own[target].points < MAX_POINTS:
                    merges.append(merge)
            elif target in enemies:
                attacks.append(attack)
            elif target == ground.goal:
                sieges.append(attack)
    return sieges + attacks + merges + hits + moves


class _Place(NamedTuple):
    """The possible actions of a unit on a tile with certain units and walls around it."""

    moves: tuple[Move, ...]
    hits: tuple[HitWall, ...]
    contacts: tuple[tuple[Tile, Attack, Merge], ...]
    """The tiles with a unit or a base that a step can reach, and the action there for an enemy or an own one."""


@lru_cache(_KNOWN_PLACES)
def _place(size: int, tile: Tile, units: int, hurdles: frozenset[Edge]) -> _Place:
    """Return a unit's possible actions on a tile: *units* has a bit per occupied tile, *hurdles* the walls near it."""
    plain = grid(size)
    x, y = plain.spot(tile)
    taken = units | _bases(size)
    moves, hits, contacts = [], [], []
    for direction, target, edges, beside in plain.steps[tile].values():
        if beside and (units >> beside[0] | units >> beside[1]) & 1:
            continue  # a unit at the corner blocks a diagonal step (§4.3)
        if not hurdles.isdisjoint(edges):
            if not beside:
                hits.append(HitWall(x, y, direction))  # type: ignore[arg-type]  # a straight step
        elif taken >> target & 1:
            contacts.append((target, Attack(x, y, direction), Merge(x, y, direction)))
        else:
            moves.append(Move(x, y, direction))
    return _Place(tuple(moves), tuple(hits), tuple(contacts))


@cache
def _bases(size: int) -> int:
    """Return the tiles of both bases as bits."""
    return sum(1 << grid(size).tile(*spot) for spot in base_spots(size))


def _deployments(ground: Ground) -> list[Deploy]:
    """Return a unit of every affordable level on every free tile around the base, the strongest first."""
    levels = bisect_right(LEVELS, ground.knowledge.reserves)
    if not levels:
        return []
    free = [tile for tile in _zone(ground.grid.size, ground.home) if ground.is_empty(tile)]
    recruits = _recruits(ground.grid.size, ground.home)
    return [recruits[points][tile] for points in reversed(LEVELS[:levels]) for tile in free]


@cache
def _zone(size: int, home: Tile) -> tuple[Tile, ...]:
    """Return the tiles around a base on which units are deployed, row by row."""
    return tuple(sorted(around(size, home, ZONE) - {home}))


@cache
def _recruits(size: int, home: Tile) -> dict[int, dict[Tile, Deploy]]:
    """Return by points and tile the deployments around a base. Equal values are created once."""
    spot = grid(size).spot
    return {points: {tile: Deploy(*spot(tile), points) for tile in _zone(size, home)} for points in LEVELS}


def _buildings(ground: Ground) -> Iterator[Action]:
    """Yield every legal wall on an edge beside an own unit."""
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
