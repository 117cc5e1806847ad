"""What the nodes said about the rooms they took over and gave away, with the moment at which they said it."""

import re
from collections.abc import Callable
from typing import Final

from msgspec import Struct

_PAIR: Final = re.compile(r"(\w+)=(\S+)")


class Entry(Struct, frozen=True):
    """A line of a node's log that matters here."""

    at_s: float
    node: int
    what: str
    facts: dict[str, str]


NEWS: Final = ("node up", "room adopted", "room handed over", "lease lost", "lease held again")


class Journal:
    """Keeps the lines that tell of owners."""

    def __init__(self, now_s: Callable[[], float]) -> None:
        self._now_s = now_s
        self.entries: list[Entry] = []
        self.complaints = 0
        """How many lines reported errors."""

    def note(self, node: int, line: str) -> None:
        """Look at one line of the log of a node."""
        self.complaints += " level=ERROR " in line
        for what in NEWS:
            if f" {what} " in line:
                self.entries.append(Entry(self._now_s(), node, what, dict(_PAIR.findall(line))))
                return
