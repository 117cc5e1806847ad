"""The rate limit of GETs per address."""

from warroom_server.ports.time import Clock

_WINDOW_MS = 1_000


class PeerBudget:
    """Counts the GETs of each address in the current second."""

    def __init__(self, clock: Clock, per_s: int) -> None:
        self._clock = clock
        self._per_s = per_s
        self._counts: dict[str, int] = {}
        self._since = clock.now()

    def spend(self, peer: str) -> bool:
        """Count one GET of *peer* and return whether it is within the limit."""
        now = self._clock.now()
        if now - self._since >= _WINDOW_MS:
            self._since = now
            self._counts.clear()
        count = self._counts.get(peer, 0) + 1
        self._counts[peer] = count
        return count <= self._per_s
