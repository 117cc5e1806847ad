"""Which of a room's snapshots are kept, and which one a new owner starts from."""

from collections.abc import Collection

from warroom_server.ports.store import SNAPSHOT_EVERY


def slot_of(rev: int) -> int:
    """Return which of the two slots keeps the snapshot of revision *rev*: neighbours never share one."""
    return rev // SNAPSHOT_EVERY % 2


def older_snapshot(kept: Collection[tuple[int, bytes]]) -> tuple[int, bytes] | None:
    """Return the older of two snapshots, so that its new owner knows the end of the log; None while there is one.

    A store may lose its tail after the take-over. The owner writes again what it knows, and it must know some.
    """
    return min(kept) if len(kept) == 2 else None
