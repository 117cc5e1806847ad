"""Which rooms there are: finds them, takes over those whose owner is gone, lets those go that are over."""

import logging
from collections.abc import Callable, Mapping, Sequence

from warroom_games.api import AnyGame
from warroom_games.log import LogError, RolledBack
from warroom_games.match import Match
from warroom_games.registry import Registry
from warroom_protocol import codes
from warroom_protocol.rooms import room_code
from warroom_server.ports.clock import Clock, Timers
from warroom_server.ports.entropy import Entropy
from warroom_server.ports.store import LogEntry, Orphan, Store, StoredRoom, UnavailableError
from warroom_server.rooms.room import Room
from warroom_server.rooms.unwritten import AFRESH, Unwritten
from warroom_server.runtime.adoption import Adoption
from warroom_server.runtime.chores import Chores
from warroom_server.runtime.clearing import Clearing
from warroom_server.runtime.cuts import Cuts
from warroom_server.runtime.driver import Driver
from warroom_server.runtime.entrance import Enter, Entrance
from warroom_server.runtime.folding import fits, opening_of
from warroom_server.runtime.hosted import AWAITING, Hold, Hosted
from warroom_server.runtime.lines import Lines
from warroom_server.runtime.making import FIRST_EPOCH, Maker
from warroom_server.runtime.outdated import Outdated
from warroom_server.runtime.quota import Quota
from warroom_server.runtime.recall import Recall
from warroom_server.runtime.reclaiming import Reclaiming
from warroom_server.runtime.stranded import Rules, Stranded
from warroom_server.runtime.survey import Survey
from warroom_server.runtime.testimony import Testimonies
from warroom_server.runtime.upkeep import Upkeep
from warroom_server.session.identity import Signer

logger = logging.getLogger(__name__)

RETURN_MS = 10_000
"""How long the clock of a room that was taken over waits for its players."""


class Directory:
    """The rooms of this node by number, and the way to all others."""

    def __init__(
        self,
        *,
        owner: str,
        store: Store,
        driver: Driver,
        upkeep: Upkeep,
        lines: Lines,
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
        self._driver = driver
        self._lines = lines
        self._signer = signer
        self._registry = registry
        self._clock = clock
        self._timers = timers
        self._max_rooms = max_rooms
        self._clearing = Clearing(driver, clock, idle_ms=idle_ms)
        self._reclaiming = Reclaiming(store, owner=owner, driver=driver)
        self._chores = Chores()
        self._is_hurried = False
        """Whether what waits to be taken in is about to be looked through."""
        self.quota = Quota(
            in_all=max_rooms, per_player=rooms_per_player, per_address=rooms_per_address, is_over=self._is_over
        )
        self.testimonies = Testimonies(store, is_ours=lambda number: number in self._driver or number in self._adoption)
        self._adoption = self._new_adoption()
        self.stranded = Stranded(
            store, owner=owner, clock=clock, keep_s=keep_s, gone=lambda number: self.entrance.gone(number)
        )
        self.outdated = Outdated(store, upkeep, clock=clock, gone=lambda number: self.entrance.gone(number))
        self.entrance = self._new_entrance()
        self._adoption.on_let_go = self.entrance.seek_if_wanted
        self.maker = self._new_maker(entropy)
        self.cuts = Cuts(
            store,
            driver=driver,
            adoption=self._adoption,
            is_deaf=lambda number: self.is_leaving or driver.is_in_doubt(number),
            hurry=self.hurry,
        )
        self.given: set[int] = set()
        """Rooms that were given to other nodes, which have not said yet that they have them."""
        self.is_leaving = False
        """Whether this node is about to stop, and takes nothing in any more."""
        self.on_taken_in: Callable[[Hosted], None] = lambda _: None
        """Called for every room that this node has taken over."""
        self.on_sure: Callable[[], None] = lambda: None
        """Called when rooms that were in doubt are known to be this node's."""
        self.survey = Survey(driver.get)
        driver.on_entering = self.entrance.enter
        driver.on_changed.append(self.survey.note)
        driver.on_removed.append(self._removed)

    def _new_adoption(self) -> Adoption:
        return Adoption(
            self._store,
            owner=self._owner,
            clock=self._clock,
            is_hosted=self._driver.__contains__,
            term=lambda: self._driver.term,
            wanted=lambda: self.entrance.wanted(),
            take_in=self._take_in,
            begin_life=self._begin_life,
            testimonies=self.testimonies,
        )

    def _new_entrance(self) -> Entrance:
        return Entrance(
            owner=self._owner,
            store=self._store,
            driver=self._driver,
            lines=self._lines,
            clock=self._clock,
            timers=self._timers,
            admit=self._admit,
            is_coming=self._adoption.__contains__,
            is_broken=self._adoption.is_broken,
            end_notice=self.outdated.end_notice,
            take_in=self._take_back,
            recall=Recall(
                owner=self._owner,
                store=self._store,
                driver=self._driver,
                signer=self._signer,
                registry=self._registry,
                clock=self._clock,
                host=self._host,
            ),
        )

    def _new_maker(self, entropy: Entropy) -> Maker:
        return Maker(
            owner=self._owner,
            store=self._store,
            driver=self._driver,
            lines=self._lines,
            signer=self._signer,
            registry=self._registry,
            entropy=entropy,
            clock=self._clock,
            quota=self.quota,
            host=self._host_made,
            doubtful=self._doubt,
            is_moving=self._adoption.__contains__,
        )

    @property
    def orphans(self) -> int:
        """How many rooms wait to be taken in."""
        return len(self._adoption)

    async def close(self) -> None:
        """Stop whatever waits for the store."""
        await self.maker.chores.close()
        await self.entrance.chores.close()
        await self.cuts.chores.close()
        await self._chores.close()

    # --- making a room ----------------------------------------------------------------------------------------

    def _host_made(self, stored: StoredRoom, room: Room | None) -> None:
        self._host(stored, self._restore(stored) if room is None else room)
        self.entrance.open(stored.room)

    def _doubt(self, number: int) -> None:
        """Look after a room of which only the store knows whether it was made."""
        if len(self._adoption) < self._max_rooms:
            self._adoption.add([(number, self._owner, FIRST_EPOCH)], {})

    def _take_back(self, number: int, epoch: int) -> None:
        """Look after an own room that is not here."""
        if number in self.stranded:
            self.entrance.turn_all_away(number, codes.RULES_UNAVAILABLE)
        elif number in self.outdated:
            self.entrance.turn_all_away(number, codes.ROOM_UNKNOWN, self.outdated.end_notice(number))
        elif not self.is_leaving and number not in self.given:
            self._adoption.add([(number, self._owner, epoch)], {})

    def _is_over(self, number: int) -> bool:
        """Whether a room is over for everybody: whoever made it may be a spectator, and must not learn it sooner."""
        hosted = self._driver.get(number)
        return hosted is not None and hosted.room.is_publicly_over

    # --- finding a room ---------------------------------------------------------------------------------------

    def enter(self, number: int, command: Enter) -> None:
        """Lead somebody into a room, if need be once it is known where that is."""
        if number in self._driver:
            self._admit(number, command)
        elif not self._driver.on_absent(number, command):
            self.entrance.enter(number, command)

    def _admit(self, number: int, command: Enter) -> None:
        if command.connection not in self._lines:
            return
        self._driver.tell(number, command)
        hosted = self._driver.get(number)
        if hosted is not None and hosted.is_awaiting:
            self._look_who_is_back(hosted)

    # --- taking a room over -----------------------------------------------------------------------------------

    async def adopt(self, orphans: Sequence[Orphan]) -> None:
        """Take over rooms whose owner's lease is gone, and whatever else waits to be taken in."""
        if not self.is_leaving:
            self._adoption.add(orphans, {})
            await self._adoption.work()
            await self.outdated.look()
            await self.stranded.look()
            await self.testimonies.look()

    def take_over(self, orphans: Sequence[Orphan], unwritten: Mapping[int, Unwritten] | None = None) -> None:
        """Take over rooms that their owner gives up, at once; it told what is *unwritten* of them."""
        if not self.is_leaving:
            self._adoption.add(orphans, unwritten or {})
            self.hurry()

    def hurry(self) -> None:
        """Find out at once what became of the rooms that wait to be taken in."""
        if not self._is_hurried:
            self._is_hurried = True
            self._chores.begin(self._work())

    async def _work(self) -> None:
        self._is_hurried = False
        try:
            await self._adoption.work()
            await self.outdated.look()
            await self.testimonies.look()
        except UnavailableError as error:
            logger.warning("rooms not taken over yet reason=%r", str(error))

    def _take_in(self, stored: StoredRoom, unwritten: Unwritten) -> bool:
        """Go on with a room that this node owns, its clock where it was; False if that cannot be done."""
        number = stored.room
        if (rules := self._lacking(stored)) is not None:
            self.stranded.add(stored, rules, unwritten)
            self.entrance.turn_all_away(number, codes.RULES_UNAVAILABLE)
            return True
        self._driver.attempt(number, lambda: self._host_unless_outdated(stored, unwritten))
        if number not in self._driver:
            self.entrance.turn_all_away(number, codes.ROOM_UNKNOWN, self.outdated.end_notice(number))
            return number in self.outdated
        hosted = self._driver.get(number)
        assert hosted is not None
        logger.info("room adopted room=%s epoch=%d rev=%d", room_code(number), hosted.epoch, hosted.room.match.rev)
        if hosted.room.match.phase == "playing":
            self.await_players(hosted, Hold.RESTART, frozenset(unwritten.away))
            if unwritten.away:
                self._look_who_is_back(hosted)  # nobody else may come
        self.on_taken_in(hosted)
        self.entrance.open(number)
        return True

    def _host_unless_outdated(self, stored: StoredRoom, unwritten: Unwritten) -> None:
        """Go on with a room, or end it if its rules changed."""
        if not self.outdated.add(stored, self._rules_of(stored)):
            self._host(stored, self._restore(stored, unwritten))

    def _rules_of(self, stored: StoredRoom) -> AnyGame:
        opened = opening_of(stored)
        return self._registry.get(opened.game, opened.rules_version)

    def _lacking(self, stored: StoredRoom) -> Rules | None:
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
            self._driver.attempt(stored.room, lambda: entries.extend(self._new_life(stored, life)))
        return entries[0] if entries else None

    def _new_life(self, stored: StoredRoom, life: int) -> list[LogEntry]:
        """Return the entry that begins another life of a match, unless its rules changed: then it is to end."""
        return _new_life(self._restore(stored).match, life) if fits(stored, self._rules_of(stored)) else []

    def _restore(self, stored: StoredRoom, unwritten: Unwritten = AFRESH) -> Room:
        return Room.restore(self._rules_of(stored), stored, self._clock.now(), unwritten=unwritten)

    def _host(self, stored: StoredRoom, room: Room) -> Hosted:
        self.quota.add(room.match.opened.creator, room.number)
        self.testimonies.forget(room.number)
        return self._driver.host(room, stored.epoch)

    def await_players(self, hosted: Hosted, why: Hold, missing: frozenset[int] = frozenset()) -> None:
        """Let the clock stand still until the players are back, who lost their connections through no fault.

        Those who had none before are *missing*, and not waited for.
        """
        hosted.missing = missing
        until = hosted.awaits_until = self._clock.now() + RETURN_MS
        self._driver.hold(hosted, why)
        self._timers.call_at(until, lambda: self._give_up_waiting(hosted, until))

    def _give_up_waiting(self, hosted: Hosted, until: int) -> None:
        if hosted.awaits_until == until:  # else some were lost again since, and have their own time
            self._go_on(hosted)

    def _look_who_is_back(self, hosted: Hosted) -> None:
        if hosted.absent <= hosted.missing:
            self._go_on(hosted)

    def _go_on(self, hosted: Hosted) -> None:
        for why in AWAITING:
            self._driver.release(hosted, why)

    # --- when the node's lease was in doubt -------------------------------------------------------------------

    async def reclaim(self, rooms: Sequence[int]) -> bool:
        """Make sure of own rooms: others may have taken them, or be about to, while this node held no lease.

        One primary has them; False if it does not answer.
        """
        return await self._reclaiming.work(rooms)

    def take_up(self) -> None:
        """Go on with what waited for the lease: rooms whose players came back meanwhile, and those to be taken in."""
        for hosted in list(self._driver):
            if hosted.is_awaiting:
                self._look_who_is_back(hosted)
        self.hurry()
        self.on_sure()

    # --- letting rooms go -------------------------------------------------------------------------------------

    def sweep(self) -> None:
        """End rooms that nobody has followed for long, and forget those that ended long ago."""
        self._clearing.sweep()

    def _removed(self, hosted: Hosted) -> None:
        """Note that a room is not hosted any more; one that has not ended may still be ours, so it is looked after."""
        number = hosted.room.number
        self.survey.forget(number)
        self.quota.discard(hosted.room.match.opened.creator, number)
        if hosted.is_archived:
            self._adoption.forgive(number)
            return
        if not self.is_leaving:
            self.testimonies.add(hosted.room.match)
        if hosted.next_life is not None:
            self._adoption.add_cut(number, hosted.epoch, hosted.next_life)
        elif hosted.has_failed:
            self._adoption.add_failed(number, hosted.epoch)
        else:
            self._take_back(number, hosted.epoch)


def _new_life(match: Match, life: int) -> list[LogEntry]:
    """Return the entry that begins another life of a match, unless that is over or in that life already."""
    if match.is_over or match.life >= life:
        return []
    advanced = match.advance(RolledBack(match.at, life))
    return [LogEntry(advanced.match.rev, advanced.entry, advanced.match.chain)]
