"""Rooms that no node can go on with, because none has their game in that version of its rules.

Such a room stays in the store as it is and its clock stands still. It goes to the first node that has the rules; if
none comes in time, it ends without a result: nobody can tell how it stood.
"""

import asyncio
import logging
from collections.abc import Callable, Sequence
from typing import Final

from msgspec import Struct

from warroom_games.registry import RulesVersion
from warroom_games.replay import seal
from warroom_protocol.rooms import room_code
from warroom_server.cluster.messages import Offered
from warroom_server.ports.clock import Clock
from warroom_server.ports.store import Store, StoredRoom, UnavailableError
from warroom_server.room.handoff_state import HandoffState

logger = logging.getLogger(__name__)

WAIT_MS: Final = 3_600_000
"""How long a room waits for its rules."""
LOOK_MS: Final = 2_000
"""How often it is looked for a node that has them."""


class _Room(Struct):
    """A room that this node owns and cannot go on with."""

    rules: RulesVersion
    epoch: int
    since: int
    handoff_state: HandoffState
    """What its log does not tell whoever goes on with it."""


class MissingRules:
    """Keeps the rooms of this node that lack their rules; *heir* names a node that has them, to which *offer* goes."""

    def __init__(self, store: Store, *, owner: str, clock: Clock, keep_s: int, gone: Callable[[int], None]) -> None:
        self.heir: Callable[[RulesVersion], str | None] = lambda _: None
        self.offer: Callable[[str, Offered], object] = lambda _, __: None
        self._store = store
        self._owner = owner
        self._clock = clock
        self._keep_s = keep_s
        self._gone = gone
        self._rooms: dict[int, _Room] = {}
        self._looked = 0

    def __contains__(self, number: int) -> bool:
        return number in self._rooms

    def __len__(self) -> int:
        return len(self._rooms)

    def add(self, stored: StoredRoom, rules: RulesVersion, handoff_state: HandoffState) -> None:
        """Look after a room that this node owns, and has no rules for; what is *handoff_state* of it is kept."""
        game, version = rules
        logger.warning(
            "room waits room=%s game=%s rules_version=%d not installed", room_code(stored.room), game, version
        )
        self._rooms[stored.room] = _Room(rules, stored.epoch, self._clock.now(), handoff_state)
        self._offer(stored.room)

    def _offer(self, number: int) -> None:
        room = self._rooms[number]
        if (heir := self.heir(room.rules)) is not None:
            self.offer(heir, (number, room.epoch, room.handoff_state))

    async def look(self) -> None:
        """See what became of the rooms: offer them again, forget those that another node has, end those that waited.

        Each primary is asked by itself: one of them may be away, or hang.
        """
        now = self._clock.now()
        if not self._rooms or now - self._looked < LOOK_MS:
            return
        self._looked = now
        by_primary: dict[str, list[int]] = {}
        for number in self._rooms:
            by_primary.setdefault(self._store.primary_of(number), []).append(number)
        await asyncio.gather(*(self._try_to_look(*part, now) for part in by_primary.items()))

    async def _try_to_look(self, primary: str, numbers: Sequence[int], now: int) -> None:
        try:
            await self._look_at(numbers, now)
        except UnavailableError as error:
            logger.warning("rooms without rules not looked at primary=%s reason=%r", primary, str(error))

    async def _look_at(self, numbers: Sequence[int], now: int) -> None:
        for number, found in zip(numbers, await self._store.whereabouts(numbers), strict=True):
            if found is None or found.owner != self._owner:
                del self._rooms[number]
            elif now - self._rooms[number].since >= WAIT_MS:
                await self._end(number)
            else:
                self._offer(number)

    async def _end(self, number: int) -> None:
        room = self._rooms[number]
        replay = seal(await self._store.log(number))
        is_ended = await self._store.archive(
            number, self._owner, room.epoch, replay=replay, ended_ms=self._clock.wall_ms(), keep_s=self._keep_s
        )
        if not is_ended:
            return  # another node has just taken it, as the next look tells
        logger.error("room ended without its rules room=%s rules=%s", room_code(number), room.rules)
        del self._rooms[number]
        self._gone(number)
