"""How long a search may think: a number of simulations, or time."""

from math import inf
from time import perf_counter
from typing import Final

from warroom_bots.api import Decision

SHARE: Final = 0.1
"""Share of the time left that one decision may take: a turn may have many."""
MOST_SHARE: Final = 0.4
"""Share of the time left that a decision with a limit may take: less than a process with the bot is given."""
MOST_MS: Final = 1_000
"""Maximum time for a decision without a limit."""
LEAST_MS: Final = 5
_MOMENT_S: Final = 1e-6


class Budget:
    """What is left for one decision."""

    def __init__(self, *, simulations: int | None, time_ms: float | None) -> None:
        self._left = simulations
        self._made = 0
        self._began = perf_counter()
        self._until = None if time_ms is None else self._began + time_ms / 1000

    @classmethod
    def of(cls, decision: Decision, most: int | None = None) -> "Budget":
        """Return the budget for a decision of a bot that never makes more than *most* simulations."""
        limit = decision.limit
        if limit.simulations is not None:
            return cls(simulations=min(limit.simulations, most or limit.simulations), time_ms=None)
        return cls(simulations=most, time_ms=_time_ms(decision))

    def spend(self) -> bool:
        """Count a simulation; return whether there was one left."""
        if self._left is not None:
            self._left -= 1
            if self._left < 0:
                return False
        self._made += 1
        return not self.is_late()

    def left(self) -> float:
        """Return how many more simulations there is time for, at the pace so far."""
        by_number = inf if self._left is None else self._left
        if self._until is None or not self._made:
            return by_number
        now = perf_counter()
        return min(by_number, max(0.0, self._until - now) * self._made / max(now - self._began, _MOMENT_S))

    def is_late(self) -> bool:
        """Whether the time is over."""
        return self._until is not None and perf_counter() >= self._until


def _time_ms(decision: Decision) -> float:
    limit_ms, left_ms = decision.limit.time_ms, decision.left_ms
    if left_ms is None:
        return MOST_MS if limit_ms is None else limit_ms
    rest_ms = left_ms - decision.lag_ms
    if limit_ms is None:
        return max(LEAST_MS, min(MOST_MS, SHARE * rest_ms))
    return min(limit_ms, max(LEAST_MS, MOST_SHARE * rest_ms))
