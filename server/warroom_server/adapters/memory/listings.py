"""The directory of rooms in this process alone, for tests and for `memory://`."""

import time
from collections.abc import Callable, Collection, Sequence

from warroom_server.adapters.memory.quick_match import OpenRooms
from warroom_server.ports.listings import REMEMBERED, ListedRoom, OpenRoom, QuickAnswer, QuickRequest, QuickRules


class MemoryListings:
    """Keeps published rooms in dictionaries."""

    def __init__(self, *, now_s: Callable[[], float] = time.monotonic, rules: QuickRules | None = None) -> None:
        self._now_s = now_s
        self._rules = rules or QuickRules()
        self._kinds: dict[str, OpenRooms] = {}
        """By kind, the open rooms of quick matches."""
        self._rooms: dict[int, tuple[str, ListedRoom]] = {}
        """By number, the owner of a room and how it is listed."""
        self._left: dict[int, int] = {}
        """By number, when a room that left the lists was opened."""

    async def close(self) -> None:
        """Do nothing: there is no connection."""

    async def publish(self, owner: str, rooms: Sequence[ListedRoom], gone: Sequence[int]) -> None:
        """List *rooms* of a node, unless they are listed under a later epoch; unlist those *gone*."""
        for number in gone:
            listed = self._rooms.get(number)
            if listed is not None and listed[0] == owner:
                del self._rooms[number]
                self._left[number] = listed[1].opened_ms
                if len(self._left) > REMEMBERED:
                    del self._left[next(iter(self._left))]
        for room in rooms:
            listed = self._rooms.get(room.room)
            if listed is None or listed[1].epoch <= room.epoch:
                self._rooms[room.room] = owner, room
                self._left.pop(room.room, None)

    async def find(
        self, lists: Sequence[str], *, before: int | None, owners: Collection[str], limit: int
    ) -> list[bytes] | None:
        """Return the listings of the rooms of *owners* that are in each of *lists*, the newest first."""
        opened = {number: room.opened_ms for number, (_, room) in self._rooms.items()}
        since = None if before is None else opened.get(before, self._left.get(before))
        if before is not None and since is None:
            return None
        newest_first = sorted(opened, key=lambda number: (opened[number], number), reverse=True)
        found = [
            room.listing
            for owner, room in map(self._rooms.__getitem__, newest_first)
            if owner in owners
            and set(lists) <= set(room.lists)
            and (before is None or since is None or (room.opened_ms, room.room) < (since, before))
        ]
        return found[:limit]

    async def owners(self) -> list[str]:
        """Return the nodes with listed rooms."""
        return sorted({owner for owner, _ in self._rooms.values()})

    async def rooms_of(self, owner: str) -> list[int]:
        """Return the rooms that are listed under a node."""
        return sorted(number for number, (listed, _) in self._rooms.items() if listed == owner)

    async def publish_open(self, kind: str, owner: str, rooms: Sequence[OpenRoom], gone: Sequence[int]) -> None:
        """Open *rooms* of one kind to quick matches; close those *gone*."""
        self._open_rooms(kind).publish(owner, rooms, gone)

    async def quick_match(self, kind: str, request: QuickRequest) -> QuickAnswer:
        """Find a room of a kind and hold a seat there for the player; or let the player make one."""
        return self._open_rooms(kind).find(request)

    def _open_rooms(self, kind: str) -> OpenRooms:
        return self._kinds.setdefault(kind, OpenRooms(lambda: round(self._now_s() * 1000), self._rules))
