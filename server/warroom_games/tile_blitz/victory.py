"""The end of a match and its ranking: docs/rules/tile_blitz.md, section 9."""

from warroom_games.api import Result, Seat
from warroom_games.tile_blitz.state import Table


def is_won(table: Table) -> bool:
    """Whether only one seat is in play."""  # §9.3
    return len(table.out) == len(table.players) - 1


def rank(table: Table, reason: str) -> Result:
    """Rank seats in play by tiles, then power; below them the seats that are out, later ones higher."""  # §9.5
    keys = [_standing(table, seat) for seat in range(len(table.players))]
    return Result(tuple(1 + sum(other > key for other in keys) for key in keys), reason)


def _standing(table: Table, seat: Seat) -> tuple[int, int, int]:
    if seat in table.out:
        return 0, table.out.index(seat), 0
    color = table.players[seat].color
    held = [tile.power for tile in table.tiles if tile.color == color]
    return 1, len(held), sum(held)
