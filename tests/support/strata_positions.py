"""Positions of Strata, written as stacks by vertex."""

from collections.abc import Mapping
from typing import Any

from warroom_games.strata.board import INDEX, VERTICES, Vertex
from warroom_games.strata.options import Options
from warroom_games.strata.state import Pool, Stack, State

LETTERS = "AB"


def at(layer: int, x: int, y: int) -> Vertex:
    """Return a vertex."""
    return Vertex(layer, x, y)


def position(
    stacks: Mapping[Vertex, str], *, pools: str = "A0*0 B0*0", options: Options | None = None, **fields: Any
) -> State:
    """Return the state with these stacks and pools; *fields* are those of `State`.

    `A3*2` is three pieces with energy 2 of seat 0, `B1*0` one piece without energy of seat 1.
    """
    vertices: list[Stack | None] = [None] * len(VERTICES)
    for vertex, text in stacks.items():
        vertices[INDEX[vertex]] = Stack(*_read(text))
    first, second = (Pool(*_read(text)[1:]) for text in pools.split())
    return State(options=options or Options(), vertices=tuple(vertices), pools=(first, second), **fields)


def shown(state: State) -> dict[Vertex, str]:
    """Return the stacks of a state as `position` reads them."""
    return {
        vertex: f"{LETTERS[stack.seat]}{stack.pieces}*{stack.energy}"
        for vertex, stack in zip(VERTICES, state.vertices, strict=True)
        if stack is not None
    }


def pools(state: State) -> str:
    """Return the pools of a state as `position` reads them."""
    return " ".join(f"{letter}{pool.pieces}*{pool.energy}" for letter, pool in zip(LETTERS, state.pools, strict=True))


def _read(text: str) -> tuple[int, int, int]:
    pieces, energy = text[1:].split("*")
    return LETTERS.index(text[0]), int(pieces), int(energy)
