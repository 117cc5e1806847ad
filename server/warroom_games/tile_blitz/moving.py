"""Moves and marches: docs/rules/tile_blitz.md, sections 6 and 7."""

from msgspec.structs import replace

from warroom_games.api import Event, IllegalActionError
from warroom_games.tile_blitz.actions import March, Move
from warroom_games.tile_blitz.board import NEIGHBOURS, path
from warroom_games.tile_blitz.building import with_player
from warroom_games.tile_blitz.events import UnitsMoved
from warroom_games.tile_blitz.permission import own_tile
from warroom_games.tile_blitz.state import Player, State, Table, Tile

MARCH_STAMINA = 1


def check_move(table: Table, move: Move) -> None:
    """Refuse tiles that are not own neighbours, and units that the source cannot spare."""  # §6.1
    source = own_tile(table, move.source)
    own_tile(table, move.target)
    if move.target - 1 not in NEIGHBOURS[move.source - 1]:
        raise IllegalActionError("move.not_adjacent", no_edge(move.source, move.target))
    _check_units(source, move)


def check_march(table: Table, march: March) -> None:
    """Refuse a march without stamina or without a path of own tiles, and units that the source cannot spare."""
    stamina = table.players[table.seat].stamina
    if not table.options.march:
        raise IllegalActionError("march.off", "marches are off in this room (option march)")  # §7.3
    if stamina < MARCH_STAMINA:
        raise IllegalActionError("march.stamina", f"a march costs {MARCH_STAMINA} stamina; you have {stamina}")  # §7.1
    source = own_tile(table, march.source)
    target = own_tile(table, march.target)
    if march.source == march.target:
        raise IllegalActionError("march.same_tile", f"the units are already on tile {march.source}")  # §7.1
    if not path(table.tiles, march.source - 1, march.target - 1):
        detail = f"no path of {target.color} tiles connects tile {march.source} and tile {march.target}"
        raise IllegalActionError("march.no_path", detail)  # §7.2
    _check_units(source, march)


def make_move(state: State, move: Move, events: list[Event]) -> State:
    """Move the units to the neighbouring tile."""
    table = state.table
    events.append(Event(UnitsMoved(table.seat, (move.source, move.target), move.troops, move.tanks, is_march=False)))
    table = replace(table, tiles=_shifted(table, move))
    return State(table, state.secrets, state.deck, state.rng)


def make_march(state: State, march: March, events: list[Event]) -> State:
    """Spend the stamina and move the units along a shortest path."""  # §7.1, §7.2
    table = state.table
    player = table.players[table.seat]
    way = path(table.tiles, march.source - 1, march.target - 1)
    tired = Player(player.color, player.gold, player.stamina - MARCH_STAMINA, player.cards)
    shown = tuple(index + 1 for index in way)
    events.append(Event(UnitsMoved(table.seat, shown, march.troops, march.tanks, is_march=True)))
    table = replace(table, tiles=_shifted(table, march), players=with_player(table, tired))
    return State(table, state.secrets, state.deck, state.rng)


def no_edge(source: int, target: int) -> str:
    """Refuse two tiles without a common edge, and name the neighbours."""
    near = ", ".join(str(index + 1) for index in NEIGHBOURS[source - 1])
    return f"tile {target} is not adjacent to tile {source}; these are: {near}"


def _check_units(source: Tile, move: Move | March) -> None:
    """Refuse an empty order, and more units than the source can spare."""  # §6.2, §6.3
    if move.troops + move.tanks < 1:
        raise IllegalActionError("units.none", "move at least 1 unit")
    if source.troops < 1:
        raise IllegalActionError("units.stranded", f"tile {move.source} has no troops, and tanks do not move alone")
    if move.troops >= source.troops:
        spare = source.troops - 1
        detail = f"tile {move.source} must keep 1 troop and can spare {spare}, not {move.troops}"
        raise IllegalActionError("units.troops", detail)
    if move.tanks > source.tanks:
        detail = f"tile {move.source} has only {source.tanks} tanks, not {move.tanks}"
        raise IllegalActionError("units.tanks", detail)


def _shifted(table: Table, move: Move | March) -> tuple[Tile, ...]:
    tiles = list(table.tiles)
    source, target = tiles[move.source - 1], tiles[move.target - 1]
    tiles[move.source - 1] = Tile(source.color, source.troops - move.troops, source.tanks - move.tanks)
    tiles[move.target - 1] = Tile(target.color, target.troops + move.troops, target.tanks + move.tanks)
    return tuple(tiles)
