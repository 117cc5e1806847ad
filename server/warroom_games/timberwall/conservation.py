"""Quantities that change only as events report: docs/rules/timberwall.md, section 15."""

from collections import Counter
from collections.abc import Mapping

from warroom_games.api import Event, Seat, View
from warroom_games.timberwall.events import Attacked, BaseHit, Converted, Income, WallBuilt, WallHit, WallRemoved
from warroom_games.timberwall.state import COLORS, State, rival_of
from warroom_games.timberwall.walls import COST


def quantities(state: State) -> Mapping[str, int]:
    """Return the points and the wood of each side, and the walls of all."""
    board = state.board
    counted = {"walls": len(board.neutral_walls) + len(board.walls)}
    for seat, own in enumerate(board.holdings):
        counted[_points(seat)] = own.reserves + sum(unit.points for unit in own.units)
        counted[_wood(seat)] = own.wood
    return counted


def changes(state: State, events: tuple[Event, ...]) -> Mapping[str, int]:
    """Return the changes by the most complete form of each event, which the seat of the turn gets."""
    come: Counter[str] = Counter()
    for event in events:
        _count(come, dict(event.private).get(state.table.seat, event.public))
    return come


def _count(come: Counter[str], form: View) -> None:
    match form:
        case Attacked(seat=seat):
            come[_points(seat)] += form.attacker_left - form.attacker
            come[_points(rival_of(seat))] += form.defender_left - form.defender
        case BaseHit(seat=seat, is_spent=True):
            come[_points(seat)] -= form.damage
        case Income(seat=seat):
            come[_points(seat)] += form.reserves
            come[_wood(seat)] += form.wood
        case Converted(seat=seat):
            come[_points(seat)] += form.reserves
            come[_wood(seat)] -= form.wood
        case WallBuilt(seat=seat):
            come[_wood(seat)] -= COST
            come["walls"] += 1
        case WallRemoved() | WallHit(hp=0):
            come["walls"] -= 1
        case _:
            pass


def _points(seat: Seat) -> str:
    return f"points of {COLORS[seat]}"


def _wood(seat: Seat) -> str:
    return f"wood of {COLORS[seat]}"
