"""The edge: rooms on other nodes, and the clients of this node that are in them.

It passes on what clients ask for, and what owners send, and reads neither. When an owner is lost its clients are told,
all that is known of them is forgotten, and they enter again by themselves once the room has an owner.
"""

from collections.abc import Sequence
from typing import Final, Protocol

from msgspec import Struct, field

from warroom_protocol import codes
from warroom_server.cluster.messages import Ask, Batch, Enter, Item, Mark, Message, Part, Tell
from warroom_server.cluster.moved_rooms import MovedRooms
from warroom_server.cluster.room_locator import MOVING_MS, RoomLocator
from warroom_server.hosting.connections import Connections
from warroom_server.hosting.hosted_room import HostedRoom
from warroom_server.hosting.room_events import RoomEvents
from warroom_server.ports.clock import Clock, Timer, Timers
from warroom_server.ports.store import Whereabouts
from warroom_server.room import commands
from warroom_server.room.commands import Entering, was_inside
from warroom_server.room.viewers import Local
from warroom_server.session.replies import error, refuse

AT_ONCE: Final = 16
"""Requests that a client may have unanswered in one room, its actions apart."""


class Links(Protocol):
    """The links to other nodes."""

    def send(self, peer: str, message: Message) -> bool:
        """Send something to a node; False if there is no link."""
        ...


class _Entry(Struct, eq=False):
    """One entry of a connection into a room; it has another number each time."""

    number: int
    room: int
    connection: int
    may_return: bool
    """Whether the client says to have been in the room before."""
    is_inside: bool = False
    refs: dict[int, Timer] = field(default_factory=dict)
    """Requests without an answer, and what ends the wait for it."""


class _Room(Struct, eq=False):
    """A room on another node with clients of this one."""

    owner: str
    epoch: int
    entries: dict[int, _Entry] = field(default_factory=dict)
    """By connection."""
    together: dict[int, None] = field(default_factory=dict)
    """The connections of spectators that get what is for all of them."""


class RemoteRooms:
    """Leads clients into rooms on other nodes, and passes on what is said."""

    def __init__(
        self,
        connections: Connections,
        *,
        locator: RoomLocator,
        moved: MovedRooms,
        links: Links,
        events: RoomEvents,
        clock: Clock,
        timers: Timers,
    ) -> None:
        self._connections = connections
        self._locator = locator
        self._moved = moved
        self._links = links
        self._clock = clock
        self._timers = timers
        self._count = 0
        self._rooms: dict[int, _Room] = {}
        self._entries: dict[int, _Entry] = {}
        """By the number that each has on its link."""
        events.lost.append(self._left)
        locator.here.append(self._came)
        locator.elsewhere.append(self._found)
        locator.gone.append(moved.found)

    def __len__(self) -> int:
        return len(self._entries)

    # --- what clients do ------------------------------------------------------------------------------------------

    def tell(self, number: int, command: commands.Command) -> None:
        """Pass on what a client asks of a room that is not here, or what becomes of its connection."""
        assert isinstance(command, commands.Request | commands.Detach | commands.Refresh | commands.Lag)
        assert isinstance(command.viewer, Local), "only connections of this node come here"
        connection, room = command.viewer.connection, self._rooms.get(number)
        entry = None if room is None else room.entries.get(connection)
        if isinstance(command, commands.Detach):
            self._locator.withdraw(number, command.viewer)
            if entry is not None:
                self._part(entry)
            elif room is not None and not room.entries:
                del self._rooms[number]
        elif room is None or entry is None:
            if isinstance(command, Entering):
                if room is None or not self._enter(number, room.owner, room.epoch, command):
                    self._locator.enter(number, command)
            elif isinstance(command, commands.Request):
                self._refuse_outsider(number, connection, command)
        elif isinstance(command, commands.Refresh | commands.Lag):
            if entry.is_inside and not (isinstance(command, commands.Lag) and connection in room.together):
                self._links.send(room.owner, Tell(entry.number, command))
        else:
            self._ask(room, entry, command)

    def _refuse_outsider(self, number: int, connection: int, request: commands.Request) -> None:
        """Answer somebody who is not in a room; an action of somebody who is about to enter waits for that."""
        client = self._connections.get(connection)
        if client is None or number not in client.session.following:
            self._connections.answer(connection, refuse(number, request, codes.ROOM_UNKNOWN))
        elif isinstance(request, commands.Act):
            self._connections.hold_act(number, connection, request)
        else:
            self._connections.answer(connection, error(request.ref, codes.ROOM_MOVING))

    def _enter(self, number: int, owner: str, epoch: int, command: Entering) -> bool:
        """Ask the owner of a room to let a client in; False if it cannot be reached."""
        assert isinstance(command.viewer, Local)
        self._count += 1
        if not self._links.send(owner, Enter(self._count, number, epoch, command)):
            return False
        entry = _Entry(self._count, number, command.viewer.connection, was_inside(command))
        self._entries[entry.number] = entry
        self._rooms.setdefault(number, _Room(owner, epoch)).entries[entry.connection] = entry
        self._await_answer(entry, command.ref)
        return True

    def _ask(self, room: _Room, entry: _Entry, request: commands.Request) -> None:
        held_ms = 0
        if isinstance(request, commands.Act):
            held_ms = max(0, self._clock.now() - request.arrived)
        elif len(entry.refs) >= AT_ONCE and request.ref not in entry.refs:
            self._connections.answer(entry.connection, error(request.ref, codes.ROOM_BUSY))
            return
        else:
            self._await_answer(entry, request.ref)
        self._links.send(room.owner, Ask(entry.number, held_ms, request))

    def _await_answer(self, entry: _Entry, ref: int) -> None:
        if (timer := entry.refs.pop(ref, None)) is not None:
            timer.cancel()
        entry.refs[ref] = self._timers.call_at(self._clock.now() + MOVING_MS, lambda: self._give_up(entry, ref))

    def _give_up(self, entry: _Entry, ref: int) -> None:
        """Refuse a request that the owner did not answer; if that was to let somebody in, it is to do so no more."""
        if entry.is_inside:
            del entry.refs[ref]
            self._connections.answer(entry.connection, error(ref, codes.ROOM_MOVING))
        else:
            self._part(entry)
            self._leave(entry, may_return=entry.may_return)

    def _part(self, entry: _Entry) -> None:
        room = self._rooms[entry.room]
        self._links.send(room.owner, Part((entry.number,)))
        self._forget(entry)

    def _forget(self, entry: _Entry) -> None:
        """Forget an entry, and refuse what it has no answer to."""
        room = self._rooms[entry.room]
        del self._entries[entry.number], room.entries[entry.connection]
        room.together.pop(entry.connection, None)
        if not room.entries:
            del self._rooms[entry.room]
        for ref, timer in entry.refs.items():
            timer.cancel()
            self._connections.answer(entry.connection, error(ref, codes.ROOM_MOVING))

    def _leave(self, entry: _Entry, *, may_return: bool) -> None:
        (self._connections.lose if may_return else self._connections.forget)(entry.room, entry.connection)

    # --- what owners say ------------------------------------------------------------------------------------------

    def received(self, peer: str, batch: Batch) -> None:
        """Pass on what the owner of rooms sends; what is not for an entry of today is dropped."""
        for item in batch.items:
            payload = None if item.payload is None else batch.payloads[item.payload]
            if item.entries is None:
                self._take_for_all(peer, item, payload)
                continue
            entries = [entry for number in item.entries if (entry := self._entries.get(number)) is not None]
            if item.mark is not None:
                for entry in entries:
                    self._take_mark(entry, item, item.mark)
            elif item.is_shown and payload is not None:
                self._connections.show(item.room, [entry.connection for entry in entries], payload)
            elif payload is not None:
                for entry in entries:
                    self._answer(entry, item.ref, payload)

    def _take_for_all(self, peer: str, item: Item, payload: bytes | None) -> None:
        room = self._rooms.get(item.room)
        if room is None or room.owner != peer or item.epoch < room.epoch:
            return  # it comes from an owner of the past
        room.epoch = item.epoch
        if payload is not None:
            self._connections.show(item.room, room.together, payload)
        elif item.mark is Mark.LOST:
            self._lose(item.room)
            self._look_for(item.room, Whereabouts(peer, room.epoch))

    def _take_mark(self, entry: _Entry, item: Item, mark: Mark) -> None:
        room = self._rooms[entry.room]
        match mark:
            case Mark.ALONE | Mark.TOGETHER:
                room.epoch = max(room.epoch, item.epoch)
                entry.is_inside = True
                room.together.pop(entry.connection, None)
                if mark is Mark.TOGETHER:
                    room.together[entry.connection] = None
                self._connections.entered(entry.room, entry.connection)
            case Mark.OUT | Mark.LOST:
                self._forget(entry)
                if mark is Mark.OUT:
                    self._connections.refuse_acts(entry.room, entry.connection)
                self._leave(entry, may_return=mark is Mark.LOST)

    def _answer(self, entry: _Entry, ref: int | None, payload: bytes) -> None:
        if ref is not None and (timer := entry.refs.pop(ref, None)) is not None:
            timer.cancel()
        elif ref is not None:
            return  # it was refused, because it took too long
        self._connections.answer(entry.connection, payload)

    # --- owners come and go ---------------------------------------------------------------------------------------

    def lost(self, peer: str) -> None:
        """Take note that a node cannot be reached any more: it, or another one, is where its rooms are next."""
        for number in [number for number, room in self._rooms.items() if room.owner == peer]:
            self._lose(number)
            self._look_for(number, None)

    def _lose(self, number: int) -> None:
        """Forget where a room is, and let its clients wait for its next owner."""
        room = self._rooms[number]
        if not room.entries:  # its clients know where it is, and have not come yet
            del self._rooms[number]
        entries = list(room.entries.values())
        spectators = list(room.together)
        players = [entry.connection for entry in entries if entry.is_inside and entry.connection not in room.together]
        for entry in entries:
            self._forget(entry)
            if not entry.is_inside:
                self._leave(entry, may_return=entry.may_return)
        self._moved.lost(number, players, spectators)

    def _left(self, hosted: HostedRoom) -> None:
        """Look for the next owner of a room that has left this node."""
        number, audience = hosted.room.number, hosted.room.audience
        here = [viewer for viewer in audience.viewers() if isinstance(viewer, Local)]
        players = [viewer.connection for viewer in here if audience.player_of(viewer) is not None]
        spectators = [viewer.connection for viewer in here if audience.player_of(viewer) is None]
        self._moved.lost(number, players, spectators)
        self._look_for(number, Whereabouts("", hosted.epoch))

    def _look_for(self, number: int, given_up: Whereabouts | None) -> None:
        if number in self._moved:
            self._locator.want(number, given_up)

    def _found(self, number: int, whereabouts: Whereabouts, waiting: Sequence[Entering]) -> None:
        """Let clients enter a room whose owner is known."""
        room = self._rooms.get(number)
        if room is not None and room.owner != whereabouts.owner and room.epoch < whereabouts.epoch:
            self._lose(number)
        # Those who resume are led there without asking the store, which may be away, or have enough to do.
        known = self._rooms.get(number) or _Room(whereabouts.owner, whereabouts.epoch)
        if number in self._moved:
            self._rooms[number] = known
        self._moved.found(number)
        for command in waiting:
            if not self._enter(number, known.owner, known.epoch, command):
                self._locator.enter(number, command)

    def _came(self, number: int) -> None:
        """Let clients enter a room that is on this node from now on."""
        if number in self._rooms:
            self._lose(number)
        self._moved.found(number)
