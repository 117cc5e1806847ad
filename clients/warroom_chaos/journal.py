"""What the nodes said about the rooms they made and took over, with the moment at which they said it."""

from collections.abc import Callable
from typing import Final

from msgspec import Struct


class Entry(Struct, frozen=True):
    """A line of a node's log that matters here."""

    at_s: float
    node: int
    what: str
    """One of `NEWS`, `LEASE_LOST` or `LEASE_HELD`."""
    room: str = ""


GIVEN: Final = "room given"
"""A node with many matches gave one to a node with fewer."""
NEWS: Final = ("room created", "room adopted", GIVEN)
LEASE_LOST: Final = "lease lost"
LEASE_HELD: Final = "lease held again"


class Journal:
    """Keeps the lines that tell of owners."""

    def __init__(self, now_s: Callable[[], float]) -> None:
        self._now_s = now_s
        self.entries: list[Entry] = []

    def note(self, node: int, line: str) -> None:
        """Look at one line of the log of a node."""
        for what in (LEASE_LOST, LEASE_HELD):
            if f" {what} " in line:
                self.entries.append(Entry(self._now_s(), node, what))
        for what in NEWS:
            _, found, facts = line.partition(f" {what} room=")
            if found:
                self.entries.append(Entry(self._now_s(), node, what, facts.partition(" ")[0]))
