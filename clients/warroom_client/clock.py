"""An estimate of a room's clock between two messages of the server."""

from warroom_protocol import messages as wire


class RoomClock:
    """What room time it is, as far as a client can tell.

    The server says the room time with most messages; in between it is taken to run like the local clock, unless the
    room is paused. Local times are milliseconds of any clock that never goes back.
    """

    def __init__(self) -> None:
        self.turn = 0
        self.deadline: int | None = None
        self.banks: tuple[int, ...] = ()
        self.is_running = True
        self._at = 0
        self._heard = 0

    def follow(self, clock: wire.Clock, now: int) -> None:
        """Take over what a frame of the public stream says."""
        self.turn = clock.turn
        self.deadline = clock.deadline
        self.banks = clock.banks
        self.set(clock.at, now)

    def set(self, at: int, now: int) -> None:
        """Learn that the room time is *at*."""
        self._at = at
        self._heard = now

    def stop(self, at: int, now: int) -> None:
        """Stand still at room time *at*."""
        self.set(at, now)
        self.is_running = False

    def run(self, at: int, now: int) -> None:
        """Run on from room time *at*."""
        self.set(at, now)
        self.is_running = True

    def at(self, now: int) -> int:
        """Return the estimated room time."""
        return self._at + (now - self._heard if self.is_running else 0)

    def remaining_ms(self, now: int) -> int | None:
        """Return how long the turn still lasts; None while no turn is running."""
        if self.deadline is None:
            return None
        return max(0, self.deadline - self.at(now))
