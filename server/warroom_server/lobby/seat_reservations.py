"""Seats that are held for people who were led to a room and have not sat down yet."""

from msgspec import Struct

from warroom_server.ports.clock import Clock

HELD_MS = 5_000
"""How long a seat is held for somebody."""

REST_MS = 60_000
"""How long no seat is held for somebody who let one go to waste."""

REMEMBERED = 16_384
"""For how many players at a time; those who came first are forgotten."""


class _Hold(Struct, frozen=True):
    """A seat in a room that is held until a moment of the node's clock, or was."""

    room: int
    until: int


class SeatReservations:
    """Holds one seat at a time for a player, and for a while none for one who did not come.

    Otherwise a seat could be kept from everybody for ever by asking for it again and again.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._of: dict[str, _Hold] = {}
        self._at: dict[int, set[str]] = {}
        """By room, the players for whom a seat is held, or was."""

    def __len__(self) -> int:
        return len(self._of)

    def keep(self, player: str, room: int) -> None:
        """Hold a seat for *player*; one that is held already goes over to *room* and is held no longer for that."""
        now = self._clock.now()
        before = self._of.get(player)
        is_rested = before is None or now >= before.until + REST_MS
        until = now + HELD_MS if before is None or is_rested else before.until
        self._drop(player)
        if len(self._of) >= REMEMBERED:
            self._drop(next(iter(self._of)))
        self._of[player] = _Hold(room, until)
        self._at.setdefault(room, set()).add(player)

    def count(self, room: int, player: str) -> int:
        """Return how many seats of a room are held for others than *player*."""
        now = self._clock.now()
        return sum(self._of[other].until > now for other in self._at.get(room, ()) if other != player)

    def came(self, player: str, room: int) -> None:
        """Note that *player* sat down."""
        if player in self._at.get(room, ()):
            self._drop(player)

    def forget(self, room: int) -> None:
        """Hold nothing more in a room that began or is gone; whoever was still expected did not let anything go."""
        now = self._clock.now()
        for player in sorted(self._at.get(room, ())):
            if self._of[player].until > now:
                self._drop(player)

    def _drop(self, player: str) -> None:
        hold = self._of.pop(player, None)
        if hold is not None:
            self._at[hold.room].remove(player)
            if not self._at[hold.room]:
                del self._at[hold.room]
