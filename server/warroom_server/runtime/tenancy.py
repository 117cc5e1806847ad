"""The node's lease on life, and the rooms of nodes that lost theirs."""

import asyncio
import logging
from typing import Protocol

from warroom_protocol.rooms import room_code
from warroom_server.ports import Store, UnavailableError
from warroom_server.runtime.driver import Driver, Hold

logger = logging.getLogger(__name__)

LEASE_MS = 2_000
RENEW_S = 0.5
LOST_AFTER_S = 1.5
"""A node that could not renew for so long takes its lease for lost: others may, half a second later."""
SWEEP_EVERY = 20
"""Idle rooms are looked for with every so many renewals."""


class Adopter(Protocol):
    """Who takes rooms in."""

    async def adopt(self, room: int, owner: str, epoch: int) -> None:
        """Take a room over from an owner whose lease is gone, if nobody was faster."""
        ...

    def sweep(self) -> None:
        """Let rooms go that nobody needs any more."""
        ...


class Tenancy:
    """The one background task that renews the lease, looks for orphans, and sweeps."""

    def __init__(
        self,
        store: Store,
        *,
        owner: str,
        driver: Driver,
        adopter: Adopter,
        renew_s: float = RENEW_S,
        lost_after_s: float = LOST_AFTER_S,
    ) -> None:
        self.address = ""
        """Where other nodes reach this one; known once it listens."""
        self._store = store
        self._owner = owner
        self._driver = driver
        self._adopter = adopter
        self._task: asyncio.Task[None] | None = None
        self._renewed_s = 0.0
        self._renew_s = renew_s
        self._lost_after_s = lost_after_s
        self.is_lost = False

    async def begin(self) -> None:
        """Take the lease and the rooms that have no owner, then keep the one and watch for the others."""
        await self._store.renew(self._owner, self.address, lease_ms=LEASE_MS)
        self._renewed_s = asyncio.get_running_loop().time()
        await self._adopt_orphans()
        self._task = asyncio.get_running_loop().create_task(self._keep(), name="tenancy")

    async def suspend(self) -> None:
        """Renew no more and take no more rooms; the lease ends by itself."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.wait([self._task])

    async def end(self) -> None:
        """Give the lease up, so that others may claim the rooms at once."""
        await self.suspend()
        try:
            await self._store.release(self._owner)
        except UnavailableError as error:
            logger.warning("lease not released reason=%r", str(error))

    async def _keep(self) -> None:
        beats = 0
        while True:
            await asyncio.sleep(self._renew_s)
            await self._beat()
            beats += 1
            if beats % SWEEP_EVERY == 0:
                self._adopter.sweep()

    async def _beat(self) -> None:
        loop = asyncio.get_running_loop()
        asked_s = loop.time()
        try:
            async with asyncio.timeout(self._renew_s):
                await self._store.renew(self._owner, self.address, lease_ms=LEASE_MS)
            # Counted from the question, because the store's clock for the lease may have started then.
            self._renewed_s = asked_s
            self._found()
            await self._adopt_orphans()
        except (UnavailableError, TimeoutError) as error:
            if loop.time() - self._renewed_s > self._lost_after_s:
                self._lost(str(error))

    def _lost(self, reason: str) -> None:
        if not self.is_lost:
            logger.error("lease lost owner=%s reason=%r", self._owner, reason)
            self.is_lost = True
            self._driver.hold_all(Hold.LEASE)

    def _found(self) -> None:
        if self.is_lost:
            logger.warning("lease held again owner=%s", self._owner)
            self.is_lost = False
            self._driver.release_all(Hold.LEASE)

    async def _adopt_orphans(self) -> None:
        for room, owner, epoch in await self._store.orphans():
            if owner != self._owner:
                logger.info("room orphaned room=%s owner=%s epoch=%d", room_code(room), owner, epoch)
                await self._adopter.adopt(room, owner, epoch)
