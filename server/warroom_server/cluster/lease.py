"""The lease of this node: renews it, reads those of others, and finds rooms of nodes that lost theirs."""

import asyncio
import logging
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from functools import partial
from itertools import count
from math import inf

from msgspec import Struct

from warroom_server.cluster.reclaimed_rooms import Reclaim
from warroom_server.hosting.ownership_gate import OwnershipGate
from warroom_server.ports.listeners import Signal
from warroom_server.ports.store import NodeFacts, NodeLease, Store, UnavailableError
from warroom_server.restoring.room_loader import RoomLoader

logger = logging.getLogger(__name__)

LEASE_MS = 2_000
RENEW_S = 0.5
LOST_AFTER_S = 1.5
"""A node that could not renew for this long considers its lease lost. Others may do so half a second later."""
GRACE_S = LOST_AFTER_S + RENEW_S
"""How long others get to renew leases that may have ended because the store was away."""
MARGIN_S = 0.005
"""How long after the end of another node's lease this node checks that it has ended."""
SWEEP_EVERY = 20
"""Renewals between two sweeps."""


class LeaseOptions(Struct, frozen=True):
    """When a lease is renewed, and when it counts as lost."""

    renew_s: float = RENEW_S
    lost_after_s: float = LOST_AFTER_S
    grace_s: float = GRACE_S
    is_alone: bool = False
    """Whether no other node can use the store. Then there is no lease: the node keeps all rooms it finds there."""


@dataclass(eq=False)
class Lease:
    """Renews the lease, and looks for other nodes and orphans with each renewal.

    *facts* returns what other nodes read about this one.
    """

    _store: Store
    _owner: str
    _gate: OwnershipGate
    _reclaim: Reclaim
    _loader: RoomLoader
    _facts: Callable[[], NodeFacts]
    _options: LeaseOptions

    def __post_init__(self) -> None:
        self.nodes_read: Signal[[list[NodeLease]]] = Signal()
        """All leases were read, that of this node included."""
        self.sweep_due: Signal[[]] = Signal()
        """It is time to look for rooms that nobody needs any more."""
        self.address = ""
        """Where other nodes reach this one."""
        self._tasks: dict[str, asyncio.Task[object]] = {}
        """By name, the renewals and the work beside them; each at most once at a time."""
        self._watchdog: asyncio.TimerHandle | None = None
        self._second_look: asyncio.TimerHandle | None = None
        self._is_away = False
        """Whether the last renewal failed."""
        self._suspicions: int | None = None
        """The number of the last renewal: it changes when others have found this node without a lease."""
        self._others_until_s = inf
        """Until when others may renew leases that ended because the store was away, maybe before this node started."""

    # --- the life of a lease --------------------------------------------------------------------------------------

    async def begin(self) -> asyncio.Task[None]:
        """Take the lease, keep it, and take over all rooms without an owner.

        The returned task ends only by `suspend`, by `end` or by a bug.
        """
        if self._options.is_alone:
            await self._loader.adopt(await self._store.orphans(self._owner, only_released=True))
        else:
            await self._renew()
            self._look_around()
        keeper = asyncio.get_running_loop().create_task(self._keep(), name="lease")
        self._tasks["lease"] = keeper
        return keeper

    async def suspend(self) -> None:
        """Stop renewing and taking rooms over. The lease ends by itself."""
        for timer in (self._watchdog, self._second_look):
            if timer is not None:
                timer.cancel()
        for task in self._tasks.values():
            task.cancel()
        if self._tasks:
            await asyncio.wait(self._tasks.values())

    async def end(self) -> None:
        """Release the lease, so that others can claim the rooms at once."""
        await self.suspend()
        self._gate.shut()  # before others can claim them
        try:
            await self._store.release(self._owner)
        except UnavailableError as error:
            logger.warning("lease not released reason=%r", str(error))

    @property
    def is_lost(self) -> bool:
        """Whether the rooms here may be owned by others."""
        return self._gate.is_shut

    def doubt(self) -> None:
        """Give others time to renew after the next renewal: the store may have come back without their leases.

        It may have been away so briefly that no renewal failed.
        """
        self._others_until_s = inf

    async def advertise(self, address: str) -> None:
        """Announce the address at which other nodes reach this one."""
        self.address = address
        await self.announce()

    async def announce(self) -> None:
        """Publish the facts about this node at once, and read those of others."""
        if not self._options.is_alone:
            await self._renew()
            self.nodes_read(await self._store.nodes())

    # --- renewing -------------------------------------------------------------------------------------------------

    async def _keep(self) -> None:
        for beat in count(1):
            await asyncio.sleep(self._options.renew_s)
            if self._options.is_alone:
                self._begin("takeover", partial(self._loader.adopt, ()))
            else:
                await self._try_to_renew()
            if beat % SWEEP_EVERY == 0:
                self.sweep_due()

    async def _try_to_renew(self) -> None:
        try:
            await self._renew()
        except UnavailableError as error:
            logger.warning("lease not renewed reason=%r", str(error))
            self._is_away = True
            self.doubt()
            if self._gate.is_shut:
                self._reclaim.hold()
        else:
            self._look_around()

    async def _renew(self) -> None:
        loop = asyncio.get_running_loop()
        # Before asking: afterwards nobody could tell that the lease had ended.
        self._gate.look()
        asked_s, asked_ms = loop.time(), self._gate.steady_ms()
        suspicions = await self._store.renew(self._owner, self.address, self._facts(), lease_ms=LEASE_MS)
        known, self._suspicions = self._suspicions, suspicions
        if known is not None and suspicions != known:
            self._reclaim.lose()
        self._is_away = False
        if self._watchdog is not None:
            self._watchdog.cancel()
        # From the time of the question: the store may count from then, and the next answer may take long.
        self._watchdog = loop.call_at(asked_s + self._options.lost_after_s, self._be_late)
        self._gate.extend(asked_ms + round(1000 * self._options.lost_after_s))
        self._others_until_s = min(self._others_until_s, loop.time() + self._options.grace_s)
        self._reclaim.renewed()

    def _be_late(self) -> None:
        self._gate.bar()
        if self._is_away:
            self._reclaim.hold()

    # --- other nodes and their rooms ------------------------------------------------------------------------------

    def _look_around(self) -> None:
        # Beside the renewals: a dead node may have so many rooms that the own lease would end meanwhile.
        for name, work in (("doubts", self._regain), ("nodes", self._read_nodes), ("takeover", self._adopt_orphans)):
            self._begin(name, work)

    def _begin(self, name: str, work: Callable[[], Coroutine[None, None, object]]) -> None:
        """Start a task beside the renewals, unless it is running."""
        if name not in self._tasks or self._tasks[name].done():
            task = self._tasks[name] = asyncio.get_running_loop().create_task(work(), name=name)
            task.add_done_callback(_log_bug)

    async def _regain(self) -> None:
        for primary, rooms in self._reclaim.doubtful().items():
            self._begin(f"doubts primary={primary}", partial(self._reclaim.claim_again, rooms))

    async def _read_nodes(self) -> None:
        try:
            nodes = await self._store.nodes()
        except UnavailableError as error:
            logger.warning("nodes not found reason=%r", str(error))
            return
        self.nodes_read(nodes)
        # Look again as soon as a lease ends that is not being renewed: players of that node wait for it.
        left_s = min((node.left_ms / 1000 for node in nodes if node.owner != self._owner), default=inf)
        if self._second_look is not None:
            self._second_look.cancel()
        if left_s < self._options.renew_s:
            self._second_look = asyncio.get_running_loop().call_later(left_s + MARGIN_S, self._look_around)

    async def _adopt_orphans(self) -> None:
        # Nodes that are alive may know what a store lost that came back. They must not lose their rooms before.
        was_early = self._is_early()
        try:
            orphans = await self._store.orphans(self._owner, only_released=was_early)
            if was_early or not self._is_early():  # else it came back during the question: the next look is careful
                await self._loader.adopt(orphans)
        except UnavailableError as error:
            logger.warning("orphans not adopted reason=%r", str(error))

    def _is_early(self) -> bool:
        """Whether others may still renew leases that ended because the store was away."""
        return asyncio.get_running_loop().time() < self._others_until_s


def _log_bug(task: asyncio.Task[object]) -> None:
    """Log why a task failed. The next renewal starts it again."""
    if not task.cancelled() and (bug := task.exception()) is not None:
        logger.error("%s failed", task.get_name(), exc_info=bug)
