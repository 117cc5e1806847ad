"""The board: five stacked layers of vertices, the same in every match. docs/rules/strata.md, section 1.

Inside the rules a vertex is its index in the order of layer, x, y. Actions and events use a `Vertex`.
"""

from collections.abc import Iterator
from typing import Annotated, NamedTuple

from msgspec import Meta

SIZES = (3, 5, 7, 5, 3)
"""The side of each layer."""  # §1.1

GRAVITY = (1, 2, 3, 2, 1)
"""The divisor of the force on each layer."""  # §2.1

REQUIRED = (1, 4, 9, 4, 1)
"""The least force that occupies a vertex of each layer."""  # §2.3

WORTH = (1, 4, 9, 4, 1)
"""The dominion that an occupied vertex of each layer gives its holder."""  # §7.3

_MIDDLE = 2


class Vertex(NamedTuple):
    """A place on the board; on the wire an array of three integers."""

    # Wider than the board, so that a vertex off the board gets its own refusal (§1.1) and does not count as malformed.
    layer: Annotated[int, Meta(ge=0, lt=1024, description="the layer, from 0 to 4")]
    x: Annotated[int, Meta(ge=0, lt=1024, description="from 0 to 2, 4 or 6, by the size of the layer")]
    y: Annotated[int, Meta(ge=0, lt=1024, description="from 0 to 2, 4 or 6, by the size of the layer")]

    def __str__(self) -> str:
        return f"({self.layer}; {self.x}, {self.y})"


VERTICES = tuple(
    Vertex(layer, x, y) for layer, size in enumerate(SIZES) for x in range(size) for y in range(size)
)  # fmt: skip
"""Every vertex, by its index."""

INDEX = {vertex: index for index, vertex in enumerate(VERTICES)}
"""The index of every vertex."""

HOMES = (
    (INDEX[Vertex(0, 0, 0)], INDEX[Vertex(0, 2, 2)]),
    (INDEX[Vertex(4, 0, 0)], INDEX[Vertex(4, 2, 2)]),
)
"""The home corners of each seat, in their order."""  # §1.4


def _around(vertex: Vertex) -> Iterator[Vertex]:
    """Yield the neighbours of a vertex."""
    layer, x, y = vertex
    size = SIZES[layer]
    for step in (-1, 1):
        yield Vertex(layer, (x + step) % size, y)  # §1.2
        yield Vertex(layer, x, (y + step) % size)
    for other in (layer - 1, layer + 1):
        shift = 1 if abs(other - _MIDDLE) < abs(layer - _MIDDLE) else -1  # §1.3
        partner = Vertex(other, x + shift, y + shift)
        if partner in INDEX:
            yield partner


NEIGHBOURS = tuple(tuple(sorted(INDEX[other] for other in _around(vertex))) for vertex in VERTICES)
"""The neighbours of each vertex."""
