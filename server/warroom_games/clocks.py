"""The clock of one seat: its time bank, and how much of its line's delay may be forgiven.

A turn has a deadline that all seats share. A seat with time in its bank may use that beyond the deadline, and after it
a bounded *credit* makes up for a slow line. How far the seat went is settled when the turn is over, and not before:
until then the bank is what everybody saw as the turn began, so that it tells nobody who has acted in secret.

A turn in which the seat acted adds the increment; one that ran out took all of the bank. Each turn in which the seat is
asked fills its allowance for lag; what was forgiven, and what the others waited in vain, is gone from it.

A turn is *missed* when the clock acted for the seat and the seat itself did not. A turn in which the seat acted and the
clock ended it is a played turn. Missed turns in a row are counted when the turn is over, not before; a game may spare
the first turns of each seat.
"""

from msgspec import Struct
from msgspec.structs import replace

ALLOWANCE_MS = 100
"""What each turn adds to the lag that may be forgiven."""

ALLOWANCE_SAVED_MS = 300
"""How much of it can be saved up."""

CREDIT_PERCENT = 5
"""No credit is larger than this part of the time for one turn."""


class SeatClock(Struct, frozen=True, array_like=True):
    """The clock of one seat, in milliseconds."""

    bank: int
    """Time beyond the turns that is left, as of the beginning of the running turn."""
    late: int = 0
    """How far beyond its deadline the running turn went for this seat."""
    has_acted: bool = False
    """Whether the seat acted in the running turn."""
    was_asked: bool = False
    """Whether the seat was asked in the running turn."""
    allowance: int = 0
    """How much lag may be forgiven."""
    missed: int = 0
    """How many turns in a row, the running one apart, the seat missed."""
    has_run_out: bool = False
    """Whether the clock acted for the seat in the running turn."""
    turns: int = 0
    """In how many turns the seat was asked, the running one included."""

    def due(self, deadline: int) -> int:
        """Return the last moment of this seat in a turn that ends at *deadline*."""
        return deadline + self.bank

    def most_credit(self, turn_ms: int) -> int:
        """Return how much may be forgiven of a turn of *turn_ms*."""
        return min(self.allowance, turn_ms * CREDIT_PERCENT // 100)

    def asked(self) -> "SeatClock":
        """Return the clock of a seat that is to act: the first time in a turn fills its allowance."""
        if self.was_asked:
            return self
        allowance = min(self.allowance + ALLOWANCE_MS, ALLOWANCE_SAVED_MS)
        return replace(self, was_asked=True, allowance=allowance, turns=self.turns + 1)

    def acted(self, deadline: int, arrived: int) -> "SeatClock":
        """Return the clock after an action that *arrived* in a turn that ends at *deadline*."""
        return replace(self, late=max(self.late, arrived - deadline), has_acted=True)

    def timed_out(self, credit: int) -> "SeatClock":
        """Return the clock after it has acted for the seat, which the others waited for until *credit* was over."""
        return replace(self, late=max(self.late, self.bank + credit), has_run_out=True)

    def rested(self) -> "SeatClock":
        """Return the clock as somebody else takes the seat, who has missed no turn yet."""
        return replace(self, missed=0, has_run_out=False)

    def misses_left(self, most: int, spared: int) -> int:
        """Return, if the seat misses the running turn, how many more in a row make *most* that count."""
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
