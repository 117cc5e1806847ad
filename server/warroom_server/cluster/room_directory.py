"""The rooms of this node by number: who enters them, and which of them this node takes over or gives away."""

import logging
from collections.abc import Sequence
from typing import Final

from warroom_protocol import codes
from warroom_server.archive.changed_rules import ChangedRules
from warroom_server.archive.end_notice import EndNotice
from warroom_server.archive.finished_rooms import FinishedRooms
from warroom_server.cluster.handover import Handover
from warroom_server.cluster.missing_rules import MissingRules
from warroom_server.cluster.reclaim import Reclaiming
from warroom_server.cluster.room_locator import Reachable, RoomLocator
from warroom_server.cluster.room_restorer import NotHosted, RoomRestorer
from warroom_server.cluster.takeover import Takeover
from warroom_server.hosting.delivery import Delivery
from warroom_server.hosting.hosted_room import HostedRoom
from warroom_server.hosting.returning_players import ReturningPlayers
from warroom_server.hosting.room_events import RoomEvents
from warroom_server.hosting.room_host import RoomHost
from warroom_server.lobby.room_factory import FIRST_EPOCH
from warroom_server.loop.tasks import Tasks
from warroom_server.ports.clock import Clock, Timers
from warroom_server.ports.store import Orphan, Store, StoredRoom, UnavailableError, Whereabouts
from warroom_server.room.room import Room
from warroom_server.storage.log_repair import LogRepair

logger = logging.getLogger(__name__)

TRACKED: Final = 65_536
"""How many rooms may wait to be taken in before no more are tracked whose creation is unconfirmed."""


class RoomDirectory:
    """Leads people into rooms, and looks after those that this node owns and does not host yet."""

    def __init__(
        self,
        *,
        owner: str,
        store: Store,
        room_host: RoomHost,
        events: RoomEvents,
        log_repair: LogRepair,
        delivery: Delivery,
        links: Reachable,
        clock: Clock,
        timers: Timers,
        players: ReturningPlayers,
        restorer: RoomRestorer,
        finished_rooms: FinishedRooms,
        missing_rules: MissingRules,
        changed_rules: ChangedRules,
        handover: Handover,
    ) -> None:
        self._owner = owner
        self._room_host = room_host
        self._events = events
        self._log_repair = log_repair
        self._restorer = restorer
        self._handover = handover
        self.players = players
        self.missing_rules = missing_rules
        self.changed_rules = changed_rules
        self._reclaiming = Reclaiming(store, owner=owner, room_host=room_host)
        self._tasks = Tasks()
        self._is_hurried = False
        """Whether what waits to be taken in is about to be looked through."""
        self.is_leaving = False
        """Whether this node is about to stop, and takes nothing over any more."""
        self._takeover = Takeover(store, owner=owner, clock=clock, room_host=room_host, claimant=self)
        self.room_locator = RoomLocator(
            owner=owner,
            store=store,
            room_host=room_host,
            delivery=delivery,
            reachable=links,
            adopter=self,
            clock=clock,
            timers=timers,
            finished_rooms=finished_rooms,
        )
        events.changed.append(players.look)
        events.removed.append(self._removed)
        events.lost.append(self._lost)
        events.gone.append(lambda number: self.room_locator.gone(number))

    def leave(self) -> None:
        """Take nothing over any more: this node is about to stop."""
        self.is_leaving = True

    @property
    def orphans(self) -> int:
        """How many rooms wait to be taken in."""
        return len(self._takeover)

    async def close(self) -> None:
        """Stop whatever waits for the store."""
        await self.room_locator.tasks.close()
        await self._handover.close()
        await self._tasks.close()

    # --- new rooms --------------------------------------------------------------------------------------------

    def host_new(self, stored: StoredRoom, room: Room | None) -> None:
        """Host a room that was just made."""
        self._restorer.host_own(stored, room)
        self.room_locator.open(stored.room)

    def track(self, number: int) -> None:
        """Track a room whose creation is unconfirmed."""
        if len(self._takeover) < TRACKED:
            self._takeover.add([(number, self._owner, FIRST_EPOCH)])

    def is_coming(self, number: int) -> bool:
        """Whether a room is being taken in, or waits for it."""
        return number in self._takeover

    # --- what the locator asks --------------------------------------------------------------------------------

    def coming_epoch(self, number: int) -> int | None:
        """Return under which epoch a room was owned that is about to be taken in; None if it is not."""
        return self._takeover.epoch_of(number)

    def is_broken(self, number: int) -> bool:
        """Whether a room cannot be taken in."""
        return self._takeover.is_broken(number)

    def is_early(self) -> bool:
        """Whether other nodes may still write again rooms that the store forgot."""
        return self._log_repair.is_early

    def end_notice(self, number: int) -> EndNotice | None:
        """Return what to say of a room that had to end."""
        return self.changed_rules.end_notice(number)

    def take_back(self, number: int, epoch: int) -> None:
        """Look after an own room that is not here."""
        if number in self.missing_rules:
            self.room_locator.turn_all_away(number, codes.RULES_UNAVAILABLE)
        elif number in self.changed_rules:
            self.room_locator.turn_all_away(number, codes.ROOM_UNKNOWN, self.changed_rules.end_notice(number))
        elif not self.is_leaving and number not in self._handover:
            self._takeover.add([(number, self._owner, epoch)])

    def owned_elsewhere(self, number: int, whereabouts: Whereabouts) -> None:
        """Lead everybody to the node that has a room, also those who are in it here while it is in doubt.

        The store that could tell may be out of reach for long.
        """
        hosted = self._room_host.get(number)
        if hosted is not None and hosted.epoch < whereabouts.epoch and self._room_host.is_in_doubt(number):
            self._room_host.lose(hosted)
        self.room_locator.announced(number, whereabouts)

    # --- taking rooms over ------------------------------------------------------------------------------------

    async def adopt(self, orphans: Sequence[Orphan]) -> None:
        """Take over rooms whose owner's lease is gone, and whatever else waits to be taken in."""
        await self._log_repair.settle()
        if not self.is_leaving:
            self._takeover.add([*orphans, *self._handover.give_up(self._handover.overdue())])
            await self._work()

    def take_over(self, orphans: Sequence[Orphan]) -> None:
        """Take over rooms that their owner gives up, at once."""
        if not self.is_leaving:
            self._takeover.add(orphans)
            self.hurry()

    def hurry(self) -> None:
        """Find out at once what became of the rooms that wait to be taken in."""
        if not self._is_hurried:
            self._is_hurried = True
            self._tasks.begin(self._work_now())

    async def _work_now(self) -> None:
        self._is_hurried = False
        await self._log_repair.settle()
        try:
            await self._work()
        except UnavailableError as error:
            logger.warning("rooms not taken over yet reason=%r", str(error))

    async def _work(self) -> None:
        await self._takeover.work()
        await self.changed_rules.look()
        await self.missing_rules.look()

    def wanted(self) -> list[int]:
        """Return the rooms that somebody waits for: they are taken in first."""
        return self.room_locator.wanted()

    async def in_its_life(self, stored: StoredRoom) -> StoredRoom:
        """Return a room as it goes on: in a new life, if its log was cut back."""
        return await self._restorer.in_its_life(stored)

    def take_in(self, stored: StoredRoom) -> bool:
        """Go on with a room that this node owns, and let people in; False if it is broken."""
        outcome = self._restorer.go_on(stored)
        if isinstance(outcome, NotHosted):
            self.room_locator.turn_all_away(stored.room, outcome.code, outcome.end_notice)
            return not outcome.is_broken
        self._events.taken_over(outcome)
        self.room_locator.open(stored.room)
        return True

    def let_go(self, number: int) -> None:
        """Look for a room that turned out to be gone or another's, if somebody waits for it."""
        self.room_locator.seek_if_wanted(number)

    # --- when the node's lease was in doubt -------------------------------------------------------------------

    async def reclaim(self, rooms: Sequence[int]) -> bool:
        """Make sure of own rooms: others may have taken them, or be about to, while this node held no lease.

        One primary has them; False if it does not answer.
        """
        return await self._reclaiming.work(rooms)

    def take_up(self) -> None:
        """Go on with what waited for the lease: rooms whose players came back meanwhile, and those to be taken in."""
        self.players.look_at_all()
        self.hurry()
        self._events.sure()

    # --- rooms that leave -------------------------------------------------------------------------------------

    def _lost(self, hosted: HostedRoom) -> None:
        """Look at once what became of a room: it may be the store that was wrong, and the room still this node's."""
        self.hurry()

    def _removed(self, hosted: HostedRoom) -> None:
        """Look after a room that is not hosted any more and has not ended: it may still be this node's."""
        number = hosted.room.number
        self._log_repair.left(hosted.room.match, is_over=hosted.is_archived)
        if hosted.is_archived:
            self._takeover.forgive(number)
        elif hosted.has_failed:
            self._takeover.add_failed(number, hosted.epoch)
        else:
            self.take_back(number, hosted.epoch)
