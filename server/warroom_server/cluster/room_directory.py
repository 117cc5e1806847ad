"""Which rooms there are: finds them, takes over those whose owner is gone, lets those go that are over."""

import logging
from collections.abc import Callable, Mapping, Sequence

from warroom_games.api import AnyGame
from warroom_games.log import LogError
from warroom_games.registry import Registry, RulesVersion
from warroom_protocol import codes
from warroom_protocol.rooms import room_code
from warroom_server.archive.changed_rules import ChangedRules
from warroom_server.archive.finished_rooms import FinishedRooms
from warroom_server.archive.rules_fit import fits, opening_of
from warroom_server.cluster.missing_rules import MissingRules
from warroom_server.cluster.reclaim import Reclaiming
from warroom_server.cluster.room_locator import Enter, RoomLocator
from warroom_server.cluster.takeover import Takeover
from warroom_server.hosting.connections import Connections
from warroom_server.hosting.expiry import RoomExpiry
from warroom_server.hosting.hosted_room import AWAITING, Hold, HostedRoom
from warroom_server.hosting.room_host import RoomHost
from warroom_server.lobby.quota import Quota
from warroom_server.lobby.room_factory import FIRST_EPOCH, RoomFactory
from warroom_server.lobby.room_index import RoomIndex
from warroom_server.loop.tasks import Tasks
from warroom_server.ports.clock import Clock, Timers
from warroom_server.ports.entropy import Entropy
from warroom_server.ports.store import Orphan, Store, StoredRoom, UnavailableError
from warroom_server.room.handoff_state import NO_HANDOFF_STATE, HandoffState
from warroom_server.room.room import Room
from warroom_server.session.identity import Signer
from warroom_server.storage.archiver import Archiver
from warroom_server.storage.log_repair import LogRepair

logger = logging.getLogger(__name__)

RETURN_MS = 10_000
"""How long the clock of a room that was taken over waits for its players."""


class RoomDirectory:
    """The rooms of this node by number, and the way to all others."""

    def __init__(
        self,
        *,
        owner: str,
        store: Store,
        room_host: RoomHost,
        archiver: Archiver,
        log_repair: LogRepair,
        connections: Connections,
        signer: Signer,
        registry: Registry,
        entropy: Entropy,
        clock: Clock,
        timers: Timers,
        max_rooms: int,
        rooms_per_player: int,
        rooms_per_address: int,
        idle_ms: int,
        keep_s: int,
    ) -> None:
        self._owner = owner
        self._store = store
        self._room_host = room_host
        self._log_repair = log_repair
        self._connections = connections
        self._signer = signer
        self._registry = registry
        self._clock = clock
        self._timers = timers
        self._max_rooms = max_rooms
        self._expiry = RoomExpiry(room_host, clock, idle_ms=idle_ms)
        self._reclaiming = Reclaiming(store, owner=owner, room_host=room_host)
        self._tasks = Tasks()
        self._is_hurried = False
        """Whether what waits to be taken in is about to be looked through."""
        self.quota = Quota(
            in_all=max_rooms, per_player=rooms_per_player, per_address=rooms_per_address, is_over=self._is_over
        )
        self._takeover = self._new_adoption()
        self.missing_rules = MissingRules(
            store, owner=owner, clock=clock, keep_s=keep_s, gone=lambda number: self.room_locator.gone(number)
        )
        self.changed_rules = ChangedRules(
            store, archiver, clock=clock, gone=lambda number: self.room_locator.gone(number)
        )
        self.room_locator = self._new_entrance()
        self._takeover.on_let_go = self.room_locator.seek_if_wanted
        self.room_factory = self._new_maker(entropy)
        self.given: set[int] = set()
        """Rooms that were given to other nodes, which have not said yet that they have them."""
        self.is_leaving = False
        """Whether this node is about to stop, and takes nothing in any more."""
        self.on_taken_in: Callable[[HostedRoom], None] = lambda _: None
        """Called for every room that this node has taken over."""
        self.on_sure: Callable[[], None] = lambda: None
        """Called when rooms that were in doubt are known to be this node's."""
        self.room_index = RoomIndex(room_host.get)
        room_host.on_entering = self.room_locator.enter
        room_host.on_changed.append(self.room_index.note)
        room_host.on_removed.append(self._removed)

    def _new_adoption(self) -> Takeover:
        return Takeover(
            self._store,
            owner=self._owner,
            clock=self._clock,
            is_hosted=self._room_host.__contains__,
            term=lambda: self._room_host.term,
            wanted=lambda: self.room_locator.wanted(),
            take_in=self._take_in,
            in_its_life=self._in_its_life,
        )

    def _new_entrance(self) -> RoomLocator:
        return RoomLocator(
            owner=self._owner,
            store=self._store,
            room_host=self._room_host,
            connections=self._connections,
            clock=self._clock,
            timers=self._timers,
            admit=self._admit,
            is_coming=self._takeover.__contains__,
            is_broken=self._takeover.is_broken,
            is_early=lambda: self._log_repair.is_early,
            end_notice=self.changed_rules.end_notice,
            take_in=self._take_back,
            finished_rooms=FinishedRooms(
                owner=self._owner,
                store=self._store,
                room_host=self._room_host,
                signer=self._signer,
                registry=self._registry,
                clock=self._clock,
                host=self._host,
            ),
        )

    def _new_maker(self, entropy: Entropy) -> RoomFactory:
        return RoomFactory(
            owner=self._owner,
            store=self._store,
            room_host=self._room_host,
            connections=self._connections,
            signer=self._signer,
            registry=self._registry,
            entropy=entropy,
            clock=self._clock,
            quota=self.quota,
            host=self._host_made,
            doubtful=self._doubt,
            is_moving=self._takeover.__contains__,
        )

    @property
    def orphans(self) -> int:
        """How many rooms wait to be taken in."""
        return len(self._takeover)

    async def close(self) -> None:
        """Stop whatever waits for the store."""
        await self.room_factory.tasks.close()
        await self.room_locator.tasks.close()
        await self._tasks.close()

    # --- making a room ----------------------------------------------------------------------------------------

    def _host_made(self, stored: StoredRoom, room: Room | None) -> None:
        self._host_own(stored, self._restore(stored) if room is None else room)
        self.room_locator.open(stored.room)

    def _doubt(self, number: int) -> None:
        """Look after a room of which only the store knows whether it was made."""
        if len(self._takeover) < self._max_rooms:
            self._takeover.add([(number, self._owner, FIRST_EPOCH)], {})

    def _take_back(self, number: int, epoch: int) -> None:
        """Look after an own room that is not here."""
        if number in self.missing_rules:
            self.room_locator.turn_all_away(number, codes.RULES_UNAVAILABLE)
        elif number in self.changed_rules:
            self.room_locator.turn_all_away(number, codes.ROOM_UNKNOWN, self.changed_rules.end_notice(number))
        elif not self.is_leaving and number not in self.given:
            self._takeover.add([(number, self._owner, epoch)], {})

    def _is_over(self, number: int) -> bool:
        """Whether a room is over for everybody: whoever made it may be a spectator, and must not learn it sooner."""
        hosted = self._room_host.get(number)
        return hosted is not None and hosted.room.is_publicly_over

    # --- finding a room ---------------------------------------------------------------------------------------

    def enter(self, number: int, command: Enter) -> None:
        """Lead somebody into a room, if need be once it is known where that is."""
        if number in self._room_host:
            self._admit(number, command)
        elif not self._room_host.on_absent(number, command):
            self.room_locator.enter(number, command)

    def _admit(self, number: int, command: Enter) -> None:
        if command.connection not in self._connections:
            return
        self._room_host.tell(number, command)
        hosted = self._room_host.get(number)
        if hosted is not None and hosted.is_awaiting:
            self._look_who_is_back(hosted)

    # --- taking a room over -----------------------------------------------------------------------------------

    async def adopt(self, orphans: Sequence[Orphan]) -> None:
        """Take over rooms whose owner's lease is gone, and whatever else waits to be taken in."""
        await self._log_repair.settle()
        if not self.is_leaving:
            self._takeover.add(orphans, {})
            await self._takeover.work()
            await self.changed_rules.look()
            await self.missing_rules.look()

    def take_over(self, orphans: Sequence[Orphan], handoff_state: Mapping[int, HandoffState] | None = None) -> None:
        """Take over rooms that their owner gives up, at once; it told what is *handoff_state* of them."""
        if not self.is_leaving:
            self._takeover.add(orphans, handoff_state or {})
            self.hurry()

    def hurry(self) -> None:
        """Find out at once what became of the rooms that wait to be taken in."""
        if not self._is_hurried:
            self._is_hurried = True
            self._tasks.begin(self._work())

    async def _work(self) -> None:
        self._is_hurried = False
        await self._log_repair.settle()
        try:
            await self._takeover.work()
            await self.changed_rules.look()
        except UnavailableError as error:
            logger.warning("rooms not taken over yet reason=%r", str(error))

    def _take_in(self, stored: StoredRoom, handoff_state: HandoffState) -> bool:
        """Go on with a room that this node owns, its clock where it was; False if that cannot be done."""
        number = stored.room
        if (rules := self._lacking(stored)) is not None:
            self.missing_rules.add(stored, rules, handoff_state)
            self.room_locator.turn_all_away(number, codes.RULES_UNAVAILABLE)
            return True
        self._room_host.attempt(number, lambda: self._host_unless_outdated(stored, handoff_state))
        if number not in self._room_host:
            self.room_locator.turn_all_away(number, codes.ROOM_UNKNOWN, self.changed_rules.end_notice(number))
            return number in self.changed_rules
        hosted = self._room_host.get(number)
        assert hosted is not None
        logger.info("room adopted room=%s epoch=%d rev=%d", room_code(number), hosted.epoch, hosted.room.match.rev)
        if hosted.room.match.phase == "playing":
            self.await_players(hosted, Hold.RESTART, frozenset(handoff_state.away))
            if handoff_state.away:
                self._look_who_is_back(hosted)  # nobody else may come
        self.on_taken_in(hosted)
        self.room_locator.open(number)
        return True

    def _host_unless_outdated(self, stored: StoredRoom, handoff_state: HandoffState) -> None:
        """Go on with a room, or end it if its rules changed."""
        if not self.changed_rules.add(stored, self._rules_of(stored)):
            self._host_own(stored, self._restore(stored, handoff_state))

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

    async def _in_its_life(self, stored: StoredRoom) -> StoredRoom:
        """Return a room as it goes on, unless its rules are missing or changed: then it waits, or ends as it is."""
        rooms: list[Room] = []
        if stored.life and self._lacking(stored) is None and fits(stored, self._rules_of(stored)):
            self._room_host.attempt(stored.room, lambda: rooms.append(self._restore(stored)))
        return await self._log_repair.begin_life(stored, rooms[0].match) if rooms else stored

    def _restore(self, stored: StoredRoom, handoff_state: HandoffState = NO_HANDOFF_STATE) -> Room:
        return Room.restore(self._rules_of(stored), stored, self._clock.now(), handoff_state=handoff_state)

    def _host_own(self, stored: StoredRoom, room: Room) -> None:
        self._log_repair.remember(stored, room.match)
        self._host(stored, room)

    def _host(self, stored: StoredRoom, room: Room) -> HostedRoom:
        self.quota.add(room.match.opened.creator, room.number)
        return self._room_host.host(room, stored.epoch)

    def await_players(self, hosted: HostedRoom, why: Hold, missing: frozenset[int] = frozenset()) -> None:
        """Let the clock stand still until the players are back, who lost their connections through no fault.

        Those who had none before are *missing*, and not waited for.
        """
        hosted.missing = missing
        until = hosted.awaits_until = self._clock.now() + RETURN_MS
        self._room_host.hold(hosted, why)
        self._timers.call_at(until, lambda: self._give_up_waiting(hosted, until))

    def _give_up_waiting(self, hosted: HostedRoom, until: int) -> None:
        if hosted.awaits_until == until:  # else some were lost again since, and have their own time
            self._go_on(hosted)

    def _look_who_is_back(self, hosted: HostedRoom) -> None:
        if hosted.absent <= hosted.missing:
            self._go_on(hosted)

    def _go_on(self, hosted: HostedRoom) -> None:
        for why in AWAITING:
            self._room_host.release(hosted, why)

    # --- when the node's lease was in doubt -------------------------------------------------------------------

    async def reclaim(self, rooms: Sequence[int]) -> bool:
        """Make sure of own rooms: others may have taken them, or be about to, while this node held no lease.

        One primary has them; False if it does not answer.
        """
        return await self._reclaiming.work(rooms)

    def take_up(self) -> None:
        """Go on with what waited for the lease: rooms whose players came back meanwhile, and those to be taken in."""
        for hosted in list(self._room_host):
            if hosted.is_awaiting:
                self._look_who_is_back(hosted)
        self.hurry()
        self.on_sure()

    # --- letting rooms go -------------------------------------------------------------------------------------

    def sweep(self) -> None:
        """End rooms that nobody has followed for long, and forget those that ended long ago."""
        self._expiry.sweep()

    def _removed(self, hosted: HostedRoom) -> None:
        """Note that a room is not hosted any more; one that has not ended may still be ours, so it is looked after."""
        number = hosted.room.number
        self.room_index.forget(number)
        self.quota.discard(hosted.room.match.opened.creator, number)
        self._log_repair.left(hosted.room.match, is_over=hosted.is_archived)
        if hosted.is_archived:
            self._takeover.forgive(number)
        elif hosted.has_failed:
            self._takeover.add_failed(number, hosted.epoch)
        else:
            self._take_back(number, hosted.epoch)
