"""Room time: milliseconds of play. It stands still while the room does."""

from collections import deque

from msgspec import Struct

REMEMBERED_MS = 15_000
"""How far back an arrival can be dated: longer than input can take from the socket to its room."""


class _Stretch(Struct):
    """Time that ran from *began* (node time), when room time was *at*, until *ended* (None: still running)."""

    began: int
    at: int
    ended: int | None = None

    def reading(self, moment: int) -> int:
        end = moment if self.ended is None else min(moment, self.ended)
        return self.at + max(0, end - self.began)


class RoomTime:
    """Runs with the node's play clock, except while something holds it."""

    def __init__(self, at: int, now: int) -> None:
        self._stretches = deque([_Stretch(now, at)])
        self._holds: set[str] = set()

    def hold(self, why: str, now: int) -> None:
        """Stand still until *why* is released."""
        if not self._holds:
            self._stretches[-1].ended = now
        self._holds.add(why)

    def release(self, why: str, now: int) -> None:
        """Run again, unless something else holds it."""
        if why in self._holds:
            at = self.at(now)
            self._holds.remove(why)
            if not self._holds:
                self._run(now, at)

    def at(self, moment: int) -> int:
        """Return the room time at *moment* of the node's clock, which may be a little in the past."""
        for stretch in reversed(self._stretches):
            if moment >= stretch.began:
                return stretch.reading(moment)
        return self._stretches[0].at

    def when(self, at: int) -> int | None:
        """Return the moment of the node's clock at room time *at*; None while room time stands still."""
        if self._holds:
            return None
        stretch = self._stretches[-1]
        return stretch.began + at - stretch.at

    def _run(self, now: int, at: int) -> None:
        """Begin a stretch, and forget the stretches that are too old to date an arrival."""
        last = self._stretches[-1]
        if last.ended == now:
            last.ended = None  # it stood still for less than a millisecond
            return
        self._stretches.append(_Stretch(now, at))
        while self._stretches[1].began <= now - REMEMBERED_MS:
            self._stretches.popleft()
