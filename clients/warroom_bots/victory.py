"""Who won, as a number."""

from collections.abc import Sequence


def victory_shares(ranks: Sequence[int]) -> tuple[float, ...]:
    """Return each seat's share of the victory: all of it, or an equal part if several are first."""
    winners = ranks.count(1)
    return tuple((rank == 1) / winners for rank in ranks)
