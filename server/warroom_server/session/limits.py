"""The rate limit of one connection: two token buckets, for messages and for bytes."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from msgspec import Struct

from warroom_protocol import messages

COSTS: Final[Mapping[type, int]] = MappingProxyType(
    {
        messages.Create: 10,
        messages.Fill: 10,
        messages.Quick: 10,
        messages.Games: 5,
        messages.Rooms: 5,
        messages.Older: 5,
        messages.Matches: 5,
        messages.Replay: 5,
        messages.Ranking: 5,
        messages.Offer: 5,
        messages.Leave: 5,
        messages.Kick: 5,
        messages.Join: 2,
        messages.Legal: 2,
        messages.Resync: 2,
        messages.Watch: 2,
    }
)
"""The cost of requests whose answers take more work, in messages; any other request costs one."""


class Limits(Struct, frozen=True, kw_only=True):
    """The limits of one connection. A bucket holds *burst* and refills at *per_s*."""

    messages_per_s: int = 100
    messages_burst: int = 200
    bytes_per_s: int = 64 * 1024
    bytes_burst: int = 128 * 1024
    rooms_per_connection: int = 256
    """How many rooms one connection may follow at a time."""


class Bucket:
    """A token bucket that may go into debt: the debt says how long to wait."""

    __slots__ = ("_burst", "_level", "_rate", "_when")

    def __init__(self, rate: int, burst: int, now: int) -> None:
        # In thousandths, so that a millisecond refills exactly *rate* of them.
        self._rate = rate
        self._burst = burst * 1000
        self._level = burst * 1000
        self._when = now

    def take(self, amount: int, now: int) -> int:
        """Take *amount* and return in how many milliseconds the bucket is out of debt."""
        self._refill(now)
        self._level -= amount * 1000
        return max(-(self._level // self._rate), 0)

    def _refill(self, now: int) -> None:
        if now > self._when:
            self._level = min(self._level + (now - self._when) * self._rate, self._burst)
            self._when = now


class Meter:
    """Both buckets of one connection."""

    __slots__ = ("_bytes", "_messages")

    def __init__(self, limits: Limits, now: int) -> None:
        self._messages = Bucket(limits.messages_per_s, limits.messages_burst, now)
        self._bytes = Bucket(limits.bytes_per_s, limits.bytes_burst, now)

    def take(self, size_bytes: int, now: int, *, cost: int = 1) -> int:
        """Count one message as *cost* messages and return for how many milliseconds to read no further."""
        return max(self._messages.take(cost, now), self._bytes.take(size_bytes, now))
