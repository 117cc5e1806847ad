"""The boards: docs/rules/graph_battle.md, section 1."""

from collections.abc import Callable, Iterable, Mapping
from typing import TypeAlias

from warroom_games.graph_battle.state import Board
from warroom_games.rng import Rng

Cell: TypeAlias = tuple[int, int]
"""Row and column."""

BoardRule: TypeAlias = Callable[[int, Rng], tuple[Board, Rng]]
"""Makes a board for a number of seats."""

ROWS = 8
COLUMNS = 6
STANDARD_NODES = 30


def carve_standard(seats: int, rng: Rng) -> tuple[Board, Rng]:
    """Remove cells of the grid at random, never splitting what is left, until the nodes suit the seats."""  # §1.2
    wanted = STANDARD_NODES - STANDARD_NODES % seats  # §1.3
    cells = [(row, column) for row in range(ROWS) for column in range(COLUMNS)]
    while len(cells) > wanted:
        index, rng = rng.below(len(cells))
        rest = cells[:index] + cells[index + 1 :]
        if is_connected(rest):
            cells = rest
    return link(cells), rng


def link(cells: Iterable[Cell]) -> Board:
    """Return the board whose nodes are *cells*, row by row, each joined to the up to eight cells around it."""  # §1.1
    positions = tuple(sorted(cells))
    ids = {cell: node for node, cell in enumerate(positions)}
    neighbours = tuple(tuple(sorted(ids[cell] for cell in _around(position) if cell in ids)) for position in positions)
    return Board(ROWS, COLUMNS, positions, neighbours)


def is_connected(cells: Iterable[Cell]) -> bool:
    """Tell whether one can walk from any of the cells to any other, diagonally too."""
    unseen = set(cells)
    frontier = [unseen.pop()]
    while frontier:
        reached = unseen.intersection(_around(frontier.pop()))
        unseen -= reached
        frontier += reached
    return not unseen


def _around(cell: Cell) -> list[Cell]:
    row, column = cell
    return [
        (row + down, column + right) for down in (-1, 0, 1) for right in (-1, 0, 1) if (down, right) != (0, 0)
    ]  # fmt: skip


BOARDS: Mapping[str, BoardRule] = {"standard": carve_standard}
"""The boards that the option `board` picks from."""
