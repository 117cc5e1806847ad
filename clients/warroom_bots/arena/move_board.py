"""Which bots are thinking in a process, visible to the process that may have to end it."""

from collections.abc import MutableSequence
from multiprocessing.context import BaseContext
from typing import Final, TypeAlias

from msgspec import Struct

from warroom_games.api import Seat

Cells: TypeAlias = MutableSequence[int]
"""First the number of all calls, then for each seat the number of its current call (0: none) and its decision."""
_HEAD: Final = 1
_PER_SEAT: Final = 2


class Thinking(Struct, frozen=True):
    """A call of a bot; *number* counts the calls in the process, so that two of them are never taken for one."""

    number: int
    seat: Seat
    decision: int


class MoveBoard:
    """A few numbers in shared memory: setting them costs less than a microsecond."""

    def __init__(self, cells: Cells) -> None:
        self._cells = cells

    def begin_match(self) -> None:
        """Note that a match begins."""
        self._cells[0] += 1

    def begin(self, seat: Seat, decision: int) -> None:
        """Note that a bot was called."""
        cells, place = self._cells, _HEAD + _PER_SEAT * seat
        cells[0] = number = cells[0] + 1
        cells[place + 1] = decision
        cells[place] = number

    def end(self, seat: Seat) -> None:
        """Note that it answered."""
        self._cells[_HEAD + _PER_SEAT * seat] = 0

    @property
    def calls(self) -> int:
        """The number of calls and matches so far: it stands still while the rules work."""
        return self._cells[0]

    def thinking(self) -> list[Thinking]:
        """Return the current calls, latest first."""
        cells = self._cells[_HEAD:]
        calls = zip(cells[::_PER_SEAT], cells[1::_PER_SEAT], strict=True)
        found = [Thinking(number, seat, decision) for seat, (number, decision) in enumerate(calls) if number]
        return sorted(found, key=lambda call: -call.number)


def shared_cells(context: BaseContext, seats: int) -> Cells:
    """Return the memory of a board that another process can see."""
    cells: Cells = context.RawArray("q", _HEAD + _PER_SEAT * seats)
    return cells


def own_cells(seats: int) -> Cells:
    """Return the memory of a board that nobody else sees."""
    return [0] * (_HEAD + _PER_SEAT * seats)
