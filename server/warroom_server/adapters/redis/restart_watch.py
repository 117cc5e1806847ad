"""What a store must not forget and this process still knows: tells it again to one that may have forgotten."""

from collections.abc import Iterable
from typing import Final

from warroom_server.adapters.redis.connection import Command
from warroom_server.adapters.redis.keys import NODES, SECRET, room_keys, rooms_key

LOOK_EVERY: Final = 20
"""With every so many renewals it is looked whether rooms that are remembered are still this node's."""


class RestartWatch:
    """Remembers the signing secret and the rooms that were listed here; too many rooms do no harm for a while."""

    def __init__(self) -> None:
        self.is_needed = False
        """Whether the store may have forgotten something since it was told."""
        self.secret: bytes | None = None
        self._rooms: set[int] = set()
        self._elsewhere: set[int] = set()
        """Rooms that were not this node's at the last look."""
        self._renewals = 0

    def saw(self, rooms: Iterable[int]) -> None:
        """Remember rooms that were listed under this node."""
        seen = set(rooms)
        self._rooms |= seen
        self._elsewhere -= seen

    def forget(self, room: int) -> None:
        """Forget a room that is over."""
        self._rooms.discard(room)
        self._elsewhere.discard(room)

    def renewed(self) -> list[int]:
        """Return the rooms to look at now that the lease was renewed: mostly none, and now and then all of them."""
        self._renewals = (self._renewals + 1) % LOOK_EVERY
        return sorted(self._rooms) if self._renewals == 0 else []

    def missed(self, rooms: Iterable[int]) -> None:
        """Forget those that are not this node's, and were not at the look before either.

        A single look may be older than a claim of this node, or newer than one that a fail-over forgets.
        """
        missed = self._rooms.intersection(rooms)
        self._rooms -= missed & self._elsewhere
        self._elsewhere = missed & self._rooms

    def testimony(self, owner: str) -> list[Command]:
        """Return the commands that tell the store what it may have forgotten, and change nothing otherwise."""
        told: list[Command] = [("SET", SECRET, self.secret, "NX")] if self.secret is not None else []
        if self._rooms:
            codes = [room_keys(room).code for room in sorted(self._rooms)]
            told += [("SADD", rooms_key(owner), *codes), ("SADD", NODES, owner)]
        return told
