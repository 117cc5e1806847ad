"""The effects of placing, infusing and moving: docs/rules/strata.md, sections 3 and 4.

Each function expects a legal action, returns the next state and appends to *events*.
"""

from msgspec.structs import replace

from warroom_games.api import Event
from warroom_games.strata.board import VERTICES
from warroom_games.strata.events import Infused, Moved, Placed
from warroom_games.strata.force import in_text, raw_force
from warroom_games.strata.state import Pool, Stack, State, with_stacks


def place(state: State, vertex: int, events: list[Event]) -> State:
    """Put a piece from the pool on a vertex."""  # §3.3
    seat, held = state.seat, state.vertices[vertex]
    stack = Stack(seat, 1, 0) if held is None else Stack(seat, held.pieces + 1, held.energy)
    events.append(Event(Placed(seat, VERTICES[vertex], stack.pieces, in_text(raw_force(stack, vertex)))))
    return replace(
        state, vertices=with_stacks(state.vertices, (vertex, stack)), pools=_spent(state, 1, 0), placed=True
    )  # fmt: skip


def infuse(state: State, vertex: int, events: list[Event]) -> State:
    """Put an energy point from the pool on the stack of a vertex."""  # §3.4
    held = state.vertices[vertex]
    assert held is not None
    stack = Stack(held.seat, held.pieces, held.energy + 1)
    events.append(Event(Infused(held.seat, VERTICES[vertex], stack.energy, in_text(raw_force(stack, vertex)))))
    return replace(
        state, vertices=with_stacks(state.vertices, (vertex, stack)), pools=_spent(state, 0, 1), infused=True
    )  # fmt: skip


def move(state: State, source: int, target: int, events: list[Event]) -> State:
    """Move a whole stack with its energy to another vertex."""  # §4.3
    stack = state.vertices[source]
    assert stack is not None
    force = in_text(raw_force(stack, target))
    events.append(
        Event(Moved(stack.seat, VERTICES[source], VERTICES[target], stack.pieces, stack.energy, force))
    )  # fmt: skip
    return replace(state, vertices=with_stacks(state.vertices, (source, None), (target, stack)), moved=True)


def _spent(state: State, pieces: int, energy: int) -> tuple[Pool, Pool]:
    """Return the pools after the current seat took something from its own."""
    first, second = state.pools
    if state.seat == 0:
        return Pool(first.pieces - pieces, first.energy - energy), second
    return first, Pool(second.pieces - pieces, second.energy - energy)
