"""Reserves and wood: docs/rules/timberwall.md, sections 5 and 8."""

from collections.abc import Collection
from functools import lru_cache

from msgspec.structs import replace

from warroom_games.api import Event, IllegalActionError, Seat
from warroom_games.timberwall.actions import Deploy
from warroom_games.timberwall.events import Converted, Deployed
from warroom_games.timberwall.ground import ZONE, Ground
from warroom_games.timberwall.moving import tile_at
from warroom_games.timberwall.sight import observed
from warroom_games.timberwall.state import Board, Holding, Spot, State, Unit, replaced
from warroom_games.timberwall.telling import tell_at, tell_own
from warroom_games.timberwall.units import LEVELS, SETTLED

WOOD_PER_RESERVE = 20
WOOD_PER_FOREST = 2
KNOWN_MATCHES = 1 << 10
COUNT = (*range(1, SETTLED + 1), SETTLED)
"""Returns a unit's counter after an own turn end."""


def check_deploy(ground: Ground, action: Deploy) -> None:
    """Refuse a unit that is not a level, cannot be paid, or cannot stand there."""
    tile = tile_at(ground, action.x, action.y)
    reserves = ground.knowledge.reserves
    if action.points not in LEVELS:
        levels = ", ".join(map(str, LEVELS))
        raise IllegalActionError(
            "deploy.level", f"{action.points} points are not a level; the levels are {levels}"
        )  # §5.2
    if action.points > reserves:
        raise IllegalActionError(
            "deploy.reserves", f"{action.points} points cost {action.points} reserves; you have {reserves}"
        )  # §5.2
    if tile not in ground.zone:
        raise IllegalActionError(
            "deploy.zone", f"({action.x}, {action.y}) is not within {ZONE} tiles of your base, or is the base itself"
        )  # §5.2
    if not ground.is_empty(tile):
        raise IllegalActionError("deploy.taken", f"({action.x}, {action.y}) is occupied by a unit")  # §5.2


def check_convert(ground: Ground) -> None:
    """Refuse to convert less wood than a reserve costs."""
    if ground.knowledge.wood < WOOD_PER_RESERVE:
        raise IllegalActionError(
            "convert.wood", f"a reserve costs {WOOD_PER_RESERVE} wood; you have {ground.knowledge.wood}"
        )  # §5.3


def deploy(state: State, seat: Seat, action: Deploy, events: list[Event]) -> State:
    """Turn reserves into a unit."""  # §5.2
    spot = (action.x, action.y)
    events.append(tell_at(state, seat, spot, Deployed(seat, spot, action.points)))
    own = state.board.holdings[seat]
    units = (*own.units, Unit(*spot, action.points))
    return observed(
        state, _with_holding(state.board, seat, replace(own, reserves=own.reserves - action.points, units=units))
    )


def convert(state: State, seat: Seat, reserves: int, events: list[Event]) -> State:
    """Turn wood into this many reserves."""  # §5.3
    own, wood = state.board.holdings[seat], reserves * WOOD_PER_RESERVE
    events.append(tell_own(state, seat, Converted(seat, wood, reserves)))
    after = replace(own, wood=own.wood - wood, reserves=own.reserves + reserves)
    return replace(state, board=_with_holding(state.board, seat, after))


def convertible(state: State, seat: Seat) -> int:
    """Return the number of reserves that a seat's wood can buy."""
    return state.board.holdings[seat].wood // WOOD_PER_RESERVE


@lru_cache(KNOWN_MATCHES)
def woods(forests: tuple[Spot, ...]) -> frozenset[Spot]:
    """Return the forests of a match as a set: every turn asks for each unit."""
    return frozenset(forests)


def grown(own: Holding, forests: Collection[Spot]) -> Holding:
    """Return a holding with its units' counters after one more own turn end."""  # §2.4, §8.1
    units = tuple([_grown(unit, is_in_forest=(unit.x, unit.y) in forests) for unit in own.units])
    return own if units == own.units else replace(own, units=units)


def harvest(own: Holding) -> int:
    """Return the wood that units in forests bring now."""  # §8.2
    return WOOD_PER_FOREST * len([unit for unit in own.units if unit.forest >= SETTLED])


def _grown(unit: Unit, *, is_in_forest: bool) -> Unit:
    forest = COUNT[unit.forest] if is_in_forest else 0
    if unit.still == SETTLED and unit.forest == forest:
        return unit
    return Unit(unit.x, unit.y, unit.points, COUNT[unit.still], forest)


def _with_holding(board: Board, seat: Seat, own: Holding) -> Board:
    return replace(board, holdings=replaced(board.holdings, seat, own))
