"""Where secrets come from."""

from typing import Protocol


class Entropy(Protocol):
    """Where secrets come from."""

    def bytes(self, count: int) -> bytes:
        """Return *count* unpredictable bytes."""
        ...
