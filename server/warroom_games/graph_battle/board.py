"""The boards: docs/rules/graph_battle.md, section 1.

While a board is carved, a set of cells is one integer with a bit for each cell of the grid, row by row.
"""

from collections.abc import Callable, Iterable, Mapping
from functools import cache
from typing import TypeAlias

from msgspec import Struct

from warroom_games.graph_battle.state import Board
from warroom_games.rng import Rng

Cell: TypeAlias = tuple[int, int]
"""Row and column."""

BoardRule: TypeAlias = Callable[[int, Rng], tuple[Board, Rng]]
"""Makes a board for a number of seats."""

ROWS = 8
COLUMNS = 6
STANDARD_NODES = 30

GRID: tuple[Cell, ...] = tuple((row, column) for row in range(ROWS) for column in range(COLUMNS))
"""Every cell, row by row."""


class Shape(Struct, frozen=True):
    """The neighbourhood of cells in a grid."""

    around: Callable[[Cell], tuple[Cell, ...]]
    """The cells around a cell, on the grid or off it."""
    links: tuple[int, ...]
    """The set of cells around each cell of the grid."""


@cache
def _around_square(cell: Cell) -> tuple[Cell, ...]:
    """Return the eight cells around one, diagonals included, row by row."""  # §1.1
    row, column = cell
    square = [(row + down, column + right) for down in (-1, 0, 1) for right in (-1, 0, 1)]
    return (*square[:4], *square[5:])


@cache
def _around_hexagon(cell: Cell) -> tuple[Cell, ...]:
    """Return the six cells around one, row by row; every second row lies half a cell further right."""  # §1.8
    row, column = cell
    left = column - 1 + row % 2
    above, below = ([(row + down, left), (row + down, left + 1)] for down in (-1, 1))
    return (*above, (row, column - 1), (row, column + 1), *below)


def _shape(around: Callable[[Cell], tuple[Cell, ...]]) -> Shape:
    return Shape(around, tuple(_as_set(set(around(cell)).intersection(GRID)) for cell in GRID))


def _as_set(cells: Iterable[Cell]) -> int:
    return sum(1 << row * COLUMNS + column for row, column in cells)


SQUARES = _shape(_around_square)
HEXAGONS = _shape(_around_hexagon)


def carve_standard(seats: int, rng: Rng) -> tuple[Board, Rng]:
    """Carve thirty nodes out of a square grid."""  # §1.2
    return _carve(SQUARES, STANDARD_NODES, seats, rng)


def carve_full_grid(seats: int, rng: Rng) -> tuple[Board, Rng]:
    """Keep the whole grid, except for the cells that would be left over."""  # §1.7
    return _carve(SQUARES, len(GRID), seats, rng)


def carve_hex(seats: int, rng: Rng) -> tuple[Board, Rng]:
    """Carve thirty nodes out of a grid of hexagons."""  # §1.8
    return _carve(HEXAGONS, STANDARD_NODES, seats, rng)


def link(cells: Iterable[Cell], shape: Shape = SQUARES) -> Board:
    """Return the board whose nodes are *cells*, row by row, each connected to the cells around it."""  # §1.1
    positions = tuple(sorted(cells))
    ids = {cell: node for node, cell in enumerate(positions)}
    # Both the cells around a cell and the ids are in row order.
    neighbours = tuple(tuple([ids[cell] for cell in shape.around(at) if cell in ids]) for at in positions)
    return Board(ROWS, COLUMNS, positions, neighbours)


def _carve(shape: Shape, count: int, seats: int, rng: Rng) -> tuple[Board, Rng]:
    """Remove random cells without splitting the rest, until the nodes divide evenly among the seats."""  # §1.2
    wanted = count - count % seats  # §1.3
    cells, rest = list(range(len(GRID))), (1 << len(GRID)) - 1
    while len(cells) > wanted:
        index, rng = rng.below(len(cells))
        if not would_split(rest, cells[index], shape.links):
            rest ^= 1 << cells.pop(index)
    return link([GRID[cell] for cell in cells], shape), rng


def would_split(cells: int, cell: int, links: tuple[int, ...]) -> bool:
    """Whether connected cells would fall apart without one of them."""  # §1.2
    rest = cells ^ 1 << cell
    # They stay connected if the cell's neighbours do. Mostly these touch each other, and the walk is short.
    around = links[cell] & rest
    return not (_are_joined(around, around, links) or _are_joined(around, rest, links))


def _are_joined(cells: int, ground: int, links: tuple[int, ...]) -> bool:
    """Whether all the cells are connected over *ground*, which contains them."""
    frontier = reached = cells & -cells
    while frontier and cells & ~reached:
        nearest = frontier & -frontier
        found = links[nearest.bit_length() - 1] & ground & ~reached
        reached |= found
        frontier = frontier ^ nearest | found
    return not cells & ~reached


BOARDS: Mapping[str, BoardRule] = {"standard": carve_standard, "full_grid": carve_full_grid, "hex": carve_hex}
"""The boards for the option `board`."""
