"""Restores rooms from the store and hosts them, if this node has their rules."""

import logging

from msgspec import Struct

from warroom_games.api import AnyGame
from warroom_games.log import LogError, decode_entry, opening_of
from warroom_games.registry import Registry, RulesVersion
from warroom_protocol import codes
from warroom_protocol.rooms import room_code
from warroom_server.hosting.hosted_room import Hold, HostedRoom
from warroom_server.hosting.room_host import RoomHost
from warroom_server.hosting.wait_for_players import ReturningPlayers
from warroom_server.ports.store import StoredRoom
from warroom_server.ports.time import Clock
from warroom_server.restoring.missing_rules import MissingRules
from warroom_server.restoring.rules_changed_notice import EndNotice
from warroom_server.restoring.rules_fit import fits
from warroom_server.restoring.unplayable_rooms import ChangedRules
from warroom_server.room.handoff_state import decode_handoff
from warroom_server.room.room import Room
from warroom_server.storage.log_repair import LogRepair

logger = logging.getLogger(__name__)


class NotHosted(Struct, frozen=True):
    """Why this node does not host a room that it owns, as clients are told."""

    code: str
    end_notice: EndNotice | None = None
    is_broken: bool = False
    """Whether restoring the room failed for an unknown reason."""


class RoomRestorer:
    """Continues rooms of other nodes or of an earlier process. Their clocks continue where they stopped."""

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

    def host_own(self, stored: StoredRoom, room: Room | None = None) -> None:
        """Host a room that this node owns: *room*, or the room as it is stored."""
        room = room or self._restore(stored)
        self._log_repair.remember(stored, room.match)
        self._room_host.host(room, stored.epoch)

    def restore(self, stored: StoredRoom) -> HostedRoom | NotHosted:
        """Host a room that was taken over and wait for its players, unless its rules are missing or changed."""
        number = stored.room
        if (rules := self._lacking(stored)) is not None:
            self._missing_rules.add(stored, rules)
        else:
            self._room_host.attempt(number, lambda: self._host_unless_outdated(stored))
        hosted = self._room_host.get(number)
        if hosted is None:
            return self.refusal(number) or NotHosted(codes.ROOM_UNKNOWN, is_broken=True)
        logger.info("room adopted room=%s epoch=%d rev=%d", room_code(number), hosted.epoch, hosted.room.match.rev)
        if hosted.room.match.phase == "playing":
            away = frozenset(decode_handoff(stored.handoff).away)
            self._players.wait(hosted, Hold.RESTART, away)
            if away:
                self._players.look(hosted)  # maybe all others were away as well, and nobody has to be waited for
        return hosted

    def refusal(self, number: int) -> NotHosted | None:
        """Return why an own room is not hosted, if its rules are missing or changed."""
        if number in self._missing_rules:
            return NotHosted(codes.RULES_UNAVAILABLE)
        if number in self._changed_rules:
            return NotHosted(codes.ROOM_UNKNOWN, self.end_notice(number))
        return None

    def end_notice(self, number: int) -> EndNotice | None:
        """Return why a room had to end, if its rules changed."""
        return self._changed_rules.end_notice(number)

    async def begin_life(self, stored: StoredRoom) -> StoredRoom:
        """Return a room as it continues: in a new life if its log was cut. Rooms without their rules stay as they are.

        The new life is stored before anybody sees it.
        """
        rooms: list[Room] = []
        if stored.life and self._lacking(stored) is None and fits(stored, self._rules_of(stored)):
            self._room_host.attempt(stored.room, lambda: rooms.append(self._restore(stored)))
        return await self._log_repair.begin_life(stored, rooms[0].match) if rooms else stored

    # --- work that rooms leave behind -----------------------------------------------------------------------------

    @property
    def is_early(self) -> bool:
        """Whether other nodes may still write rooms again that the store forgot."""
        return self._log_repair.is_early

    async def repair_logs(self) -> None:
        """Write again what the store forgot."""
        await self._log_repair.settle()

    async def end_unplayable(self) -> None:
        """End rooms whose rules changed or stay missing, and offer the latter to nodes that have the rules."""
        await self._changed_rules.look()
        await self._missing_rules.look()

    def removed(self, hosted: HostedRoom) -> None:
        """Note that a room is not hosted any more."""
        self._log_repair.left(hosted.room.match, is_over=hosted.is_archived)

    # --- inside ---------------------------------------------------------------------------------------------------

    def _host_unless_outdated(self, stored: StoredRoom) -> None:
        if not self._changed_rules.add(stored, self._rules_of(stored)):
            self.host_own(stored)

    def _restore(self, stored: StoredRoom) -> Room:
        handoff_state = decode_handoff(stored.handoff)
        return Room.restore(self._rules_of(stored), stored, self._clock.now(), handoff_state=handoff_state)

    def _rules_of(self, stored: StoredRoom) -> AnyGame:
        return self._registry.get(*_version_of(stored))

    def _lacking(self, stored: StoredRoom) -> RulesVersion | None:
        """Return the rules that this node lacks for a room; None if it has them."""
        try:
            rules = _version_of(stored)
        except LogError:
            return None  # the room is broken; restoring it will fail and say so
        return None if rules in self._registry else rules


def _version_of(stored: StoredRoom) -> RulesVersion:
    opened = opening_of([decode_entry(stored.opening)])
    return opened.game, opened.rules_version
