"""The node's lease on life, and the rooms of nodes that lost theirs.

A late renewal costs nothing, however many rooms there are, as long as nobody set out to claim them: the gate opens with
the renewal. Rooms are told that they stand still only if a renewal fails, or others came.
"""

import asyncio
import logging
from collections.abc import Callable, Coroutine, Sequence
from functools import partial
from itertools import chain, count
from math import inf
from typing import Protocol

from warroom_server.hosting.hosted_room import Hold
from warroom_server.hosting.ownership_gate import OwnershipGate
from warroom_server.hosting.room_host import RoomHost
from warroom_server.ports.clock import Clock
from warroom_server.ports.store import NodeFacts, NodeLease, Orphan, Store, UnavailableError

logger = logging.getLogger(__name__)

LEASE_MS = 2_000
RENEW_S = 0.5
LOST_AFTER_S = 1.5
"""A node that could not renew for so long takes its lease for lost: others may, half a second later."""
GRACE_S = LOST_AFTER_S + RENEW_S
"""How long a node waits for others to renew whose leases may have ended because the store was away."""
MARGIN_S = 0.005
"""How long after the end of another node's lease it is looked whether that has ended."""
SWEEP_EVERY = 20
"""Idle rooms are looked for with every so many renewals."""


class Adopter(Protocol):
    """Who takes rooms in."""

    async def reclaim(self, rooms: Sequence[int]) -> bool:
        """Make sure of rooms that are here and that one primary has: others may have taken them.

        False if that one does not answer.
        """
        ...

    def take_up(self) -> None:
        """Go on with what had to wait until the lease was held again."""
        ...

    async def adopt(self, orphans: Sequence[Orphan]) -> None:
        """Take rooms in whose owner's lease is gone, and go on with what could not be taken in before."""
        ...


class Expiry(Protocol):
    """Looks through rooms that nobody may need."""

    def sweep(self) -> None:
        """Let rooms go that nobody needs any more."""
        ...


class Lease:
    """Renews the lease, looks for orphans with every renewal, and sweeps now and then.

    *facts* is what others are told of this node; *on_nodes* hears of all that hold a lease, this one included.
    A node that *is_alone* on its store needs no lease: it takes in the rooms of the node before it, and keeps them.
    """

    def __init__(
        self,
        store: Store,
        *,
        owner: str,
        room_host: RoomHost,
        adopter: Adopter,
        expiry: Expiry,
        gate: OwnershipGate,
        clock: Clock,
        facts: Callable[[], NodeFacts],
        on_nodes: Callable[[list[NodeLease]], None],
        renew_s: float = RENEW_S,
        lost_after_s: float = LOST_AFTER_S,
        grace_s: float = GRACE_S,
        is_alone: bool = False,
    ) -> None:
        self.address = ""
        """Where other nodes reach this one."""
        self._store = store
        self._owner = owner
        self._room_host = room_host
        self._adopter = adopter
        self._expiry = expiry
        self._gate = gate
        self._clock = clock
        self._facts = facts
        self._on_nodes = on_nodes
        self._renew_s = renew_s
        self._lost_after_s = lost_after_s
        self._keeper: asyncio.Task[None] | None = None
        self._beside: dict[str, asyncio.Task[None]] = {}
        """What is done beside the renewals, each at most once at a time."""
        self._watchdog: asyncio.TimerHandle | None = None
        self._second_look: asyncio.TimerHandle | None = None
        self._grace_s = grace_s
        self._is_alone = is_alone
        self._is_away = False
        """Whether the last renewal failed."""
        self._has_held = False
        """Whether rooms were told that they stand still, and some may still do."""
        self._suspicions = 0
        """How often others have found this node without a lease."""
        self._sure_of = gate.endings
        """How often the lease had been in doubt when the rooms were last made sure of."""
        self._others_until_s = inf
        """Until when others are given time to renew: the store was away, or may have been just before the beginning."""

    def doubt(self) -> None:
        """Give others time to renew from the next renewal on: the store may have come back without their leases.

        It may have been away for so short a time that no renewal failed.
        """
        self._others_until_s = inf

    async def begin(self) -> asyncio.Task[None]:
        """Take the lease; from then on keep it, and take in whatever room has no owner, however many there are.

        The task that is returned ends only by `suspend`, by `end` or by a bug.
        """
        if self._is_alone:
            await self._adopter.adopt(await self._store.orphans(self._owner, only_released=True))
        else:
            await self._renew()
        self._keeper = asyncio.get_running_loop().create_task(self._keep(), name="lease")
        if not self._is_alone:
            self._look_around()
        return self._keeper

    async def suspend(self) -> None:
        """Renew no more and take no more rooms; the lease ends by itself."""
        for timer in (self._watchdog, self._second_look):
            if timer is not None:
                timer.cancel()
        tasks = list(self._beside.values()) if self._keeper is None else [self._keeper, *self._beside.values()]
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)

    async def end(self) -> None:
        """Give the lease up, so that others may claim the rooms at once."""
        await self.suspend()
        self._gate.shut()  # before others may have them
        try:
            await self._store.release(self._owner)
        except UnavailableError as error:
            logger.warning("lease not released reason=%r", str(error))

    async def _keep(self) -> None:
        for beat in count(1):
            await asyncio.sleep(self._renew_s)
            if self._is_alone:
                self._begin("takeover", lambda: self._adopter.adopt([]))
            else:
                await self._try_to_renew()
            if beat % SWEEP_EVERY == 0:
                self._expiry.sweep()

    async def _try_to_renew(self) -> None:
        try:
            await self._renew()
        except UnavailableError as error:
            logger.warning("lease not renewed reason=%r", str(error))
            self._is_away = True
            self.doubt()
            if self._gate.is_shut:
                self._hold()
        else:
            self._look_around()

    @property
    def is_lost(self) -> bool:
        """Whether nobody can tell if the rooms here are still this node's."""
        return self._gate.is_shut

    async def _renew(self) -> None:
        loop = asyncio.get_running_loop()
        # Before asking: afterwards nobody could tell that the lease had ended.
        self._gate.look()
        asked_s, asked_ms = loop.time(), self._clock.steady_ms()
        suspicions = await self._tell()
        if suspicions != self._suspicions:
            self._suspicions = suspicions
            self.lose()
        self._is_away = False
        if self._watchdog is not None:
            self._watchdog.cancel()
        # Counted from the question: the store may have begun to count then, and may take long to answer the next one.
        self._watchdog = loop.call_at(asked_s + self._lost_after_s, self._be_late)
        self._gate.extend(asked_ms + round(1000 * self._lost_after_s))
        self._others_until_s = min(self._others_until_s, loop.time() + self._grace_s)
        if self._gate.endings == self._sure_of and self._gate.may_open:
            self._open(self._gate.doubtful)

    async def _tell(self) -> int:
        return await self._store.renew(self._owner, self.address, self._facts(), lease_ms=LEASE_MS)

    def lose(self) -> None:
        """Let nothing of the rooms here pass until they are known to be this node's: others may have claimed them."""
        self._gate.shut()
        self._hold()

    def _be_late(self) -> None:
        self._gate.bar()
        if self._is_away:
            self._hold()

    def _hold(self) -> None:
        """Let all rooms stand still, and say so."""
        if not self._has_held:
            logger.error("lease lost owner=%s", self._owner)
        self._has_held = True
        self._gate.bypass(lambda: self._room_host.hold_all(Hold.LEASE))

    async def _regain(self) -> None:
        """Go on with all but the own rooms, now that the lease is held again, and with these once they are sure.

        Each primary is asked by itself: one of them may be away, or hang, and its rooms alone stay in doubt.
        """
        if not self._gate.may_open:
            return
        self._sure_of = self._gate.endings
        endings, doubtful = self._gate.endings, dict[str, list[int]]()
        for hosted in self._room_host:
            if self._gate.bars(number := hosted.room.number):
                doubtful.setdefault(self._store.primary_of(number), []).append(number)
        self._open(frozenset(chain.from_iterable(doubtful.values())))
        for primary, rooms in doubtful.items():
            self._begin(f"doubts primary={primary}", partial(self._make_sure, rooms, endings))

    async def _make_sure(self, rooms: Sequence[int], endings: int) -> None:
        """Go on with the rooms of one primary that are still this node's."""
        is_sure = await self._adopter.reclaim(rooms)
        if is_sure and not self._gate.is_shut and self._gate.endings == endings:  # else all are in doubt again
            self._open(self._gate.doubtful.difference(rooms))

    def _open(self, doubtful: frozenset[int]) -> None:
        if self._gate.is_shut or self._gate.doubtful != doubtful:
            self._gate.open(doubtful)
        if self._has_held:
            logger.warning("lease held again owner=%s doubtful=%d", self._owner, len(doubtful))
            self._has_held = bool(doubtful)
            self._room_host.release_all(Hold.LEASE)
            self._adopter.take_up()

    async def advertise(self, address: str) -> None:
        """Announce where other nodes reach this one from now on."""
        self.address = address
        await self.announce()

    async def announce(self) -> None:
        """Tell other nodes at once where this one is and what holds of it, and find them."""
        if self._is_alone:
            return
        await self._renew()
        self._on_nodes(await self._store.nodes())

    def _look_around(self) -> None:
        # Beside the renewals: the rooms of a dead node may be so many that the own lease would end meanwhile.
        for name, work in (("doubts", self._regain), ("neighbours", self._look), ("takeover", self._adopt_orphans)):
            self._begin(name, work)

    def _begin(self, name: str, work: Callable[[], Coroutine[None, None, None]]) -> None:
        """Do something beside the renewals, unless that is being done."""
        if name not in self._beside or self._beside[name].done():
            task = self._beside[name] = asyncio.get_running_loop().create_task(work(), name=name)
            task.add_done_callback(_tell_of_bug)

    async def _look(self) -> None:
        """See to the other nodes."""
        try:
            nodes = await self._store.nodes()
            self._on_nodes(nodes)
            self._look_again_in_time(nodes)
        except UnavailableError as error:
            logger.warning("nodes not found reason=%r", str(error))

    def _look_again_in_time(self, nodes: list[NodeLease]) -> None:
        """Look around as soon as a lease ends that is not being renewed, since those who play there wait for it."""
        left_s = min((node.left_ms / 1000 for node in nodes if node.owner != self._owner), default=inf)
        if self._second_look is not None:
            self._second_look.cancel()
        if left_s < self._renew_s:
            self._second_look = asyncio.get_running_loop().call_later(left_s + MARGIN_S, self._look_around)

    @property
    def _is_early(self) -> bool:
        """Whether others may still renew leases that ended because the store was away."""
        return asyncio.get_running_loop().time() < self._others_until_s

    async def _adopt_orphans(self) -> None:
        # Who is alive may know what a store that came back has lost, and would lose the rooms and that with them.
        was_early = self._is_early
        try:
            orphans = await self._store.orphans(self._owner, only_released=was_early)
            if self._is_early and not was_early:
                return  # it came back while it was asked: the next look is a careful one
            await self._adopter.adopt(orphans)
        except UnavailableError as error:
            logger.warning("orphans not adopted reason=%r", str(error))


def _tell_of_bug(task: asyncio.Task[None]) -> None:
    """Log why something failed; the next renewal begins it anew, with what this one left."""
    if not task.cancelled() and (bug := task.exception()) is not None:
        logger.error("%s failed", task.get_name(), exc_info=bug)
