"""The most important part of a large board, for a small window."""

import re
from collections.abc import Iterator, Sequence
from typing import TypeAlias

from warroom_games.timberwall.drawing import AXES

TILE = 4
"""The letters of a tile on a large board, including its east edge."""
LABEL = 2
"""The letters before the first tile of a row."""
FEWEST = 5
"""Fewer rows or columns than this show nothing useful."""

_HEADER = re.compile(r"y\\x0( +\d+)+")
_UNIT = re.compile(r"[GRgr]\d")
_ROSTER = " units: "
_UNIT_WEIGHT, _BASE_WEIGHT = 3, 1

Marks: TypeAlias = dict[tuple[int, int], int]
"""By column and row, the importance of the tile."""


def crop(picture: Sequence[str], rows: int, columns: int) -> list[str]:
    """Return a picture of a large board in at most this many rows and columns, around as many units as possible.

    The standings come first; the points of the units and the shown part of the board come last. A picture that is not a
    large board, or cannot be made small enough, is returned unchanged.
    """
    if len(picture) < 2 or not _HEADER.fullmatch(picture[1]):
        return list(picture)
    size = len(picture[1].split())
    rosters = [line for line in picture if _ROSTER in line]
    high = min(size, rows - 3 - len(rosters))
    wide = size if max(map(len, picture[1 : 2 + size])) <= columns else (columns - LABEL + 1) // TILE
    if min(high, wide) < FEWEST:
        return list(picture)
    tiles = [list(_tiles(line, size)) for line in picture[2 : 2 + size]]
    left, top = _best(_marks(tiles), size, wide, high)
    across, down = range(left, left + wide), range(top, top + high)
    numbers = list(_tiles(picture[1], size))
    lines = [picture[0], AXES + "".join(numbers[x] for x in across)[len(AXES) - LABEL :]]
    lines += [f"{y:>{LABEL}}" + "".join(tiles[y][x] for x in across) for y in down]
    shown = f"columns {left}-{across[-1]} and rows {top}-{down[-1]} of a board of {size} by {size}"
    return [line.rstrip()[:columns] for line in (*lines, *rosters)] + [shown]


def _tiles(line: str, size: int) -> Iterator[str]:
    row = line.ljust(LABEL + TILE * size)
    return (row[LABEL + TILE * x : LABEL + TILE * (x + 1)] for x in range(size))


def _marks(tiles: list[list[str]]) -> Marks:
    marks: Marks = {}
    for y, row in enumerate(tiles):
        for x, tile in enumerate(row):
            if _UNIT.search(tile):
                marks[x, y] = _UNIT_WEIGHT
            elif "⌂" in tile:
                marks[x, y] = _BASE_WEIGHT
    return marks


def _best(marks: Marks, size: int, wide: int, high: int) -> tuple[int, int]:
    """Return column and row of the corner of the most important part, centred on it."""
    units = [spot for spot, weight in marks.items() if weight == _UNIT_WEIGHT] or list(marks)
    middle = [sum(spot[axis] for spot in units) / max(len(units), 1) for axis in (0, 1)]

    def worth(corner: tuple[int, int]) -> tuple[int, float]:
        left, top = corner
        seen = sum(w for (x, y), w in marks.items() if left <= x < left + wide and top <= y < top + high)
        return seen, -abs(left + wide / 2 - middle[0]) - abs(top + high / 2 - middle[1])

    return max(((left, top) for top in range(size - high + 1) for left in range(size - wide + 1)), key=worth)
