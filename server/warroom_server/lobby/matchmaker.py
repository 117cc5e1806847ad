"""Quick matches: people who want the same are led into the same room, and bots fill it if nobody else comes."""

import asyncio
from collections.abc import Awaitable, Callable

from msgspec import Struct
from msgspec.structs import replace

from warroom_protocol import codes
from warroom_server.hosting.connections import Connections
from warroom_server.hosting.hosted_room import HostedRoom
from warroom_server.hosting.room_events import RoomEvents
from warroom_server.hosting.room_host import RoomHost
from warroom_server.lobby.open_rooms import Kind, OpenRooms, kind_of_proposal
from warroom_server.lobby.room_factory import WISHES, RoomFactory
from warroom_server.lobby.seat_reservations import SeatReservations
from warroom_server.loop.tasks import Tasks
from warroom_server.ports.clock import Clock
from warroom_server.session.effects import CreateRoom
from warroom_server.session.refusals import error
from warroom_server.session.room_request import Declined, Proposal

REMEMBERED = 16_384
"""How many wishes are remembered, to be led to the same room when they are told again; the oldest are forgotten."""

_AWAY = Declined(codes.STORE_UNAVAILABLE, "")


class _Queue:
    """Those who want rooms of one kind: two who come together must not get two rooms."""

    def __init__(self) -> None:
        self.lock = asyncio.Lock()
        self.length = 0
        self.outages = 0
        """How often no room could be made because the store was away."""


class _Search(Struct, frozen=True):
    """Somebody who wants a room, at an address; who answers, and whether an answer is still waited for."""

    wish: CreateRoom
    address: str
    answer: Callable[[bytes], object]
    is_waiting: Callable[[], bool]


async def _nowhere(kind: Kind, wish: CreateRoom, address: str) -> bytes | None:
    """Know of no other node."""
    return None


class Matchmaker:
    """Leads people to open rooms of their kind, one at a time for each kind, and makes a room when there is none."""

    def __init__(
        self,
        *,
        room_host: RoomHost,
        events: RoomEvents,
        room_factory: RoomFactory,
        connections: Connections,
        clock: Clock,
    ) -> None:
        self.tasks = Tasks()
        self.elsewhere: Callable[[Kind, CreateRoom, str], Awaitable[bytes | None]] = _nowhere
        """Asks the node that leads people who want such rooms; None if that is this one."""
        self._room_host = room_host
        self._room_factory = room_factory
        self._connections = connections
        self._holds = SeatReservations(clock)
        self._open_rooms = OpenRooms()
        self._queues: dict[Kind, _Queue] = {}
        self._led: dict[tuple[str, int], int] = {}
        """By player and ref, the room that somebody was led to."""
        events.changed.append(self._changed)
        events.removed.append(self._removed)

    def find(self, wish: CreateRoom, connection: int) -> None:
        """Lead somebody into a room of the kind that is wished for; answer the connection once."""
        self.find_for(
            wish,
            self._room_factory.address_of(connection),
            answer=lambda payload: self._connections.answer(connection, payload),
            is_waiting=lambda: connection in self._connections,
        )

    def find_for(
        self,
        wish: CreateRoom,
        address: str,
        *,
        answer: Callable[[bytes], object],
        is_waiting: Callable[[], bool] = lambda: True,
        is_last: bool = False,
    ) -> None:
        """Lead somebody, at *address*, into a room; *is_last* says that no other node is to be asked."""
        if len(self.tasks) >= WISHES:
            answer(error(wish.ref, codes.STORE_UNAVAILABLE))
            return
        search = _Search(wish, address, answer, is_waiting)
        self.tasks.begin(self._find(search, is_last=is_last), on_bug=lambda: answer(error(wish.ref, codes.INTERNAL)))

    def _changed(self, hosted: HostedRoom) -> None:
        """Take note of a room that is new here, or that may have changed."""
        if self._open_rooms.note(hosted):
            number = hosted.room.number
            for sitter in hosted.room.match.seats:
                if sitter is not None:
                    self._holds.came(sitter.player, number)
            if number not in self._open_rooms:
                self._holds.forget(number)

    def _removed(self, hosted: HostedRoom) -> None:
        """Take note of a room that is not here any more."""
        self._open_rooms.forget(hosted.room.number)
        self._holds.forget(hosted.room.number)

    def __len__(self) -> int:
        """How many open rooms are known."""
        return len(self._open_rooms)

    async def _find(self, search: _Search, *, is_last: bool) -> None:
        wish = search.wish
        proposal = await self._room_factory.consider(_rateable(wish))
        if isinstance(proposal, Proposal):
            proposal = _quickly(proposal)
        if isinstance(proposal, Declined):
            search.answer(error(wish.ref, proposal.code, proposal.detail))
            return
        kind = kind_of_proposal(proposal)
        led = None if is_last else await self.elsewhere(kind, wish, search.address)
        if led is not None:
            search.answer(led)
        else:
            await self._find_here(search, kind, proposal)

    async def _find_here(self, search: _Search, kind: Kind, proposal: Proposal) -> None:
        wish = search.wish
        queue = self._queues.setdefault(kind, _Queue())
        queue.length += 1
        outages = queue.outages
        try:
            async with queue.lock:
                # Whoever hung up while waiting needs no room, and no seat is held for them.
                if search.is_waiting():
                    found: int | Declined | None = self._open_room(kind, wish)
                    if found is None and queue.outages > outages:
                        found = _AWAY
                    elif found is None:
                        found = await self._make(search, proposal, queue)
                    self._answer(search, found, proposal)
        finally:
            queue.length -= 1
            if not queue.length:
                del self._queues[kind]

    async def _make(self, search: _Search, proposal: Proposal, queue: _Queue) -> int | Declined:
        """Make a room; if the store is away, all who wait behind need not find that out one after the other."""
        made = await self._room_factory.make(search.wish.player, search.wish.ref, proposal, search.address)
        if isinstance(made, Declined) and made.code == codes.STORE_UNAVAILABLE:
            queue.outages += 1
        return made

    def _answer(self, search: _Search, found: int | Declined, proposal: Proposal) -> None:
        """Name the room, remember that, and hold a seat there for a while."""
        wish = search.wish
        if isinstance(found, int):
            if len(self._led) >= REMEMBERED:
                del self._led[next(iter(self._led))]
            self._led[wish.player, wish.ref] = found
            if found in self._open_rooms:
                self._holds.keep(wish.player, found)
        search.answer(self._room_factory.answer(wish.ref, found, proposal))

    def _open_room(self, kind: Kind, wish: CreateRoom) -> int | None:
        """Return where the same wish was led to before, else where the player sits, else the fullest open room."""
        player = wish.player
        led = self._led.get((player, wish.ref))
        if led is not None and led in self._room_host:
            return led
        if (made := self._room_factory.made_before(player, wish.ref)) is not None:
            return made
        mine = (number for number in self._open_rooms.fullest(kind) if self._sits_in(number, player))
        own = next((number for number in mine if not self._is_doubtful(number)), None)
        if own is not None:
            return own
        return next((number for number in self._open_rooms.fullest(kind) if self._has_seat_for(number, player)), None)

    def _sits_in(self, number: int, player: str) -> bool:
        hosted = self._room_host.get(number)
        return hosted is not None and hosted.room.match.seat_of(player) is not None

    def _has_seat_for(self, number: int, player: str) -> bool:
        hosted = self._room_host.get(number)
        if hosted is None or self._is_doubtful(number):
            return False
        match = hosted.room.match
        is_free = player not in match.kicked and match.free_place(player) is not None
        return is_free and self._holds.count(number, player) < match.seats.count(None)

    def _is_doubtful(self, number: int) -> bool:
        """Whether a room stands still while others go on; where all of them do, none is better than another."""
        return self._room_host.is_in_doubt(number) and not self._room_host.is_silent


def _rateable(wish: CreateRoom) -> CreateRoom:
    """Return the wish with spectators who see no hands unless it asks for others: where they do, nothing is rated."""
    told = wish.room_options
    return wish if "watch" in told or "delay" in told else replace(wish, room_options={"watch": "public", **told})


def _quickly(proposal: Proposal) -> Proposal | Declined:
    """Return the room of a quick match: one that anybody may enter, and that bots fill after a while."""
    options = proposal.room_options
    if options.private:
        return Declined(codes.ROOM_OPTIONS, "a quick match is open to everybody, so private cannot be true")
    if options.fill_after_ms is None:
        options = replace(options, fill_after_ms=proposal.game.info.fill_after_ms)
    return replace(proposal, room_options=options)
