"""The counters of a node: plain numbers that are read only when metrics are scraped."""

from itertools import accumulate
from typing import Annotated

from msgspec import Struct, field

from warroom_server.room.work_counters import RoomCounters

ACCEPTED = "accepted"
SIZE_BOUNDS = (1, 2, 4, 8, 16, 32, 64, 128, 256)
LATENCY_BOUNDS_MS = (0.25, 0.5, 1, 2, 4, 8, 16, 32, 64, 128, 512, 2048)


class Histogram:
    """A histogram: counts of values by upper bound, and their sum. Each value is counted where it is measured."""

    __slots__ = ("bounds", "counts", "total")

    def __init__(self, bounds: tuple[float, ...]) -> None:
        self.bounds = bounds
        self.counts = [0] * (len(bounds) + 1)
        self.total = 0.0

    def buckets(self, scale: float = 1) -> list[tuple[str, float]]:
        """Return the bounds, multiplied by *scale*, each with the number of values up to it."""
        names = [f"{bound * scale:g}" for bound in self.bounds] + ["+Inf"]
        return list(zip(names, accumulate(map(float, self.counts)), strict=True))


class Counters(Struct):
    """The counters of a node, with the help texts of plain numbers; each is increased where the event happens."""

    accepted: int = 0
    """Accepted actions."""
    refused: dict[str, int] = {}
    """Refused actions by code."""
    frames_built: Annotated[int, "Frames encoded, each once."] = 0
    skipped_frames: Annotated[int, "Frames left out for congested viewers."] = 0
    expired_turns: Annotated[int, "Turns that the clock ended."] = 0
    summons: dict[str, int] = {}
    """Searches for bots by their outcome."""
    batch_sizes: Histogram = field(default_factory=lambda: Histogram(SIZE_BOUNDS))
    """Entries in each batch of appends."""
    append_ms: Histogram = field(default_factory=lambda: Histogram(LATENCY_BOUNDS_MS))
    """The time from sending a batch to its answer."""

    store_failures: dict[str, int] = {}
    """Failed batches, by the kind of trouble."""
    primaries_away: int = 0
    """Primaries of the store that are away now."""
    store_behind: Annotated[int, "Times the store lacked entries that it had acknowledged."] = 0
    rooms_placed: Annotated[int, "New rooms that were handed to a less loaded node."] = 0
    rolled_back: Annotated[int, "Rooms that went on from an earlier state."] = 0
    """They lost entries for good."""

    def take_judged(self, work: RoomCounters) -> None:
        """Move what a room has judged since the last call to the counts of the node."""
        for code in work.refused:
            self.refused[code] = self.refused.get(code, 0) + 1
        work.refused = ()
        self.accepted += work.accepted
        self.expired_turns += work.expired
        work.accepted = work.expired = 0
