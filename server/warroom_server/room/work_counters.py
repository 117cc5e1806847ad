"""Work counters of a room, for benchmarks and for tests that limit the work."""

from msgspec import Struct


class RoomCounters(Struct):
    """Counts since the room was created. One action of a game without secrets costs one diff and three messages."""

    entries: int = 0
    """Entries prepared."""
    diffs: int = 0
    """Pairs of views compared."""
    sums: int = 0
    """Checksums of whole views."""
    updates: int = 0
    """Public frames built, each once for all viewers."""
    privates: int = 0
    """Private frames built, each once for all viewers of a seat."""
    snapshots: int = 0
    """Whole views encoded."""
    messages: int = 0
    """Messages encoded, of all kinds."""
    accepted: int = 0
    """Accepted actions since the driver last took them."""
    refused: tuple[str, ...] = ()
    """The codes of refused actions since the driver last took them. Repeats do not count."""
    expired: int = 0
    """Time-outs since the driver last took them."""
