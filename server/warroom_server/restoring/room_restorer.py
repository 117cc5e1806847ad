"""Restores rooms from the store and hosts them, if this node has their rules."""

import logging
from dataclasses import dataclass

from warroom_games.log import decode_entry, opening_of
from warroom_games.registry import Registry, RulesVersion
from warroom_protocol.rooms import room_code
from warroom_server.hosting.hosted_room import Hold
from warroom_server.hosting.room_host import RoomHost
from warroom_server.hosting.wait_for_players import ReturningPlayers
from warroom_server.ports.store import StoredRoom
from warroom_server.ports.time import Clock
from warroom_server.restoring.rules_fit import fits
from warroom_server.restoring.unplayable_rooms import UnplayableRooms
from warroom_server.room.handoff_state import decode_handoff
from warroom_server.room.room import Room
from warroom_server.storage.log_repair import LogRepair

logger = logging.getLogger(__name__)


@dataclass(frozen=True, eq=False)
class RoomRestorer:
    """Continues rooms of other nodes or of an earlier process. Their clocks continue where they stopped."""

    _registry: Registry
    _room_host: RoomHost
    _clock: Clock
    _players: ReturningPlayers
    unplayable: UnplayableRooms
    log_repair: LogRepair

    def host_own(self, stored: StoredRoom, room: Room | None = None) -> None:
        """Host a room that this node owns: *room*, or the room as it is stored."""
        room = room or self._restore(stored)
        self.log_repair.remember(stored, room.match)
        self._room_host.host(room, stored.epoch)

    def restore(self, stored: StoredRoom) -> bool:
        """Host a room that was taken over and wait for its players; return False if it cannot be hosted."""
        number = stored.room
        self._room_host.attempt(number, lambda: self._host_if_playable(stored))
        hosted = self._room_host.get(number)
        if hosted is None:
            return False
        logger.info("room adopted room=%s epoch=%d rev=%d", room_code(number), hosted.epoch, hosted.room.match.rev)
        if hosted.room.match.phase == "playing":
            away = frozenset(decode_handoff(stored.handoff).away)
            self._players.wait(hosted, Hold.RESTART, away)
            if away:
                self._players.look(hosted)  # maybe all others were away as well, and nobody has to be waited for
        return True

    def _host_if_playable(self, stored: StoredRoom) -> None:
        rules = _version_of(stored)
        if rules not in self._registry:
            self.unplayable.add_without_rules(stored, rules)
        elif not fits(stored, game := self._registry.get(*rules)):
            self.unplayable.add_outdated(stored, game)
        else:
            self.host_own(stored)

    async def begin_life(self, stored: StoredRoom) -> StoredRoom:
        """Return a room as it continues: in a new life if its log was cut. Rooms without their rules stay as they are.

        The new life is stored before anybody sees it.
        """
        rooms: list[Room] = []

        def restore() -> None:
            rules = _version_of(stored)
            if rules in self._registry and fits(stored, self._registry.get(*rules)):
                rooms.append(self._restore(stored))

        if stored.life:
            self._room_host.attempt(stored.room, restore)
        return await self.log_repair.begin_life(stored, rooms[0].match) if rooms else stored

    def _restore(self, stored: StoredRoom) -> Room:
        game, handoff_state = self._registry.get(*_version_of(stored)), decode_handoff(stored.handoff)
        return Room.restore(game, stored, self._clock.now(), handoff_state=handoff_state)


def _version_of(stored: StoredRoom) -> RulesVersion:
    opened = opening_of([decode_entry(stored.opening)])
    return opened.game, opened.rules_version
