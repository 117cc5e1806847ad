"""The end of a turn and the start of the next one: docs/rules/graph_battle.md, section 3.

Each stage returns the next state and appends to *events*.
"""

from typing import Literal

from msgspec.structs import replace

from warroom_games.api import Event
from warroom_games.graph_battle.events import Ended, OrderDrawn, Reinforced, TurnBegan, TurnEnded
from warroom_games.graph_battle.order import ORDERS, next_seat
from warroom_games.graph_battle.reinforcement import REINFORCEMENTS
from warroom_games.graph_battle.state import Node, State, can_attack
from warroom_games.graph_battle.victory import VICTORIES, is_capped, is_conquered, rank


def settle(state: State, events: list[Event]) -> State:
    """End the match or turns without a decision, until a seat has something to decide."""
    while not (table := state.table).ended:
        if is_conquered(table):
            return end_match(state, "victory", events)  # §6.1
        if table.seat in table.out:
            events.append(Event(TurnEnded(table.seat, table.turn, "resigned")))  # §7.1
            state = pass_on(state, events)
        elif can_attack(table.board, table.nodes, table.colors[table.seat]):
            return state
        else:
            state = end_turn(state, "exhausted", events)  # §3.4
    return state


def end_turn(
    state: State, reason: Literal["declined", "exhausted"], events: list[Event], capital: int | None = None
) -> State:
    """End the turn, reinforce, and pass the turn on."""  # §3.5
    events.append(Event(TurnEnded(state.table.seat, state.table.turn, reason)))
    return pass_on(reinforce(state, capital, events), events)


def reinforce(state: State, capital: int | None, events: list[Event]) -> State:
    """Give the seat its reinforcements at the end of its turn."""
    table = state.table
    gains, rng = REINFORCEMENTS[table.options.reinforcement](table, capital, state.rng)
    if not gains:
        return state
    nodes = list(table.nodes)
    for gain in gains:
        node = nodes[gain.node]
        nodes[gain.node] = Node(node.color, node.strength + gain.strength)
    events.append(Event(Reinforced(table.seat, gains)))
    return State(replace(table, nodes=tuple(nodes)), rng)


def pass_on(state: State, events: list[Event]) -> State:
    """Begin the next seat's turn, or end the match after the turn or the round."""  # §2.2, §2.3
    table = state.table
    seat = next_seat(table)
    if VICTORIES[table.options.victory](table, seat is None):
        return end_match(state, "victory", events)  # §6.6, §6.7
    if seat is None:
        if is_capped(table):
            return end_match(state, "cap", events)  # §6.2, §6.3
        state = _begin_round(state, events)
        table, seat = state.table, state.table.order[0]
    table = replace(table, seat=seat, turn=table.turn + 1)
    events.append(Event(TurnBegan(seat, table.turn, table.round)))
    return State(table, state.rng)


def _begin_round(state: State, events: list[Event]) -> State:
    """Set the order of the next round."""  # §2.3, §2.5
    table = state.table
    order, rng = ORDERS[table.options.order](table.seats_in_play, state.rng)
    if table.options.order != "fixed":
        events.append(Event(OrderDrawn(table.round + 1, order)))
    return State(replace(table, order=order, round=table.round + 1), rng)


def end_match(state: State, reason: Literal["victory", "cap"], events: list[Event]) -> State:
    """End the match with its ranking."""
    table = replace(state.table, ended=reason)
    events.append(Event(Ended(rank(table, reason).ranks, reason)))
    return State(table, state.rng)
