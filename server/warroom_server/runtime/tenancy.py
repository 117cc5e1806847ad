"""The node's lease on life, and the rooms of nodes that lost theirs."""

import asyncio
import logging
from collections.abc import Sequence
from itertools import count
from typing import Protocol

from warroom_server.ports import Orphan, Store, UnavailableError
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

    async def adopt(self, orphans: Sequence[Orphan]) -> None:
        """Take rooms in whose owner's lease is gone, and go on with what could not be taken in before."""
        ...

    def sweep(self) -> None:
        """Let rooms go that nobody needs any more."""
        ...


class Tenancy:
    """Renews the lease, looks for orphans with every renewal, and sweeps now and then."""

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
        """Where other nodes reach this one."""
        self.is_lost = False
        self._store = store
        self._owner = owner
        self._driver = driver
        self._adopter = adopter
        self._renew_s = renew_s
        self._lost_after_s = lost_after_s
        self._keeper: asyncio.Task[None] | None = None
        self._adoption: asyncio.Task[None] | None = None
        self._watchdog: asyncio.TimerHandle | None = None

    async def begin(self) -> asyncio.Task[None]:
        """Take the lease; from then on keep it, and take in whatever room has no owner, however many there are.

        The task that is returned ends only by `suspend`, by `end` or by a bug.
        """
        await self._renew()
        self._keeper = asyncio.get_running_loop().create_task(self._keep(), name="tenancy")
        self._look_for_orphans()
        return self._keeper

    async def suspend(self) -> None:
        """Renew no more and take no more rooms; the lease ends by itself."""
        if self._watchdog is not None:
            self._watchdog.cancel()
        tasks = [task for task in (self._keeper, self._adoption) if task is not None]
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)

    async def end(self) -> None:
        """Give the lease up, so that others may claim the rooms at once."""
        await self.suspend()
        try:
            await self._store.release(self._owner)
        except UnavailableError as error:
            logger.warning("lease not released reason=%r", str(error))

    async def _keep(self) -> None:
        for beat in count(1):
            await asyncio.sleep(self._renew_s)
            try:
                await self._renew()
            except UnavailableError as error:
                logger.warning("lease not renewed reason=%r", str(error))
            else:
                self._look_for_orphans()
            if beat % SWEEP_EVERY == 0:
                self._adopter.sweep()

    async def _renew(self) -> None:
        loop = asyncio.get_running_loop()
        asked_s = loop.time()
        await self._store.renew(self._owner, self.address, lease_ms=LEASE_MS)
        if self._watchdog is not None:
            self._watchdog.cancel()
        # Counted from the question: the store may have begun to count then, and may take long to answer the next one.
        self._watchdog = loop.call_at(asked_s + self._lost_after_s, self._lose)
        if self.is_lost:
            logger.warning("lease held again owner=%s", self._owner)
            self.is_lost = False
            self._driver.release_all(Hold.LEASE)

    def _lose(self) -> None:
        logger.error("lease lost owner=%s", self._owner)
        self.is_lost = True
        self._driver.hold_all(Hold.LEASE)

    def _look_for_orphans(self) -> None:
        # Beside the renewals: the rooms of a dead node may be so many that the own lease would end meanwhile.
        if self._adoption is None or self._adoption.done():
            self._adoption = asyncio.get_running_loop().create_task(self._adopt_orphans(), name="adoption")
            self._adoption.add_done_callback(_tell_of_bug)

    async def _adopt_orphans(self) -> None:
        try:
            await self._adopter.adopt(await self._store.orphans())
        except UnavailableError as error:
            logger.warning("orphans not adopted reason=%r", str(error))


def _tell_of_bug(adoption: asyncio.Task[None]) -> None:
    """Log why an adoption failed; the next renewal begins another one, with what this one left."""
    if not adoption.cancelled() and (bug := adoption.exception()) is not None:
        logger.error("adoption failed", exc_info=bug)
