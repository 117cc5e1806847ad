"""Estimates a room's clock between two messages of the server."""

from warroom_protocol import messages as wire


class RoomClock:
    """The estimated room time.

    Most messages carry the room time. Between them it advances like the local clock, unless the room is paused. Local
    times are milliseconds of any monotonic clock.
    """

    def __init__(self) -> None:
        self.turn: int = 0
        self.deadline: int | None = None
        self.banks: tuple[int, ...] = ()
        self.is_running: bool = True
        self._at = 0
        self._heard = 0

    def follow(self, clock: wire.Clock, now: int) -> None:
        """Apply the clock of a public frame."""
        self.turn = clock.turn
        self.deadline = clock.deadline
        self.banks = clock.banks
        self.set(clock.at, now)

    def set(self, at: int, now: int) -> None:
        """Set the room time to *at*."""
        self._at = at
        self._heard = now

    def stop(self, at: int, now: int) -> None:
        """Pause at room time *at*."""
        self.set(at, now)
        self.is_running = False

    def run(self, at: int, now: int) -> None:
        """Run from room time *at*."""
        self.set(at, now)
        self.is_running = True

    def at(self, now: int) -> int:
        """Return the estimated room time."""
        return self._at + (now - self._heard if self.is_running else 0)

    def remaining_ms(self, now: int) -> int | None:
        """Return the time left in the turn; None while no turn is running."""
        if self.deadline is None:
            return None
        return max(0, self.deadline - self.at(now))
