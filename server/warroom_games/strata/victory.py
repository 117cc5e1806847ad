"""The end of a match and its ranking: docs/rules/strata.md, section 7."""

from warroom_games.api import Result, Seat
from warroom_games.strata.board import VERTICES, WORTH
from warroom_games.strata.force import exerted_force
from warroom_games.strata.state import State, Vertices, stacks_of


def beaten_seat(vertices: Vertices) -> Seat | None:
    """Return the seat without a piece if the other has one."""  # §7.1
    standing = {stack.seat for stack in filter(None, vertices)}
    return 1 - standing.pop() if len(standing) == 1 else None


def dominion_gain(vertices: Vertices, seat: Seat) -> int:
    """Return the worth of the vertices that a seat occupies."""  # §7.3
    gain = 0
    for vertex, stack in stacks_of(vertices, seat):
        if exerted_force(stack, vertex):
            gain += WORTH[VERTICES[vertex].layer]
    return gain


def rank(state: State, reason: str) -> Result:
    """Rank a seat that left or was beaten second. At the length limit the standings decide."""
    if reason == "victory":
        loser = state.out[0] if state.out else beaten_seat(state.vertices)  # §7.1, §8.1
        return Result((2, 1) if loser == 0 else (1, 2), reason)
    first, second = standing(state, 0), standing(state, 1)  # §7.4
    return Result((1 + (second > first), 1 + (first > second)), reason)


def standing(state: State, seat: Seat) -> tuple[int, int, int]:
    """Return the standing of a seat at the length limit: dominion, pieces on the board, force in sixths."""  # §7.4
    held = stacks_of(state.vertices, seat)
    pieces = sum(stack.pieces for _, stack in held)
    return state.dominion[seat], pieces, sum(exerted_force(stack, vertex) for vertex, stack in held)
