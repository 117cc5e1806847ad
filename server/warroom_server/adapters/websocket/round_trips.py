"""The round-trip time of a connection, measured with pings."""

from statistics import median_low

SAMPLES = 8
"""Round trips that are remembered."""


class RoundTrips:
    """The last round trips of a connection: one ping is under way at a time, and only its own pong counts.

    Unsolicited or repeated pongs and those with another payload are ignored. A peer that delays its pongs looks slower
    than it is; the credit that it can gain is limited where time is given.
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
        """The lower median of the last round trips; there must be one."""
        return median_low(self._samples)

    def ping(self, now: int) -> bytes:
        """Return the payload of a ping that is sent now; an earlier one no longer counts."""
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
