"""The end of a turn and of a match: docs/rules/strata.md, sections 6 to 8.

Each stage returns the next state and appends to *events*.
"""

from typing import Literal

from msgspec.structs import replace

from warroom_games.api import Event
from warroom_games.strata.deeds import infuse, place
from warroom_games.strata.events import Eliminated, Ended, TurnBegan, TurnEnded
from warroom_games.strata.force import raw_force
from warroom_games.strata.listing import energy_takers, open_homes
from warroom_games.strata.state import Pool, State, stacks_of
from warroom_games.strata.victory import beaten_seat, dominion_gain, rank

ACCRUAL = 1
"""The pieces, and the energy points, that a seat receives when its turn begins."""  # §3.1


def settle_attack(state: State, events: list[Event]) -> State:
    """End the match if the attack left only one seat on the board; otherwise end the turn."""  # §5.6, §7.1
    beaten = beaten_seat(state.vertices)
    if beaten is None:
        return end_turn(state, "attacked", events)
    events.append(Event(Eliminated(beaten, 1 - beaten)))
    return end_match(state, "victory", events)


def time_out(state: State, events: list[Event]) -> State:
    """Place and infuse if that is possible and not done, and end the turn without a move."""  # §6.5
    if not state.placed and (homes := open_homes(state)):
        state = place(state, homes[0], events)
    if not state.infused and (takers := energy_takers(state, stacks_of(state.vertices, state.seat))):
        state = infuse(state, _strongest(state, takers), events)
    return end_turn(state, "timed_out", events)


def end_turn(state: State, reason: Literal["ended", "attacked", "timed_out"], events: list[Event]) -> State:
    """Count the dominion at the end of a turn, and begin the other seat's turn or end the match."""
    seat = state.seat
    gain = dominion_gain(state.vertices, seat)  # §7.3
    first, second = state.dominion
    dominion = (first + gain, second) if seat == 0 else (first, second + gain)
    events.append(Event(TurnEnded(seat, state.turn, reason, gain, dominion[seat])))
    if state.turn >= state.options.max_turns:
        return end_match(replace(state, dominion=dominion), "cap", events)  # §7.2
    return _begin_turn(state, dominion, events)


def end_match(state: State, reason: Literal["victory", "cap"], events: list[Event]) -> State:
    """End the match with its ranking."""
    events.append(Event(Ended(rank(state, reason).ranks, reason)))
    return replace(state, ended=reason)


def _begin_turn(state: State, dominion: tuple[int, int], events: list[Event]) -> State:
    """Begin the other seat's turn with a new piece and energy point."""  # §3.1, §3.2
    seat, turn = 1 - state.seat, state.turn + 1
    first, second = state.pools
    pool = second if seat else first
    pool = Pool(pool.pieces + ACCRUAL, pool.energy + ACCRUAL)
    events.append(Event(TurnBegan(seat, turn, pool.pieces, pool.energy)))
    return State(
        options=state.options,
        vertices=state.vertices,
        pools=(first, pool) if seat else (pool, second),
        dominion=dominion,
        seat=seat,
        turn=turn,
    )


def _strongest(state: State, vertices: list[int]) -> int:
    """Return the vertex of the stack with the highest raw force, the lowest vertex among equals."""

    def force(vertex: int) -> int:
        stack = state.vertices[vertex]
        assert stack is not None
        return raw_force(stack, vertex)

    return max(vertices, key=force)
