"""The reinforcements: docs/rules/graph_battle.md, section 5."""

from collections.abc import Callable, Mapping
from typing import TypeAlias

from msgspec import Struct

from warroom_games.graph_battle.state import Board, Color, Node, faces_enemy
from warroom_games.rng import Rng


class Gain(Struct, frozen=True, gc=False):
    """The strength that one node gains."""

    node: int
    strength: int


ReinforcementRule: TypeAlias = Callable[[Board, tuple[Node, ...], Color, Rng], tuple[tuple[Gain, ...], Rng]]
"""Says what each node of a colour gains at the end of its turn."""


def border_even(board: Board, nodes: tuple[Node, ...], color: Color, rng: Rng) -> tuple[tuple[Gain, ...], Rng]:
    """Spread one point per node of the largest territory evenly over its border."""
    largest = largest_territories(board, nodes, color)
    territory, rng = rng.choice(largest) if len(largest) > 1 else (largest[0], rng)  # §5.2
    border = [node for node in territory if faces_enemy(board, nodes, node)]  # §5.4
    each, rest = divmod(len(territory), len(border))  # §5.3, §5.5
    lucky, rng = rng.sample(border, rest) if rest else ((), rng)
    return tuple(Gain(node, each + (node in lucky)) for node in border), rng


def largest_territories(board: Board, nodes: tuple[Node, ...], color: Color) -> list[list[int]]:
    """Return the connected sub-graphs of a colour that have the most nodes, by their lowest node."""  # §5.1
    unseen = [node.color == color for node in nodes]
    largest: list[list[int]] = []
    for start, is_new in enumerate(unseen):
        if is_new:
            territory = _walk(board, start, unseen)
            if not largest or len(territory) > len(largest[0]):
                largest = [territory]
            elif len(territory) == len(largest[0]):
                largest.append(territory)
    return largest


def _walk(board: Board, start: int, unseen: list[bool]) -> list[int]:
    """Return all nodes that can be reached from *start*, and mark them as seen."""
    unseen[start] = False
    reached = [start]
    for node in reached:
        for other in board.neighbours[node]:
            if unseen[other]:
                unseen[other] = False
                reached.append(other)
    return sorted(reached)


REINFORCEMENTS: Mapping[str, ReinforcementRule] = {"border_even": border_even}
"""The reinforcements that the option `reinforcement` picks from."""
