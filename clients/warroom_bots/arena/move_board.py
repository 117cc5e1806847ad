"""Which bot is thinking in a process, visible to the process that may have to end it."""

from collections.abc import MutableSequence
from multiprocessing.context import BaseContext
from typing import TypeAlias

from msgspec import Struct

from warroom_games.api import Seat

Cells: TypeAlias = MutableSequence[int]
_COUNT, _SEAT, _DECISION = range(3)
_NOBODY = -1


class Thinking(Struct, frozen=True):
    """A call of a bot; *number* counts the calls, so that two of them are never taken for one."""

    number: int
    seat: Seat
    decision: int


class MoveBoard:
    """Three numbers in shared memory: setting them costs less than a microsecond."""

    def __init__(self, cells: Cells) -> None:
        self._cells = cells

    def begin(self, seat: Seat, decision: int) -> None:
        """Note that a bot was called."""
        cells = self._cells
        cells[_DECISION] = decision
        cells[_COUNT] += 1
        cells[_SEAT] = seat

    def end(self) -> None:
        """Note that it answered."""
        self._cells[_SEAT] = _NOBODY

    def thinking(self) -> Thinking | None:
        """Return the current call; None if no bot is thinking."""
        count, seat, decision = self._cells[:3]
        return None if seat == _NOBODY else Thinking(count, seat, decision)


def shared_cells(context: BaseContext) -> Cells:
    """Return the memory of a board that another process can see."""
    cells: Cells = context.RawArray("q", [0, _NOBODY, 0])
    return cells
