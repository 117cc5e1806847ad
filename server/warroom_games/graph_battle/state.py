"""All that is true of a match. Only the generator is hidden; the table is what everybody sees."""

from typing import Literal, TypeAlias

from msgspec import Struct

from warroom_games.api import Seat
from warroom_games.graph_battle.options import Options
from warroom_games.rng import Rng

Color: TypeAlias = Literal["red", "green", "yellow", "blue", "purple"]

COLORS: tuple[Color, ...] = ("red", "green", "yellow", "blue", "purple")
"""The colours by seat, in the order of play (§2.1)."""


class Board(Struct, frozen=True):
    """The graph: it never changes. A node's id is its index here."""

    rows: int
    columns: int
    positions: tuple[tuple[int, int], ...]
    """Row and column of each node."""
    neighbours: tuple[tuple[int, ...], ...]
    """The adjacent nodes of each node, in order of their ids."""


class Node(Struct, frozen=True, gc=False):
    """Who holds a node, and how strongly."""

    color: Color
    strength: int


class Table(Struct, frozen=True, kw_only=True):
    """The public view: nothing of the game is hidden but the coins still to be flipped."""

    options: Options
    board: Board
    nodes: tuple[Node, ...]
    colors: tuple[Color, ...]
    """The colour of each seat."""
    out: tuple[Seat, ...] = ()
    """The seats that are out of play, in the order in which they left it."""
    seat: Seat = 0
    """Whose turn it is."""
    turn: int = 1
    round: int = 1
    last_attack_round: int = 0
    """The latest round with an attack, 0 before the first attack."""
    ended: Literal["victory", "cap"] | None = None

    @property
    def seats_in_play(self) -> list[Seat]:
        """The seats that are not out, in the order of play."""
        return [seat for seat in range(len(self.colors)) if seat not in self.out]


class State(Struct, frozen=True):
    """The table and the generator that flips the coins."""

    table: Table
    rng: Rng


def can_attack(board: Board, nodes: tuple[Node, ...], color: Color) -> bool:
    """Tell whether a colour has a node of strength 2 or more with an enemy neighbour (§3.4)."""
    for index, node in enumerate(nodes):
        if node.strength >= 2 and node.color == color and faces_enemy(board, nodes, index):
            return True
    return False


def faces_enemy(board: Board, nodes: tuple[Node, ...], node: int) -> bool:
    """Tell whether a node has a neighbour of another colour."""
    color = nodes[node].color
    for other in board.neighbours[node]:  # noqa: SIM110 - the loop is the fastest form, and this is asked most
        if nodes[other].color != color:
            return True
    return False
