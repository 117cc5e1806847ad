"""What a board is worth: of use to bots, and no part of the rules.

All values are whole points, so the result is the same on every machine.
"""

from warroom_games.api import Seat
from warroom_games.estimates import of_ranks, of_shares
from warroom_games.strata.board import HOMES, VERTICES, WORTH
from warroom_games.strata.force import CAP, NEED, PULL
from warroom_games.strata.state import State, stacks_of
from warroom_games.strata.victory import rank

_PIECE = 47
_ENERGY = 95
_POWER = 28
"""Value of pieces times energy, up to what a stack can use on every layer."""
_MOST_POWER = 30
_DOMINION = 35
CORNER = 5_500
"""Value of a stack on the rival's home corner: the rival can no longer place there."""
_SLACK = 1_000
"""The points on both sides below which a lead counts for less."""

_DOMINIONS = tuple(_DOMINION * WORTH[vertex.layer] for vertex in VERTICES)


def exerted(pieces: int, energy: int, vertex: int) -> int:
    """Return the combat force of a stack, in sixths."""
    raw = pieces * energy * PULL[vertex]
    if raw < NEED[vertex]:
        return 0
    return raw if raw < CAP else CAP


def worth(seat: Seat, pieces: int, energy: int, vertex: int) -> int:
    """Return the value of a stack to its seat."""
    if not pieces:
        return 0
    power = pieces * energy
    points = _PIECE * pieces + _ENERGY * energy + _POWER * (power if power < _MOST_POWER else _MOST_POWER)
    if power * PULL[vertex] >= NEED[vertex]:
        points += _DOMINIONS[vertex]
        if vertex in HOMES[1 - seat]:
            points += CORNER
    return points


def evaluate(state: State, seat: Seat) -> int:
    """Return how well a seat stands, in thousandths."""
    if state.ended:
        return of_ranks(rank(state, state.ended).ranks, seat)
    return of_shares(total(state, seat), total(state, 1 - seat), slack=_SLACK)


def total(state: State, seat: Seat) -> int:
    """Return the value of all that a seat has, in points."""
    pool = state.pools[seat]
    return (
        sum([worth(seat, stack.pieces, stack.energy, vertex) for vertex, stack in stacks_of(state.vertices, seat)])
        + _PIECE * pool.pieces
        + _ENERGY * pool.energy
    )
