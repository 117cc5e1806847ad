"""The bounds of a match for programs that learn."""

from warroom_games.bounds import Bounds, Flags
from warroom_games.graph_battle.actions import MAX_NODES
from warroom_games.graph_battle.board import STANDARD_NODES
from warroom_games.graph_battle.options import Options


def bounds_of(seats: int, options: Options) -> Bounds:
    """Return the bounds of a match with these seats and options."""
    nodes = MAX_NODES if options.board == "full_grid" else STANDARD_NODES
    everyone = tuple(range(seats))
    return {
        "source": range(nodes),
        "target": range(nodes),
        "capital": range(nodes),
        "positions": nodes,
        "neighbours": nodes,
        "neighbours.[]": Flags(range(nodes)),
        "nodes": nodes,
        "colors": seats,
        "order": seats,
        "order.[]": everyone,
        "out": Flags(everyone),
        "seat": everyone,
    }
