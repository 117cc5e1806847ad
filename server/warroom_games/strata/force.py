"""Force and occupation: docs/rules/strata.md, section 2.

Gravity is 1, 2 or 3, so every force is a whole number of sixths, and integers compare exactly (§2.2).
"""

from fractions import Fraction

from warroom_games.strata.board import GRAVITY, REQUIRED, VERTICES
from warroom_games.strata.state import Stack

SIXTHS = 6
CAP = 10 * SIXTHS
"""The greatest force, in sixths."""  # §2.1

PULL = tuple(SIXTHS // GRAVITY[vertex.layer] for vertex in VERTICES)
"""The sixths of one piece with one energy point on each vertex."""

NEED = tuple(REQUIRED[vertex.layer] * SIXTHS for vertex in VERTICES)
"""The sixths that occupy each vertex."""


def raw_force(stack: Stack, vertex: int) -> int:
    """Return the raw force of a stack on a vertex, in sixths."""  # §2.1
    return min(CAP, stack.pieces * stack.energy * PULL[vertex])  # §3.5


def exerted_force(stack: Stack, vertex: int) -> int:
    """Return the force of a stack in combat, in sixths: zero unless it occupies its vertex."""  # §2.4
    raw = stack.pieces * stack.energy * PULL[vertex]
    return min(CAP, raw) if raw >= NEED[vertex] else 0


def can_take_energy(stack: Stack, vertex: int) -> bool:
    """Whether one more energy point would keep the force within the cap."""  # §3.4
    return stack.pieces * (stack.energy + 1) * PULL[vertex] <= CAP


def in_text(force: int) -> str:
    """Format a force in sixths: `4`, or `9/2`."""
    return _TEXTS[force]


_TEXTS = tuple(str(Fraction(force, SIXTHS)) for force in range(CAP + 1))
