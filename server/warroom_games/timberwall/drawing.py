"""The board as text: tiles, walls on their edges, and the fog as one viewer has it."""

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
from warroom_games.timberwall.walls import HP

_WIDTH = 5
_BASE = "⌂"
_FOREST = "♣"
_FOG = {UNKNOWN: "?", EXPLORED: "·"}
_UPRIGHT = {None: "│", 0: "┃", 1: "║"}
_FLAT = {None: "─", 0: "━", 1: "═"}

LEGEND = f"{_BASE} base   {_FOREST} forest   walls: │ neutral  ┃ green  ║ red   · out of sight   ? never seen"

Owners: TypeAlias = dict[tuple[int, int, Side], Seat | None]
"""By column, row and side: who built the wall there; None for a neutral one."""


@dataclass(frozen=True, slots=True)
class Scene:
    """What is drawn: the units and walls that the viewer knows of, and its fog."""

    table: Table
    sites: dict[Spot, str]
    """Bases and forests."""
    units: dict[Spot, str]
    owners: Owners
    tiles: tuple[str, ...]
    stores: dict[Seat, tuple[int, int, int]]
    """By seat that the viewer knows all about: its wood, its reserves and its points on the board."""
    damaged: tuple[Wall, ...]


def draw_views(table: Table, known: Knowledge | None) -> str:
    """Return the board as one viewer knows it, and how the players stand."""
    scene = _scene(table, known)
    return "\n".join([_headline(table), "", *_board(scene), "", *_standings(scene), *_damages(scene), LEGEND])


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
        **_marked(known.units, table.colors[known.seat]),
        **_marked(known.enemies, table.colors[rival_of(known.seat)]),
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


def _marked(units: tuple[Unit, ...], color: str) -> dict[Spot, str]:
    return {(unit.x, unit.y): f"{color[0].upper()}{unit.points}" for unit in units}


def _store(holding: Holding) -> tuple[int, int, int]:
    return holding.wood, holding.reserves, sum(unit.points for unit in holding.units)


def _headline(table: Table) -> str:
    state = f"over ({table.ended})" if table.ended else f"{table.colors[table.seat]} to move"
    return f"Timberwall   turn {table.turn} of {table.options.last_turn}   round {table.round}   {state}"


def _board(scene: Scene) -> list[str]:
    """Return a line per row of tiles, and one between them for the edges."""
    size = scene.table.options.size
    owners = scene.owners
    lines = ["   " + " ".join(str(x).center(_WIDTH) for x in range(size))]
    for y in range(size):
        lines.append(f"{y:>2} " + "".join(_tile(scene, (x, y)) + _upright(owners, x, y) for x in range(size)))
        lines.append("   " + "".join(_flat(owners, x, y) + _corner(owners, x, y) for x in range(size)))
    return [line.rstrip() for line in lines[:-1]]


def _tile(scene: Scene, spot: Spot) -> str:
    x, y = spot
    site = scene.sites.get(spot, "")
    if site.startswith(_BASE):
        return site.center(_WIDTH)
    return (site + (scene.units.get(spot) or _FOG.get(scene.tiles[y][x], ""))).center(_WIDTH)


def _upright(owners: Owners, x: int, y: int) -> str:
    return _UPRIGHT[owners[x, y, "east"]] if (x, y, "east") in owners else " "


def _flat(owners: Owners, x: int, y: int) -> str:
    return (_FLAT[owners[x, y, "south"]] if (x, y, "south") in owners else " ") * _WIDTH


def _corner(owners: Owners, x: int, y: int) -> str:
    """Return a mark where walls meet at the corner south-east of a tile."""
    meeting: list[tuple[int, int, Side]] = [(x, y, "east"), (x, y, "south"), (x, y + 1, "east"), (x + 1, y, "south")]
    return "+" if any(place in owners for place in meeting) else " "


def _standings(scene: Scene) -> list[str]:
    table = scene.table
    lines = []
    for seat, color in enumerate(table.colors):
        mark = ">" if seat == table.seat and not table.ended else " "
        line = (
            f"{mark} {color:<6}base {table.bases[seat].hp:>3} HP   forests {table.held[seat]} of {len(table.forests)}"
        )
        line += f"   all of them for {table.streaks[seat]} turns" if table.streaks[seat] else ""
        if seat in scene.stores:
            wood, reserves, points = scene.stores[seat]
            line += f"   {wood} wood   {reserves} reserves   {points} points on the board"
        lines.append(line)
    return lines


def _damages(scene: Scene) -> list[str]:
    return [
        f"  {scene.table.colors[wall.owner]} wall {wall.side} of ({wall.x}, {wall.y}): {wall.hp} HP"
        for wall in scene.damaged
    ]
