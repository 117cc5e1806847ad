"""Positions of Timberwall: empty boards with the pieces of a test."""

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

from msgspec.structs import replace
from scripted_rng import Chance

from warroom_games.api import Event, IllegalActionError, Step
from warroom_games.rng import Rng
from warroom_games.timberwall.actions import Side
from warroom_games.timberwall.geometry import grid
from warroom_games.timberwall.opening import base_spots
from warroom_games.timberwall.options import Options
from warroom_games.timberwall.rules import GAME
from warroom_games.timberwall.sight import first_memories
from warroom_games.timberwall.state import Base, Board, Cooling, Holding, Spot, State, Table, Unit, Wall

KEY = b"timber positions"
PLAIN = 50
"""A roll without luck."""

Units: TypeAlias = Mapping[Spot, int | Unit]
Place: TypeAlias = tuple[int, int, Side]


def position(
    green: Units | None = None,
    red: Units | None = None,
    *,
    neutral: Sequence[Place] = (),
    walls: Mapping[Place, tuple[int, int]] | None = None,
    cooling: Mapping[Place, int] | None = None,
    wood: tuple[int, int] = (0, 0),
    reserves: tuple[int, int] = (0, 0),
    hp: tuple[int, int] = (100, 100),
    rolls: Sequence[int] | None = None,
    **fields: Any,
) -> State:
    """Return a bare board with these things on it, and both seats looking at it for the first time.

    Units are points, or units with counters; *walls* are owner and HP by edge, *cooling* the round in which an edge is
    ready; *rolls* are what chance will bring, or None for real chance. *fields* are those of `Table`, so that `forests`
    are spots, and of `Options`.
    """
    forests = fields.pop("forests", ((9, 0),))
    chosen = {name: fields.pop(name) for name in list(fields) if name in Options.__struct_fields__}
    options = Options(forests=len(forests), **chosen)
    spots = base_spots(options.size)
    numbers = tuple(sorted(grid(options.size).edge(*place) for place in neutral))
    table = Table(
        options=options,
        bases=(Base(*spots[0], hp[0]), Base(*spots[1], hp[1])),
        neutral_walls=numbers,
        forests=forests,
        **{"seat": 0, **fields},
    )
    holdings = tuple(
        Holding(wood[seat], reserves[seat], False, _units(units or {})) for seat, units in enumerate((green, red))
    )
    board = Board(
        holdings,
        numbers,
        tuple(Wall(*place, owner, left) for place, (owner, left) in (walls or {}).items()),
        tuple(Cooling(*place, ready) for place, ready in (cooling or {}).items()),
    )
    rng: Any = Rng(KEY) if rolls is None else Chance(tuple(rolls))
    return State(table, board, first_memories(table, board), rng)


def _units(units: Units) -> tuple[Unit, ...]:
    return tuple(
        Unit(*spot, unit) if isinstance(unit, int) else replace(unit, x=spot[0], y=spot[1])
        for spot, unit in units.items()
    )


def unit(points: int, still: int = 0, forest: int = 0) -> Unit:
    """Return a unit with counters."""
    return Unit(0, 0, points, still, forest)


def points(state: State, seat: int) -> dict[Spot, int]:
    """Return a seat's units: their points by tile."""
    return {(unit.x, unit.y): unit.points for unit in state.board.holdings[seat].units}


def units(state: State, seat: int) -> dict[Spot, Unit]:
    """Return a seat's units by tile."""
    return {(unit.x, unit.y): unit for unit in state.board.holdings[seat].units}


def walls(state: State) -> dict[Place, tuple[int, int]]:
    """Return owner and HP of the built walls by edge."""
    return {(wall.x, wall.y, wall.side): (wall.owner, wall.hp) for wall in state.board.walls}


def neutral(state: State) -> set[Place]:
    """Return the edges with a neutral wall."""
    return {grid(state.table.options.size).place(number) for number in state.board.neutral_walls}


def act(state: State, *actions: Any) -> Step:
    """Play checked actions of the seat to move; return the last step."""
    step = Step(state)
    for action in actions:
        seat = step.state.table.seat
        GAME.check(step.state, seat, action)
        step = GAME.apply(step.state, seat, action)
    return step


def after(state: State, *actions: Any) -> State:
    """Return the state after these actions."""
    last: State = act(state, *actions).state
    return last


def refused(state: State, action: Any, seat: int | None = None) -> tuple[str, str]:
    """Return the code and text of a refusal; fail if the action is accepted."""
    try:
        GAME.check(state, state.table.seat if seat is None else seat, action)
    except IllegalActionError as error:
        return error.code, error.detail
    raise AssertionError(f"{action} is allowed")


def told(events: Sequence[Event], viewer: int | None = None) -> list[object]:
    """Return the events that a viewer (None: a spectator) receives."""
    forms = []
    for event in events:
        private = dict(event.private)
        forms += [event.public] if event.public is not None else []
        forms += [private[viewer]] if viewer in private else []
    return forms
