"""Walls: docs/rules/timberwall.md, section 7."""

from msgspec.structs import replace

from warroom_games.api import Event, IllegalActionError, Seat
from warroom_games.timberwall.actions import BuildWall, HitWall, RemoveWall
from warroom_games.timberwall.events import WallBuilt, WallHit, WallRemoved
from warroom_games.timberwall.geometry import Edge as EdgeNumber
from warroom_games.timberwall.geometry import grid
from warroom_games.timberwall.ground import ZONE, Ground
from warroom_games.timberwall.moving import own_step, tile_at, way
from warroom_games.timberwall.sight import forget_wall, observed, remember, sees_edge
from warroom_games.timberwall.state import Board, Cooling, Edge, State, Unit, Wall, dropped, replaced
from warroom_games.timberwall.telling import tell_edge, tell_hit, tell_unavailable
from warroom_games.timberwall.units import wall_damage

COST = 10
HP = 100
COOLING_ROUNDS = 6
"""A wall lost in round r may be rebuilt from round r + 6 on."""  # §7.5


# --- checks -----------------------------------------------------------------------------------------------------


def check_build(ground: Ground, action: BuildWall) -> None:
    """Refuse a wall that cannot be paid, or that may not stand there as far as the seat knows."""
    edge = _edge_at(ground, action)
    own = ground.knowledge
    where = f"{action.side} of ({action.x}, {action.y})"
    if own.has_built:
        raise IllegalActionError("build.spent", "you already built a wall this turn")  # §7.3
    if own.wood < COST:
        raise IllegalActionError("build.wood", f"a wall costs {COST} wood; you have {own.wood}")  # §7.2
    parted = ground.grid.parted(edge)
    if not any(tile in ground.own for tile in parted):
        raise IllegalActionError("build.no_unit", f"you have no unit beside the edge {where}")  # §7.2
    if any(tile in ground.wall_free for tile in parted):
        raise IllegalActionError("build.near_base", f"the edge {where} is within {ZONE} tiles of a base")  # §7.2
    if edge in ground.barred:
        raise IllegalActionError("build.taken", f"there is already a wall {where}")  # §7.2
    if edge in ground.cooling:
        raise IllegalActionError(
            "build.cooling", f"the edge {where} cools down until round {ground.cooling[edge]}"
        )  # §7.5


def check_remove(ground: Ground, action: RemoveWall) -> None:
    """Refuse to remove anything but an own wall, as far as the seat knows."""  # §7.6
    wall = ground.walls.get(_edge_at(ground, action))
    if wall is None or wall.owner != ground.seat:
        raise IllegalActionError(
            "remove.none", f"you have no known wall {action.side} of ({action.x}, {action.y})"
        )  # §7.6


def check_hit(ground: Ground, action: HitWall) -> None:
    """Refuse a hit on an edge without a wall."""
    _, step = own_step(ground, action)
    if step.edges[0] not in ground.barred:
        raise IllegalActionError(
            "wall.none", f"there is no wall {action.direction} of ({action.x}, {action.y})"
        )  # §7.4


def _edge_at(ground: Ground, action: BuildWall | RemoveWall) -> EdgeNumber:
    """Return the number of an edge; refuse one off the board."""  # §1.3
    tile_at(ground, action.x, action.y)
    edge = ground.grid.edge(action.x, action.y, action.side)
    if not ground.grid.has_edge(edge):
        raise IllegalActionError(
            "edge.none", f"the edge {action.side} of ({action.x}, {action.y}) is the edge of the board"
        )
    return edge


# --- effects ----------------------------------------------------------------------------------------------------


def build_wall(state: State, seat: Seat, action: BuildWall, events: list[Event]) -> State:
    """Build a wall, unless the edge is cooling since a loss that the seat has not seen."""  # §7.2, §10.4
    edge, board = Edge(action.x, action.y, action.side), state.board
    # The action was legal by what the seat knew, so it is not refused now: it fails and costs nothing.
    for cooling in board.cooling:
        if (cooling.x, cooling.y, cooling.side) == (edge.x, edge.y, edge.side):
            events.append(tell_unavailable(seat, edge, ready_round=cooling.ready_round))
            return remember(state, seat, cooling)
    events.append(tell_edge(state, edge, WallBuilt(seat, edge.x, edge.y, edge.side)))
    own = board.holdings[seat]
    holdings = replaced(board.holdings, seat, replace(own, wood=own.wood - COST, has_built=True))
    wall = Wall(edge.x, edge.y, edge.side, seat, HP)
    return observed(state, replace(board, holdings=holdings, walls=(*board.walls, wall)))


def remove_wall(state: State, seat: Seat, action: RemoveWall, events: list[Event]) -> State:
    """Remove an own wall, unless it was destroyed unseen."""  # §7.6, §10.4
    edge = Edge(action.x, action.y, action.side)
    wall = _wall_on(state.board, edge)
    if wall is None or wall.owner != seat:
        events.append(tell_unavailable(seat, edge, ready_round=None))
        return forget_wall(state, seat, edge)
    events.append(tell_edge(state, edge, WallRemoved(seat, edge.x, edge.y, edge.side)))
    return _without_wall(state, seat, edge)


def hit_wall(state: State, seat: Seat, action: HitWall, events: list[Event]) -> State:
    """Damage a wall by the unit's tier; neutral walls fall at once."""  # §7.4
    unit, step, _ = way(state, seat, action)
    edge = Edge(*grid(state.table.options.size).place(step.edges[0]))
    wall = _wall_on(state.board, edge)
    damage, hp = blow(unit, wall)
    left, source = hp - damage, (unit.x, unit.y)
    events.append(tell_hit(state, WallHit(seat, source, edge.x, edge.y, edge.side, damage, left), source))
    if wall is None or not left:
        return _without_wall(state, seat, edge)
    walls = state.board.walls
    walls = replaced(walls, walls.index(wall), replace(wall, hp=left))
    return observed(state, replace(state.board, walls=walls))


def blow(unit: Unit, wall: Wall | None) -> tuple[int, int]:
    """Return the damage of a unit's hit, and the HP of the wall before it (None: a neutral wall)."""  # §7.4
    return (HP, HP) if wall is None else (min(wall_damage(unit.points), wall.hp), wall.hp)


def _wall_on(board: Board, edge: Edge) -> Wall | None:
    """Return the built wall on an edge."""
    return next((wall for wall in board.walls if (wall.x, wall.y, wall.side) == (edge.x, edge.y, edge.side)), None)


def _without_wall(state: State, actor: Seat, edge: Edge) -> State:
    """Return the state without the wall on an edge. The edge cools, and seats that saw the loss know it."""  # §7.5
    board, wall = state.board, _wall_on(state.board, edge)
    cooling = Cooling(edge.x, edge.y, edge.side, state.table.round + COOLING_ROUNDS)
    board = replace(board, cooling=(*board.cooling, cooling))
    if wall is None:
        number = grid(state.table.options.size).edge(edge.x, edge.y, edge.side)
        board = replace(board, neutral_walls=tuple(other for other in board.neutral_walls if other != number))
    else:
        board = replace(board, walls=dropped(board.walls, board.walls.index(wall)))
    after = observed(state, board)
    for seat, memory in enumerate(state.memories):
        if seat == actor:  # it may remove an own wall out of its sight
            after = remember(forget_wall(after, seat, edge), seat, cooling)
        elif sees_edge(memory.tiles, edge):
            after = remember(after, seat, cooling)
    return after
