"""How many matches each node is to have, and who gives how many to whom so that it is so."""

from collections.abc import Mapping
from itertools import chain, repeat
from typing import Final

LEAST: Final = 8
"""Nodes that differ by fewer matches than this from their share are left alone."""
PART: Final = 4
"""So are those that differ by less than this part of it: matches begin and end everywhere, and each move is a pause."""


def is_uneven(loads: Mapping[str, int]) -> bool:
    """Whether some node has so many or so few matches that it is worth moving some."""
    if len(loads) < 2:
        return False
    share = sum(loads.values()) / len(loads)
    return max(max(loads.values()) - share, share - min(loads.values())) >= max(LEAST, share / PART)


def gifts(giver: str, loads: Mapping[str, int]) -> list[str]:
    """Return to whom *giver* has to give a match each, worth it or not; nothing if it has no surplus.

    If all do so, no two nodes differ by more than one match afterwards, and no other way there moves fewer.
    """
    if not loads:
        return []
    excess = _excess(loads)
    givers = chain.from_iterable(repeat(node, more) for node, more in excess.items() if more > 0)
    takers = chain.from_iterable(repeat(node, -more) for node, more in reversed(excess.items()) if more < 0)
    return [taker for each, taker in zip(givers, takers, strict=True) if each == giver]


def _excess(loads: Mapping[str, int]) -> dict[str, int]:
    """Return how many matches too many each node has, those with most matches first."""
    share, rest = divmod(sum(loads.values()), len(loads))
    ordered = sorted(loads, key=lambda node: (-loads[node], node))
    # Where the shares are not whole, whoever has most keeps one more.
    return {node: loads[node] - share - (place < rest) for place, node in enumerate(ordered)}
