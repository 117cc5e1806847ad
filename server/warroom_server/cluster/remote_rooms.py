"""The edge: clients of this node in rooms of other nodes.

It forwards commands of clients and frames of owners without reading them. When an owner is lost, its clients are told
and all about them is forgotten. They enter again by themselves once the room has an owner.
"""

from dataclasses import dataclass
from typing import Final

from msgspec import Struct, field

from warroom_protocol import codes
from warroom_server.cluster.messages import Ask, Batch, Enter, Item, Links, Mark
from warroom_server.cluster.room_locator import RoomLocator
from warroom_server.hosting.connections import Connections
from warroom_server.hosting.hosted_room import HostedRoom
from warroom_server.hosting.room_events import RoomEvents
from warroom_server.ports.store import Whereabouts
from warroom_server.ports.time import Clock, Timer, Timers
from warroom_server.restoring.waiting_clients import MOVING_MS, WaitingClients
from warroom_server.room import commands
from warroom_server.room.viewer_addresses import Local
from warroom_server.session.replies import error, refuse

AT_ONCE: Final = 16
"""Unanswered requests of a client in one room, besides its actions."""


class _Entry(Struct, eq=False):
    """One entry of a connection into a room. Each entry has a new number."""

    number: int
    room: int
    connection: int
    may_return: bool
    """Whether the client says that it was in the room before."""
    mark: Mark | None = None
    """How the client is in the room; None until the owner lets it in."""
    refs: dict[int, Timer] = field(default_factory=dict)
    """Unanswered requests, each with the timer that ends the wait."""


class _Room(Struct, eq=False):
    """A room on another node with clients of this one."""

    owner: str
    epoch: int
    entries: dict[int, _Entry] = field(default_factory=dict)
    """By connection."""


@dataclass(eq=False)
class RemoteRooms:
    """Lets clients enter rooms on other nodes, and forwards messages both ways."""

    _connections: Connections
    _waiting: WaitingClients
    _locator: RoomLocator
    _links: Links
    _events: RoomEvents
    _clock: Clock
    _timers: Timers

    def __post_init__(self) -> None:
        self._count = 0
        self._rooms: dict[int, _Room] = {}
        self._entries: dict[int, _Entry] = {}
        """By number."""
        self._events.hosted.append(self._came)
        self._events.lost.append(self._left)
        self._locator.elsewhere.append(self._found)

    def __len__(self) -> int:
        return len(self._entries)

    # --- from clients to owners -----------------------------------------------------------------------------------

    def tell(self, number: int, command: commands.Command) -> None:
        """Forward a command of a client to a room that is not hosted here."""
        assert isinstance(command, commands.Request | commands.Detach | commands.Refresh | commands.Lag)
        assert isinstance(command.viewer, Local), "only connections of this node come here"
        connection, room = command.viewer.connection, self._rooms.get(number)
        entry = None if room is None else room.entries.get(connection)
        if isinstance(command, commands.Detach):
            self._waiting.withdraw(number, command.viewer)
            if entry is not None:
                self._part(entry)
            elif room is not None and not room.entries:
                del self._rooms[number]
        elif room is None or entry is None:
            if isinstance(command, commands.Entering):
                self._enter(number, room, command)
            elif isinstance(command, commands.Request):
                self._refuse_outsider(number, connection, command)
        elif isinstance(command, commands.Refresh | commands.Lag):
            if entry.mark is Mark.ALONE or (entry.mark is Mark.TOGETHER and isinstance(command, commands.Refresh)):
                self._links.send(room.owner, Ask(entry.number, 0, command))
        else:
            self._ask(room, entry, command)

    def _refuse_outsider(self, number: int, connection: int, request: commands.Request) -> None:
        """Answer a client that is not in a room. If it is about to enter, its actions wait until it has."""
        client = self._connections.clients.get(connection)
        if client is None or number not in client.session.following:
            self._connections.answer(connection, refuse(number, request, codes.ROOM_UNKNOWN))
        elif isinstance(request, commands.Act):
            self._connections.hold_act(number, connection, request)
        else:
            self._connections.answer(connection, error(request.ref, codes.ROOM_MOVING))

    def _enter(self, number: int, room: _Room | None, command: commands.Entering) -> None:
        """Ask the owner of a room to let a client in. If it is unknown or out of reach, the client waits."""
        assert isinstance(command.viewer, Local)
        self._count += 1
        if room is None or not self._links.send(room.owner, Enter(self._count, number, room.epoch, command)):
            self._waiting.enter(number, command)
            return
        entry = _Entry(self._count, number, command.viewer.connection, commands.was_inside(command))
        self._entries[entry.number] = entry
        self._rooms.setdefault(number, room).entries[entry.connection] = entry
        self._await_answer(entry, command.ref)

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
        entry.refs[ref] = self._timers.call_after(MOVING_MS, lambda: self._give_up(entry, ref))

    def _give_up(self, entry: _Entry, ref: int) -> None:
        """Refuse a request that the owner did not answer. If that was an entry, withdraw it."""
        if entry.mark is not None:
            del entry.refs[ref]
            self._connections.answer(entry.connection, error(ref, codes.ROOM_MOVING))
        else:
            self._part(entry)
            self._leave(entry, may_return=entry.may_return)

    def _part(self, entry: _Entry) -> None:
        gone = commands.Detach(Local(entry.connection))
        self._links.send(self._rooms[entry.room].owner, Ask(entry.number, 0, gone))
        self._forget(entry)

    def _forget(self, entry: _Entry) -> None:
        """Forget an entry, and refuse its unanswered requests."""
        room = self._rooms[entry.room]
        del self._entries[entry.number], room.entries[entry.connection]
        if not room.entries:
            del self._rooms[entry.room]
        for ref, timer in entry.refs.items():
            timer.cancel()
            self._connections.answer(entry.connection, error(ref, codes.ROOM_MOVING))

    def _leave(self, entry: _Entry, *, may_return: bool) -> None:
        self._connections.forget(entry.room, entry.connection, may_return=may_return)

    # --- from owners to clients -----------------------------------------------------------------------------------

    def received(self, peer: str, batch: Batch) -> None:
        """Forward what the owner of rooms sends. Items for entries that are gone are dropped."""
        for item in batch.items:
            payload = None if item.payload is None else batch.payloads[item.payload]
            if item.entry is None:
                self._take_for_all(peer, item, payload)
            elif (entry := self._entries.get(item.entry)) is None:
                continue
            elif item.mark is not None:
                self._take_mark(entry, item.epoch, item.mark)
            elif item.is_shown and payload is not None:
                self._connections.show(entry.room, payload, self._connections.find([entry.connection]))
            elif payload is not None:
                self._answer(entry, item.ref, payload)

    def _take_for_all(self, peer: str, item: Item, payload: bytes | None) -> None:
        room = self._rooms.get(item.room)
        if room is None or room.owner != peer or item.epoch < room.epoch:
            return  # it comes from a former owner
        room.epoch = item.epoch
        if payload is not None:
            together = [entry.connection for entry in room.entries.values() if entry.mark is Mark.TOGETHER]
            self._connections.show(item.room, payload, self._connections.find(together))
        elif item.mark is Mark.LOST:
            self._lose(item.room, Whereabouts(peer, room.epoch))

    def _take_mark(self, entry: _Entry, epoch: int, mark: Mark) -> None:
        if mark in (Mark.ALONE, Mark.TOGETHER):
            room = self._rooms[entry.room]
            room.epoch = max(room.epoch, epoch)
            entry.mark = mark
            self._connections.entered(entry.room, entry.connection)
            return
        self._forget(entry)
        if mark is Mark.OUT:
            self._connections.refuse_acts(entry.room, entry.connection)
        self._leave(entry, may_return=mark is Mark.LOST)

    def _answer(self, entry: _Entry, ref: int | None, payload: bytes) -> None:
        if ref is not None and (timer := entry.refs.pop(ref, None)) is not None:
            timer.cancel()
        elif ref is not None:
            return  # it took too long and was refused
        self._connections.answer(entry.connection, payload)

    # --- owners come and go ---------------------------------------------------------------------------------------

    def linked(self) -> None:
        """Look for all rooms that clients wait for: one more node can be reached."""
        self._waiting.seek_all()

    def lost(self, peer: str) -> None:
        """Let clients of a node that is out of reach wait until it, or another owner of their rooms, is reachable."""
        for number in [number for number, room in self._rooms.items() if room.owner == peer]:
            self._lose(number, None)

    def _lose(self, number: int, given_up: Whereabouts | None) -> None:
        """Forget where a room is, and let its clients wait for the next owner."""
        room = self._rooms[number]
        if not room.entries:  # its clients were told to resume, and have not come yet
            del self._rooms[number]
        entries = list(room.entries.values())
        inside = {entry.connection: entry.mark is Mark.ALONE for entry in entries if entry.mark is not None}
        for entry in entries:
            self._forget(entry)
            if entry.mark is None:
                self._leave(entry, may_return=entry.may_return)
        self._waiting.lose(number, inside, given_up)

    def _left(self, hosted: HostedRoom) -> None:
        """Let clients wait for the next owner of a room that left this node."""
        number, audience = hosted.room.number, hosted.room.audience
        here = [viewer for viewer in audience.viewers() if isinstance(viewer, Local)]
        inside = {viewer.connection: audience.player_of(viewer) is not None for viewer in here}
        self._waiting.lose(number, inside, Whereabouts("", hosted.epoch))

    def _found(self, number: int, whereabouts: Whereabouts) -> None:
        """Let clients enter a room whose owner is known."""
        room = self._rooms.get(number)
        if room is not None and room.owner != whereabouts.owner and room.epoch < whereabouts.epoch:
            self._lose(number, None)
        known = self._rooms.get(number) or _Room(whereabouts.owner, whereabouts.epoch)
        if self._waiting.is_lost(number):
            # Clients that resume need no question to the store, which may be away or busy.
            self._rooms[number] = known
        for command in self._waiting.elsewhere(number):
            self._enter(number, known, command)

    def _came(self, hosted: HostedRoom) -> None:
        """Let clients of a room wait until they can resume here, where it is hosted now."""
        if hosted.room.number in self._rooms:
            self._lose(hosted.room.number, None)
