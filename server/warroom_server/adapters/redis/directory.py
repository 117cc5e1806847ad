"""The listed rooms in Redis, all under one hash tag, so that each script finds its keys together."""

from collections.abc import Collection, Sequence
from typing import Final

from warroom_protocol.rooms import parse_room_code, room_code
from warroom_server.adapters.redis.backend import RedisBackend
from warroom_server.adapters.redis.connection import Argument
from warroom_server.adapters.redis.replies import as_bytes, as_items, as_text, ask
from warroom_server.adapters.redis.script import FIND_ROOMS, PUBLISH_ROOMS
from warroom_server.ports.directory import REMEMBERED, ListedRoom

_ROOMS: Final = "warroom:{rooms}:all"
"""A hash: for each listed room its epoch, owner, time of opening, lists and listing."""
_LEFT: Final = "warroom:{rooms}:left"
"""A hash: for each of the last rooms that left the lists when it was opened."""
_ORDER: Final = "warroom:{rooms}:order"
"""A list: the same rooms, in the order in which they left."""
_OWNERS: Final = "warroom:{rooms}:owners"
_LIST: Final = "warroom:{rooms}:list:"
"""Before the name of a list, a sorted set of rooms by time of opening."""
_OWNED: Final = "warroom:{rooms}:of:"
"""Before the id of a node, the set of rooms that are listed under it."""


class RedisDirectory:
    """Keep listed rooms on a Redis server; the connection opens itself when it is needed."""

    def __init__(self, url: str, *, timeout_s: float = 2.0) -> None:
        self._line = RedisBackend(url, timeout_s=timeout_s).line()

    async def close(self) -> None:
        """Disconnect."""
        await self._line.close()

    async def publish(self, owner: str, rooms: Sequence[ListedRoom], gone: Sequence[int]) -> None:
        """List *rooms* of a node, unless they are listed under a later epoch; unlist those *gone*."""
        keys = (_ROOMS, _LEFT, _ORDER, _OWNERS, _LIST, _OWNED)
        arguments: list[Argument] = [owner, REMEMBERED, len(gone), *map(room_code, gone)]
        for room in rooms:
            arguments += [room_code(room.room), room.epoch, room.opened_ms, " ".join(room.lists), room.listing]
        await ask(self._line, PUBLISH_ROOMS.call(keys, *arguments))

    async def find(
        self, lists: Sequence[str], *, before: int | None, owners: Collection[str], limit: int
    ) -> list[bytes] | None:
        """Return the listings of the rooms of *owners* that are in each of *lists*, the newest first."""
        first, second = (*lists, "")[:2]
        after = "" if before is None else room_code(before)
        question = FIND_ROOMS.call((_ROOMS, _LEFT, _LIST + first), after, limit, second, *owners)
        (found,) = await ask(self._line, question)
        return None if found is None else [as_bytes(listing) for listing in as_items(found)]

    async def owners(self) -> list[str]:
        """Return the nodes with listed rooms."""
        (found,) = await ask(self._line, ("SMEMBERS", _OWNERS))
        return sorted(as_text(owner) for owner in as_items(found))

    async def rooms_of(self, owner: str) -> list[int]:
        """Return the rooms that are listed under a node."""
        (found,) = await ask(self._line, ("SMEMBERS", _OWNED + owner))
        return sorted(parse_room_code(as_text(code)) for code in as_items(found))
