"""The board of 7 x 7 tiles: docs/rules/tile_blitz.md, section 1.

A set of tiles is an integer whose bit *n* stands for the tile at index *n*. The tile's id is *n* + 1.
"""

from collections.abc import Mapping
from functools import lru_cache

from warroom_games.tile_blitz.state import NEUTRAL, Color, Tile

SIDE = 7
TILES = SIDE * SIDE
START_TROOPS = 5

STARTS: Mapping[Color, int] = {"red": 9, "green": 37, "yellow": 13, "orange": 41, "purple": 25}
"""The id of the start tile of each colour."""  # §1.3

COLORS: Mapping[int, tuple[Color, ...]] = {
    2: ("red", "orange"),
    3: ("red", "green", "yellow"),
    4: ("red", "green", "yellow", "orange"),
    5: ("red", "green", "yellow", "orange", "purple"),
}
"""By the number of seats: their colours, in the order of play."""  # §2.1

_TERRITORIES_KEPT = 4096

ALL = (1 << TILES) - 1
_FIRST_COLUMN = sum(1 << SIDE * x for x in range(SIDE))
_NOT_FIRST = ALL & ~_FIRST_COLUMN
_NOT_LAST = ALL & ~(_FIRST_COLUMN << SIDE - 1)


def tile_id(x: int, y: int) -> int:
    """Return the id of the tile at (x, y)."""  # §1.1
    return SIDE * x + y + 1


def beside(tiles: int) -> int:
    """Return the set of tiles that share an edge with one of *tiles*; it may contain some of these."""  # §1.2
    return (tiles << SIDE | tiles >> SIDE | (tiles & _NOT_LAST) << 1 | (tiles & _NOT_FIRST) >> 1) & ALL


def indexes(tiles: int) -> tuple[int, ...]:
    """Return the indices of a set of tiles, in order."""
    found: list[int] = []
    while tiles:
        lowest = tiles & -tiles
        found.append(lowest.bit_length() - 1)
        tiles ^= lowest
    return tuple(found)


NEIGHBOURS: tuple[tuple[int, ...], ...] = tuple(indexes(beside(1 << index)) for index in range(TILES))
"""By index: the indices of the neighbouring tiles, in order."""


def opening(colors: tuple[Color, ...]) -> tuple[Tile, ...]:
    """Return the tiles at the start: the start tiles of *colors* held, all others neutral."""  # §1.3
    tiles = [NEUTRAL] * TILES
    for color in colors:
        tiles[STARTS[color] - 1] = Tile(color, START_TROOPS)
    return tuple(tiles)


@lru_cache(maxsize=_TERRITORIES_KEPT)
def territory(held: int, index: int) -> int:
    """Return the tiles of *held* that are connected to the tile at *index* inside *held*, including itself."""
    reached = 0
    grown = 1 << index
    while grown != reached:
        reached = grown
        # The same as `beside`, inlined: the list of actions needs it most.
        grown |= grown << SIDE | grown >> SIDE | (grown & _NOT_LAST) << 1 | (grown & _NOT_FIRST) >> 1
        grown &= held
    return reached


def path(tiles: tuple[Tile, ...], source: int, target: int) -> tuple[int, ...]:
    """Return the indices of a shortest path from *source* to *target* over tiles of the colour of *target*.

    The path is empty if there is none.
    """
    color = tiles[target].color
    onward = {target: target}
    frontier = [target]
    for index in frontier:
        if index == source:
            break
        for other in NEIGHBOURS[index]:
            if other not in onward and tiles[other].color == color:
                onward[other] = index
                frontier.append(other)
    if source not in onward:
        return ()
    steps = [source]
    while steps[-1] != target:
        steps.append(onward[steps[-1]])
    return tuple(steps)
