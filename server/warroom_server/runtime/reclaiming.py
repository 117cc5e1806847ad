"""A node's own rooms after its lease was in doubt: makes sure of them, for others may have taken them."""

import asyncio
import logging
from collections.abc import Callable, Collection, Sequence
from typing import Final

from warroom_server.ports import Store, UnavailableError, Whereabouts
from warroom_server.runtime.driver import Driver
from warroom_server.runtime.hosted import Hosted

logger = logging.getLogger(__name__)

AT_ONCE: Final = 256
"""How many rooms are claimed again in one round trip."""


class Reclaiming:
    """Claims own rooms again, so that whoever took the lease for gone comes too late; lost ones are let go."""

    def __init__(self, store: Store, *, owner: str, driver: Driver) -> None:
        self._store = store
        self._owner = owner
        self._driver = driver

    async def work(self, rooms: Collection[int], on_sure: Callable[[Collection[int]], None]) -> None:
        """Make sure of *rooms*; *on_sure* is called for each primary of the store that answers, with those that it has.

        Of the rooms of one that is away nobody can tell whose they are.
        """
        groups: dict[str, list[int]] = {}
        for number in rooms:
            groups.setdefault(self._store.primary_of(number), []).append(number)
        asked = (self._make_sure(primary, group, on_sure) for primary, group in groups.items())
        for bug in await asyncio.gather(*asked, return_exceptions=True):
            if bug is not None:
                raise bug

    async def _make_sure(self, primary: str, rooms: Sequence[int], on_sure: Callable[[Collection[int]], None]) -> None:
        lost = 0
        try:
            for first in range(0, len(rooms), AT_ONCE):
                lost += await self._claim(rooms[first : first + AT_ONCE])
        except UnavailableError as error:
            logger.warning("rooms still in doubt primary=%s rooms=%d reason=%r", primary, len(rooms), str(error))
            return
        logger.warning("lease was in doubt primary=%s rooms=%d lost=%d", primary, len(rooms), lost)
        on_sure(rooms)

    async def _claim(self, rooms: Sequence[int]) -> int:
        """Claim rooms again and return how many of them are lost; those that left meanwhile are no matter."""
        part = [hosted for number in rooms if (hosted := self._driver.get(number)) is not None]
        if not part:
            return 0
        own = [(hosted.room.number, self._owner, hosted.epoch) for hosted in part]
        epochs = await self._store.claim(own, self._owner)
        found = await self._store.whereabouts([number for number, _, _ in own])
        lost = 0
        for hosted, epoch, whereabouts in zip(part, epochs, found, strict=True):
            if epoch is not None:
                self._driver.writer.raise_epoch(hosted, epoch)
            elif whereabouts is not None and _is_superseded(hosted, self._owner, whereabouts):
                lost += 1
                self._driver.on_lost(hosted)
        return lost


def _is_superseded(hosted: Hosted, owner: str, whereabouts: Whereabouts) -> bool:
    """Whether a room is another's now; an earlier epoch tells of a store that went back, and is told again."""
    return whereabouts.owner != owner and whereabouts.epoch >= hosted.epoch
