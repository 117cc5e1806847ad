"""When a program that ended is started again: soon after a long life, ever later after short ones."""

from typing import Final

STEADY_S: Final = 10.0
"""A program that ran this long was a good one: after it, waiting begins anew with the shortest pause."""
PAUSES_S: Final = (0.2, 0.5, 1.0, 2.0, 5.0, 15.0, 60.0)
"""How long to wait before the next start, after so many short lives in a row."""


class Restarts:
    """Counts the short lives of one program."""

    def __init__(self) -> None:
        self.short_lives = 0
        """How many there were in a row."""

    def pause_s(self, lived_s: float) -> float:
        """Return how long to wait after a life of *lived_s* seconds."""
        self.short_lives = 0 if lived_s >= STEADY_S else self.short_lives + 1
        return PAUSES_S[min(max(self.short_lives, 1), len(PAUSES_S)) - 1]
