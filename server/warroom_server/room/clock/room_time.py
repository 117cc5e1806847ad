"""Room time: milliseconds of play. It stands still while the room does."""

REMEMBERED_MS = 15_000
"""How far back an arrival can be dated: longer than input can take from the socket to its room."""


class RoomTime:
    """Runs with the node's play clock, except while something holds it.

    Time runs in stretches. The last one began at moment *began* of the node's clock, and ended at *ended* (None: it is
    still running). Each action stops and starts the clock, so `Room` does that itself, without a call.
    """

    __slots__ = ("_past", "began", "ended", "holds", "offset")

    def __init__(self, at: int, now: int) -> None:
        self.began = now
        self.offset = at - now
        """The difference between room time and the node's clock in this stretch."""
        self.ended: int | None = None
        self._past: list[tuple[int, int, int]] = []
        """Earlier stretches: when each began and ended, and the room time at its beginning."""
        self.holds: tuple[str, ...] = ()

    def hold(self, why: str, now: int) -> None:
        """Stand still until *why* is released."""
        if not self.holds:
            self.ended = now
        if why not in self.holds:
            self.holds += (why,)

    def release(self, why: str, now: int) -> None:
        """Run again, unless something else holds it."""
        if why not in self.holds:
            return
        self.holds = tuple(other for other in self.holds if other != why)
        if self.holds:
            return
        if self.ended == now:
            self.ended = None  # it stood still for less than a millisecond
        else:
            self.run_again(now)

    def at(self, moment: int) -> int:
        """Return the room time at *moment* of the node's clock, which may be a little in the past."""
        if moment >= self.began:
            ended = self.ended
            return self.offset + (moment if ended is None or moment < ended else ended)
        for began, ended, at in reversed(self._past):
            if moment >= began:
                return at + min(moment, ended) - began
        return self._past[0][2] if self._past else self.began + self.offset

    def when(self, at: int) -> int | None:
        """Return the moment of the node's clock at room time *at*; None while room time stands still."""
        return None if self.holds else at - self.offset

    def run_again(self, now: int) -> None:
        """Begin a stretch, and forget the stretches that are too old to date an arrival."""
        ended = self.ended
        assert ended is not None, "time was held"
        self._past.append((self.began, ended, self.began + self.offset))
        self.began, self.offset, self.ended = now, self.offset + ended - now, None
        while len(self._past) > 1 and self._past[1][0] <= now - REMEMBERED_MS:
            del self._past[0]
