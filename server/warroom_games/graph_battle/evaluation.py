"""What a table is worth to a seat: of use to bots, and no part of the rules."""

from warroom_games.api import Seat
from warroom_games.estimates import MOST, of_ranks, of_shares
from warroom_games.graph_battle.reinforcement import largest_territories
from warroom_games.graph_battle.state import Board, Color, Node, Table
from warroom_games.graph_battle.victory import rank

GROWTH = 2
"""Value of a node of the largest territory, in nodes: it pays every turn."""


def evaluate(table: Table, seat: Seat) -> int:
    """Return how well a seat stands, in thousandths: its nodes and strength beside those of its strongest rival."""
    if table.ended:
        return of_ranks(rank(table, table.ended).ranks, seat)
    if seat in table.out:
        return -MOST
    rivals = [other for other in table.seats_in_play if other != seat]
    return of_shares(_wealth(table, seat), max(_wealth(table, rival) for rival in rivals))


def largest(board: Board, nodes: tuple[Node, ...], color: Color) -> int:
    """Return the size of a colour's largest territory."""
    territories = largest_territories(board, nodes, color)
    return len(territories[0]) if territories else 0


def _wealth(table: Table, seat: Seat) -> int:
    color = table.colors[seat]
    own = [1 + node.strength for node in table.nodes if node.color == color]
    return sum(own) + GROWTH * largest(table.board, table.nodes, color)
