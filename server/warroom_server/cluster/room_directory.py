"""Which rooms there are: finds them, takes over those whose owner is gone, lets those go that are over."""

import logging
from collections.abc import Callable, Mapping, Sequence

from warroom_games.api import AnyGame
from warroom_games.log import LogError, RolledBack
from warroom_games.match import Match
from warroom_games.registry import Registry, RulesVersion
from warroom_protocol import codes
from warroom_protocol.rooms import room_code
from warroom_server.archive.changed_rules import ChangedRules
from warroom_server.archive.end_notice import EndNotice
from warroom_server.archive.finished_rooms import FinishedRooms
from warroom_server.archive.rules_fit import fits, opening_of
from warroom_server.cluster.known_history import Testimonies
from warroom_server.cluster.lost_history import Cuts
from warroom_server.cluster.missing_rules import MissingRules
from warroom_server.cluster.peers import Peers
from warroom_server.cluster.reclaim import Reclaiming
from warroom_server.cluster.room_locator import RoomLocator
from warroom_server.cluster.takeover import Takeover
from warroom_server.hosting.connections import Connections
from warroom_server.hosting.delivery import Delivery
from warroom_server.hosting.expiry import RoomExpiry
from warroom_server.hosting.hosted_room import AWAITING, Hold, HostedRoom
from warroom_server.hosting.room_events import RoomEvents
from warroom_server.hosting.room_host import RoomHost
from warroom_server.lobby.quota import Quota
from warroom_server.lobby.room_factory import FIRST_EPOCH, RoomFactory
from warroom_server.lobby.room_index import RoomIndex
from warroom_server.loop.tasks import Tasks
from warroom_server.ports.clock import Clock, Timers
from warroom_server.ports.entropy import Entropy
from warroom_server.ports.store import LogEntry, Orphan, Store, StoredRoom, UnavailableError
from warroom_server.room.handoff_state import NO_HANDOFF_STATE, HandoffState
from warroom_server.room.room import Room
from warroom_server.session.identity import Signer
from warroom_server.storage.archiver import Archiver

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
        events: RoomEvents,
        archiver: Archiver,
        connections: Connections,
        delivery: Delivery,
        peers: Peers,
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
        self._connections = connections
        self._delivery = delivery
        self._peers = peers
        self._events = events
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
        self.testimonies = Testimonies(
            store, is_ours=lambda number: number in self._room_host or number in self._takeover
        )
        self.testimonies.tell = peers.send
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
        self.cuts = Cuts(
            store,
            room_host=room_host,
            takeover=self._takeover,
            is_deaf=lambda number: self.is_leaving or room_host.is_in_doubt(number),
            hurry=self.hurry,
        )
        self.given: set[int] = set()
        """Rooms that were given to other nodes, which have not said yet that they have them."""
        self.is_leaving = False
        """Whether this node is about to stop, and takes nothing in any more."""
        self.on_sure: Callable[[], None] = lambda: None
        """Called when rooms that were in doubt are known to be this node's."""
        self.room_index = RoomIndex(room_host.get)
        events.changed.append(self.room_index.note)
        events.changed.append(self._look_who_is_back)
        events.removed.append(self._removed)
        events.lost.append(self._lost)

    def _new_adoption(self) -> Takeover:
        return Takeover(
            self._store,
            owner=self._owner,
            clock=self._clock,
            is_hosted=self._room_host.__contains__,
            term=lambda: self._room_host.term,
            wanted=lambda: self.room_locator.wanted(),
            take_in=self._take_in,
            begin_life=self._begin_life,
            testimonies=self.testimonies,
        )

    def _new_entrance(self) -> RoomLocator:
        return RoomLocator(
            owner=self._owner,
            store=self._store,
            room_host=self._room_host,
            delivery=self._delivery,
            reachable=self._peers,
            adopter=self,
            clock=self._clock,
            timers=self._timers,
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
        await self.cuts.tasks.close()
        await self._tasks.close()

    # --- making a room ----------------------------------------------------------------------------------------

    def _host_made(self, stored: StoredRoom, room: Room | None) -> None:
        self._host(stored, self._restore(stored) if room is None else room)
        self.room_locator.open(stored.room)

    def _doubt(self, number: int) -> None:
        """Look after a room of which only the store knows whether it was made."""
        if len(self._takeover) < self._max_rooms:
            self._takeover.add([(number, self._owner, FIRST_EPOCH)], {})

    def coming_epoch(self, number: int) -> int | None:
        """Return under which epoch a room was owned that is about to be taken in; None if it is not."""
        return self._takeover.epoch_of(number)

    def is_broken(self, number: int) -> bool:
        """Whether a room cannot be taken in."""
        return self._takeover.is_broken(number)

    def end_notice(self, number: int) -> EndNotice | None:
        """Return what to say of a room that had to end."""
        return self.changed_rules.end_notice(number)

    def take_back(self, number: int, epoch: int) -> None:
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

    # --- taking a room over -----------------------------------------------------------------------------------

    async def adopt(self, orphans: Sequence[Orphan]) -> None:
        """Take over rooms whose owner's lease is gone, and whatever else waits to be taken in."""
        if not self.is_leaving:
            self._takeover.add(orphans, {})
            await self._takeover.work()
            await self.changed_rules.look()
            await self.missing_rules.look()
            await self.testimonies.look()

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
        try:
            await self._takeover.work()
            await self.changed_rules.look()
            await self.testimonies.look()
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
        self._events.taken_over(hosted)
        self.room_locator.open(number)
        return True

    def _host_unless_outdated(self, stored: StoredRoom, handoff_state: HandoffState) -> None:
        """Go on with a room, or end it if its rules changed."""
        if not self.changed_rules.add(stored, self._rules_of(stored)):
            self._host(stored, self._restore(stored, handoff_state))

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

    def _begin_life(self, stored: StoredRoom, life: int) -> LogEntry | None:
        """Return the entry with which a room goes on whose history was cut back; None if it cannot go on."""
        entries: list[LogEntry] = []
        if self._lacking(stored) is None:
            self._room_host.attempt(stored.room, lambda: entries.extend(self._new_life(stored, life)))
        return entries[0] if entries else None

    def _new_life(self, stored: StoredRoom, life: int) -> list[LogEntry]:
        """Return the entry that begins another life of a match, unless its rules changed: then it is to end."""
        return _new_life(self._restore(stored).match, life) if fits(stored, self._rules_of(stored)) else []

    def _restore(self, stored: StoredRoom, handoff_state: HandoffState = NO_HANDOFF_STATE) -> Room:
        return Room.restore(self._rules_of(stored), stored, self._clock.now(), handoff_state=handoff_state)

    def _host(self, stored: StoredRoom, room: Room) -> HostedRoom:
        self.quota.add(room.match.opened.creator, room.number)
        self.testimonies.forget(room.number)
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
        if hosted.is_awaiting and hosted.absent <= hosted.missing:
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
            self._look_who_is_back(hosted)
        self.hurry()
        self.on_sure()

    # --- letting rooms go -------------------------------------------------------------------------------------

    def sweep(self) -> None:
        """End rooms that nobody has followed for long, and forget those that ended long ago."""
        self._expiry.sweep()

    def _lost(self, hosted: HostedRoom) -> None:
        """Look at once what became of a room: it may be the store that was wrong, and the room still this node's."""
        if hosted.next_life is None:
            self.hurry()

    def _removed(self, hosted: HostedRoom) -> None:
        """Note that a room is not hosted any more; one that has not ended may still be ours, so it is looked after."""
        number = hosted.room.number
        self.room_index.forget(number)
        self.quota.discard(hosted.room.match.opened.creator, number)
        if hosted.is_archived:
            self._takeover.forgive(number)
            return
        if not self.is_leaving:
            self.testimonies.add(hosted.room.match)
        if hosted.next_life is not None:
            self._takeover.add_cut(number, hosted.epoch, hosted.next_life)
        elif hosted.has_failed:
            self._takeover.add_failed(number, hosted.epoch)
        else:
            self.take_back(number, hosted.epoch)


def _new_life(match: Match, life: int) -> list[LogEntry]:
    """Return the entry that begins another life of a match, unless that is over or in that life already."""
    if match.is_over or match.life >= life:
        return []
    advanced = match.advance(RolledBack(match.at, life))
    return [LogEntry(advanced.match.rev, advanced.entry, advanced.match.chain)]
