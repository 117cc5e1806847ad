"""The possible steps of a turn, and all legal actions in order: docs/rules/strata.md, sections 3 to 6."""

from typing import TypeAlias

from warroom_games.strata.actions import ATTACKS, END_TURN, INFUSIONS, MOVES, PLACES, Action, Attack, Move
from warroom_games.strata.board import HOMES
from warroom_games.strata.force import CAP, NEED, PULL
from warroom_games.strata.state import Stack, State, stacks_of

Held: TypeAlias = list[tuple[int, Stack]]
"""The stacks of the current seat, each with its vertex."""

_LEAST_NEED = min(NEED)


def list_actions(state: State) -> list[Action]:
    """Return the legal actions of the current seat: placements, infusions, moves, attacks, the end of the turn."""
    own = stacks_of(state.vertices, state.seat)
    homes, takers, moves = open_homes(state), energy_takers(state, own), list_moves(state, own)
    actions: list[Action] = [PLACES[vertex] for vertex in homes]
    actions += [INFUSIONS[vertex] for vertex in takers]
    actions += moves
    if (state.placed or not homes) and (state.infused or not takers):  # §6.2, §6.4
        actions += _list_attacks(state, own)
        if not (moves and state.options.mandatory_move):  # §6.3, §6.4
            actions.append(END_TURN)
    return actions


def open_duties(state: State) -> list[str]:
    """Return the duties that the current seat can and must do before it may end the turn."""  # §6.1, §6.4
    own = stacks_of(state.vertices, state.seat)
    duties = {
        "place": not state.placed and bool(open_homes(state)),
        "infuse": not state.infused and bool(energy_takers(state, own)),
        "move": state.options.mandatory_move and bool(list_moves(state, own)),
    }
    return [name for name, is_open in duties.items() if is_open]


def open_homes(state: State) -> list[int]:
    """Return the home corners where a piece can be placed: those that the enemy does not hold."""  # §3.3
    seat, vertices = state.seat, state.vertices
    if not state.pools[seat].pieces:
        return []
    return [home for home in HOMES[seat] if (stack := vertices[home]) is None or stack.seat == seat]


def energy_takers(state: State, own: Held) -> list[int]:
    """Return the vertices that can be infused: one more energy point keeps their force within the cap."""  # §3.4
    if not state.pools[state.seat].energy:
        return []
    return [vertex for vertex, stack in own if stack.pieces * (stack.energy + 1) * PULL[vertex] <= CAP]


def list_moves(state: State, own: Held) -> list[Move]:
    """Return the moves; none after the first move of the turn."""  # §4.1
    moves: list[Move] = []
    if state.moved:
        return moves
    vertices = state.vertices
    for source, stack in own:
        force = stack.pieces * stack.energy * PULL[source]
        if force >= _LEAST_NEED:
            for target, move in MOVES[source]:
                if vertices[target] is None and force >= NEED[target]:
                    moves.append(move)
    return moves


def _list_attacks(state: State, own: Held) -> list[Attack]:
    """Return the attacks of stacks that occupy their vertex on adjacent enemy stacks."""  # §5.1
    vertices, seat, attacks = state.vertices, state.seat, list[Attack]()
    for source, stack in own:
        if stack.pieces * stack.energy * PULL[source] >= NEED[source]:
            for target, attack in ATTACKS[source]:
                other = vertices[target]
                if other is not None and other.seat != seat:
                    attacks.append(attack)
    return attacks
