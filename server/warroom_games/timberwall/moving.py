"""Steps, moves and merges: docs/rules/timberwall.md, section 4."""

from typing import NamedTuple

from msgspec.structs import replace

from warroom_games.api import Event, IllegalActionError, Seat
from warroom_games.timberwall.actions import Attack, Merge, Move, Stepping
from warroom_games.timberwall.events import Merged, Moved
from warroom_games.timberwall.geometry import Step, Tile, grid
from warroom_games.timberwall.ground import Ground
from warroom_games.timberwall.sight import observed
from warroom_games.timberwall.state import Board, Spot, State, Unit, dropped, replaced
from warroom_games.timberwall.telling import tell_merge, tell_move
from warroom_games.timberwall.units import MAX_POINTS, tier

MOST_NAMED = 8
"""The number of own units that a hint names."""


class Way(NamedTuple):
    """A unit and its intended step."""

    unit: Unit
    step: Step
    target: Spot


# --- checks -----------------------------------------------------------------------------------------------------


def tile_at(ground: Ground, x: int, y: int) -> Tile:
    """Return the number of a tile; refuse one off the board."""  # §1.1
    size = ground.grid.size
    if x >= size or y >= size:
        raise IllegalActionError("tile.none", f"no tile ({x}, {y}); x and y go from 0 to {size - 1}")
    return ground.grid.tile(x, y)


def own_step(ground: Ground, action: Stepping) -> tuple[Unit, Step]:
    """Return the own unit and the step of an action; refuse what does not exist."""
    tile = tile_at(ground, action.x, action.y)
    unit = ground.own.get(tile)
    if unit is None:
        raise IllegalActionError(
            "unit.none", f"you have no unit at ({action.x}, {action.y}); your units: {_spots_of(ground)}"
        )  # §4.1
    step = ground.grid.steps[tile].get(action.direction)
    if step is None:
        raise IllegalActionError(
            "step.off_board", f"{action.direction} of ({action.x}, {action.y}) is off the board"
        )  # §4.1
    return unit, step


def _spots_of(ground: Ground) -> str:
    """Name the tiles of the first own units, for a hint."""
    spots = [f"({unit.x}, {unit.y})" for unit in ground.knowledge.units]
    more = len(spots) - MOST_NAMED
    return (", ".join(spots[:MOST_NAMED]) or "none") + (f" and {more} more" if more > 0 else "")


def open_step(ground: Ground, action: Move | Merge | Attack) -> tuple[Unit, Step]:
    """Return the same; refuse a step that a wall or a corner blocks."""
    unit, step = own_step(ground, action)
    if not ground.is_open(step):
        where = f"{action.direction} of ({action.x}, {action.y})"
        if step.is_straight:
            raise IllegalActionError("step.walled", f"a wall blocks the way {where}")  # §4.2
        raise IllegalActionError("step.corner", f"a wall or unit at the corner blocks the way {where}")  # §4.3
    return unit, step


def check_move(ground: Ground, action: Move) -> None:
    """Refuse a move that is blocked, or whose target is occupied."""
    _, step = open_step(ground, action)
    if step.target in (ground.home, ground.goal):
        raise IllegalActionError("move.base", "units cannot stand on a base")  # §1.2
    if not ground.is_empty(step.target):
        raise IllegalActionError(
            "move.taken", f"a unit blocks the tile {action.direction} of ({action.x}, {action.y})"
        )  # §4.1


def check_merge(ground: Ground, action: Merge) -> None:
    """Refuse a merge that is blocked, or with an unsuitable unit."""
    unit, step = open_step(ground, action)
    other = ground.own.get(step.target)
    if other is None:
        raise IllegalActionError(
            "merge.none", f"you have no unit {action.direction} of ({action.x}, {action.y})"
        )  # §4.4
    if tier(unit.points) != tier(other.points):
        raise IllegalActionError(
            "merge.tier", f"tier {tier(unit.points)} cannot merge with tier {tier(other.points)}"
        )  # §4.4
    if other.points == MAX_POINTS:
        raise IllegalActionError("merge.full", f"the unit there already has {MAX_POINTS} points")  # §4.5


# --- effects ----------------------------------------------------------------------------------------------------


def way(state: State, seat: Seat, action: Stepping) -> Way:
    """Return the unit and the step of a checked action."""
    plain = grid(state.table.options.size)
    units = state.board.holdings[seat].units
    step = plain.steps[plain.tile(action.x, action.y)][action.direction]
    return Way(units[unit_index(units, (action.x, action.y))], step, plain.spot(step.target))


def unit_index(units: tuple[Unit, ...], spot: Spot) -> int:
    """Return the index of the unit on a tile among those of its seat."""
    return next(index for index, unit in enumerate(units) if (unit.x, unit.y) == spot)


def with_units(board: Board, seat: Seat, units: tuple[Unit, ...]) -> Board:
    """Return the board with other units of a seat."""
    holding = replace(board.holdings[seat], units=units)
    return replace(board, holdings=replaced(board.holdings, seat, holding))


def make_move(state: State, seat: Seat, action: Move, events: list[Event]) -> State:
    """Move a unit and reset its counters."""  # §4.1
    unit, _, target = way(state, seat, action)
    source = (unit.x, unit.y)
    events.append(tell_move(state, Moved(seat, source, target, unit.points), source, target))
    units = state.board.holdings[seat].units
    units = replaced(units, unit_index(units, source), Unit(*target, unit.points))
    return observed(state, with_units(state.board, seat, units))


def make_merge(state: State, seat: Seat, action: Merge, events: list[Event]) -> State:
    """Add a unit's points to another's, up to the highest level; the rest stays where it was."""  # §4.4, §4.5
    unit, _, target = way(state, seat, action)
    source = (unit.x, unit.y)
    units = state.board.holdings[seat].units
    index, other_index = unit_index(units, source), unit_index(units, target)
    total = unit.points + units[other_index].points
    points, rest = min(total, MAX_POINTS), max(total - MAX_POINTS, 0)
    events.append(tell_merge(state, Merged(seat, source, target, points, rest), unit, target))
    units = replaced(units, other_index, replace(units[other_index], points=points))
    units = replaced(units, index, replace(unit, points=rest)) if rest else dropped(units, index)
    return observed(state, with_units(state.board, seat, units))
