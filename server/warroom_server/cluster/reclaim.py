"""A node's own rooms after its lease was in doubt: makes sure of them, for others may have taken them."""

import logging
from collections.abc import Sequence
from typing import Final

from warroom_server.hosting.hosted_room import HostedRoom
from warroom_server.hosting.room_host import RoomHost
from warroom_server.ports.store import Store, UnavailableError, Whereabouts

logger = logging.getLogger(__name__)

AT_ONCE: Final = 256
"""How many rooms are claimed again in one round trip."""


class Reclaiming:
    """Claims own rooms again, so that whoever took the lease for gone comes too late; lost ones are let go."""

    def __init__(self, store: Store, *, owner: str, room_host: RoomHost) -> None:
        self._store = store
        self._owner = owner
        self._room_host = room_host
        self._away: set[str] = set()
        """Primaries that did not answer the last time."""

    async def work(self, rooms: Sequence[int]) -> bool:
        """Make sure of *rooms*, which one primary has; False if that is away: nobody can tell then whose they are."""
        primary, lost = self._store.primary_of(rooms[0]), 0
        try:
            for first in range(0, len(rooms), AT_ONCE):
                lost += await self._claim(rooms[first : first + AT_ONCE])
        except UnavailableError as error:
            if primary not in self._away:
                logger.warning("rooms still in doubt primary=%s rooms=%d reason=%r", primary, len(rooms), str(error))
            self._away.add(primary)
            return False
        self._away.discard(primary)
        logger.warning("lease was in doubt primary=%s rooms=%d lost=%d", primary, len(rooms), lost)
        return True

    async def _claim(self, rooms: Sequence[int]) -> int:
        """Claim rooms again and return how many of them are lost; those that left or are over are no matter."""
        hosted_now = [hosted for number in rooms if (hosted := self._room_host.get(number)) is not None]
        part = [hosted for hosted in hosted_now if not hosted.is_archived]
        if not part:
            return 0
        own = [(hosted.room.number, self._owner, hosted.epoch) for hosted in part]
        epochs = await self._store.claim(own, self._owner)
        found = await self._store.whereabouts([number for number, _, _ in own])
        lost = 0
        for hosted, epoch, whereabouts in zip(part, epochs, found, strict=True):
            if self._room_host.get(hosted.room.number) is not hosted:
                continue
            if epoch is not None:
                self._room_host.writer.raise_epoch(hosted, epoch)
            elif whereabouts is not None and _is_superseded(hosted, self._owner, whereabouts):
                lost += 1
                self._room_host.lose(hosted)
        return lost


def _is_superseded(hosted: HostedRoom, owner: str, whereabouts: Whereabouts) -> bool:
    """Whether a room is another's now; an earlier epoch tells of a store that went back, and is told again."""
    return whereabouts.owner != owner and whereabouts.epoch >= hosted.epoch
