"""Finds rooms that clients wait for and this node does not host: it asks the store who owns them."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from itertools import islice
from math import inf
from typing import Final

from warroom_server.cluster.messages import Links
from warroom_server.hosting.room_host import RoomHost
from warroom_server.loop.tasks import Tasks
from warroom_server.ports.listeners import Signal
from warroom_server.ports.store import Orphan, Store, UnavailableError, Whereabouts
from warroom_server.restoring.finished_rooms import FinishedRooms
from warroom_server.restoring.room_loader import RoomLoader
from warroom_server.restoring.waiting_clients import WaitingClients

BATCH: Final = 256
"""Rooms that are looked for in one round trip."""
RECALLS: Final = 64
"""Finished matches of one primary that wait to be restored. Further ones are added when they are sought again."""


@dataclass(eq=False)
class PrimaryQueues:
    """Queues of rooms, one for each primary of the store: one that hangs delays no room of another.

    Calls *work* with the next *at_once* rooms of a primary until none is left, in one of the *tasks*.

    If the store does not answer, the rest of a queue is noted as *unanswered* and dropped: clients who still wait for
    these rooms have them added again.
    """

    _primary_of: Callable[[int], str]
    _work: Callable[[Sequence[int]], Awaitable[None]]
    _tasks: Tasks
    _unanswered: set[int]
    at_once: int
    limit: float = inf

    def __post_init__(self) -> None:
        self._rooms: dict[str, dict[int, None]] = {}
        """By primary, its rooms in order."""

    def __contains__(self, number: int) -> bool:
        return number in self._rooms.get(self._primary_of(number), ())

    def add(self, number: int) -> None:
        """Queue a room, unless the queue is full."""
        primary = self._primary_of(number)
        if primary not in self._rooms:
            self._rooms[primary] = {}
            self._tasks.begin(self._work_through(primary))
        if len(self._rooms[primary]) < self.limit:
            self._rooms[primary][number] = None

    async def _work_through(self, primary: str) -> None:
        rooms = self._rooms[primary]
        try:
            while batch := list(islice(rooms, self.at_once)):
                await self._work(batch)
                self._unanswered.difference_update(batch)
                for number in batch:
                    del rooms[number]
        except UnavailableError:
            self._unanswered.update(rooms)
        finally:
            # Also after a bug: a room that stayed here would never be worked on again.
            del self._rooms[primary]


@dataclass(eq=False)
class RoomLocator:
    """Looks for rooms whenever `WaitingClients` seeks them."""

    _store: Store
    _owner: str
    _room_host: RoomHost
    _waiting: WaitingClients
    _loader: RoomLoader
    _finished_rooms: FinishedRooms
    _links: Links

    def __post_init__(self) -> None:
        self.elsewhere: Signal[[int, Whereabouts]] = Signal()
        """A room is on another node."""
        self.tasks = Tasks()
        primary_of, tasks, unanswered = self._store.primary_of, self.tasks, self._waiting.unanswered
        self._sought = PrimaryQueues(primary_of, self._look_for, tasks, unanswered, at_once=BATCH)
        self._recalls = PrimaryQueues(primary_of, self._recall, tasks, unanswered, at_once=1, limit=RECALLS)
        """Rooms that are nowhere, and may have ended. Restoring one takes long."""
        self._waiting.sought.append(self._seek)

    # --- asking the store -----------------------------------------------------------------------------------------

    def _seek(self, number: int) -> None:
        if number not in self._recalls:
            self._sought.add(number)

    async def _look_for(self, numbers: Sequence[int]) -> None:
        found = await self._store.whereabouts(numbers)
        for number, whereabouts in zip(numbers, found, strict=True):
            if whereabouts is None and self._waiting.players(number):
                self._recalls.add(number)
            else:
                self._settle(number, whereabouts)
        await self._store.list_again(self._unreachable(numbers, found))

    def _unreachable(self, numbers: Sequence[int], found: Sequence[Whereabouts | None]) -> list[Orphan]:
        """Return rooms whose owners are out of reach: if these are dead, the rooms must be listed as orphans."""
        reachable = {self._owner, *self._links.nodes()}
        return [
            (number, room.owner, room.epoch)
            for number, room in zip(numbers, found, strict=True)
            if room is not None and room.owner not in reachable
        ]

    # --- acting on the answer -------------------------------------------------------------------------------------

    def _settle(self, number: int, whereabouts: Whereabouts | None) -> None:
        if number in self._room_host:
            return
        if whereabouts is None:
            self._loader.unknown(number)
        elif self._loader.is_coming(number, whereabouts.epoch):
            return  # the owner that the store names is losing the room to this node
        elif whereabouts.owner == self._owner:
            self._loader.take_back(number, whereabouts.epoch)
        elif whereabouts.owner in self._links.nodes() and whereabouts != self._waiting.given_up(number):
            self._found(number, whereabouts)

    def announced(self, number: int, whereabouts: Whereabouts) -> None:
        """Note that another node says it owns a room. The message may be late."""
        hosted = self._room_host.get(number)
        # The store that could confirm it may be away for long, so clients of a room in doubt go there at once.
        if hosted is not None and hosted.epoch < whereabouts.epoch and self._room_host.is_in_doubt(number):
            self._room_host.lose(hosted)
        given_up = self._waiting.given_up(number)
        if given_up is None or (whereabouts.epoch >= given_up.epoch and whereabouts != given_up):
            self._found(number, whereabouts)

    def _found(self, number: int, whereabouts: Whereabouts) -> None:
        if number not in self._room_host:
            self.elsewhere(number, whereabouts)

    async def _recall(self, numbers: Sequence[int]) -> None:
        """Let clients enter a finished match on the node where it ended, or here, or refuse them."""
        for number in numbers:
            ended = await self._store.last_owner(number)
            if ended is not None and ended.owner in self._links.nodes():
                self._found(number, ended)
            elif not await self._finished_rooms.restore(number):
                self._settle(number, None)
