"""Which of a room's snapshots are kept, and which one a new owner starts from."""

from collections.abc import Collection

SNAPSHOT_EVERY = 64
"""Revisions between two snapshots of a room."""


def slot_of(rev: int) -> int:
    """Return which of the two slots keeps the snapshot of revision *rev*: neighbours never share one."""
    return rev // SNAPSHOT_EVERY % 2


def older_snapshot(kept: Collection[tuple[int, bytes]]) -> tuple[int, bytes] | None:
    """Return the older of two snapshots, so that the log after it refills the history ring; None while there is one.

    A single snapshot may be as young as the head of the log, and then nothing would be left to refill the ring from.
    """
    return min(kept) if len(kept) == 2 else None
