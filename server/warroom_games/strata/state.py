"""The state of a match. Nothing is hidden or random, so it is also the public view."""

from itertools import compress
from typing import Literal, TypeAlias

from msgspec import Struct

from warroom_games.api import Seat
from warroom_games.strata.board import VERTICES
from warroom_games.strata.options import Options


class Stack(Struct, frozen=True, gc=False):
    """The pieces and the energy on a vertex: at least one piece, all of one seat."""  # §1.5

    seat: Seat
    pieces: int
    energy: int


class Pool(Struct, frozen=True, gc=False):
    """The pieces and energy points that a seat can still put on the board."""

    pieces: int
    energy: int


Vertices: TypeAlias = tuple[Stack | None, ...]
"""What stands on each vertex, in the order of layer, x, y."""


class State(Struct, frozen=True, kw_only=True):
    """The board, the pools, and the progress of the turn."""

    options: Options
    vertices: Vertices
    pools: tuple[Pool, Pool]
    dominion: tuple[int, int] = (0, 0)
    """The dominion of each seat so far."""
    seat: Seat = 0
    """Whose turn it is."""
    turn: int = 1
    placed: bool = False
    """Whether the seat has placed in this turn; the next two fields are for the other duties."""
    infused: bool = False
    moved: bool = False
    out: tuple[Seat, ...] = ()
    """The seat that left the match, if one did."""
    ended: Literal["victory", "cap"] | None = None


_INDEXES = range(len(VERTICES))


def stacks_of(vertices: Vertices, seat: Seat) -> list[tuple[int, Stack]]:
    """Return every stack of a seat with its vertex, in order."""
    # Needed for each listing. Most vertices are empty, and this loop outside of Python skips them fastest.
    return [
        (vertex, stack)
        for vertex in compress(_INDEXES, vertices)
        if (stack := vertices[vertex]) is not None and stack.seat == seat
    ]


def with_stacks(vertices: Vertices, *changes: tuple[int, Stack | None]) -> Vertices:
    """Return the vertices with some of them replaced."""
    changed = list(vertices)
    for vertex, stack in changes:
        changed[vertex] = stack
    return tuple(changed)
