"""Finds rooms that clients wait for and this node does not host: it asks the store who owns them."""

from collections.abc import Sequence
from itertools import islice
from typing import Final

from warroom_protocol import codes
from warroom_server.archive.end_notice import EndNotice
from warroom_server.archive.finished_rooms import FinishedRooms
from warroom_server.cluster.messages import Links
from warroom_server.cluster.takeover import Takeover
from warroom_server.cluster.waiting_clients import WaitingClients
from warroom_server.hosting.room_host import RoomHost
from warroom_server.loop.tasks import Tasks
from warroom_server.ports.signal import Signal
from warroom_server.ports.store import Orphan, Store, UnavailableError, Whereabouts
from warroom_server.room import commands

BATCH: Final = 256
"""Rooms that are looked for in one round trip."""
RECALLS: Final = 64
"""Finished matches of one primary that wait to be restored. Further ones are noticed when they are sought again."""


class RoomLocator:
    """Looks for rooms whenever `WaitingClients` seeks them."""

    def __init__(
        self,
        store: Store,
        *,
        owner: str,
        room_host: RoomHost,
        waiting: WaitingClients,
        takeover: Takeover,
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
        self._takeover = takeover
        self._finished_rooms = finished_rooms
        self._links = links
        self._sought: dict[str, dict[int, None]] = {}
        """By primary that is being asked, the rooms to ask for, in order."""
        self._recalling: dict[str, dict[int, None]] = {}
        """By primary, rooms that are nowhere and may have ended, in the order in which they are restored."""
        waiting.sought.append(self._seek)

    # --- asking the store -----------------------------------------------------------------------------------------

    def _seek(self, number: int) -> None:
        primary = self._store.primary_of(number)
        if number in self._recalling.get(primary, ()):
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
                await self._look_for(numbers, primary)
                for number in numbers:
                    del sought[number]
        finally:
            # Also after a bug: a number that stayed here would never be looked for again.
            del self._sought[primary]

    async def _look_for(self, numbers: Sequence[int], primary: str) -> None:
        try:
            found = await self._store.whereabouts(numbers)
            for number, whereabouts in zip(numbers, found, strict=True):
                if whereabouts is None and self._players_at(number):
                    self._recall_later(number, primary)
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
            self._takeover.unknown(number)
        elif self._takeover.is_coming(number, whereabouts.epoch):
            return  # the owner that the store names is losing the room to this node
        elif whereabouts.owner == self._owner:
            self._takeover.take_back(number, whereabouts.epoch)
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

    # --- matches that are over ------------------------------------------------------------------------------------

    def _players_at(self, number: int) -> set[str]:
        return {command.player for command in self._waiting.entering(number) if isinstance(command, commands.Join)}

    def _recall_later(self, number: int, primary: str) -> None:
        """Restore a finished match for its players, in a task of its own because that takes long."""
        if primary not in self._recalling:
            self._recalling[primary] = {}
            self.tasks.begin(self._recall_all(primary))
        if len(self._recalling[primary]) < RECALLS:
            self._recalling[primary][number] = None

    async def _recall_all(self, primary: str) -> None:
        recalling = self._recalling[primary]
        try:
            while (number := next(iter(recalling), None)) is not None:
                players = self._players_at(number)
                found = await self._recall(number, players)
                del recalling[number]
                self._recalled(number, players, found)
        except UnavailableError:
            self._waiting.unanswered.update(recalling)
        finally:
            del self._recalling[primary]  # rooms that are left are sought again

    async def _recall(self, number: int, players: set[str]) -> Whereabouts | EndNotice | bool:
        """Return the node where the match ended, or whether this node has restored it."""
        ended = await self._store.last_owner(number)
        if ended is not None and ended.owner in self._links.nodes():
            return ended
        return number not in self._room_host and await self._finished_rooms.bring_back(number, players)

    def _recalled(self, number: int, players: set[str], found: Whereabouts | EndNotice | bool) -> None:
        """Let clients in, or refuse them if none of them has played in this match."""
        if isinstance(found, Whereabouts):
            self._found(number, found)
        elif isinstance(found, EndNotice):
            self._waiting.turn_away(number, codes.ROOM_UNKNOWN, found)
        elif found:
            self._waiting.here(number)
        elif self._players_at(number) <= players:
            self._settle(number, None)
        else:  # another player came meanwhile, who may have played
            self._seek(number)
