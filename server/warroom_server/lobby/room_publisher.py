"""Publishes the rooms of this node to the directory: lists show what an anonymous spectator may know."""

import logging
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from typing import Final, TypeAlias

import msgspec

from warroom_games.seating import Sitter
from warroom_server.hosting.hosted_room import HostedRoom
from warroom_server.hosting.room_events import RoomEvents
from warroom_server.hosting.room_host import RoomHost
from warroom_server.lobby.matchmaker import Skills
from warroom_server.lobby.open_rooms import kind_of, open_room, rated_players
from warroom_server.lobby.room_lists import lists_of
from warroom_server.loop.tasks import Tasks
from warroom_server.ports.clock import Clock, Timers
from warroom_server.ports.directory import Directory, ListedRoom
from warroom_server.ports.store import NodeLease, UnavailableError

logger = logging.getLogger(__name__)

PUBLISH_MS: Final = 300
"""The shortest time between two batches."""
AT_ONCE: Final = 25
"""Rooms in one question to the store: a script with 100 new ones takes 2 to 5 ms, in which no node can append."""
SWEEP_MS: Final = 10_000
"""How often listings of nodes without a lease are removed; readers hide them until then."""

_encode = msgspec.msgpack.Encoder().encode
_Facts: TypeAlias = tuple[int, str, tuple[Sitter | None, ...], int, bool]
"""What may change in a published room: epoch, phase, seats and spectators as lists show them, whether it has begun."""


def is_for_all(hosted: HostedRoom, get: Callable[[int], HostedRoom | None]) -> bool:
    """Whether anybody may hear of a room: it is not private, and tells nobody the end of a match too early."""
    opened = hosted.room.match.opened
    return not opened.room_options.private and _untold(hosted, get) is None


def _untold(hosted: HostedRoom, get: Callable[[int], HostedRoom | None]) -> int | None:
    """Return the room whose end a room would tell spectators who have not seen it, being its rematch."""
    follows = hosted.room.match.opened.follows
    before = None if follows is None else get(follows)
    return None if before is None or before.room.is_publicly_over else follows


class RoomPublisher:
    """Publishes in batches what changed, for lists and for quick matches; *leases* returns the nodes with a lease."""

    def __init__(
        self,
        directory: Directory,
        *,
        owner: str,
        room_host: RoomHost,
        events: RoomEvents,
        leases: Callable[[], Awaitable[list[NodeLease]]],
        skills: Skills,
        clock: Clock,
        timers: Timers,
    ) -> None:
        self.tasks = Tasks()
        self._directory = directory
        self._owner = owner
        self._room_host = room_host
        self._leases = leases
        self._skills = skills
        self._clock = clock
        self._timers = timers
        self._published: dict[int, _Facts] = {}
        self._kinds: dict[int, str] = {}
        """By room of quick matches, its kind."""
        self._changed: dict[int, None] = {}
        self._rematches: dict[int, int] = {}
        """By room whose end spectators have not seen, the room of its rematch, which is published later."""
        self._is_in_doubt = False
        """Whether the directory may have lost, or remember wrongly, what it was told."""
        self._is_due = False
        self._next_ms = 0
        events.changed.append(self._note)
        events.removed.append(lambda hosted: self._publish_later([hosted.room.number]))
        self._sweep_later()

    def publish_all(self) -> None:
        """Publish all rooms again, and remove listings of rooms that are not here."""
        self._is_in_doubt = True
        self._publish_later([hosted.room.number for hosted in self._room_host])

    def _note(self, hosted: HostedRoom) -> None:
        """Publish a room soon if its listing may have changed; called with its every step."""
        number = hosted.room.number
        if _facts(hosted) != self._published.get(number) or number in self._rematches:
            self._publish_later([number])

    def _publish_later(self, numbers: Sequence[int]) -> None:
        for number in numbers:
            self._changed[number] = None
            if (rematch := self._rematches.pop(number, None)) is not None:
                self._changed[rematch] = None
        if not self._is_due:
            self._is_due = True
            if self._clock.now() >= self._next_ms:
                self._begin()
            else:
                self._timers.call_at(self._next_ms, self._begin)

    def _begin(self) -> None:
        self.tasks.begin(self._publish())

    async def _publish(self) -> None:
        self._next_ms = self._clock.now() + PUBLISH_MS
        try:
            if self._is_in_doubt:
                self._changed |= dict.fromkeys(await self._directory.rooms_of(self._owner))
                self._is_in_doubt = False
            for numbers in _batches(tuple(self._changed)):
                await self._publish_some(numbers)
        except UnavailableError as error:
            logger.warning("rooms not published reason=%r", str(error))
        finally:
            self._is_due = False
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
            await self._publish_open(numbers)
        except UnavailableError:
            self._changed |= dict.fromkeys(numbers)
            raise
        for number in gone:
            self._published.pop(number, None)
        self._published |= facts

    async def _publish_open(self, numbers: Sequence[int]) -> None:
        """Open those rooms to quick matches that wait for players, and close the others."""
        here = [hosted for number in numbers if (hosted := self._room_host.get(number)) is not None]
        for hosted in here:
            if hosted.room.number not in self._kinds and (kind := kind_of(hosted.room.match)) is not None:
                self._kinds[hosted.room.number] = kind.key
        quick = {hosted.room.number: hosted for hosted in here if hosted.room.number in self._kinds}
        waiting = [hosted for hosted in quick.values() if hosted.room.match.phase == "lobby"]
        skills = {hosted.room.number: await self._skills_in(hosted) for hosted in waiting}
        for key in {self._kinds[number] for number in numbers if number in self._kinds}:
            of_kind = [number for number in numbers if self._kinds.get(number) == key]
            rooms = [open_room(quick[number], skills[number]) for number in of_kind if number in skills]
            gone = [number for number in of_kind if number not in skills]
            await self._directory.publish_open(key, self._owner, rooms, gone)
            for number in gone:  # and no others: one that went just now was still opened, and is to be closed
                if number not in self._room_host:
                    del self._kinds[number]

    async def _skills_in(self, hosted: HostedRoom) -> Mapping[str, int]:
        match = hosted.room.match
        players = rated_players(match)
        return await self._skills(match.opened.game, players) if players else {}

    def _is_early(self, hosted: HostedRoom) -> bool:
        """Whether a room is the rematch of a match that goes on for spectators; then it is published later."""
        before = _untold(hosted, self._room_host.get)
        if before is not None:
            self._rematches[before] = hosted.room.number
        return before is not None

    # --- listings of nodes that are gone --------------------------------------------------------------------------

    def _sweep_later(self) -> None:
        self._timers.call_at(self._clock.now() + SWEEP_MS, self._begin_sweep)

    def _begin_sweep(self) -> None:
        self.tasks.begin(self._sweep())

    async def _sweep(self) -> None:
        """Remove listings of nodes without a lease; one that comes back publishes all its rooms again."""
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
