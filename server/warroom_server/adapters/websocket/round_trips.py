"""The round-trip time of a connection, measured with pings."""

from statistics import median_low

from msgspec import Struct

SAMPLES = 8
"""Round trips that are remembered."""


class RoundTrips(Struct, gc=False):
    """The last round trips of a connection: one ping is under way at a time, and only its own pong counts.

    Unsolicited or repeated pongs and those with another payload are ignored. A peer that delays its pongs looks slower
    than it is; the credit that it can gain is limited where time is given.
    """

    count: int = 0
    """How many pings were answered."""
    sent_at: int | None = None
    """When the ping was sent that has no answer yet."""
    samples: tuple[int, ...] = ()

    @property
    def median_ms(self) -> int:
        """The lower median of the last round trips; there must be one."""
        return median_low(self.samples)

    def ping(self, now: int) -> bytes:
        """Return the payload of a ping that is sent now; an earlier one no longer counts."""
        self.sent_at = now
        return _payload(now)

    def pong(self, payload: bytes, arrived: int) -> bool:
        """Take a pong; return whether it was the answer to the ping under way."""
        if self.sent_at is None or payload != _payload(self.sent_at):
            return False
        self.samples = (*self.samples[1 - SAMPLES :], max(arrived - self.sent_at, 0))
        self.sent_at = None
        self.count += 1
        return True


def _payload(sent_at: int) -> bytes:
    return sent_at.to_bytes(8, "big")
