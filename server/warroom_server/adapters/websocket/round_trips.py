"""How long the line of a connection takes, as the server measures it with its pings."""

from statistics import median_low

SAMPLES = 8
"""Round trips that are remembered."""


class RoundTrips:
    """The last round trips of a connection: one ping is under way at a time, and only its own answer counts.

    What the peer sends unasked, twice or with another payload is no answer, and one that it delays makes its line look
    slower than it is; how much of that it can turn into time is bounded where time is given.
    """

    __slots__ = ("_samples", "_sent_at", "count")

    def __init__(self) -> None:
        self.count = 0
        """How many pings were answered."""
        self._sent_at: int | None = None
        self._samples: tuple[int, ...] = ()

    @property
    def is_waiting(self) -> bool:
        """Whether a ping has no answer yet."""
        return self._sent_at is not None

    @property
    def median_ms(self) -> int:
        """The median of the last round trips, of two the shorter one; there must be any."""
        return median_low(self._samples)

    def ping(self, now: int) -> bytes:
        """Return the payload of a ping that is sent now; one that was under way does not count any more."""
        self._sent_at = now
        return _payload(now)

    def pong(self, payload: bytes, arrived: int) -> bool:
        """Take a pong; return whether it was the answer to the ping under way."""
        if self._sent_at is None or payload != _payload(self._sent_at):
            return False
        self._samples = (*self._samples[1 - SAMPLES :], max(arrived - self._sent_at, 0))
        self._sent_at = None
        self.count += 1
        return True


def _payload(sent_at: int) -> bytes:
    return sent_at.to_bytes(8, "big")
