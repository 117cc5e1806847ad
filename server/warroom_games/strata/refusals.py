"""The refusals: docs/rules/strata.md, section 13. An action that passes is legal."""

from typing import assert_never

from warroom_games.api import IllegalActionError
from warroom_games.strata.actions import Action, Attack, EndTurn, Infuse, Move, Place, TimeOut
from warroom_games.strata.board import GRAVITY, HOMES, INDEX, NEIGHBOURS, REQUIRED, SIZES, VERTICES, Vertex
from warroom_games.strata.force import NEED, can_take_energy, exerted_force, in_text, raw_force
from warroom_games.strata.listing import energy_takers, list_moves, open_duties, open_homes
from warroom_games.strata.state import Stack, State, stacks_of


def check_action(state: State, action: Action) -> None:
    """Refuse an illegal action of the current seat."""
    match action:
        case Place():
            _check_place(state, action)
        case Infuse():
            _check_infuse(state, action)
        case Move():
            _check_move(state, action)
        case Attack():
            _check_attack(state, action)
        case EndTurn():
            _check_duties(state, "ending the turn", open_duties(state))
            _check_move_duty(state)
        case TimeOut():
            pass  # §6.5
        case _:
            assert_never(action)


def _check_place(state: State, action: Place) -> None:
    """Refuse a placement anywhere but on an open home corner."""  # §3.3
    vertex = _index(action.vertex)
    homes = HOMES[state.seat]
    if vertex not in homes:
        own = " and ".join(str(VERTICES[home]) for home in homes)
        raise IllegalActionError("place.not_home", f"{action.vertex} is not your home corner; yours are {own}")
    if not state.pools[state.seat].pieces:
        detail = f"your pool has no pieces left{_still_to_do(open_duties(state))}"
        raise IllegalActionError("place.no_pieces", detail)
    if vertex not in open_homes(state):
        open_ones = " or ".join(str(VERTICES[home]) for home in open_homes(state)) or "neither, while it holds both"
        raise IllegalActionError("place.enemy_held", f"the enemy holds {action.vertex}; you may place on {open_ones}")


def _check_infuse(state: State, action: Infuse) -> None:
    """Refuse an infusion of anything but an own stack, and one beyond the cap."""  # §3.4
    vertex, stack = _own_stack(state, action.vertex, "infuse.not_yours")
    if not state.pools[state.seat].energy:
        detail = f"your pool has no energy left{_still_to_do(open_duties(state))}"
        raise IllegalActionError("infuse.no_energy", detail)
    if not can_take_energy(stack, vertex):
        gravity = GRAVITY[action.vertex.layer]
        product = f"{stack.pieces} x {stack.energy + 1} / {gravity}"
        raise IllegalActionError(
            "infuse.over_cap", f"the force at {action.vertex} would be {product}, above the limit of 10"
        )


def _check_move(state: State, action: Move) -> None:
    """Refuse a second move, a move that is too far or onto a stack, and one that is too weak."""  # §4.1, §4.2
    source, stack = _own_stack(state, action.source, "move.not_yours")
    target = _index(action.target)
    if state.moved:
        detail = f"you already moved this turn{_still_to_do(open_duties(state))}"
        raise IllegalActionError("move.again", detail)
    _check_adjacent(source, target, "move.not_adjacent")
    if state.vertices[target] is not None:
        raise IllegalActionError("move.not_empty", f"{action.target} is not empty; move to an empty vertex")
    force = raw_force(stack, source)
    if force < NEED[target]:
        needed = REQUIRED[action.target.layer]
        said = f"{action.source} has force {in_text(force)}; layer {action.target.layer} requires {needed}"
        raise IllegalActionError("move.too_weak", said)


def _check_attack(state: State, action: Attack) -> None:
    """Refuse an attack from or on the wrong stack, and one too early in the turn."""  # §5.1
    source, stack = _own_stack(state, action.source, "attack.not_yours")
    target = _index(action.target)
    defender = state.vertices[target]
    if defender is None or defender.seat == state.seat:
        held = "empty" if defender is None else "your own"
        raise IllegalActionError("attack.no_enemy", f"{action.target} is {held}; an attack needs an enemy stack")
    _check_adjacent(source, target, "attack.not_adjacent")
    if not exerted_force(stack, source):
        needed = REQUIRED[action.source.layer]
        force = in_text(raw_force(stack, source))
        said = f"{action.source} has force {force} and does not hold its vertex, which takes {needed}"
        raise IllegalActionError("attack.not_occupied", said)
    _check_duties(state, "attacking", [duty for duty in open_duties(state) if duty != "move"])  # §6.3


def _check_duties(state: State, before: str, duties: list[str]) -> None:
    """Refuse to continue while a possible placement or infusion is missing."""  # §6.2, §6.4
    if "place" in duties:
        allowed = " or ".join(str(VERTICES[home]) for home in open_homes(state))
        detail = f"before {before} you must place a piece on {allowed}{_besides(duties)}"
        raise IllegalActionError("duty.place", detail)
    if "infuse" in duties:
        takers = energy_takers(state, stacks_of(state.vertices, state.seat))
        allowed = " or ".join(str(VERTICES[vertex]) for vertex in takers)
        detail = f"before {before} you must infuse energy into {allowed}{_besides(duties)}"
        raise IllegalActionError("duty.infuse", detail)


def _besides(duties: list[str]) -> str:
    """Return the end of a sentence that names one duty, if other duties are also open."""
    return _still_to_do(duties) if len(duties) > 1 else ""


def _still_to_do(duties: list[str]) -> str:
    """Return the end of a sentence that names all open duties, or says that there are none."""
    return f"; still to do: {', '.join(duties)}" if duties else "; you may end the turn"


def _check_move_duty(state: State) -> None:
    """Refuse to end the turn while a possible move is missing."""  # §6.3, §6.4
    if "move" in open_duties(state):
        move = list_moves(state, stacks_of(state.vertices, state.seat))[0]
        raise IllegalActionError(
            "duty.move", f"before ending the turn you must move, for example from {move.source} to {move.target}"
        )


def _index(vertex: Vertex) -> int:
    """Return the index of a vertex on the board."""  # §1.1
    index = INDEX.get(vertex)
    if index is None:
        layer = vertex.layer
        if layer < len(SIZES):
            allowed = f"on layer {layer} x and y go from 0 to {SIZES[layer] - 1}"
        else:
            allowed = f"layers go from 0 to {len(SIZES) - 1}"
        raise IllegalActionError("vertex.unknown", f"no vertex {vertex}; {allowed}")
    return index


def _own_stack(state: State, vertex: Vertex, code: str) -> tuple[int, Stack]:
    """Return the index of a vertex and the own stack there."""
    index = _index(vertex)
    stack = state.vertices[index]
    if stack is None or stack.seat != state.seat:
        held = "is empty" if stack is None else "is the enemy's"
        raise IllegalActionError(code, f"{vertex} {held}; it must hold a stack of yours")
    return index, stack


def _check_adjacent(source: int, target: int, code: str) -> None:
    if target not in NEIGHBOURS[source]:
        joined = ", ".join(str(VERTICES[other]) for other in NEIGHBOURS[source])
        raise IllegalActionError(code, f"{VERTICES[target]} is not adjacent to {VERTICES[source]}; these are: {joined}")
