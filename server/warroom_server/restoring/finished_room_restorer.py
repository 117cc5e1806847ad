"""Finished matches, restored from their replays for players who were away at the end."""

import asyncio
import logging
from collections.abc import Collection
from typing import Final

from warroom_games.log import LogError
from warroom_games.registry import Registry
from warroom_games.replay import ReplayError, links
from warroom_protocol.rooms import room_code
from warroom_server.archive.replay_cache import FinishedMatch, finished_match
from warroom_server.hosting.room_host import RoomHost
from warroom_server.lobby.rematches import find_rematch
from warroom_server.ports.store import KeptReplay, LogEntry, Store, StoredRoom
from warroom_server.ports.time import Clock
from warroom_server.restoring.rules_changed_notice import EndNotice
from warroom_server.room.room import Room
from warroom_server.session.signer import Signer

logger = logging.getLogger(__name__)

BREATH_S: Final = 0.05
"""The pause after a restore, in which the node serves other players."""
_NO_EPOCH: Final = 0


class FinishedRooms:
    """Hosts a finished match as the node that ended it would: players see it, and get lost answers again.

    That node may be gone, or still have the room, but out of reach for players who are connected elsewhere.
    """

    def __init__(
        self,
        *,
        owner: str,
        store: Store,
        room_host: RoomHost,
        signer: Signer,
        registry: Registry,
        clock: Clock,
    ) -> None:
        self._owner = owner
        self._store = store
        self._room_host = room_host
        self._signer = signer
        self._registry = registry
        self._clock = clock

    async def bring_back(self, number: int, players: Collection[str]) -> EndNotice | bool:
        """Host the room if its match is over and one of *players* played it; return whether it is hosted.

        A match that ended because its rules changed cannot be shown: then return its notice.
        """
        kept = await self._store.replay(number) if players and number not in self._room_host else None
        if kept is None:
            return False
        try:
            finished = finished_match(kept)
            if finished.players.isdisjoint(players):
                return False
            if finished.is_outdated:
                return self._end_notice(finished)
            is_here = await self._bring_back(number, kept, finished)
        except (ReplayError, LogError) as error:
            logger.warning("replay not read room=%s reason=%r", room_code(number), str(error))
            return False
        await asyncio.sleep(BREATH_S)
        return is_here

    def _end_notice(self, finished: FinishedMatch) -> EndNotice:
        rules = finished.game, finished.rules_version
        name = self._registry.get(*rules).info.name if rules in self._registry else finished.game
        return EndNotice(name, finished.players, is_public=not finished.is_private)

    async def _bring_back(self, number: int, kept: KeptReplay, finished: FinishedMatch) -> bool:
        # First, because the store may not answer: players who were away must learn of the rematch.
        rematch = await find_rematch(
            self._store, self._signer, number, creator=finished.creator, is_private=finished.is_private
        )
        is_here = self._room_host.attempt(number, lambda: self._host(number, kept, finished))
        if is_here and rematch is not None:
            self._room_host.tell(number, rematch)
        return is_here

    def _host(self, number: int, kept: KeptReplay, finished: FinishedMatch) -> None:
        log = tuple(
            LogEntry(rev=rev, entry=link.entry, chain=link.chain)
            for rev, link in enumerate(links(kept.replay), start=1)
        )
        stored = StoredRoom(number, self._owner, _NO_EPOCH, None, log)
        game = self._registry.get(finished.game, finished.rules_version)
        room = Room.restore(game, stored, self._clock.now(), is_archived=True)
        hosted = self._room_host.host(room, stored.epoch)
        hosted.is_archived = True
        logger.info("match recalled room=%s rev=%d", room_code(number), len(log))
