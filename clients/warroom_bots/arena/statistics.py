"""What can be concluded from scores: intervals, and the test that ends a contest of two bots early.

A score is a bot's share of the victory in one game, from 0 to 1. Games of one block have the same seed and the same
bots in other seats, so luck that comes with the seed or the seat cancels out, and their mean scatters less than that of
independent games. If instead one bot wins all games of a block more often than chance explains, it scatters more. The
interval uses both; the test counts games for less in the second case, and never for more than one each.
"""

from collections.abc import Sequence
from math import log, sqrt
from typing import Final, Literal, TypeAlias

from msgspec import Struct

Z_95: Final = 1.959964
_PRIOR: Final = 0.5
"""Two games at even odds, as if they had scattered like independent ones: with few blocks the scatter is a guess."""


class Interval(Struct, frozen=True):
    """A mean, and the values that are compatible with it at a confidence of 95 %."""

    mean: float
    low: float
    high: float


def interval(blocks: Sequence[Sequence[float]]) -> Interval:
    """Return the 95 % interval of the mean score, from the scores of each block.

    It is Wilson's interval for the number of independent games that would scatter like these: draws and pairs on equal
    seeds count for more than as many coin flips.
    """
    count = sum(map(len, blocks))
    if count == 0:
        return Interval(0.0, 0.0, 1.0)
    mean = sum(map(sum, blocks)) / count
    return wilson(mean, count * weight(blocks))


def weight(blocks: Sequence[Sequence[float]]) -> float:
    """Return for how many independent games one game counts, by how the blocks scatter."""
    count = sum(map(len, blocks))
    if count == 0:
        return 1.0
    mean = sum(map(sum, blocks)) / count
    scatter = sum(len(block) * (sum(block) / len(block) - mean) ** 2 for block in blocks if block)
    expected = (sum(map(bool, blocks)) - 1) * mean * (1 - mean)
    return (expected + _PRIOR) / (scatter + _PRIOR)


def wilson(mean: float, count: float) -> Interval:
    """Return Wilson's 95 % interval of a share, from a number of independent games."""
    square = Z_95**2 / count
    center = (mean + square / 2) / (1 + square)
    reach = Z_95 * sqrt(mean * (1 - mean) / count + square / (4 * count)) / (1 + square)
    # At 0 % and 100 % rounding could leave the mean just outside.
    return Interval(mean, min(mean, max(0.0, center - reach)), max(mean, min(1.0, center + reach)))


Verdict: TypeAlias = Literal["stronger", "not stronger"]


class Sprt(Struct, frozen=True):
    """Wald's sequential test: is the expected score *h1* rather than *h0*?

    *alpha* is the probability to accept *h1* if *h0* is true, *beta* the reverse. A shared victory counts as parts of a
    win and of a loss.
    """

    h0: float = 0.5
    h1: float = 0.6
    alpha: float = 0.05
    beta: float = 0.05

    @property
    def lower(self) -> float:
        """The log-likelihood ratio at which *h0* is accepted."""
        return log(self.beta / (1 - self.alpha))

    @property
    def upper(self) -> float:
        """The log-likelihood ratio at which *h1* is accepted."""
        return log((1 - self.beta) / self.alpha)

    def ratio(self, blocks: Sequence[Sequence[float]]) -> float:
        """Return the log-likelihood ratio of the scores of each block.

        It is that of as many independent games as would scatter like these, but of no more than there are.
        """
        won = sum(map(sum, blocks))
        lost = sum(map(len, blocks)) - won
        ratio = won * log(self.h1 / self.h0) + lost * log((1 - self.h1) / (1 - self.h0))
        return min(1.0, weight(blocks)) * ratio

    def verdict(self, ratio: float) -> Verdict | None:
        """Return what a log-likelihood ratio decides; None: the test goes on."""
        if ratio >= self.upper:
            return "stronger"
        return "not stronger" if ratio <= self.lower else None
