"""The rooms that anybody may look for, asked of the store at most once in a while, and what changes in them."""

import asyncio
from collections.abc import Callable, Collection
from functools import cached_property
from itertools import product
from typing import TypeAlias

import msgspec
from msgspec import Struct

from warroom_protocol import codes
from warroom_protocol.codec import encode
from warroom_protocol.messages import Listed, Older, RoomList, RoomListing, Rooms
from warroom_protocol.readable import named
from warroom_server.hosting.connections import Connections
from warroom_server.loop.tasks import Tasks
from warroom_server.ports.clock import Clock, Timers
from warroom_server.ports.directory import Directory
from warroom_server.ports.store import UnavailableError
from warroom_server.session.replies import error

LISTED = 100
"""How many rooms a listing shows."""
KEPT_MS = 500
"""How long a listing is shown again, and how often those are told who want to know of changes."""
KEPT = 64
"""How many listings are kept, and as many of players; who asks for something rarer has it made anew."""
ASKED = 1_024
"""How many requests may wait for the store at a time."""

Found: TypeAlias = tuple[RoomListing, ...]

_decoder = msgspec.msgpack.Decoder(RoomListing)


class Wanted(Struct, frozen=True):
    """Which rooms somebody looks for: of one game, in one phase, with a free seat, with one player (None: any).

    With *before*, only those that are older than that room.
    """

    game: str | None = None
    phase: str | None = None
    is_open: bool = False
    player: str | None = None
    before: int | None = None

    @property
    def lists(self) -> tuple[str, ...]:
        """The lists of the directory that have to have a room."""
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


def _list_name(*kind: str | None) -> str:
    return "/".join(part or "*" for part in kind)


def _list_of_player(player: str) -> str:
    return f"player:{player}"


class Listing:
    """The rooms at one moment; every form of them is made once, when it is first asked for."""

    def __init__(self, rooms: Found, made: int) -> None:
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
    """Asks *directory* for the rooms of all *nodes* that somebody wants, and keeps the answer for a while.

    A game that is not among *games* has no rooms; so whoever makes names up costs no memory.
    """

    def __init__(
        self, directory: Directory, *, nodes: Callable[[], Collection[str]], games: Collection[str], clock: Clock
    ) -> None:
        self._directory = directory
        self._nodes = nodes
        self._games = frozenset(games)
        self._clock = clock
        self._kept: dict[Wanted, Listing] = {}
        self._rare: dict[Wanted, Listing] = {}
        """Those of one player or from one room on: there are so many that they must not push out what all ask for."""
        self._nothing = Listing((), 0)
        self._asked: dict[Wanted, asyncio.Task[Listing | None]] = {}
        """What the directory is being asked for: who wants the same meanwhile shares the answer."""

    async def get(self, wanted: Wanted) -> Listing:
        """Return the rooms that are wanted from the newest on, as they were published half a second ago or later."""
        listing = await self.find(wanted)
        assert listing is not None, "only a list that goes on after a room may not find it"
        return listing

    async def find(self, wanted: Wanted) -> Listing | None:
        """Return the rooms that are wanted, as `get` does; None if the one is unknown that they are to follow."""
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
    """Everybody who wants to know of changes in the same rooms, and what they know."""

    def __init__(self, listing: Listing) -> None:
        self.listing = listing
        self.refs: dict[int, int] = {}
        """By connection, the ref of its request."""
        self.stale: set[int] = set()
        """Those who do not know the list: they read so slowly that a change was left out, or the store was away."""

    def changes(self, listing: Listing) -> bytes | None:
        """Return the message that makes the new listing of the old one; None if there is nothing to tell."""
        before = {room.room: room for room in self.listing.rooms}
        changed = tuple(room for room in listing.rooms if before.pop(room.room, None) != room)
        return encode(Listed(changed, tuple(before))) if changed or before else None


class LiveRoomLists:
    """Tells connections what changes in the rooms they look for, at most twice a second, each change encoded once."""

    def __init__(self, room_lists: RoomLists, connections: Connections, timers: Timers) -> None:
        self.tasks = Tasks()
        self._room_lists = room_lists
        self._connections = connections
        self._timers = timers
        self._groups: dict[Wanted, _Group] = {}
        self._latest: dict[int, Rooms] = {}
        """By connection, its last request for a live list, answered or not."""
        self._is_ticking = False

    def ask(self, request: Rooms | Older, connection: int) -> None:
        """Answer with the rooms that are wanted; if *live* is, tell what changes until the next `rooms`."""
        if isinstance(request, Rooms):
            self.forget(connection)
        if len(self.tasks) >= ASKED:
            self._connections.answer(connection, error(request.ref, codes.STORE_UNAVAILABLE))
            return
        if isinstance(request, Rooms) and request.live:
            self._latest[connection] = request
        self.tasks.begin(
            self._answer(request, connection),
            on_bug=lambda: self._connections.answer(connection, error(request.ref, codes.INTERNAL)),
        )

    async def _answer(self, request: Rooms | Older, connection: int) -> None:
        wanted = wanted_by(request)
        try:
            listing = await self._room_lists.find(wanted)
        except UnavailableError:
            if self._latest.get(connection) is request:
                self._follow(wanted, connection, request.ref, Listing((), 0)).stale.add(connection)
            else:
                self._connections.answer(connection, error(request.ref, codes.STORE_UNAVAILABLE))
            return
        if listing is None:
            self._connections.answer(connection, error(request.ref, codes.ROOM_UNKNOWN))
            return
        if self._latest.get(connection) is request:
            # What all of them know, so that one message tells them what changes.
            listing = self._follow(wanted, connection, request.ref, listing).listing
        self._connections.answer(connection, listing.message(request.ref))

    def _follow(self, wanted: Wanted, connection: int, ref: int, listing: Listing) -> _Group:
        """Tell a connection what changes; one that is stale gets the whole list first, as soon as the store has it."""
        group = self._groups.setdefault(wanted, _Group(listing))
        group.refs[connection] = ref
        self._tick_later()
        return group

    def forget(self, connection: int) -> None:
        """Tell a connection nothing more."""
        request = self._latest.pop(connection, None)
        group = None if request is None else self._groups.get(wanted := wanted_by(request))
        if group is not None and group.refs.pop(connection, None) is not None:
            group.stale.discard(connection)
            if not group.refs:
                del self._groups[wanted]

    def _tick_later(self) -> None:
        if not self._is_ticking and self._groups:
            self._is_ticking = True
            self._timers.call_after(KEPT_MS, lambda: self.tasks.begin(self._tick()))

    async def _tick(self) -> None:
        """Update one group after the other: so many of them ask the store no faster than it answers."""
        for wanted in list(self._groups):
            # A task of its own, so that a bug ends the update of one group and not that of all.
            await asyncio.wait([self.tasks.begin(self._update(wanted))])
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
        client = self._connections.get(connection)
        if client is None or (changes is None and connection not in group.stale):
            return
        if client.connection.is_congested:
            group.stale.add(connection)
        elif connection in group.stale:
            group.stale.remove(connection)
            self._connections.answer(connection, group.listing.message(ref))
        elif changes is not None:
            self._connections.answer(connection, changes)
