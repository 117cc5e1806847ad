"""What the nodes said about the rooms they made and took over, with the moment at which they said it."""

import re
from collections.abc import Callable
from typing import Final

from msgspec import Struct

FIRST_EPOCH: Final = 1
"""The epoch of a room that was made just now."""


class Entry(Struct, frozen=True):
    """A line of a node's log that matters here."""

    at_s: float
    node: int
    what: str
    """One of `NEWS`, `LINKED`, `LEASE_LOST` or `LEASE_HELD`."""
    room: str = ""
    epoch: int = FIRST_EPOCH
    """Counts the owners of a room: whoever takes it has a higher one, whenever the lines of two nodes are read."""
    owner: str = ""
    """The process that said it, by the id under which the others know it; empty until it has said that itself."""
    heir: str = ""
    """The process that a room was given to."""


ADOPTED: Final = "room adopted"
GIVEN: Final = "room given"
"""A node with many matches gave one to a node with fewer."""
NEWS: Final = ("room created", ADOPTED, GIVEN)
LINKED: Final = "link open"
"""A node knows another one, and says its own id; nothing is given before that."""
LEASE_LOST: Final = "lease lost"
LEASE_HELD: Final = "lease held again"

_LINE: Final = re.compile(rf" ({'|'.join((*NEWS, LINKED, LEASE_LOST, LEASE_HELD))}) (?=\w+=)")
_FACT: Final = re.compile(r"(\w+)=(\S+)")


class Journal:
    """Keeps the lines that tell of owners."""

    def __init__(self, now_s: Callable[[], float]) -> None:
        self._now_s = now_s
        self._owners: dict[int, str] = {}
        """By node, the id of its latest process."""
        self.entries: list[Entry] = []

    def begin(self, node: int) -> None:
        """Note that another process begins in the place of a node."""
        self._owners.pop(node, None)

    def note(self, node: int, line: str) -> None:
        """Look at one line of the log of a node."""
        found = _LINE.search(line)
        if found is None:
            return
        facts = dict(_FACT.findall(line[found.end() :]))
        if found[1] == LINKED:
            self._owners[node] = facts.get("own", "")
        entry = Entry(
            at_s=self._now_s(),
            node=node,
            what=found[1],
            room=facts.get("room", ""),
            epoch=int(facts.get("epoch", FIRST_EPOCH)),
            owner=self._owners.get(node, ""),
            heir=facts.get("to", ""),
        )
        self.entries.append(entry)
