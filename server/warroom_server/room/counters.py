"""How much a room did, for benchmarks and for the tests that keep it little."""

from msgspec import Struct


class RoomCounters(Struct):
    """Counts since the room was made; one action of a game that hides nothing costs one diff and three messages."""

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
    """Whole views encoded for newcomers."""
    messages: int = 0
    """Messages encoded, of all kinds."""
    judged: list[str | None] = []
    """The verdicts since the driver last took them: refusal codes, None for what was accepted. Repeats do not count."""
    expired: int = 0
    """Decisions that the clock made since the driver last took them."""
