"""Finished matches, restored from their replays for players who were away at the end."""

import asyncio
import logging
from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from warroom_games.registry import Registry
from warroom_games.replay import links
from warroom_protocol.rooms import room_code
from warroom_server.archive.replay_cache import FinishedMatch, load_match
from warroom_server.hosting.room_host import RoomHost
from warroom_server.lobby.rematches import find_rematch
from warroom_server.ports.store import LogEntry, Store, StoredRoom
from warroom_server.ports.time import Clock
from warroom_server.restoring.waiting_clients import EndNotice, WaitingClients
from warroom_server.room.room import Room
from warroom_server.session.signer import Signer

logger = logging.getLogger(__name__)

BREATH_S: Final = 0.05
"""The pause after a restore, in which the node serves other players."""


@dataclass(frozen=True, eq=False)
class FinishedRooms:
    """Hosts a finished match as the node that ended it would: players see it, and get lost answers again.

    That node may be gone, or still have the room, but out of reach for players who are connected elsewhere.
    """

    _store: Store
    _room_host: RoomHost
    _waiting: WaitingClients
    _signer: Signer
    _registry: Registry
    _clock: Clock

    async def restore(self, number: int) -> bool:
        """Let clients who wait for a finished match in; return False if none of them has played it."""
        tried: set[str] = set()
        while players := self._waiting.players(number) - tried:  # some came while others were tried
            tried |= players
            if await self._restore_for(players, number):
                return True
        return False

    async def _restore_for(self, players: Collection[str], number: int) -> bool:
        finished = None if number in self._room_host else await load_match(self._store, number)
        if finished is None or finished.players.isdisjoint(players):
            return False
        if finished.is_outdated:  # without its rules it cannot be shown
            self._waiting.turn_away(number, self._end_notice(finished))
            return True
        is_here = await self._host(number, finished)
        await asyncio.sleep(BREATH_S)
        if is_here:
            self._waiting.here(number)
        return is_here

    def _end_notice(self, finished: FinishedMatch) -> EndNotice:
        rules = finished.game, finished.rules_version
        name = self._registry.get(*rules).info.name if rules in self._registry else finished.game
        return EndNotice(name, finished.players, is_public=not finished.is_private)

    async def _host(self, number: int, finished: FinishedMatch) -> bool:
        # First, because the store may not answer: players who were away must learn of the rematch.
        rematch = await find_rematch(
            self._store, self._signer, number, creator=finished.creator, is_private=finished.is_private
        )
        is_here = self._room_host.attempt(number, lambda: self._host_replay(number, finished))
        if is_here and rematch is not None:
            self._room_host.tell(number, rematch)
        return is_here

    def _host_replay(self, number: int, finished: FinishedMatch) -> None:
        logged = enumerate(links(finished.replay), start=1)
        log = tuple(LogEntry(rev, link.entry, link.chain) for rev, link in logged)
        stored = StoredRoom(number, owner="", epoch=0, snapshot=None, entries=log)
        game = self._registry.get(finished.game, finished.rules_version)
        room = Room.restore(game, stored, self._clock.now(), is_archived=True)
        hosted = self._room_host.host(room, stored.epoch)
        hosted.is_archived = True
        logger.info("match recalled room=%s rev=%d", room_code(number), len(log))
