"""The gate in front of a node's rooms: nothing passes while other nodes may own them."""

from collections import deque
from collections.abc import Callable, Collection
from math import inf

from warroom_server.ports.listeners import Signal


class OwnershipGate:
    """Shuts by itself when the lease was not extended in time, by a clock that no stall stops.

    It reads that clock whenever something wants to pass. So a process that was stopped for a while finds the gate shut
    before it has answered anybody. When the gate opens, waiting steps pass in order. It may open for some rooms earlier
    than for others.
    """

    def __init__(self, steady_ms: Callable[[], int]) -> None:
        self.opened: Signal[[]] = Signal()
        """The gate was opened, maybe only for some rooms, and waiting steps have passed."""
        self.steady_ms = steady_ms
        self.is_guarded = False
        """Whether there ever was a lease to watch; one node on its own store holds none."""
        self._until: float = inf
        self._is_shut = False
        self.doubtful: frozenset[int] = frozenset()
        """Rooms for which the gate stays shut while it is open for others."""
        self._waiting: deque[tuple[int, Callable[[], None]]] = deque()
        """Rooms and their waiting steps, in order."""
        self.endings = 0
        """How often other nodes may have claimed the rooms here."""

    @property
    def is_shut(self) -> bool:
        """Whether nothing may pass."""
        self.look()
        return self._is_shut

    @property
    def term(self) -> int | None:
        """The number of the current lease; None while nothing may pass.

        Others may have taken since what this node claimed in an earlier term.
        """
        return None if self.is_shut else self.endings

    def bars(self, room: int) -> bool:
        """Whether nothing of a room may pass."""
        if self._until is not inf and self.steady_ms() >= self._until:
            self.bar()
        return self._is_shut or room in self.doubtful

    @property
    def may_open(self) -> bool:
        """Whether it is shut, maybe only for some rooms, and the lease was extended since."""
        return (self._is_shut or bool(self.doubtful)) and self.steady_ms() < self._until < inf

    def __len__(self) -> int:
        return len(self._waiting)

    def look(self) -> None:
        """Shut if the lease was not extended in time."""
        if self.steady_ms() >= self._until:
            self.bar()

    def extend(self, until: int) -> None:
        """Stay open until *until*, in milliseconds of the steady clock. A shut gate stays shut."""
        self.is_guarded = True
        self._until = until

    def shut(self) -> None:
        """Let nothing pass: other nodes may claim the rooms here."""
        self.endings += 1
        self.bar()

    def bar(self) -> None:
        """Let nothing pass until the lease is extended."""
        self.is_guarded = True
        self._until = inf
        self._is_shut = True

    def bypass(self, step: Callable[[], None]) -> None:
        """Run a step although the gate may be shut: rooms tell their viewers that they are paused."""
        was_shut, until = self._is_shut, self._until
        self._is_shut, self._until = False, inf
        try:
            step()
        finally:
            self._is_shut, self._until = was_shut, until

    def keep(self, room: int, step: Callable[[], None]) -> None:
        """Let a step of *room* wait until the gate opens for it."""
        self._waiting.append((room, step))

    def open(self, doubtful: Collection[int] = ()) -> None:
        """Let waiting and future steps pass, except those of *doubtful* rooms.

        If the gate shuts meanwhile, as it does when a step fails, the rest goes on waiting in order.
        """
        self._is_shut = False
        self.is_guarded = True
        self.doubtful = frozenset(doubtful)
        waiting, self._waiting = self._waiting, deque()
        kept: list[tuple[int, Callable[[], None]]] = []
        is_through = False
        try:
            while waiting and not self.is_shut:
                room, step = waiting.popleft()
                if room in self.doubtful:
                    kept.append((room, step))
                else:
                    step()
            is_through = not waiting
        finally:
            # Steps that came meanwhile, because the gate shut again, wait behind the earlier ones.
            self._waiting = deque((*kept, *waiting, *self._waiting))
            self._is_shut = self._is_shut or not is_through
        if is_through:
            self.opened()
