"""The board as text: tiles, walls on their edges, and the fog of one viewer.

A row of tiles is one line, so that boards of 10 and 20 rows fit a terminal of 80 x 24. A wall east of a tile is drawn
behind it, a wall south of it along its foot.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias

from warroom_games.api import Seat
from warroom_games.timberwall.actions import Side
from warroom_games.timberwall.geometry import grid
from warroom_games.timberwall.state import (
    EXPLORED,
    UNKNOWN,
    Holding,
    Knowledge,
    Spot,
    Table,
    Unit,
    Wall,
    open_knowledge,
    rival_of,
)
from warroom_games.timberwall.units import tier
from warroom_games.timberwall.walls import HP
from warroom_games.words import called, plural
from warroom_protocol.results import ending_in_words

SMALL = 10
"""The largest board with the points of every unit on it; larger boards show the tier and list the points."""

_COLOR = 5
_NAME = 16
_BASE = "⌂"
_FOREST = "♣"
_FOG = {UNKNOWN: "?", EXPLORED: "·"}
_UPRIGHT = {None: "│", 0: "┃", 1: "║"}
_FOOT = {None: "_", 0: "▂", 1: "‗"}

AXES = "y\\x"
"""The corner above the numbers of the rows and before those of the columns."""
LEGEND = f"{_BASE} base  {_FOREST} forest  walls │_ neutral ┃▂ green ║‗ red  · out of sight  ? never seen"
HINT = "moving, merging, attacking or hitting a wall ends the turn; do the rest first"
LARGE_LEGEND = "G3: a green unit of tier 3; g3: in a forest"

Owners: TypeAlias = dict[tuple[int, int, Side], Seat | None]
"""By column, row and side: the builder of the wall there; None for a neutral one."""


@dataclass(frozen=True, slots=True)
class Scene:
    """What is drawn: the units and walls that the viewer knows, and its fog."""

    table: Table
    sites: dict[Spot, str]
    """Bases and forests."""
    units: dict[Spot, tuple[Seat, int]]
    """The holders and points of units."""
    owners: Owners
    tiles: tuple[str, ...]
    stores: dict[Seat, tuple[int, int, int]]
    """By seat that the viewer fully knows: its wood, its reserves and its points on the board."""
    damaged: tuple[Wall, ...]


def draw_views(table: Table, known: Knowledge | None, names: Sequence[str] = ()) -> str:
    """Return the board as one viewer knows it, and the standings. The least important lines come last."""
    scene = _scene(table, known)
    standings = _standings(scene, names)
    if table.options.size <= SMALL:
        lines = [_headline(table), *standings, *_board(scene, width=6), LEGEND, HINT, *_damages(scene)]
    else:
        below = [*standings, *_rosters(scene), *_damages(scene), LEGEND, LARGE_LEGEND, HINT]
        lines = [_summary(scene), *_board(scene, width=3), "", *below]
    return "\n".join(lines)


def _scene(table: Table, known: Knowledge | None) -> Scene:
    size, board = table.options.size, table.board
    if board is not None:
        known = open_knowledge(board, size, 0)
        stores = {seat: _store(holding) for seat, holding in enumerate(board.holdings)}
    elif known is not None:
        stores = {known.seat: _store(Holding(known.wood, known.reserves, known.has_built, known.units))}
    else:
        owners = _owners(table, table.neutral_walls, ())
        return Scene(table, _sites(table), {}, owners, (EXPLORED * size,) * size, {}, ())
    units = {
        **_marked(known.units, known.seat),
        **_marked(known.enemies, rival_of(known.seat)),
    }
    owners = _owners(table, known.neutral_walls, known.walls)
    damaged = tuple(wall for wall in known.walls if wall.hp < HP)
    return Scene(table, _sites(table), units, owners, known.tiles, stores, damaged)


def _sites(table: Table) -> dict[Spot, str]:
    bases = zip(table.bases, table.colors, strict=True)
    return dict.fromkeys(table.forests, _FOREST) | {
        (base.x, base.y): f"{_BASE}{color[0].upper()}" for base, color in bases
    }


def _owners(table: Table, neutral_walls: tuple[int, ...], walls: tuple[Wall, ...]) -> Owners:
    owners: Owners = {grid(table.options.size).place(number): None for number in neutral_walls}
    owners.update({(wall.x, wall.y, wall.side): wall.owner for wall in walls})
    return owners


def _marked(units: tuple[Unit, ...], seat: Seat) -> dict[Spot, tuple[Seat, int]]:
    return {(unit.x, unit.y): (seat, unit.points) for unit in units}


def _store(holding: Holding) -> tuple[int, int, int]:
    return holding.wood, holding.reserves, sum(unit.points for unit in holding.units)


def _headline(table: Table) -> str:
    state = f"over ({ending_in_words(table.ended)})" if table.ended else f"{table.colors[table.seat]} to move"
    return f"Timberwall   turn {table.turn} of {table.options.last_turn}   round {table.round}   {state}"


def _summary(scene: Scene) -> str:
    """Return the standings in one line."""
    table = scene.table
    parts = [f"over ({ending_in_words(table.ended)})" if table.ended else f"{table.turn}/{table.options.last_turn}"]
    for seat, color in enumerate(table.colors):
        mark = ">" if seat == table.seat and not table.ended else ""
        parts.append(f"{mark}{color} {table.bases[seat].hp} HP {_FOREST}{table.held[seat]}/{len(table.forests)}")
        if seat in scene.stores:
            wood, reserves, _ = scene.stores[seat]
            parts[-1] += f" {wood}w {reserves}r"
    return "  ".join(parts)


def _board(scene: Scene, *, width: int) -> list[str]:
    """Return the numbers of the columns, then a line per row with *width* letters a tile and one for its east edge."""
    size = scene.table.options.size
    gap = " " if size <= SMALL else ""
    # The last column of a large board has no space before it, so that 20 columns and their labels take 80 letters.
    widths = [width] * (size - 1) + [width if size <= SMALL else width - 1]
    numbers = f"  {gap}" + " ".join(str(x).center(each) for x, each in enumerate(widths))
    lines = [AXES + numbers[len(AXES) :]]
    for y in range(size):
        tiles = (_tile(scene, (x, y), each) + _upright(scene.owners, x, y) for x, each in enumerate(widths))
        lines.append(f"{y:>2}{gap}{''.join(tiles)}")
    return [line.rstrip() for line in lines]


def _tile(scene: Scene, spot: Spot, width: int) -> str:
    """Return the contents of a tile, with the wall south of it along its foot."""
    x, y = spot
    foot = _FOOT[scene.owners[x, y, "south"]] if (x, y, "south") in scene.owners else " "
    return _content(scene, spot).center(width).replace(" ", foot)


def _content(scene: Scene, spot: Spot) -> str:
    x, y = spot
    site = scene.sites.get(spot, "")
    if site.startswith(_BASE):
        return site
    if spot not in scene.units:
        return site + _FOG.get(scene.tiles[y][x], "")
    seat, points = scene.units[spot]
    letter = scene.table.colors[seat][0]
    if scene.table.options.size <= SMALL:
        return f"{site}{letter.upper()}{points}"
    return f"{letter if site else letter.upper()}{tier(points)}"


def _upright(owners: Owners, x: int, y: int) -> str:
    return _UPRIGHT[owners[x, y, "east"]] if (x, y, "east") in owners else " "


def _standings(scene: Scene, names: Sequence[str]) -> list[str]:
    table = scene.table
    lines = []
    for seat, color in enumerate(table.colors):
        mark = ">" if seat == table.seat and not table.ended else " "
        who = f"{color[0].upper()} {called(names, seat, '', width=_NAME)}" if names else color.ljust(_COLOR)
        line = f"{mark} {who}{table.bases[seat].hp:>4} HP  forests {table.held[seat]}/{len(table.forests)}"
        line += f" for {plural(table.streaks[seat], 'turn')}" if table.streaks[seat] else ""
        if seat in scene.stores:
            wood, reserves, points = scene.stores[seat]
            line += f"  {wood} wood  {plural(reserves, 'reserve')}  {plural(points, 'point')}"
        lines.append(line)
    return lines


def _rosters(scene: Scene) -> list[str]:
    """Return a line per side with the points of its units."""
    lines = []
    for seat, color in enumerate(scene.table.colors):
        units = [f"({x}, {y}) {points}" for (x, y), (owner, points) in sorted(scene.units.items()) if owner == seat]
        lines += [f"  {color} units: {'  '.join(units)}"] if units else []
    return lines


def _damages(scene: Scene) -> list[str]:
    return [
        f"  {scene.table.colors[wall.owner]} wall {wall.side} of ({wall.x}, {wall.y}): {wall.hp} HP"
        for wall in scene.damaged
    ]
