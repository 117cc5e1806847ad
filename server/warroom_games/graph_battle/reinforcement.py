"""Reinforcements: docs/rules/graph_battle.md, section 5."""

from collections.abc import Callable, Mapping
from typing import TypeAlias

from msgspec import Struct

from warroom_games.api import IllegalActionError
from warroom_games.graph_battle.state import Board, Color, Node, Table
from warroom_games.rng import Rng


class Gain(Struct, frozen=True, gc=False):
    """The strength that a node gains."""

    node: int
    strength: int


ReinforcementRule: TypeAlias = Callable[[Table, int | None, Rng], tuple[tuple[Gain, ...], Rng]]
"""Returns the gain of each node of the current seat at the end of its turn, given its chosen capital."""


def border_even(table: Table, capital: int | None, rng: Rng) -> tuple[tuple[Gain, ...], Rng]:
    """Spread one point per node of the largest territory evenly over its border."""
    territory, rng = _largest(table, rng)
    border = border_of(table, territory)
    each, rest = divmod(len(territory), len(border))  # §5.3, §5.5
    lucky, rng = rng.sample(border, rest) if rest else ((), rng)
    return tuple([Gain(node, each + (node in lucky)) for node in border]), rng


def at_capital(table: Table, capital: int | None, rng: Rng) -> tuple[tuple[Gain, ...], Rng]:
    """Put one point per node of the largest territory on the capital, or else on the strongest border node."""  # §5.6
    territory, rng = _largest(table, rng) if capital is None else (_territory_of(table, capital), rng)
    if capital is None:
        # The first of the strongest has the lowest id.
        capital = max(border_of(table, territory), key=lambda node: table.nodes[node].strength)
    return (Gain(capital, len(territory)),), rng


def nothing(table: Table, capital: int | None, rng: Rng) -> tuple[tuple[Gain, ...], Rng]:
    """Give nothing."""  # §5.7
    return (), rng


def capitals(table: Table) -> list[int]:
    """Return the possible capitals of the current seat: the borders of its largest territories."""  # §5.6
    largest = largest_territories(table.board, table.nodes, table.colors[table.seat])
    return sorted(node for territory in largest for node in border_of(table, territory))


def check_capital(table: Table, capital: int) -> None:
    """Refuse an invalid capital of the current seat."""  # §5.6
    if table.options.reinforcement != "capital":
        rule = table.options.reinforcement
        raise IllegalActionError("capital.not_used", f"node {capital} was named, but reinforcements are {rule}")
    allowed = capitals(table)
    if capital not in allowed:
        raise IllegalActionError("capital.not_border", f"node {capital} cannot be the capital; choose one of {allowed}")


def border_of(table: Table, territory: list[int]) -> list[int]:
    """Return the nodes of a territory that have an enemy neighbour."""  # §5.4
    nodes, neighbours = table.nodes, table.board.neighbours
    color = nodes[territory[0]].color
    border = []
    for node in territory:
        for other in neighbours[node]:
            if nodes[other].color != color:
                border.append(node)
                break
    return border


def largest_territories(board: Board, nodes: tuple[Node, ...], color: Color) -> list[list[int]]:
    """Return the largest connected territories of a colour, by their lowest node."""  # §5.1
    unseen = [node.color == color for node in nodes]
    left = unseen.count(True)
    largest: list[list[int]] = []
    most = 0
    for start, is_new in enumerate(unseen):
        if is_new:
            territory = _walk(board, start, unseen)
            size = len(territory)
            if size > most:
                largest, most = [territory], size
            elif size == most:
                largest.append(territory)
            left -= size
            if left < most:
                break  # all unseen territories are smaller
    return largest


def _largest(table: Table, rng: Rng) -> tuple[list[int], Rng]:
    """Return the largest territory of the current seat, drawn at random among equals."""  # §5.2
    largest = largest_territories(table.board, table.nodes, table.colors[table.seat])
    return rng.choice(largest) if len(largest) > 1 else (largest[0], rng)


def _territory_of(table: Table, capital: int) -> list[int]:
    largest = largest_territories(table.board, table.nodes, table.colors[table.seat])
    return next(territory for territory in largest if capital in territory)


def _walk(board: Board, start: int, unseen: list[bool]) -> list[int]:
    """Return all nodes that can be reached from *start*, and mark them as seen."""
    neighbours = board.neighbours
    unseen[start] = False
    reached = [start]
    for node in reached:
        for other in neighbours[node]:
            if unseen[other]:
                unseen[other] = False
                reached.append(other)
    return sorted(reached)


REINFORCEMENTS: Mapping[str, ReinforcementRule] = {"border_even": border_even, "capital": at_capital, "none": nothing}
"""The reinforcements for the option `reinforcement`."""
