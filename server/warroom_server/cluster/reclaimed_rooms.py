"""This node's own rooms after its lease was in doubt: other nodes may have claimed them.

Until each room is known to be this node's, nothing of it passes the gate. A late renewal costs nothing, however many
rooms there are, as long as no other node came for them: then the gate opens with the renewal.
"""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from warroom_server.hosting.hosted_room import Hold
from warroom_server.hosting.ownership_gate import OwnershipGate
from warroom_server.hosting.room_events import RoomEvents
from warroom_server.hosting.room_host import RoomHost
from warroom_server.ports.store import Store, UnavailableError
from warroom_server.storage.log_repair import LogRepair

logger = logging.getLogger(__name__)

AT_ONCE: Final = 256
"""Rooms that are claimed again in one round trip."""


@dataclass(eq=False)
class Reclaim:
    """Shuts the gate when rooms are in doubt, and claims them again, so that rival claims fail the epoch check."""

    _store: Store
    _owner: str
    _room_host: RoomHost
    _gate: OwnershipGate
    _events: RoomEvents
    _log_repair: LogRepair

    def __post_init__(self) -> None:
        self._has_held = False
        """Whether rooms were told to pause, and some may still be paused."""
        self._sure_of = self._gate.endings
        """How often the lease had ended when the rooms were last made sure of."""
        self._away: set[str] = set()
        """Primaries that did not answer the last time."""

    def lose(self) -> None:
        """Shut the gate because others may have claimed the rooms."""
        self._gate.shut()
        self.hold()

    def hold(self) -> None:
        """Pause all rooms and tell their viewers."""
        if not self._has_held:
            logger.error("lease lost owner=%s", self._owner)
        self._has_held = True
        self._gate.bypass(lambda: self._room_host.hold_all(Hold.LEASE))

    def renewed(self) -> None:
        """Open the gate after a renewal, if no other node came for the rooms."""
        if self._gate.endings == self._sure_of and self._gate.may_open:
            self._open(self._gate.doubtful)

    def doubtful(self) -> dict[str, list[int]]:
        """Open the gate for all but the rooms in doubt, and return these by primary.

        A primary that is away or hangs keeps only its own rooms in doubt.
        """
        by_primary: dict[str, list[int]] = {}
        if self._gate.may_open:
            self._sure_of = self._gate.endings
            for hosted in self._room_host:
                if self._gate.bars(number := hosted.room.number):
                    by_primary.setdefault(self._store.primary_of(number), []).append(number)
            self._open(frozenset(number for rooms in by_primary.values() for number in rooms))
        return by_primary

    def _open(self, doubtful: frozenset[int]) -> None:
        if self._gate.is_shut or self._gate.doubtful != doubtful:
            self._gate.open(doubtful)
        if self._has_held:
            logger.warning("lease held again owner=%s doubtful=%d", self._owner, len(doubtful))
            self._has_held = bool(doubtful)
            self._room_host.release_all(Hold.LEASE)
            self._events.sure()

    async def claim_again(self, rooms: Sequence[int]) -> bool:
        """Claim the rooms of one primary again, and drop the lost ones; False if the primary does not answer.

        The others continue, unless the lease has ended once more.
        """
        primary, lost, endings = self._store.primary_of(rooms[0]), 0, self._gate.endings
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
        if not self._gate.is_shut and self._gate.endings == endings:
            self._open(self._gate.doubtful.difference(rooms))
        return True

    async def _claim(self, rooms: Sequence[int]) -> int:
        """Return how many of the rooms are lost; rooms that left or ended meanwhile do not count."""
        here = (self._room_host.get(number) for number in rooms)
        part = [hosted for hosted in here if hosted is not None and not hosted.is_archived]
        if not part:
            return 0
        own = [(hosted.room.number, self._owner, hosted.epoch) for hosted in part]
        epochs = await self._store.claim(own, self._owner)
        found = await self._store.whereabouts([number for number, _, _ in own])
        lost = 0
        unknown: dict[int, int] = {}
        for hosted, epoch, whereabouts in zip(part, epochs, found, strict=True):
            if self._room_host.get(hosted.room.number) is not hosted:
                continue
            if epoch is not None:
                self._room_host.pipeline.raise_epoch(hosted, epoch)
            elif whereabouts is None:
                unknown[hosted.room.number] = hosted.epoch
            # An earlier epoch comes from a store that forgot something, and is written again.
            elif whereabouts.owner != self._owner and whereabouts.epoch >= hosted.epoch:
                lost += 1
                self._room_host.lose(hosted)
        # Another node may have ended the match, or the store forgot the room: its answer to the last entry tells.
        await self._log_repair.rewrite(unknown)
        return lost
