"""The start position: docs/rules/graph_battle.md, sections 1.4 to 1.6."""

from warroom_games.api import Seat
from warroom_games.graph_battle.state import COLORS, Node
from warroom_games.rng import Rng

STRENGTH_PER_NODE = 2

HANDICAPS = {2: 6, 3: 2, 4: 1, 5: 0}
"""By the number of seats: the extra strength of each seat over the one that plays before it."""  # §1.6


def deal(nodes: int, order: tuple[Seat, ...], rng: Rng, *, handicap: bool) -> tuple[tuple[Node, ...], Rng]:
    """Give every seat the same number of random nodes, and its strength. *order* is the order of the first round."""
    deck, rng = rng.shuffle(range(nodes))  # §1.4
    each = nodes // len(order)
    dealt = [Node("red", 0)] * nodes
    for seat in range(len(order)):
        own = deck[seat * each : (seat + 1) * each]
        more = HANDICAPS[len(order)] * order.index(seat) if handicap else 0
        strengths, rng = _spread(each, STRENGTH_PER_NODE * each + more, rng)
        for node, strength in zip(own, strengths, strict=True):
            dealt[node] = Node(COLORS[seat], strength)
    return tuple(dealt), rng


def _spread(nodes: int, strength: int, rng: Rng) -> tuple[list[int], Rng]:
    """Put 1 strength on each node, and the rest one by one on random nodes."""  # §1.5
    strengths = [1] * nodes
    for _ in range(strength - nodes):
        index, rng = rng.below(nodes)
        strengths[index] += 1
    return strengths, rng
