"""Collects the log lines of the nodes about created rooms, take-overs and leases, with the time of each."""

import re
from collections.abc import Callable
from typing import Final

from msgspec import Struct

FIRST_EPOCH: Final = 1
"""The epoch of a new room."""


class Entry(Struct, frozen=True):
    """A relevant log line of a node."""

    at_s: float
    node: int
    what: str
    """One of `NEWS`, `LINKED`, `LEASE_LOST` or `LEASE_HELD`."""
    room: str = ""
    epoch: int = FIRST_EPOCH
    """Orders the owners of a room: each take-over raises it, in whatever order the lines of two nodes are read."""
    owner: str = ""
    """The id of the process in the cluster; empty until the process has logged it."""
    heir: str = ""
    """The id of the process that receives the room."""


ADOPTED: Final = "room adopted"
GIVEN: Final = "room given"
"""A loaded node handed a new room to a less loaded one."""
NEWS: Final = ("room created", ADOPTED, GIVEN)
LINKED: Final = "link open"
"""A node is linked to another one and logs its own id; this precedes every hand-over."""
LEASE_LOST: Final = "lease lost"
LEASE_HELD: Final = "lease held again"

_LINE: Final = re.compile(rf" ({'|'.join((*NEWS, LINKED, LEASE_LOST, LEASE_HELD))}) (?=\w+=)")
_FACT: Final = re.compile(r"(\w+)=(\S+)")


class OwnershipLog:
    """Keeps the relevant log lines of all nodes."""

    def __init__(self, now_s: Callable[[], float]) -> None:
        self._now_s = now_s
        self._owners: dict[int, str] = {}
        """The id of the latest process of each node."""
        self.entries: list[Entry] = []

    def begin(self, node: int) -> None:
        """Note that a new process of a node starts."""
        self._owners.pop(node, None)

    def note(self, node: int, line: str) -> None:
        """Parse one log line of a node."""
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
