"""How a turn ends and the next one begins: docs/rules/graph_battle.md, section 3.

Each stage returns the state after it and adds what happened to *events*.
"""

from typing import Literal

from msgspec.structs import replace

from warroom_games.api import Event
from warroom_games.graph_battle.events import Ended, Reinforced, TurnBegan, TurnEnded
from warroom_games.graph_battle.order import ORDERS
from warroom_games.graph_battle.reinforcement import REINFORCEMENTS
from warroom_games.graph_battle.state import Node, State, can_attack
from warroom_games.graph_battle.victory import VICTORIES, is_capped, rank


def settle(state: State, events: list[Event]) -> State:
    """End what ends by itself, the match or turns without a decision, until somebody can decide something."""
    while not (table := state.table).ended:
        if VICTORIES[table.options.victory](table):
            return end_match(state, "victory", events)  # §6.1
        if table.seat in table.out:
            events.append(Event(TurnEnded(table.seat, table.turn, "resigned")))  # §7.1
            state = pass_on(state, events)
        elif can_attack(table.board, table.nodes, table.colors[table.seat]):
            return state
        else:
            state = end_turn(state, "exhausted", events)  # §3.4
    return state


def end_turn(state: State, reason: Literal["declined", "exhausted"], events: list[Event]) -> State:
    """End the turn, reinforce and pass on."""  # §3.5
    events.append(Event(TurnEnded(state.table.seat, state.table.turn, reason)))
    return pass_on(reinforce(state, events), events)


def reinforce(state: State, events: list[Event]) -> State:
    """Give the seat whose turn ended its reinforcements."""
    table = state.table
    rule = REINFORCEMENTS[table.options.reinforcement]
    gains, rng = rule(table.board, table.nodes, table.colors[table.seat], state.rng)
    nodes = list(table.nodes)
    for gain in gains:
        node = nodes[gain.node]
        nodes[gain.node] = Node(node.color, node.strength + gain.strength)
    events.append(Event(Reinforced(table.seat, gains)))
    return State(replace(table, nodes=tuple(nodes)), rng)


def pass_on(state: State, events: list[Event]) -> State:
    """Begin the next seat's turn, or end the match with the round."""  # §2.2, §2.3
    table = state.table
    seat, is_new_round = ORDERS[table.options.order](table)
    if is_new_round and is_capped(table):
        return end_match(state, "cap", events)  # §6.2, §6.3
    table = replace(table, seat=seat, turn=table.turn + 1, round=table.round + is_new_round)
    events.append(Event(TurnBegan(seat, table.turn, table.round)))
    return State(table, state.rng)


def end_match(state: State, reason: Literal["victory", "cap"], events: list[Event]) -> State:
    """End the match and say who came where."""
    table = replace(state.table, ended=reason)
    events.append(Event(Ended(rank(table, reason).ranks, reason)))
    return State(table, state.rng)
