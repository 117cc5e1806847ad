"""The state of a match. Only the generator is hidden; the table is public."""

from typing import Literal, TypeAlias

from msgspec import Struct

from warroom_games.api import Seat
from warroom_games.graph_battle.options import Options
from warroom_games.rng import Rng

Color: TypeAlias = Literal["red", "green", "yellow", "blue", "purple"]

COLORS: tuple[Color, ...] = ("red", "green", "yellow", "blue", "purple")
"""The colours by seat, in the order of play (§2.1)."""


class Board(Struct, frozen=True):
    """The graph, which never changes. A node's id is its index here."""

    rows: int
    columns: int
    positions: tuple[tuple[int, int], ...]
    """Row and column of each node."""
    neighbours: tuple[tuple[int, ...], ...]
    """The adjacent nodes of each node, in order of their ids."""


class Node(Struct, frozen=True, gc=False):
    """The holder of a node and its strength."""

    color: Color
    strength: int


class Table(Struct, frozen=True, kw_only=True):
    """The public view: everything except the generator."""

    options: Options
    board: Board
    nodes: tuple[Node, ...]
    colors: tuple[Color, ...]
    """The colour of each seat."""
    order: tuple[Seat, ...]
    """The seats in the order of this round, including those that left during the round."""
    out: tuple[Seat, ...] = ()
    """The seats that are out of play, in the order of leaving."""
    seat: Seat
    """Whose turn it is."""
    turn: int = 1
    round: int = 1
    last_attack_round: int = 0
    """The latest round with an attack; 0 before the first one."""
    ended: Literal["victory", "cap"] | None = None

    @property
    def seats_in_play(self) -> list[Seat]:
        """The seats that are not out."""
        return [seat for seat in range(len(self.colors)) if seat not in self.out]


class State(Struct, frozen=True):
    """The table and the generator that flips the coins."""

    table: Table
    rng: Rng


def can_attack(board: Board, nodes: tuple[Node, ...], color: Color) -> bool:
    """Whether a colour has a node of strength 2 or more with an enemy neighbour (§3.4)."""
    neighbours = board.neighbours
    for index, node in enumerate(nodes):
        if node.color == color and node.strength >= 2:
            for other in neighbours[index]:
                if nodes[other].color != color:
                    return True
    return False
