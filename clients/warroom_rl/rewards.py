"""Rewards from the result of a match."""

from collections.abc import Sequence


def rewards(ranks: Sequence[int]) -> tuple[float, ...]:
    """Return the reward of each seat: the share of its rivals that it beat, minus the share that beat it.

    So it is from -1 to 1, equal ranks get equal rewards, and the rewards of all seats add up to 0. No ranks: all 0.
    """
    rivals = max(len(ranks) - 1, 1)
    return tuple(sum((other > rank) - (other < rank) for other in ranks) / rivals for rank in ranks)


def penalties(seats: int, offender: int) -> tuple[float, ...]:
    """Return the rewards of a match that an illegal action ended: -1 for the seat that played it."""
    return tuple(-1.0 if seat == offender else 0.0 for seat in range(seats))
