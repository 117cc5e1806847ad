"""Finds rooms that clients wait for and this node does not host: it asks the store who owns them."""

from collections.abc import Sequence
from itertools import islice
from typing import Final

from warroom_server.cluster.messages import Links
from warroom_server.hosting.room_host import RoomHost
from warroom_server.loop.tasks import Tasks
from warroom_server.ports.event_signal import Signal
from warroom_server.ports.store import Orphan, Store, UnavailableError, Whereabouts
from warroom_server.restoring.finished_room_queue import RecallQueue
from warroom_server.restoring.finished_room_restorer import FinishedRooms
from warroom_server.restoring.room_loader import RoomLoader
from warroom_server.restoring.waiting_clients import WaitingClients

BATCH: Final = 256
"""Rooms that are looked for in one round trip."""


class RoomLocator:
    """Looks for rooms whenever `WaitingClients` seeks them."""

    def __init__(
        self,
        store: Store,
        *,
        owner: str,
        room_host: RoomHost,
        waiting: WaitingClients,
        loader: RoomLoader,
        finished_rooms: FinishedRooms,
        links: Links,
    ) -> None:
        self.elsewhere: Signal[[int, Whereabouts]] = Signal()
        """A room is on another node."""
        self.tasks = Tasks()
        self._store = store
        self._owner = owner
        self._room_host = room_host
        self._waiting = waiting
        self._loader = loader
        self._links = links
        self._sought: dict[str, dict[int, None]] = {}
        """By primary that is being asked, the rooms to ask for, in order."""
        self.recalls = RecallQueue(
            finished_rooms, waiting, primary_of=store.primary_of, is_elsewhere=self._ended_elsewhere
        )
        """Rooms that are nowhere, and may have ended."""
        self.recalls.missing.append(lambda number: self._settle(number, None))
        waiting.sought.append(self._seek)

    # --- asking the store -----------------------------------------------------------------------------------------

    def _seek(self, number: int) -> None:
        primary = self._store.primary_of(number)
        if number in self.recalls:
            return
        if primary not in self._sought:
            self._sought[primary] = {}
            self.tasks.begin(self._seek_in(primary))
        self._sought[primary][number] = None

    async def _seek_in(self, primary: str) -> None:
        """Look for all rooms that are sought in one primary. One that hangs does not delay the others."""
        sought = self._sought[primary]
        try:
            while numbers := list(islice(sought, BATCH)):
                await self._look_for(numbers)
                for number in numbers:
                    del sought[number]
        finally:
            # Also after a bug: a number that stayed here would never be looked for again.
            del self._sought[primary]

    async def _look_for(self, numbers: Sequence[int]) -> None:
        try:
            found = await self._store.whereabouts(numbers)
            for number, whereabouts in zip(numbers, found, strict=True):
                if whereabouts is None and self._waiting.players(number):
                    self.recalls.add(number)
                else:
                    self._settle(number, whereabouts)
            await self._store.list_again(self._unreachable(numbers, found))
            self._waiting.unanswered.difference_update(numbers)
        except UnavailableError:
            self._waiting.unanswered.update(numbers)  # clients go on waiting, and the rooms are sought again

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

    async def _ended_elsewhere(self, number: int) -> bool:
        """Let clients enter a finished match on the node where it ended; return whether that node can be reached."""
        ended = await self._store.last_owner(number)
        if ended is None or ended.owner not in self._links.nodes():
            return False
        self._found(number, ended)
        return True
