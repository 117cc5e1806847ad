"""The directory of rooms in Redis. Listed rooms, and the open rooms of each kind, share a hash tag for the scripts."""

from collections.abc import Collection, Iterable, Sequence
from typing import Final, cast

from msgspec.json import encode
from msgspec.structs import asdict

from warroom_protocol.rooms import parse_room_code, room_code
from warroom_server.adapters.redis.command_sender import Argument, as_bytes, as_items, as_text, ask, script
from warroom_server.adapters.redis.connector import RedisBackend
from warroom_server.ports.listings import (
    REMEMBERED,
    ListedRoom,
    OpenRoom,
    QuickAnswer,
    QuickRequest,
    QuickRules,
    Verdict,
)

_ROOMS: Final = "warroom:{rooms}:all"
"""A hash: for each listed room its epoch, owner, time of opening, lists and listing."""
_LEFT: Final = "warroom:{rooms}:left"
"""A hash: when each of the last rooms that left the lists was opened."""
_ORDER: Final = "warroom:{rooms}:order"
"""A list: the same rooms, in the order in which they left."""
_OWNERS: Final = "warroom:{rooms}:owners"
_LIST: Final = "warroom:{rooms}:list:"
"""With the name of a list: a sorted set of rooms by time of opening."""
_OWNED: Final = "warroom:{rooms}:of:"
"""With the id of a node: the set of its listed rooms."""


class RedisListings:
    """Keeps published rooms on a Redis server; the connection opens itself when it is needed."""

    def __init__(self, url: str, *, timeout_s: float = 2.0, rules: QuickRules | None = None) -> None:
        self._rules = rules or QuickRules()
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
        await ask(self._line, script("publish_rooms", keys, *arguments))

    async def find(
        self, lists: Sequence[str], *, before: int | None, owners: Collection[str], limit: int
    ) -> list[bytes] | None:
        """Return the listings of the rooms of *owners* that are in each of *lists*, the newest first."""
        first, second = (*lists, "")[:2]
        after = "" if before is None else room_code(before)
        question = script("find_rooms", (_ROOMS, _LEFT, _LIST + first), after, limit, second, *owners)
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

    async def publish_open(self, kind: str, owner: str, rooms: Sequence[OpenRoom], gone: Sequence[int]) -> None:
        """Open *rooms* of one kind to quick matches; close those *gone*."""
        arguments: list[Argument] = [owner, self._rules.most_open, len(gone), *map(room_code, gone)]
        for room in rooms:
            told = {**asdict(room), "players": _set(room.players), "kicked": _set(room.kicked)}
            arguments += [room_code(room.room), encode(told)]
        await ask(self._line, script("publish_open", (_open_key(kind), _hold_key(kind, "")), *arguments))

    async def quick_match(self, kind: str, request: QuickRequest) -> QuickAnswer:
        """Find a room of a kind and hold a seat there for the player; or let the player make one."""
        asked = {
            **asdict(self._rules),
            **asdict(request),
            "room": room_code(request.room),
            "missing": None if request.missing is None else room_code(request.missing),
            "owners": _set(request.owners),
            "excluded": _set(map(room_code, request.excluded)),
        }
        # Lua reads null as a value of its own.
        question = encode({field: value for field, value in asked.items() if value is not None})
        answer_key = f"{_open_key(kind)}:answer:{request.player}:{request.ref}"
        keys = _open_key(kind), answer_key, _hold_key(kind, request.player)
        (reply,) = await ask(self._line, script("quick_match", keys, question))
        verdict, code = map(as_text, as_items(reply))
        return QuickAnswer(cast(Verdict, verdict), parse_room_code(code))


def _set(members: Iterable[str]) -> dict[str, bool]:
    """Return a set as Lua has it."""
    return dict.fromkeys(members, True)


def _open_key(kind: str) -> str:
    """Return the key of a hash: each open room as its owner published it, and its held seats."""
    return f"warroom:{{quick:{kind}}}"


def _hold_key(kind: str, player: str) -> str:
    return f"{_open_key(kind)}:hold:{player}"
