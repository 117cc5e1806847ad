"""Rooms that wait for this node to take them in: those of dead nodes, and its own that it could not go on with."""

import asyncio
import logging
from collections.abc import Iterable, Mapping
from itertools import chain
from typing import Protocol

from msgspec import Struct

from warroom_protocol.rooms import room_code
from warroom_server.hosting.room_host import RoomHost
from warroom_server.loop.crashpoints import points
from warroom_server.ports.clock import Clock
from warroom_server.ports.store import (
    Orphan,
    Store,
    StoredRoom,
    UnavailableError,
    Whereabouts,
)

logger = logging.getLogger(__name__)

BATCH = 32
"""Rooms that are claimed and loaded in one round trip."""
FIRST_PAUSE_MS = 1_000
"""How long a room that failed is left alone; with every further failure twice as long."""
FAILURES = 3
"""A room that failed so often is broken, and stays in the store as it is for a server that can go on with it."""


class _Case(Struct, frozen=True):
    """One room that waits, whose it was, and until when it is to be left alone."""

    owner: str
    epoch: int
    not_before: int = 0


class Claimant(Protocol):
    """What rooms are taken over for."""

    def wanted(self) -> Iterable[int]:
        """Return the rooms that somebody waits for."""
        ...

    async def in_its_life(self, stored: StoredRoom) -> StoredRoom:
        """Return a claimed room as it goes on: in a new life, if its log was cut back."""
        ...

    def take_in(self, stored: StoredRoom) -> bool:
        """Go on with a room that was claimed; False if it is broken."""
        ...

    def let_go(self, number: int) -> None:
        """Hear of a room that turned out to be gone or another's."""
        ...


class Takeover:
    """Claims, loads and takes in what waits, a batch at a time; rooms that somebody asks for come first.

    Whatever goes wrong with the store, a room waits until its fate is known: a claim may be asked again, and a room
    that turns out to be gone or another's is let go. Every adoption raises the epoch, that of an own room included, so
    that nothing this node sent for the room before can count any more. Nothing is taken in but in the *term* of the
    lease in which it was claimed: after its end this node cannot tell that it is still its own.
    """

    def __init__(
        self,
        store: Store,
        *,
        owner: str,
        clock: Clock,
        room_host: RoomHost,
        claimant: Claimant,
    ) -> None:
        self._store = store
        self._owner = owner
        self._clock = clock
        self._room_host = room_host
        self._claimant = claimant
        self._waiting: dict[int, _Case] = {}
        self._failures: dict[int, int] = {}
        self._at_work: set[str] = set()
        """Primaries of the store whose rooms are being taken in."""
        self._in_hand: set[int] = set()
        """Rooms that are being taken in."""

    def __len__(self) -> int:
        return len(self._waiting)

    def __contains__(self, number: int) -> bool:
        return number in self._waiting

    def epoch_of(self, number: int) -> int | None:
        """Return under which epoch a room was owned that waits; None if it does not."""
        case = self._waiting.get(number)
        return None if case is None else case.epoch

    def is_broken(self, number: int) -> bool:
        """Whether this node cannot go on with a room, and will not try again."""
        return self._failures.get(number, 0) >= FAILURES

    def add(self, orphans: Iterable[Orphan]) -> None:
        """Let rooms wait, unless they are hosted, wait already or are broken."""
        for number, owner, epoch in orphans:
            if not (self._is_known(number, epoch) or number in self._room_host or self.is_broken(number)):
                self._waiting[number] = _Case(owner, epoch)

    def _is_known(self, number: int, epoch: int) -> bool:
        """Whether a room waits already and nothing newer is known of it, or is being taken in."""
        case = self._waiting.get(number)
        return case is not None and (number in self._in_hand or case.epoch >= epoch)

    def add_failed(self, number: int, epoch: int) -> None:
        """Let an own room wait that failed while it was hosted: not for ever, and each time longer."""
        failures = self._failures[number] = self._failures.get(number, 0) + 1
        if self.is_broken(number):
            logger.error("room broken room=%s failures=%d", room_code(number), failures)
        else:
            pause_ms = FIRST_PAUSE_MS << (failures - 1)
            self._waiting[number] = _Case(self._owner, epoch, self._clock.now() + pause_ms)

    def forgive(self, number: int) -> None:
        """Forget how often a room failed: it has ended, or is no longer ours."""
        self._failures.pop(number, None)

    async def work(self) -> None:
        """Take in all that may be taken in now, unless that is being done; what the store keeps goes on waiting.

        Rooms of different primaries do not wait for each other: one of these may be away, or hang.
        """
        primaries = sorted({self._store.primary_of(number) for number in self._waiting} - self._at_work)
        for bug in await asyncio.gather(*map(self._work, primaries), return_exceptions=True):
            if bug is not None:
                raise bug

    async def _work(self, primary: str) -> None:
        if primary in self._at_work:
            return
        self._at_work.add(primary)
        todo = len(self._waiting)
        if todo > BATCH:
            logger.info("adoption begins rooms=%d", todo)
        try:
            while (term := self._room_host.term) is not None and (batch := self._next_batch(primary)):
                await self._adopt_in_hand(batch, term)
        except UnavailableError as error:
            logger.warning("rooms not taken over yet primary=%s reason=%r", primary, str(error))
        finally:
            self._at_work.discard(primary)
        if todo > BATCH:
            logger.info("adoption done left=%d", len(self._waiting))

    def _next_batch(self, primary: str) -> list[Orphan]:
        """Return rooms to take in that a primary has, unless they are in hand since another one had them."""
        now, batch = self._clock.now(), dict[int, Orphan]()
        # Whoever is asked for comes first, and nobody last for ever: those who ask may go on to come.
        for number in chain(self._claimant.wanted(), self._waiting):
            case = self._waiting.get(number)
            if case is None or case.not_before > now or number in self._in_hand:
                continue
            if self._store.primary_of(number) == primary:
                batch[number] = (number, case.owner, case.epoch)
            if len(batch) == BATCH:
                break
        return list(batch.values())

    async def _adopt_in_hand(self, batch: list[Orphan], term: int) -> None:
        numbers = {number for number, _, _ in batch}
        self._in_hand |= numbers
        try:
            await self._adopt(batch, term)
        finally:
            self._in_hand -= numbers

    async def _adopt(self, batch: list[Orphan], term: int) -> None:
        numbers = [number for number, _, _ in batch]
        answers = dict(zip(numbers, await self._store.take_over(batch, self._owner), strict=True))
        missed = [number for number, (epoch, _) in answers.items() if epoch is None]
        if len(missed) < len(batch):
            points.reached("during_takeover")
        unread: dict[int, int] = {}
        for number, (epoch, stored) in answers.items():
            if epoch is not None and stored is None:
                unread[number] = epoch
            elif epoch is not None and stored is not None:
                await self._go_on(number, epoch, stored, term)
                # Restoring a long match takes a while; those who play meanwhile must not wait for all of a batch.
                await asyncio.sleep(0)
        if missed:
            await self._look_closer(missed)
        if unread:
            await self._leave(unread)

    async def _leave(self, unread: Mapping[int, int]) -> None:
        """Leave rooms as they are that were claimed and cannot be read, and let those go that are gone or another's."""
        whereabouts = await self._store.whereabouts(list(unread))
        for (number, epoch), found in zip(unread.items(), whereabouts, strict=True):
            self._forget(number)
            self.forgive(number)
            if found == Whereabouts(self._owner, epoch):
                logger.error("room broken room=%s: its log cannot be read", room_code(number))
                self._failures[number] = FAILURES
            self._claimant.let_go(number)

    async def _go_on(self, number: int, epoch: int, stored: StoredRoom, term: int) -> None:
        """Take a claimed room in, as it was loaded; one that was loaded before it was claimed is asked for again.

        So is every room if the lease has ended since, even if it is held again: the room may be another's by now.
        """
        was_early = (stored.owner, stored.epoch) != (self._owner, epoch)
        if not was_early and self._room_host.term == term:
            whole = await self._claimant.in_its_life(stored)
            if self._room_host.term == term:
                self._conclude(number, whole)
                return
        self._waiting[number] = _Case(self._owner, epoch)

    async def _look_closer(self, numbers: list[int]) -> None:
        """Let rooms go that are gone or another's; those that this node owns under another epoch go on waiting."""
        for number, found in zip(numbers, await self._store.whereabouts(numbers), strict=True):
            if found is None or found.owner != self._owner or number in self._room_host:
                self._let_go(number)
            else:
                self._waiting[number] = _Case(found.owner, found.epoch)

    def _conclude(self, number: int, stored: StoredRoom) -> None:
        self._forget(number)
        if not self._claimant.take_in(stored):
            self._failures[number] = FAILURES

    def _let_go(self, number: int) -> None:
        self._forget(number)
        self.forgive(number)
        self._claimant.let_go(number)

    def _forget(self, number: int) -> None:
        del self._waiting[number]
