"""Rooms that this node owns but cannot host, because it lacks their game or this version of its rules.

Such a room stays in the store, and its clock stands still. It goes to the first node that has the rules. If none comes
in time, it ends without a result.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from typing import Final

from msgspec import Struct

from warroom_games.registry import RulesVersion
from warroom_games.replay import seal
from warroom_protocol.rooms import room_code
from warroom_server.ports.store import RoomRelease, Store, StoredRoom, UnavailableError
from warroom_server.ports.time import Clock

logger = logging.getLogger(__name__)

WAIT_MS: Final = 3_600_000
"""How long a room waits for its rules."""
LOOK_MS: Final = 2_000
"""How often the node looks for another one that has them."""


class _Room(Struct):
    """A room that waits: its rules, and the state that its next owner needs besides the log."""

    rules: RulesVersion
    epoch: int
    handoff: bytes
    since: int


class MissingRules:
    """Keeps rooms whose rules are missing until they end or another node owns them.

    *pass_on* releases a room and offers it to a node that has its rules, if there is one. *gone* is called with each
    room that ended here.
    """

    def __init__(
        self,
        store: Store,
        *,
        owner: str,
        clock: Clock,
        keep_s: int,
        pass_on: Callable[[RoomRelease, RulesVersion], Awaitable[None]],
        gone: Callable[[int], None],
    ) -> None:
        self._store = store
        self._owner = owner
        self._clock = clock
        self._keep_s = keep_s
        self._pass_on = pass_on
        self._gone = gone
        self._rooms: dict[int, _Room] = {}
        self._look_at = 0

    def __contains__(self, number: int) -> bool:
        return number in self._rooms

    def add(self, stored: StoredRoom, rules: RulesVersion) -> None:
        """Keep a room that this node owns and has no rules for."""
        logger.warning("room waits room=%s game=%s rules_version=%d not installed", room_code(stored.room), *rules)
        self._rooms[stored.room] = _Room(rules, stored.epoch, stored.handoff, since=self._clock.now())
        self._look_at = 0

    async def look(self) -> None:
        """Pass rooms on, forget those that another node owns, and end those that waited too long.

        Each primary is asked separately: one of them may be away or hang.
        """
        now, by_primary = self._clock.now(), dict[str, list[int]]()
        if now < self._look_at:
            return
        self._look_at = now + LOOK_MS
        for number in self._rooms:
            by_primary.setdefault(self._store.primary_of(number), []).append(number)
        await asyncio.gather(*(self._look_in(*part) for part in by_primary.items()))

    async def _look_in(self, primary: str, numbers: Sequence[int]) -> None:
        try:
            for number, found in zip(numbers, await self._store.whereabouts(numbers), strict=True):
                room = self._rooms.get(number)
                if room is None:
                    continue  # an earlier look at a primary that hung has dealt with it
                if found is None or found.owner != self._owner:
                    del self._rooms[number]
                elif self._clock.now() - room.since >= WAIT_MS:
                    await self._end(number)
                else:
                    await self._pass_on(RoomRelease(number, self._owner, room.epoch, room.handoff), room.rules)
        except UnavailableError as error:
            logger.warning("rooms without rules not looked at primary=%s reason=%r", primary, str(error))

    async def _end(self, number: int) -> None:
        room = self._rooms[number]
        replay = seal(await self._store.log(number))
        is_ended = await self._store.archive(
            number, self._owner, room.epoch, replay=replay, ended_ms=self._clock.wall_ms(), keep_s=self._keep_s
        )
        if is_ended:  # else another node has just claimed it, and the next look forgets it
            logger.error("room ended without its rules room=%s rules=%s", room_code(number), room.rules)
            del self._rooms[number]
            self._gone(number)
