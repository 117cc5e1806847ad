"""The rooms that anybody may look for, listed at most once in a while however many ask, and what changes in them."""

import asyncio
from collections import deque
from collections.abc import Callable, Collection
from functools import cached_property
from typing import TypeAlias

import msgspec
from msgspec import Struct

from warroom_protocol import codes
from warroom_protocol.codec import encode
from warroom_protocol.messages import Listed, Older, RoomList, RoomListing, Rooms
from warroom_protocol.readable import named
from warroom_server.hosting.connections import Connections
from warroom_server.ports.clock import Clock, Timers
from warroom_server.session.refusals import error

KEPT_MS = 500
"""How old a listing may be, and how often those are told who want to know of changes."""
KEPT = 64
"""How many listings are kept, and as many of players; who asks for something rarer has it made anew."""

Found: TypeAlias = tuple[RoomListing, ...]


class Wanted(Struct, frozen=True):
    """Which rooms somebody looks for: of one game, in one phase, with a free seat, with one player (None: any).

    With *before*, only those that are older than that room.
    """

    game: str | None = None
    phase: str | None = None
    is_open: bool = False
    player: str | None = None
    before: int | None = None


def wanted_by(request: Rooms | Older) -> Wanted:
    """Return which rooms a request asks for."""
    before = request.before if isinstance(request, Older) else None
    return Wanted(request.game, request.phase, request.open, request.player, before)


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
    """Asks *rooms* for those that somebody wants, and keeps what it says for a while.

    A game that is not among *games* has no rooms; so whoever makes names up costs no memory.
    """

    def __init__(self, rooms: Callable[[Wanted], Found | None], *, games: Collection[str], clock: Clock) -> None:
        self._rooms = rooms
        self._games = frozenset(games)
        self._clock = clock
        self._kept: dict[Wanted, Listing] = {}
        self._rare: dict[Wanted, Listing] = {}
        """Those of one player or from one room on: there are so many that they must not push out what all ask for."""
        self._nothing = Listing((), 0)

    def get(self, wanted: Wanted) -> Listing:
        """Return the rooms that are wanted from the newest on, as they were at most half a second ago."""
        listing = self.find(wanted)
        assert listing is not None, "only a list that goes on after a room may not find it"
        return listing

    def find(self, wanted: Wanted) -> Listing | None:
        """Return the rooms that are wanted, as `get` does; None if the one is unknown that they are to follow."""
        if wanted.game is not None and wanted.game not in self._games:
            return self._nothing
        now = self._clock.now()
        room_lists = self._kept if wanted.player is None and wanted.before is None else self._rare
        kept = room_lists.get(wanted)
        if kept is None or now - kept.made >= KEPT_MS:
            room_lists.pop(wanted, None)
            rooms = self._rooms(wanted)
            if rooms is None:
                return None
            if len(room_lists) >= KEPT:
                del room_lists[next(iter(room_lists))]
            kept = room_lists[wanted] = Listing(rooms, now)
        return kept


class _Group:
    """Everybody who wants to know of changes in the same rooms, and what they know."""

    def __init__(self, listing: Listing) -> None:
        self.listing = listing
        self.refs: dict[int, int] = {}
        """By connection, the ref of its request."""
        self.stale: set[int] = set()
        """Those who read so slowly that a change was left out."""

    def changes(self, listing: Listing) -> bytes | None:
        """Return the message that makes the new listing of the old one; None if there is nothing to tell."""
        before = {room.room: room for room in self.listing.rooms}
        changed = tuple(room for room in listing.rooms if before.pop(room.room, None) != room)
        return encode(Listed(changed, tuple(before))) if changed or before else None


class LiveRoomLists:
    """Tells connections what changes in the rooms they look for, at most twice a second, each change encoded once."""

    def __init__(self, room_lists: RoomLists, *, connections: Connections, clock: Clock, timers: Timers) -> None:
        self._room_lists = room_lists
        self._connections = connections
        self._clock = clock
        self._timers = timers
        self._groups: dict[Wanted, _Group] = {}
        self._wanted: dict[int, Wanted] = {}
        self._due: deque[Wanted] = deque()
        """Whom to tell in this round; one group in a turn of the loop, however many there are."""
        self._is_ticking = False

    def ask(self, request: Rooms | Older, connection: int) -> None:
        """Answer with the rooms that are wanted; if *live* is, tell what changes until the next `rooms`."""
        wanted = wanted_by(request)
        if isinstance(request, Older):
            listing = self._room_lists.find(wanted)
            unknown = error(request.ref, codes.ROOM_UNKNOWN)
            self._connections.answer(connection, unknown if listing is None else listing.message(request.ref))
            return
        self.forget(connection)
        if not request.live:
            self._connections.answer(connection, self._room_lists.get(wanted).message(request.ref))
            return
        group = self._groups.get(wanted)
        if group is None:
            group = self._groups[wanted] = _Group(self._room_lists.get(wanted))
        group.refs[connection] = request.ref
        self._wanted[connection] = wanted
        self._connections.answer(connection, group.listing.message(request.ref))
        self._tick_later()

    def forget(self, connection: int) -> None:
        """Tell a connection nothing more."""
        wanted = self._wanted.pop(connection, None)
        if wanted is not None:
            group = self._groups[wanted]
            del group.refs[connection]
            group.stale.discard(connection)
            if not group.refs:
                del self._groups[wanted]

    def _tick_later(self) -> None:
        if not self._is_ticking and self._groups:
            self._is_ticking = True
            self._timers.call_at(self._clock.now() + KEPT_MS, self._tick)

    def _tick(self) -> None:
        self._due.extend(self._groups)
        self._go_on()

    def _go_on(self) -> None:
        """Tell one group what changed; the next one in the next turn of the loop, whatever becomes of this one."""
        try:
            self._update()
        finally:
            if self._due:
                asyncio.get_running_loop().call_soon(self._go_on)
            else:
                self._is_ticking = False
                self._tick_later()

    def _update(self) -> None:
        group = None
        while self._due and group is None:
            wanted = self._due.popleft()
            group = self._groups.get(wanted)
        if group is not None:
            listing = self._room_lists.get(wanted)
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
