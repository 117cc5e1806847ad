"""The board as both players together know it, for spectators who see both views: docs/rules/timberwall.md, §10.8."""

from collections.abc import Iterator

from msgspec.structs import replace

from warroom_games.timberwall.sight import sees_edge
from warroom_games.timberwall.state import Board, Holding, Knowledge, Wall


def joint_board(green: Knowledge, red: Knowledge) -> Board:
    """Return the units of both, and the walls that one knows unless the other knows better."""
    holdings = tuple(Holding(own.wood, own.reserves, own.has_built, own.units) for own in (green, red))
    # The player who broke a neutral wall knows that it is gone.
    neutral = tuple(number for number in green.neutral_walls if number in red.neutral_walls)
    built = {(wall.x, wall.y, wall.side): wall for wall in (*_standing(green, red), *_standing(red, green))}
    return Board(holdings, neutral, tuple(built[place] for place in sorted(built)), ())


def _standing(one: Knowledge, other: Knowledge) -> Iterator[Wall]:
    """Yield the walls that *one* remembers, with the damage known to either, unless *other* saw them fall."""
    known = {(wall.x, wall.y, wall.side): wall for wall in other.walls}
    gone = {(edge.x, edge.y, edge.side) for edge in other.cooling}
    for wall in one.walls:
        place = (wall.x, wall.y, wall.side)
        if place in known:
            yield replace(wall, hp=min(wall.hp, known[place].hp))
        elif place not in gone and not sees_edge(other.tiles, wall):
            yield wall
