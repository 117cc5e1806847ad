"""The clock of one seat: its time bank and its lag credit.

All seats share the deadline of a turn. A seat with time in its bank may go beyond it, and after that a bounded *credit*
compensates for a slow connection. The bank is settled only when the turn is over. Until then it stays as everybody saw
it at the start of the turn, so that it does not reveal who acted in secret.

A turn in which the seat acted adds the increment; a time-out used up the whole bank. Each turn in which the seat must
act refills its lag allowance; credit that was used, or for which the others waited in vain, is subtracted.

A turn is *missed* if the clock acted for the seat and the seat itself did not. If the seat acted and the clock ended
the turn, it counts as played. Missed turns in a row are counted when the turn is over; a game may spare each seat's
first turns.
"""

from msgspec import Struct
from msgspec.structs import replace

ALLOWANCE_MS = 100
"""Lag allowance added per turn."""

ALLOWANCE_SAVED_MS = 300
"""Maximum lag allowance."""

CREDIT_PERCENT = 5
"""Divisor of the turn time that limits the credit."""


class SeatClock(Struct, frozen=True, gc=False, array_like=True):
    """The clock of one seat, in milliseconds."""

    bank: int
    """Time bank left, as of the start of the current turn."""
    late: int = 0
    """How far beyond its deadline the current turn went for this seat."""
    has_acted: bool = False
    """Whether the seat acted in the current turn."""
    was_asked: bool = False
    """Whether the seat was prompted in the current turn."""
    allowance: int = 0
    """The lag allowance left."""
    missed: int = 0
    """Missed turns in a row, without the current one."""
    has_run_out: bool = False
    """Whether the clock acted for the seat in the current turn."""
    turns: int = 0
    """Number of turns in which the seat was prompted, including the current one."""

    def due(self, deadline: int) -> int:
        """Return the seat's last moment in a turn that ends at *deadline*."""
        return deadline + self.bank

    def most_credit(self, turn_ms: int) -> int:
        """Return the maximum credit in a turn of *turn_ms*."""
        return min(self.allowance, turn_ms * CREDIT_PERCENT // 100)

    def asked(self) -> "SeatClock":
        """Return the clock of a seat that must act; the first prompt of a turn refills its allowance."""
        if self.was_asked:
            return self
        allowance = min(self.allowance + ALLOWANCE_MS, ALLOWANCE_SAVED_MS)
        return replace(self, was_asked=True, allowance=allowance, turns=self.turns + 1)

    def acted(self, deadline: int, arrived: int) -> "SeatClock":
        """Return the clock after an action that *arrived* in a turn that ends at *deadline*."""
        return replace(self, late=max(self.late, arrived - deadline), has_acted=True)

    def timed_out(self, credit: int) -> "SeatClock":
        """Return the clock after a time-out, for which the others waited until *credit* was over."""
        return replace(self, late=max(self.late, self.bank + credit), has_run_out=True)

    def rested(self) -> "SeatClock":
        """Return the clock for a new player at the seat, who has missed no turn."""
        return replace(self, missed=0, has_run_out=False)

    def misses_left(self, most: int, spared: int) -> int:
        """Return how many more missed turns in a row reach *most*, if the seat misses the current turn."""
        counted = self.missed + (self.turns > spared)
        return max(most - counted, 0) + max(spared - self.turns, 0)

    def settled(self, increment_ms: int, spared: int) -> "SeatClock":
        """Return the clock when the turn is over; the first *spared* turns of a seat do not count as missed."""
        used = min(self.late, self.bank)
        return SeatClock(
            bank=self.bank - used + (increment_ms if self.has_acted and not self.has_run_out else 0),
            allowance=max(self.allowance - (self.late - used), 0),
            missed=0 if self.has_acted else self.missed + (self.has_run_out and self.turns > spared),
            turns=self.turns,
        )
