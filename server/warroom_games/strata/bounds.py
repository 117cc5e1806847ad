"""The bounds of a match for programs that learn."""

from itertools import chain

from warroom_games.bounds import Bounds, Flags
from warroom_games.strata.actions import ATTACKS, INFUSIONS, MOVES, PLACES
from warroom_games.strata.board import HOMES, VERTICES

_HOMES = [PLACES[vertex] for homes in HOMES for vertex in homes]

BOUNDS: Bounds = {
    # All actions of these types: with any three numbers as a vertex there would be a hundred times as many.
    "place": _HOMES,
    "infuse": INFUSIONS,
    "move": [move for _, move in chain.from_iterable(MOVES)],
    "attack": [attack for _, attack in chain.from_iterable(ATTACKS)],
    "vertices": len(VERTICES),
    "seat": (0, 1),
    "out": Flags((0, 1)),
}
"""They hold for all options."""
