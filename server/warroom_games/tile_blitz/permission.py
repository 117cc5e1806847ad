"""Refusals that several actions share: docs/rules/tile_blitz.md, section 12."""

from warroom_games.api import IllegalActionError
from warroom_games.tile_blitz.board import TILES
from warroom_games.tile_blitz.state import Table, Tile


def known_tile(table: Table, tile_id: int) -> Tile:
    """Return the tile with this id; refuse an unknown id."""  # §1.1
    if not 1 <= tile_id <= TILES:
        raise IllegalActionError("tile.unknown", f"no tile {tile_id}; the tiles are 1 to {TILES}")
    return table.tiles[tile_id - 1]


def own_tile(table: Table, tile_id: int) -> Tile:
    """Return the tile with this id; refuse a tile that the current seat does not hold."""
    tile = known_tile(table, tile_id)
    color = table.players[table.seat].color
    if tile.color != color:
        raise IllegalActionError("tile.not_yours", f"tile {tile_id} is {tile.color or 'neutral'}; you are {color}")
    return tile
