"""The source of secrets."""

from typing import Protocol


class Entropy(Protocol):
    """The source of secrets."""

    def bytes(self, count: int) -> bytes:
        """Return *count* unpredictable bytes."""
