"""The end of a turn and the start of the next one: docs/rules/timberwall.md, sections 3, 8 and 9.

Each stage returns the next state and appends to *events*.
"""

from collections.abc import Callable

from msgspec.structs import replace

from warroom_games.api import Event, Seat
from warroom_games.timberwall.economy import grown, harvest, woods
from warroom_games.timberwall.events import Ended, Income, TurnBegan, TurnEnded
from warroom_games.timberwall.sight import forget_cooled, observed
from warroom_games.timberwall.state import Ending, Spot, State, Unit, replaced, rival_of
from warroom_games.timberwall.telling import tell_own
from warroom_games.timberwall.victory import cause, ranks


def end_turn(state: State, events: list[Event]) -> State:
    """Run the stages of a turn's end in order, then begin the next turn unless the match is over."""  # §3.5
    for stage in STAGES:
        state = stage(state, events)
    return state if state.table.ended else pass_on(state, events)


def count_turns(state: State, events: list[Event]) -> State:
    """Count one more turn for units that stand still and for units in forests."""  # §2.4, §8.1
    seat, board = state.table.seat, state.board
    own = grown(board.holdings[seat], woods(state.table.forests))
    if own is board.holdings[seat]:
        return state
    return observed(state, replace(board, holdings=replaced(board.holdings, seat, own)), has_moved=False)


def take_income(state: State, events: list[Event]) -> State:
    """Add the wood of the forests and, in its rounds, a reserve; the next turn may build again."""  # §8.2, §5.4
    seat, board = state.table.seat, state.board
    own = board.holdings[seat]
    wood, reserves = harvest(own), int(state.table.round % state.table.options.reserve_rounds == 0)
    own = replace(own, wood=own.wood + wood, reserves=own.reserves + reserves, has_built=False)
    events.append(tell_own(state, seat, Income(seat, wood, reserves)))
    return replace(state, board=replace(board, holdings=replaced(board.holdings, seat, own)))


def count_forests(state: State, events: list[Event]) -> State:
    """Count the forests that each seat holds, and the seat's own turns in a row with all of them."""  # §8.3, §9.2
    table, seat = state.table, state.table.seat
    forests = woods(table.forests)
    held = tuple(_held(holding.units, forests) for holding in state.board.holdings)
    streak = table.streaks[seat] + 1 if held[seat] == len(forests) else 0
    table = replace(table, held=held, streaks=replaced(table.streaks, seat, streak))
    events.append(Event(TurnEnded(seat, table.turn, held[seat], streak)))
    return replace(state, table=table)


def judge(state: State, events: list[Event]) -> State:
    """End the match if a base is destroyed, the forests are won, or this was the last turn."""  # §9.1 to §9.3
    reason = cause(state.table)
    return end_match(state, reason, state.table.seat, events) if reason else state


STAGES: tuple[Callable[[State, list[Event]], State], ...] = (count_turns, take_income, count_forests, judge)
"""The end of a turn, stage by stage."""  # §3.5


def pass_on(state: State, events: list[Event]) -> State:
    """Begin the other seat's turn."""  # §3.1, §3.2
    table = state.table
    turn = table.turn + 1
    table = replace(table, seat=rival_of(table.seat), turn=turn, round=(turn + 1) // 2)
    events.append(Event(TurnBegan(table.seat, turn, table.round)))
    return forget_cooled(replace(state, table=table))


def end_match(state: State, reason: Ending, winner: Seat, events: list[Event]) -> State:
    """End the match with its ranking."""
    table = replace(state.table, ended=reason, ranks=ranks(state, reason, winner))
    events.append(Event(Ended(table.ranks, reason)))
    return replace(state, table=table)


def _held(units: tuple[Unit, ...], forests: frozenset[Spot]) -> int:
    return len([unit for unit in units if (unit.x, unit.y) in forests])
