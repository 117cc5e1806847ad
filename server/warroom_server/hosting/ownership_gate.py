"""The gate before a node's rooms: nothing passes while nobody can tell whether they are still this node's."""

from collections import deque
from collections.abc import Callable, Collection
from math import inf

from warroom_server.ports.signal import Signal


class OwnershipGate:
    """Shuts by itself when the lease was not extended in time, by a clock that no stall stops.

    It looks at that clock whenever something wants to pass: a process that was stopped for a while finds it shut before
    it has answered anybody. What waits passes in order once it is opened, which may be sooner for some rooms than for
    others.
    """

    def __init__(self, steady_ms: Callable[[], int]) -> None:
        self.opened: Signal[[]] = Signal()
        """It was opened, if only for some rooms, and what waited has passed."""
        self.steady_ms = steady_ms
        self._until: float = inf
        self._is_shut = False
        self.doubtful: frozenset[int] = frozenset()
        """The rooms for which it stays shut while it is open for the others."""
        self._waiting: deque[tuple[int, Callable[[], None]]] = deque()
        """In the order in which they came: the room, and what is to be done."""
        self.endings = 0
        """How often others may have claimed the rooms here."""

    @property
    def is_shut(self) -> bool:
        """Whether nothing may pass."""
        self.look()
        return self._is_shut

    @property
    def term(self) -> int | None:
        """The number of the lease that is held without interruption; None if nothing may pass.

        What was claimed during another one may have been taken by others since.
        """
        return None if self.is_shut else self.endings

    def bars(self, room: int) -> bool:
        """Whether nothing of a room may pass."""
        return self.is_shut or room in self.doubtful

    @property
    def may_open(self) -> bool:
        """Whether it is shut, if only for some rooms, and the lease was extended since."""
        return (self._is_shut or bool(self.doubtful)) and self.steady_ms() < self._until < inf

    def __len__(self) -> int:
        return len(self._waiting)

    def look(self) -> None:
        """Bar everything if the lease was not extended in time."""
        if self.steady_ms() >= self._until:
            self.bar()

    def extend(self, until: int) -> None:
        """Stay open until *until*, in milliseconds of the steady clock; a gate that is shut stays shut."""
        self._until = until

    def shut(self) -> None:
        """Let nothing more pass: others may claim the rooms here."""
        self.endings += 1
        self.bar()

    def bar(self) -> None:
        """Let nothing pass until the lease was extended."""
        self._until = inf
        self._is_shut = True

    def bypass(self, step: Callable[[], None]) -> None:
        """Do something although the gate may be shut: let rooms tell that they stand still."""
        was_shut, until = self._is_shut, self._until
        self._is_shut, self._until = False, inf
        try:
            step()
        finally:
            self._is_shut, self._until = was_shut, until

    def keep(self, room: int, step: Callable[[], None]) -> None:
        """Let a step of *room* wait."""
        self._waiting.append((room, step))

    def open(self, doubtful: Collection[int] = ()) -> None:
        """Let everything pass that waits, and whatever comes from now on, but for what is of *doubtful* rooms.

        If it shuts meanwhile, as it does when a step fails, all that is left waits on in its order.
        """
        self._is_shut = False
        self.doubtful = frozenset(doubtful)
        is_through = False
        try:
            is_through = self._let_all_pass()
        finally:
            if not is_through:
                self._is_shut = True
        if is_through:
            self.opened()

    def _let_all_pass(self) -> bool:
        """Return whether nothing is left that waited, of rooms that are in no doubt."""
        waiting, self._waiting = self._waiting, deque()
        kept: list[tuple[int, Callable[[], None]]] = []
        try:
            while waiting:
                if self.is_shut:
                    return False
                room, step = waiting.popleft()
                if room in self.doubtful:
                    kept.append((room, step))
                else:
                    step()
        finally:
            # What came meanwhile, because it shut again, waits behind all that came before.
            self._waiting = deque((*kept, *waiting, *self._waiting))
        return True
