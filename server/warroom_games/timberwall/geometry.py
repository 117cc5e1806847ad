"""Tiles, edges and steps of the board: docs/rules/timberwall.md, sections 1 and 4.

Tile (x, y) of a board of *size* rows has the number y * size + x. The edge east of it has twice that number, the edge
south of it one more.
"""

from functools import cache
from typing import NamedTuple, TypeAlias

from warroom_games.timberwall.actions import Direction, Side

Tile: TypeAlias = int
Edge: TypeAlias = int

DIRECTIONS: dict[Direction, tuple[int, int]] = {
    "n": (0, -1),
    "ne": (1, -1),
    "e": (1, 0),
    "se": (1, 1),
    "s": (0, 1),
    "sw": (-1, 1),
    "w": (-1, 0),
    "nw": (-1, -1),
}
"""Columns to the east and rows to the south."""

SIDES: tuple[Side, Side] = ("east", "south")


class Step(NamedTuple):
    """A step from one tile to a neighbouring one."""

    direction: Direction
    target: Tile
    edges: tuple[Edge, ...]
    """A wall on any of these edges blocks it."""  # §4.2, §4.3
    beside: tuple[Tile, ...]
    """A unit on any of these tiles blocks it."""  # §4.3

    @property
    def is_straight(self) -> bool:
        """Whether it crosses an edge, not a corner."""
        return not self.beside


class Grid(NamedTuple):
    """An empty board."""

    size: int
    steps: tuple[dict[Direction, Step], ...]
    """By tile: the steps that stay on the board, by direction."""
    neighbours: tuple[frozenset[Tile], ...]
    """By tile: the up to eight tiles around it."""
    hurdles: tuple[frozenset[Edge], ...]
    """By tile: the edges where a wall blocks any of its steps."""

    def tile(self, x: int, y: int) -> Tile:
        """Return the number of a tile."""
        return y * self.size + x

    def spot(self, tile: Tile) -> tuple[int, int]:
        """Return column and row of a tile."""
        return tile % self.size, tile // self.size

    def edge(self, x: int, y: int, side: Side) -> Edge:
        """Return the number of an edge."""
        return 2 * self.tile(x, y) + (side == "south")

    def place(self, edge: Edge) -> tuple[int, int, Side]:
        """Return column, row and side of an edge."""
        return *self.spot(edge // 2), SIDES[edge % 2]

    def parted(self, edge: Edge) -> tuple[Tile, Tile]:
        """Return the two tiles of an edge; the second may be off the board."""
        tile = edge // 2
        return tile, tile + (self.size if edge % 2 else 1)

    def has_edge(self, edge: Edge) -> bool:
        """Whether the edge is between two tiles of the board."""
        x, y, side = self.place(edge)
        return (y if side == "south" else x) < self.size - 1

    def distance(self, one: Tile, other: Tile) -> int:
        """Return the Chebyshev distance of two tiles."""
        (x, y), (to_x, to_y) = self.spot(one), self.spot(other)
        return max(abs(x - to_x), abs(y - to_y))


@cache
def grid(size: int) -> Grid:
    """Return the grid of this size."""
    bare = Grid(size, (), (), ())
    steps = tuple(_steps(bare, tile) for tile in range(size * size))
    neighbours = tuple(frozenset(step.target for step in ways.values()) for ways in steps)
    hurdles = tuple(frozenset(edge for step in ways.values() for edge in step.edges) for ways in steps)
    return Grid(size, steps, neighbours, hurdles)


@cache
def around(size: int, tile: Tile, radius: int) -> frozenset[Tile]:
    """Return the tiles within a Chebyshev distance, including the tile itself."""
    plain = grid(size)
    return frozenset(other for other in range(size * size) if plain.distance(tile, other) <= radius)


@cache
def masks(size: int, radius: int) -> tuple[int, ...]:
    """Return by tile the tiles within a Chebyshev distance, as an integer that has bit *n* set for tile *n*."""
    return tuple(_mask(size, x, y, radius) for y in range(size) for x in range(size))


def _mask(size: int, x: int, y: int, radius: int) -> int:
    columns = (1 << min(x + radius + 1, size)) - (1 << max(x - radius, 0))
    return sum(columns << row * size for row in range(max(y - radius, 0), min(y + radius + 1, size)))


@cache
def edges_of(size: int, tile: Tile) -> tuple[Edge, ...]:
    """Return the up to four edges of a tile."""
    return tuple(step.edges[0] for step in grid(size).steps[tile].values() if step.is_straight)


def _steps(bare: Grid, tile: Tile) -> dict[Direction, Step]:
    x, y = bare.spot(tile)
    return {
        direction: _step(bare, (x, y), direction)
        for direction, (dx, dy) in DIRECTIONS.items()
        if 0 <= x + dx < bare.size and 0 <= y + dy < bare.size
    }


def _step(bare: Grid, spot: tuple[int, int], direction: Direction) -> Step:
    (x, y), (dx, dy) = spot, DIRECTIONS[direction]
    target = bare.tile(x + dx, y + dy)
    west, north = min(x, x + dx), min(y, y + dy)
    if dx and dy:
        corner = ((west, north, "east"), (west, north + 1, "east"), (west, north, "south"), (west + 1, north, "south"))
        edges = tuple(bare.edge(*place) for place in corner)  # type: ignore[arg-type]  # the sides are literals
        return Step(direction, target, edges, (bare.tile(x + dx, y), bare.tile(x, y + dy)))
    return Step(direction, target, (bare.edge(west, north, "east" if dx else "south"),), ())
