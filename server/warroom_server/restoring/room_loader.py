"""Loads rooms that this node is to host: claims them in the store, restores them, and hosts them.

These are its own rooms of an earlier process, rooms that failed here, and rooms that it takes over from other nodes.
"""

import asyncio
import logging
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Final, Protocol

from msgspec import Struct

from warroom_protocol import codes
from warroom_protocol.rooms import room_code
from warroom_server.hosting.hosted_room import HostedRoom
from warroom_server.hosting.room_host import RoomHost
from warroom_server.lobby.room_factory import FIRST_EPOCH
from warroom_server.loop.crashpoints import points
from warroom_server.loop.tasks import Tasks
from warroom_server.ports.listeners import Signal
from warroom_server.ports.store import Orphan, Store, StoredRoom, UnavailableError
from warroom_server.ports.time import Clock
from warroom_server.restoring.room_restorer import RoomRestorer
from warroom_server.restoring.waiting_clients import WaitingClients
from warroom_server.room.room import Room

logger = logging.getLogger(__name__)

BATCH: Final = 32
"""Rooms that are claimed and loaded in one round trip."""
FIRST_PAUSE_MS: Final = 1_000
"""How long a room that failed is left alone. Each further failure doubles it."""
FAILURES: Final = 3
"""After this many failures a room is broken. It stays in the store for a server that can continue it."""
REPAIR_S: Final = 0.2
"""How long rooms wait at most until logs are repaired."""
TRACKED: Final = 65_536
"""With this many rooms queued, rooms whose creation is unconfirmed are not tracked any more."""


class _Case(Struct, frozen=True):
    """A room to load: its last known owner and epoch, and the time before which it is left alone."""

    owner: str
    epoch: int
    not_before: int = 0


class GivenRooms(Protocol):
    """Rooms that are on their way from this node to others."""

    def __contains__(self, room: object) -> bool: ...

    def take_back(self) -> list[Orphan]:
        """Return rooms that nobody took, for this node to claim them."""


@dataclass(eq=False)
class RoomLoader:
    """Claims, loads and hosts queued rooms in batches. Rooms that clients wait for come first.

    A room stays queued through any failure of the store until its fate is known. Each claim raises the epoch, also
    that of an own room, so that nothing sent for the room before can count. A room is hosted only in the *term* of the
    lease in which it was claimed: after that term another node may have claimed it.
    """

    _store: Store
    _owner: str
    _room_host: RoomHost
    _clock: Clock
    _restorer: RoomRestorer
    _waiting: WaitingClients
    _given: GivenRooms

    def __post_init__(self) -> None:
        self.taken: Signal[[int, int]] = Signal()
        """This node owns a room under a new epoch, also if it cannot host the room."""
        self.is_leaving = False
        """Whether this node is about to stop."""
        self._cases: dict[int, _Case] = {}
        """By room, the queue."""
        self._failures: dict[int, int] = {}
        self._busy: set[str] = set()
        """Primaries whose rooms are being taken over."""
        self._in_hand: set[int] = set()
        """Rooms that are being taken over."""
        self._is_hurried = False
        """Whether a task is about to work through the queue."""
        self._repairs: list[asyncio.Task[None]] = []
        """Repairs of logs that are not done."""
        self.tasks = Tasks()

    def __len__(self) -> int:
        return len(self._cases)

    def __contains__(self, number: int) -> bool:
        return number in self._cases or number in self._given

    def leave(self) -> None:
        """Take nothing over any more: this node is about to stop."""
        self.is_leaving = True

    # --- queueing rooms -------------------------------------------------------------------------------------------

    def host_new(self, stored: StoredRoom, room: Room | None) -> None:
        """Host a room that was just created."""
        self._restorer.host_own(stored, room)
        self._waiting.here(stored.room)

    def track(self, number: int) -> None:
        """Track a room whose creation is unconfirmed."""
        if len(self._cases) < TRACKED:
            self.add([(number, self._owner, FIRST_EPOCH)])

    def is_coming(self, number: int, epoch: int) -> bool:
        """Whether a room is queued, and *epoch* is no news about it."""
        case = self._cases.get(number)
        return case is not None and epoch <= case.epoch

    def is_broken(self, number: int) -> bool:
        """Whether this node cannot continue a room, and will not try again."""
        return self._failures.get(number, 0) >= FAILURES

    def take_back(self, number: int, epoch: int) -> None:
        """Queue a room that this node owns and does not host; refuse clients if it cannot be hosted."""
        if self.is_broken(number) or number in self._restorer.unplayable:
            self._refuse(number)
        elif not self.is_leaving and number not in self._given:
            self.add([(number, self._owner, epoch)])

    def unknown(self, number: int) -> None:
        """Refuse the clients of a room that the store does not know, unless another node may still write it again."""
        if not self._restorer.log_repair.is_early:
            self._refuse(number)

    def offered(self, orphans: Sequence[Orphan]) -> None:
        """Take rooms over that their owner has just released. They come before all others: their players are waiting.

        Else they would wait behind all rooms of a node that died in the same second.
        """
        if not self.is_leaving:
            self.add(orphans, is_urgent=True)
            self.hurry()

    def removed(self, hosted: HostedRoom) -> None:
        """Queue a room that is not hosted any more, unless it has ended: it may still be this node's."""
        number = hosted.room.number
        if hosted.is_archived:
            self._failures.pop(number, None)
        elif hosted.has_failed:
            self._add_failed(number, hosted.epoch)
        else:
            self.take_back(number, hosted.epoch)

    def add(self, orphans: Iterable[Orphan], *, is_urgent: bool = False) -> None:
        """Queue rooms, each with its last known owner and epoch; *is_urgent* puts them before all others."""
        first: dict[int, _Case] = {}
        for number, owner, epoch in orphans:
            case = self._cases.get(number)
            is_known = case is not None and (number in self._in_hand or epoch <= case.epoch)
            if not (is_known or number in self._room_host or self.is_broken(number)):
                case = self._cases[number] = _Case(owner, epoch)
            if case is not None:
                first[number] = case
        if is_urgent:
            self._cases = first | self._cases

    def _add_failed(self, number: int, epoch: int) -> None:
        """Queue an own room that failed while it was hosted, after a pause, and not too often."""
        failures = self._failures[number] = self._failures.get(number, 0) + 1
        if self.is_broken(number):
            logger.error("room broken room=%s failures=%d", room_code(number), failures)
        else:
            pause_ms = FIRST_PAUSE_MS << (failures - 1)
            self._cases[number] = _Case(self._owner, epoch, self._clock.now() + pause_ms)

    def _refuse(self, number: int) -> None:
        why = self._restorer.unplayable.refusal(number) or codes.ROOM_UNKNOWN
        self._waiting.turn_away(number, why)
        if why != codes.RULES_UNAVAILABLE:  # else clients who were inside wait for a node that has the rules
            self._waiting.resume(number)

    # --- working through the queue --------------------------------------------------------------------------------

    def hurry(self) -> None:
        """Take over all queued rooms soon."""
        if not self._is_hurried:
            self._is_hurried = True
            self.tasks.begin(self._work_now())

    async def _work_now(self) -> None:
        self._is_hurried = False
        await self._repair_logs()
        await self._work()

    async def adopt(self, orphans: Sequence[Orphan]) -> None:
        """Take over rooms whose owner has no lease, own rooms that nobody took, and all queued rooms."""
        await self._repair_logs()
        if not self.is_leaving:
            self.add([*orphans, *self._given.take_back()])
            await self._work()

    async def _repair_logs(self) -> None:
        """Repair logs before rooms are claimed. A primary that hangs must not delay the rooms of others for long."""
        self._repairs = [task for task in self._repairs if not task.done()]
        if len(self._repairs) < 2:  # the second waits for the first, and repairs what was lost meanwhile
            self._repairs.append(self.tasks.begin(self._restorer.log_repair.settle()))
        await asyncio.wait(self._repairs[-1:], timeout=REPAIR_S)

    async def _work(self) -> None:
        """Take over what can be taken over now. A primary that is away or hangs delays no room of another one."""
        primaries = sorted({self._store.primary_of(number) for number in self._cases} - self._busy)
        for bug in await asyncio.gather(*map(self._work_in, primaries), return_exceptions=True):
            if bug is not None:
                raise bug
        await self._restorer.unplayable.look()

    async def _work_in(self, primary: str) -> None:
        if primary in self._busy:
            return
        self._busy.add(primary)
        todo = len(self._cases)
        try:
            while (term := self._room_host.term) is not None and (batch := self._next_batch(primary)):
                self._in_hand |= batch.keys()
                try:
                    await self._take_over(list(batch.values()), term)
                finally:
                    self._in_hand -= batch.keys()
        except UnavailableError as error:
            logger.warning("rooms not taken over yet primary=%s reason=%r", primary, str(error))
        finally:
            self._busy.discard(primary)
        if todo > BATCH:
            logger.info("rooms loaded queued=%d left=%d", todo, len(self._cases))

    def _next_batch(self, primary: str) -> dict[int, Orphan]:
        """Return the next rooms of a primary; a room may be in hand because another primary had it before."""
        now, batch = self._clock.now(), dict[int, Orphan]()
        for number in chain(self._waiting.rooms(), self._cases):
            case = self._cases.get(number)
            if case is None or case.not_before > now or number in self._in_hand:
                continue
            if self._store.primary_of(number) == primary:
                batch[number] = (number, case.owner, case.epoch)
            if len(batch) == BATCH:
                break
        return batch

    async def _take_over(self, batch: Sequence[Orphan], term: int) -> None:
        answers = await self._store.take_over(batch, self._owner)
        if any(epoch is not None for epoch, _ in answers):
            points.reached("during_takeover")
        failed: dict[int, int | None] = {}
        for (number, _, _), (epoch, stored) in zip(batch, answers, strict=True):
            if epoch is None or stored is None:
                failed[number] = epoch
                continue
            await self._host(epoch, stored, term)
            # Restoring a long match takes a while, and players of other rooms must not wait for the whole batch.
            await asyncio.sleep(0)
        if failed:
            await self._look_closer(failed)

    async def _host(self, epoch: int, stored: StoredRoom, term: int) -> None:
        """Host a claimed room, unless it was loaded before the claim or the lease ended since: then claim it again."""
        number = stored.room
        if (stored.owner, stored.epoch) == (self._owner, epoch) and self._room_host.term == term:
            stored = await self._restorer.begin_life(stored)
            if self._room_host.term == term:
                del self._cases[number]
                self._take_in(stored)
                return
        self._cases[number] = _Case(self._owner, epoch)

    def _take_in(self, stored: StoredRoom) -> None:
        is_hosted = self._restorer.restore(stored)
        self.taken(stored.room, stored.epoch)
        if is_hosted:
            self._waiting.here(stored.room)
            return
        if stored.room not in self._restorer.unplayable:  # restoring it failed
            self._failures[stored.room] = FAILURES
        self._refuse(stored.room)

    async def _look_closer(self, claimed: Mapping[int, int | None]) -> None:
        """Find out what became of rooms that were not claimed, or claimed under an epoch and not loaded."""
        for (number, epoch), found in zip(claimed.items(), await self._store.whereabouts(list(claimed)), strict=True):
            is_own = found is not None and found.owner == self._owner and number not in self._room_host
            if found is not None and is_own and found.epoch != epoch:
                self._cases[number] = _Case(found.owner, found.epoch)
                continue
            del self._cases[number]
            self._failures.pop(number, None)
            if is_own:
                logger.error("room broken room=%s: its log cannot be read", room_code(number))
                self._failures[number] = FAILURES
            if number in self._waiting:
                self._waiting.seek(number)
