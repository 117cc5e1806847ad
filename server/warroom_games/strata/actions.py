"""The actions: docs/rules/strata.md, sections 3 to 6."""

from typing import TypeAlias

from msgspec import Struct

from warroom_games.strata.board import NEIGHBOURS, VERTICES, Vertex


class Place(Struct, frozen=True, gc=False, tag_field="type", tag="place", forbid_unknown_fields=True):
    """Put a piece from the pool on an own home corner."""  # §3.3

    vertex: Vertex


class Infuse(Struct, frozen=True, gc=False, tag_field="type", tag="infuse", forbid_unknown_fields=True):
    """Put an energy point from the pool on an own stack."""  # §3.4

    vertex: Vertex


class Move(Struct, frozen=True, gc=False, tag_field="type", tag="move", forbid_unknown_fields=True):
    """Move a whole stack to an adjacent empty vertex."""  # §4.1

    source: Vertex
    target: Vertex


class Attack(Struct, frozen=True, gc=False, tag_field="type", tag="attack", forbid_unknown_fields=True):
    """Attack an adjacent enemy stack, which ends the turn."""  # §5.1

    source: Vertex
    target: Vertex


class EndTurn(Struct, frozen=True, gc=False, tag_field="type", tag="end_turn", forbid_unknown_fields=True):
    """End the turn without an attack."""  # §6.3


class TimeOut(Struct, frozen=True, gc=False, tag_field="type", tag="time_out", forbid_unknown_fields=True):
    """Do the remaining duties except the move, and end the turn. Only the clock plays it."""  # §6.5


Action: TypeAlias = Place | Infuse | Move | Attack | EndTurn | TimeOut

# Actions are values and the board never changes, so they are created once.
PLACES = tuple(map(Place, VERTICES))
"""The placement on each vertex, home corner or not."""
INFUSIONS = tuple(map(Infuse, VERTICES))
"""The infusion of each vertex."""
MOVES = tuple(
    tuple((other, Move(vertex, VERTICES[other])) for other in joined)
    for vertex, joined in zip(VERTICES, NEIGHBOURS, strict=True)
)
"""From each vertex: the adjacent ones, each with the move to it."""
ATTACKS = tuple(
    tuple((other, Attack(vertex, VERTICES[other])) for other in joined)
    for vertex, joined in zip(VERTICES, NEIGHBOURS, strict=True)
)
"""From each vertex: the adjacent ones, each with the attack on it."""
END_TURN = EndTurn()
