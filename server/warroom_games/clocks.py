"""The clock of one seat: its time bank, and how much of its line's delay may be forgiven.

A turn has a deadline that all seats share. A seat with time in its bank may use that beyond the deadline; what it used
is taken from the bank when the turn is over, and a turn in which it acted adds the increment. After that a bounded *credit*
makes up for a slow line: each turn in which a seat is asked fills its allowance, and what was used is gone.
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
    overtime: int | None = None
    """How much of the bank the running turn has used; None: the seat has not acted in it."""
    allowance: int = 0
    """How much lag may be forgiven."""
    timeouts: int = 0
    """How often in a row the clock acted for the seat."""

    def due(self, deadline: int) -> int:
        """Return the last moment of this seat in a turn that ends at *deadline*."""
        return deadline + self.bank

    def most_credit(self, turn_ms: int) -> int:
        """Return how much may be forgiven of a turn of *turn_ms*."""
        return min(self.allowance, turn_ms * CREDIT_PERCENT // 100)

    def acted(self, deadline: int, arrived: int) -> "SeatClock":
        """Return the clock after an action that *arrived* in a turn that ends at *deadline*."""
        late = max(arrived - deadline, 0)
        forgiven = max(late - self.bank, 0)
        return replace(self, overtime=min(late, self.bank), allowance=max(self.allowance - forgiven, 0), timeouts=0)

    def timed_out(self) -> "SeatClock":
        """Return the clock after it has acted for the seat: the bank is used up."""
        return replace(self, bank=0, overtime=None, timeouts=self.timeouts + 1)

    def next_turn(self, *, increment_ms: int, is_asked: bool) -> "SeatClock":
        """Return the clock as another turn begins, in which the seat is asked or not."""
        bank = self.bank if self.overtime is None else self.bank - self.overtime + increment_ms
        allowance = min(self.allowance + ALLOWANCE_MS, ALLOWANCE_SAVED_MS) if is_asked else self.allowance
        if (bank, self.overtime, allowance) == (self.bank, None, self.allowance):
            return self
        return replace(self, bank=bank, overtime=None, allowance=allowance)
