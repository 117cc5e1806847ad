"""Publishes the rooms of this node to the directory, as an anonymous spectator may know them."""

import logging
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

import msgspec

from warroom_games.seating import Sitter
from warroom_server.hosting.hosted_room import HostedRoom
from warroom_server.hosting.room_events import RoomEvents
from warroom_server.hosting.room_host import RoomHost
from warroom_server.lobby.quick_match_rooms import OpenRooms
from warroom_server.lobby.room_lists import lists_of
from warroom_server.loop.tasks import Tasks
from warroom_server.ports.listings import ListedRoom, Listings
from warroom_server.ports.store import NodeLease, UnavailableError
from warroom_server.ports.time import Timers

logger = logging.getLogger(__name__)

PUBLISH_MS: Final = 300
"""The shortest time between two batches."""
AT_ONCE: Final = 25
"""Rooms per request to the store: a script with 100 new ones takes 2 to 5 ms, in which no node can append."""
SWEEP_MS: Final = 10_000
"""How often listings of nodes without a lease are removed; readers hide them until then."""

_encode = msgspec.msgpack.Encoder().encode
_Facts: TypeAlias = tuple[int, str, tuple[Sitter | None, ...], int, bool]
"""What may change in a listing: epoch, phase, seats and spectators as lists show them, whether the match has begun."""


def is_for_all(hosted: HostedRoom, get: Callable[[int], HostedRoom | None]) -> bool:
    """Whether everybody may know of a room: it is not private, and does not reveal the end of a match too early."""
    opened = hosted.room.match.opened
    return not opened.room_options.private and _untold(hosted, get) is None


def _untold(hosted: HostedRoom, get: Callable[[int], HostedRoom | None]) -> int | None:
    """Return the room whose rematch this is, if its spectators have not seen the end yet."""
    follows = hosted.room.match.opened.follows
    before = None if follows is None else get(follows)
    return None if before is None or before.room.is_publicly_over else follows


@dataclass(eq=False)
class RoomPublisher:
    """Publishes in batches which rooms changed, for lists and for quick matches.

    It also removes listings of nodes that have no lease; *leases* returns the nodes that have one.
    """

    _directory: Listings
    _owner: str
    _room_host: RoomHost
    _events: RoomEvents
    _open_rooms: OpenRooms
    _leases: Callable[[], Awaitable[list[NodeLease]]]
    _timers: Timers

    def __post_init__(self) -> None:
        self.tasks = Tasks()
        self._published: dict[int, _Facts] = {}
        self._changed: dict[int, None] = {}
        self._rematches: dict[int, int] = {}
        """By room whose end spectators have not seen yet, its rematch, which is published later."""
        self._is_in_doubt = False
        """Whether the directory may have lost or outdated listings of this node."""
        self._is_busy = False
        """Whether a batch is being published, or was published a moment ago."""
        self._events.changed.append(self._note)
        self._events.removed.append(lambda hosted: self._publish_later([hosted.room.number]))
        self._events.sure.append(self.publish_all)
        self._sweep_later()

    def publish_all(self) -> None:
        """Publish all rooms again, and remove listings of rooms that are not here."""
        self._is_in_doubt = True
        self._publish_later([hosted.room.number for hosted in self._room_host])

    def _note(self, hosted: HostedRoom) -> None:
        """Publish a room soon if its listing may have changed; called with each of its steps."""
        number = hosted.room.number
        if _facts(hosted) != self._published.get(number) or number in self._rematches:
            self._publish_later([number])

    def _publish_later(self, numbers: Sequence[int]) -> None:
        for number in numbers:
            self._changed[number] = None
            if (rematch := self._rematches.pop(number, None)) is not None:
                self._changed[rematch] = None
        if not self._is_busy:
            self._is_busy = True
            self.tasks.begin(self._publish())

    async def _publish(self) -> None:
        try:
            if self._is_in_doubt:
                self._changed |= dict.fromkeys(await self._directory.rooms_of(self._owner))
                self._is_in_doubt = False
            for numbers in _batches(tuple(self._changed)):
                await self._publish_some(numbers)
        except UnavailableError as error:
            logger.warning("rooms not published reason=%r", str(error))
        finally:
            self._timers.call_after(PUBLISH_MS, self._go_on)

    def _go_on(self) -> None:
        self._is_busy = False
        if self._changed or self._is_in_doubt:
            self._publish_later(())

    async def _publish_some(self, numbers: Sequence[int]) -> None:
        facts = dict[int, _Facts]()
        rooms: list[ListedRoom] = []
        for number in numbers:
            self._changed.pop(number, None)
            hosted = self._room_host.get(number)
            known = None if hosted is None else _facts(hosted)
            if hosted is None or known is None or self._is_early(hosted):
                continue
            facts[number] = known
            listing = hosted.room.listing()
            opened_ms = hosted.room.match.opened.opened_ms
            rooms.append(ListedRoom(number, hosted.epoch, opened_ms, lists_of(listing), _encode(listing)))
        gone = [number for number in numbers if number not in facts]
        try:
            await self._directory.publish(self._owner, rooms, gone)
            await self._open_rooms.publish(numbers)
        except UnavailableError:
            self._changed |= dict.fromkeys(numbers)
            raise
        for number in gone:
            self._published.pop(number, None)
        self._published |= facts

    def _is_early(self, hosted: HostedRoom) -> bool:
        """Whether a room is the rematch of a match that spectators still watch; then it is published later."""
        before = _untold(hosted, self._room_host.get)
        if before is not None:
            self._rematches[before] = hosted.room.number
        return before is not None

    # --- listings of other nodes ----------------------------------------------------------------------------------

    def _sweep_later(self) -> None:
        self._timers.call_after(SWEEP_MS, lambda: self.tasks.begin(self._sweep()))

    async def _sweep(self) -> None:
        """Remove the listings; a node that comes back publishes all its rooms again."""
        try:
            owners = await self._directory.owners()  # before the leases: a node takes its own before it lists rooms
            leased = {self._owner, *(node.owner for node in await self._leases())}
            for owner in set(owners) - leased:
                for numbers in _batches(await self._directory.rooms_of(owner)):
                    await self._directory.publish(owner, (), numbers)
        except UnavailableError as error:
            logger.warning("listings not swept reason=%r", str(error))
        self._sweep_later()


def _batches(numbers: Sequence[int]) -> Iterator[Sequence[int]]:
    return (numbers[first : first + AT_ONCE] for first in range(0, len(numbers), AT_ONCE))


def _facts(hosted: HostedRoom) -> _Facts | None:
    """Return what may change in the listing of a room; None if it is in no list."""
    match = hosted.room.public_match
    if match.is_over or match.opened.room_options.private:
        return None
    has_begun = hosted.room.match.phase != "lobby"
    return hosted.epoch, match.phase, match.seats, hosted.room.audience.watching, has_begun
