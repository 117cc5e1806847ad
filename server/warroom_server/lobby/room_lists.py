"""The public lists of rooms: read from the directory at most twice a second, with live updates."""

import asyncio
from collections.abc import Callable, Collection
from functools import cached_property, lru_cache
from itertools import product

import msgspec
from msgspec import Struct

from warroom_protocol import codes
from warroom_protocol.codec import encode
from warroom_protocol.messages import Listed, Older, RoomList, RoomListing, Rooms
from warroom_protocol.readable import named
from warroom_server.hosting.connections import Connections
from warroom_server.hosting.store_requests import RequestTasks
from warroom_server.loop.tasks import Tasks
from warroom_server.ports.listings import Listings
from warroom_server.ports.store import UnavailableError
from warroom_server.ports.time import Clock, Timers
from warroom_server.session.replies import error

LISTED = 100
"""How many rooms a list shows."""
KEPT_MS = 500
"""How long a list is reused, and how often live lists are updated."""
KEPT = 64
"""How many lists are kept, and again as many of rare ones; others are read again for each request."""
REQUESTS = 1_024
"""How many requests may wait for the store at a time."""

_decoder = msgspec.msgpack.Decoder(RoomListing)


class Wanted(Struct, frozen=True):
    """A filter of rooms: of one game, in one phase, with a free seat, with one player (None: any).

    With *before*, only rooms that are older than that one.
    """

    game: str | None = None
    phase: str | None = None
    is_open: bool = False
    player: str | None = None
    before: int | None = None

    @property
    def lists(self) -> tuple[str, ...]:
        """The lists of the directory that a room must be in."""
        of_kind = _list_name(self.game, self.phase, "open" if self.is_open else None)
        return (of_kind,) if self.player is None else (_list_of_player(self.player), of_kind)


def wanted_by(request: Rooms | Older) -> Wanted:
    """Return which rooms a request asks for."""
    before = request.before if isinstance(request, Older) else None
    return Wanted(request.game, request.phase, request.open, request.player, before)


def lists_of(listing: RoomListing) -> tuple[str, ...]:
    """Return the lists of the directory that show a room."""
    is_open = listing.phase == "lobby" and listing.taken < listing.seats
    kinds = product((None, listing.game), (None, listing.phase), (None, "open") if is_open else (None,))
    players = dict.fromkeys(_list_of_player(player.player) for player in listing.players)
    return (*(_list_name(*kind) for kind in kinds), *players)


@lru_cache(maxsize=1024)  # the rooms of one kind share their names
def _list_name(*kind: str | None) -> str:
    return "/".join(part or "*" for part in kind)


def _list_of_player(player: str) -> str:
    return player  # ids have no slash, and so are no names of other lists


class Listing:
    """The rooms at one moment; each encoding is made once, on demand."""

    def __init__(self, rooms: tuple[RoomListing, ...], made: int) -> None:
        self.rooms = rooms
        self.made = made

    @cached_property
    def json(self) -> bytes:
        """The rooms with the names of their fields, which the wire leaves out."""
        return msgspec.json.encode([named(room) for room in self.rooms]) + b"\n"

    def message(self, ref: int) -> bytes:
        """Return the encoded answer to the `rooms` request *ref*."""
        return msgspec.msgpack.encode((RoomList.__struct_config__.tag, ref, self._packed))

    @cached_property
    def _packed(self) -> msgspec.Raw:
        return msgspec.Raw(msgspec.msgpack.encode(self.rooms))


class RoomLists:
    """Asks *directory* for rooms of all *nodes*, and keeps the answers for a while.

    A game that is not among *games* has no rooms, so that invented names cost no memory.
    """

    def __init__(
        self, directory: Listings, *, nodes: Callable[[], Collection[str]], games: Collection[str], clock: Clock
    ) -> None:
        self._directory = directory
        self._nodes = nodes
        self._games = frozenset(games)
        self._clock = clock
        self._kept: dict[Wanted, Listing] = {}
        self._rare: dict[Wanted, Listing] = {}
        """Lists of one player or from one room on: there are many, and they must not displace the common ones."""
        self._nothing = Listing((), 0)
        self._asked: dict[Wanted, asyncio.Task[Listing | None]] = {}
        """Questions to the directory under way; equal requests share the answer."""

    async def get(self, wanted: Wanted) -> Listing:
        """Return the newest wanted rooms, as published at most half a second ago."""
        listing = await self.find(wanted)
        assert listing is not None, "only a list that goes on after a room may not find it"
        return listing

    async def find(self, wanted: Wanted) -> Listing | None:
        """Return the wanted rooms as `get` does; None if the room *before* them is unknown."""
        if wanted.game is not None and wanted.game not in self._games:
            return self._nothing
        kept = self._lists_for(wanted).get(wanted)
        if kept is not None and self._clock.now() - kept.made < KEPT_MS:
            return kept
        asked = self._asked.get(wanted)
        if asked is None:
            asked = self._asked[wanted] = asyncio.get_running_loop().create_task(self._ask(wanted))
        return await asyncio.shield(asked)

    async def _ask(self, wanted: Wanted) -> Listing | None:
        room_lists, made = self._lists_for(wanted), self._clock.now()
        room_lists.pop(wanted, None)
        try:
            found = await self._directory.find(wanted.lists, before=wanted.before, owners=self._nodes(), limit=LISTED)
        finally:
            del self._asked[wanted]
        if found is None:
            return None
        if len(room_lists) >= KEPT:
            del room_lists[next(iter(room_lists))]
        listing = room_lists[wanted] = Listing(tuple(map(_decoder.decode, found)), made)
        return listing

    def _lists_for(self, wanted: Wanted) -> dict[Wanted, Listing]:
        return self._kept if wanted.player is None and wanted.before is None else self._rare


class _Group:
    """The followers of one live list, and the list as they know it."""

    def __init__(self, listing: Listing) -> None:
        self.listing = listing
        self.refs: dict[int, int] = {}
        """By connection, the ref of its request."""
        self.stale: set[int] = set()
        """Followers without the current list: they read too slowly, or the store was away."""

    def changes(self, listing: Listing) -> bytes | None:
        """Return the message that turns the old list into the new one; None if nothing changed."""
        before = {room.room: room for room in self.listing.rooms}
        changed = tuple(room for room in listing.rooms if before.pop(room.room, None) != room)
        return encode(Listed(changed, tuple(before))) if changed or before else None


class LiveRoomLists:
    """Sends connections the changes in their lists, at most twice a second, each change encoded once."""

    def __init__(self, room_lists: RoomLists, connections: Connections, timers: Timers) -> None:
        self._tasks = Tasks()
        self._requests = RequestTasks(connections, REQUESTS)
        self._room_lists = room_lists
        self._connections = connections
        self._timers = timers
        self._groups: dict[Wanted, _Group] = {}
        self._latest: dict[int, Rooms] = {}
        """By connection, its last request for a live list, answered or not."""
        self._is_ticking = False

    async def close(self) -> None:
        """Cancel what waits for the store."""
        for tasks in (self._requests, self._tasks):
            await tasks.close()

    def ask(self, request: Rooms | Older, connection: int) -> None:
        """Answer with the wanted rooms; if *live* is set, send changes until the next `rooms`."""
        if isinstance(request, Rooms):
            self.forget(connection)
        task = self._requests.begin(connection, request.ref, lambda: self._find(request, connection))
        if task is not None and isinstance(request, Rooms) and request.live:
            self._latest[connection] = request

    async def _find(self, request: Rooms | Older, connection: int) -> bytes | None:
        wanted = wanted_by(request)
        try:
            listing = await self._room_lists.find(wanted)
        except UnavailableError:
            if self._latest.get(connection) is not request:
                raise
            self._follow(wanted, connection, request.ref, Listing((), 0)).stale.add(connection)
            return None  # the answer comes with the first list that the store returns
        if listing is None:
            return error(request.ref, codes.ROOM_UNKNOWN)
        if self._latest.get(connection) is request:
            # The list that all followers have, so that one message tells all of them what changes.
            listing = self._follow(wanted, connection, request.ref, listing).listing
        return listing.message(request.ref)

    def _follow(self, wanted: Wanted, connection: int, ref: int, listing: Listing) -> _Group:
        """Send changes to a connection; a stale one gets the whole list first, once the store returns it."""
        group = self._groups.setdefault(wanted, _Group(listing))
        group.refs[connection] = ref
        self._tick_later()
        return group

    def forget(self, connection: int) -> None:
        """Send a connection no more changes."""
        request = self._latest.pop(connection, None)
        group = None if request is None else self._groups.get(wanted := wanted_by(request))
        if group is not None and group.refs.pop(connection, None) is not None:
            group.stale.discard(connection)
            if not group.refs:
                del self._groups[wanted]

    def _tick_later(self) -> None:
        if not self._is_ticking and self._groups:
            self._is_ticking = True
            self._timers.call_after(KEPT_MS, lambda: self._tasks.begin(self._tick()))

    async def _tick(self) -> None:
        """Update one group after the other, so that many groups ask the store no faster than it answers."""
        for wanted in list(self._groups):
            # In its own task, so that a bug affects one group only.
            await asyncio.wait([self._tasks.begin(self._update(wanted))])
        self._is_ticking = False
        self._tick_later()

    async def _update(self, wanted: Wanted) -> None:
        try:
            listing = await self._room_lists.get(wanted)
        except UnavailableError:
            return  # the next tick asks again
        group = self._groups.get(wanted)
        if group is not None:
            changes = group.changes(listing)
            group.listing = listing
            for connection, ref in group.refs.items():
                self._tell(group, connection, ref, changes)

    def _tell(self, group: _Group, connection: int, ref: int, changes: bytes | None) -> None:
        client = self._connections.clients.get(connection)
        if client is None or (changes is None and connection not in group.stale):
            return
        if client.connection.is_congested:
            group.stale.add(connection)
        elif connection in group.stale:
            group.stale.remove(connection)
            self._connections.answer(connection, group.listing.message(ref))
        elif changes is not None:
            self._connections.answer(connection, changes)
