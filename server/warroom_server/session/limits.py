"""How much one connection may say: two token buckets, and an end to patience."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from msgspec import Struct

from warroom_protocol.messages import (
    Create,
    Fill,
    Games,
    Join,
    Legal,
    Matches,
    Quick,
    Ranking,
    Replay,
    Resync,
    Rooms,
    Watch,
)

COSTS: Final[Mapping[type, int]] = MappingProxyType(
    {
        **dict.fromkeys((Create, Fill, Quick), 10),
        **dict.fromkeys((Games, Rooms, Matches, Replay, Ranking), 5),
        **dict.fromkeys((Join, Legal, Resync, Watch), 2),
    }
)
"""How many messages each of these counts as, because its answer is so much more work; any other counts as one."""


class Limits(Struct, frozen=True, kw_only=True):
    """What one connection may do. A bucket holds *burst* and refills at *per_s*."""

    messages_per_s: int = 100
    messages_burst: int = 200
    bytes_per_s: int = 64 * 1024
    bytes_burst: int = 128 * 1024
    patience_ms: int = 15_000
    """A connection that is in debt and has not let its buckets fill to the half for so long is flooding."""
    rooms: int = 256
    """How many rooms one connection may follow at a time."""


class Bucket:
    """A token bucket that may run into debt: what was taken has happened, the debt says how long to wait."""

    __slots__ = ("_burst", "_level", "_rate", "_when")

    def __init__(self, rate: int, burst: int, now: int) -> None:
        # In thousandths, so that a millisecond refills exactly *rate* of them.
        self._rate = rate
        self._burst = burst * 1000
        self._level = burst * 1000
        self._when = now

    def is_half_full(self, now: int) -> bool:
        """Whether at least half of the burst could be taken at once."""
        self._refill(now)
        return self._level * 2 >= self._burst

    def take(self, amount: int, now: int) -> int:
        """Take *amount* and return how many milliseconds it takes until the bucket is out of debt."""
        self._refill(now)
        self._level -= amount * 1000
        return max(-(self._level // self._rate), 0)

    def _refill(self, now: int) -> None:
        if now > self._when:
            self._level = min(self._level + (now - self._when) * self._rate, self._burst)
            self._when = now


class Meter:
    """Both buckets of one connection, and when they last were well filled."""

    __slots__ = ("_bytes", "_calm_at", "_messages", "_patience_ms")

    def __init__(self, limits: Limits, now: int) -> None:
        self._messages = Bucket(limits.messages_per_s, limits.messages_burst, now)
        self._bytes = Bucket(limits.bytes_per_s, limits.bytes_burst, now)
        self._patience_ms = limits.patience_ms
        self._calm_at = now

    def take(self, size_bytes: int, now: int, *, cost: int = 1) -> int:
        """Count one message as *cost* messages and return for how many milliseconds to read no further."""
        if self._messages.is_half_full(now) and self._bytes.is_half_full(now):
            self._calm_at = now
        return max(self._messages.take(cost, now), self._bytes.take(size_bytes, now))

    def is_out_of_patience(self, now: int) -> bool:
        """Whether the buckets have not been half full for so long that the connection can only be flooding."""
        return now - self._calm_at > self._patience_ms
