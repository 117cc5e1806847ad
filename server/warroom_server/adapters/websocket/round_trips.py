"""The round-trip time of a connection, measured with pings."""

import sys
from statistics import median_low

from msgspec import Struct

SAMPLES = 8
"""Round trips that are remembered."""
LONGEST_MS = 2**16 - 1
"""Longer ones count as this."""


class RoundTrips(Struct, gc=False):
    """The last round trips of a connection: one ping is under way at a time, and only its own pong counts.

    Unsolicited or repeated pongs and those with another payload are ignored. A peer that delays its pongs looks slower
    than it is; the credit that it can gain is limited where time is given.
    """

    count: int = 0
    """How many pings were answered."""
    sent_at: int | None = None
    """When the ping was sent that has no answer yet."""
    samples: bytes = b""
    """Two bytes each, which takes less memory than integers."""

    @property
    def median_ms(self) -> int:
        """The lower median of the last round trips; there must be one."""
        return median_low(memoryview(self.samples).cast("H"))

    def ping(self, now: int) -> bytes:
        """Return the payload of a ping that is sent now; an earlier one no longer counts."""
        self.sent_at = now
        return now.to_bytes(8)

    def pong(self, payload: bytes, arrived: int) -> bool:
        """Take a pong; return whether it was the answer to the ping under way."""
        if self.sent_at is None or payload != self.sent_at.to_bytes(8):
            return False
        trip_ms = min(max(arrived - self.sent_at, 0), LONGEST_MS)
        self.samples = self.samples[-2 * (SAMPLES - 1) :] + trip_ms.to_bytes(2, sys.byteorder)
        self.sent_at = None
        self.count += 1
        return True
