"""Makes rooms of what the store has of them, and hosts them, if this node can go on with them."""

import logging

from msgspec import Struct

from warroom_games.api import AnyGame
from warroom_games.log import LogError
from warroom_games.registry import Registry, RulesVersion
from warroom_protocol import codes
from warroom_protocol.rooms import room_code
from warroom_server.archive.changed_rules import ChangedRules
from warroom_server.archive.end_notice import EndNotice
from warroom_server.archive.rules_fit import fits, opening_of
from warroom_server.cluster.missing_rules import MissingRules
from warroom_server.hosting.hosted_room import Hold, HostedRoom
from warroom_server.hosting.returning_players import ReturningPlayers
from warroom_server.hosting.room_host import RoomHost
from warroom_server.ports.clock import Clock
from warroom_server.ports.store import StoredRoom
from warroom_server.room.handoff_state import decode_handoff
from warroom_server.room.room import Room
from warroom_server.storage.log_repair import LogRepair

logger = logging.getLogger(__name__)


class NotHosted(Struct, frozen=True):
    """A room that this node owns and does not host: what to say to people who want to enter."""

    code: str
    end_notice: EndNotice | None = None
    is_broken: bool = False
    """Whether nobody knows why it cannot go on."""


class RoomRestorer:
    """Goes on with rooms that other nodes or an earlier process had, their clocks where they were."""

    def __init__(
        self,
        *,
        registry: Registry,
        room_host: RoomHost,
        clock: Clock,
        players: ReturningPlayers,
        missing_rules: MissingRules,
        changed_rules: ChangedRules,
        log_repair: LogRepair,
    ) -> None:
        self._registry = registry
        self._room_host = room_host
        self._clock = clock
        self._players = players
        self._missing_rules = missing_rules
        self._changed_rules = changed_rules
        self._log_repair = log_repair

    def host(self, stored: StoredRoom, room: Room) -> HostedRoom:
        """Host a room whose log needs no repair."""
        return self._room_host.host(room, stored.epoch)

    def host_own(self, stored: StoredRoom, room: Room | None = None) -> None:
        """Host a room that this node owns: *room*, or what the store has of it."""
        room = room or self._restore(stored)
        self._log_repair.remember(stored, room.match)
        self._room_host.host(room, stored.epoch)

    def go_on(self, stored: StoredRoom) -> HostedRoom | NotHosted:
        """Host a room that was taken over and wait for its players, unless its rules are missing or changed."""
        number = stored.room
        if (rules := self._lacking(stored)) is not None:
            self._missing_rules.add(stored, rules)
            return NotHosted(codes.RULES_UNAVAILABLE)
        self._room_host.attempt(number, lambda: self._host_unless_outdated(stored))
        hosted = self._room_host.get(number)
        if hosted is None:
            is_broken = number not in self._changed_rules
            return NotHosted(codes.ROOM_UNKNOWN, self._changed_rules.end_notice(number), is_broken=is_broken)
        logger.info("room adopted room=%s epoch=%d rev=%d", room_code(number), hosted.epoch, hosted.room.match.rev)
        if hosted.room.match.phase == "playing":
            away = frozenset(decode_handoff(stored.handoff).away)
            self._players.wait(hosted, Hold.RESTART, away)
            if away:
                self._players.look(hosted)  # nobody else may come
        return hosted

    async def in_its_life(self, stored: StoredRoom) -> StoredRoom:
        """Return a room as it goes on, unless its rules are missing or changed: then it waits, or ends as it is."""
        rooms: list[Room] = []
        if stored.life and self._lacking(stored) is None and fits(stored, self._rules_of(stored)):
            self._room_host.attempt(stored.room, lambda: rooms.append(self._restore(stored)))
        return await self._log_repair.begin_life(stored, rooms[0].match) if rooms else stored

    def _host_unless_outdated(self, stored: StoredRoom) -> None:
        """Host a room, or end it if its rules changed."""
        if not self._changed_rules.add(stored, self._rules_of(stored)):
            self.host_own(stored)

    def _restore(self, stored: StoredRoom) -> Room:
        handoff_state = decode_handoff(stored.handoff)
        return Room.restore(self._rules_of(stored), stored, self._clock.now(), handoff_state=handoff_state)

    def _rules_of(self, stored: StoredRoom) -> AnyGame:
        opened = opening_of(stored)
        return self._registry.get(opened.game, opened.rules_version)

    def _lacking(self, stored: StoredRoom) -> RulesVersion | None:
        """Return the rules that a room has to wait for, which is no fault of the room; None if they are here."""
        try:
            opened = opening_of(stored)
        except LogError:
            return None  # the room is broken, as restoring it will tell
        rules = opened.game, opened.rules_version
        return None if rules in self._registry else rules
