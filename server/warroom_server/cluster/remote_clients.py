"""Connections of other nodes in rooms of this one. Rooms know them as connections with numbers below zero."""

from collections.abc import Callable
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from warroom_server.cluster.messages import MAX_GUESTS, Ask, Away, Enter, Frame, Message, Part, Tell
from warroom_server.cluster.room_directory import RoomDirectory
from warroom_server.hosting.hosted_room import Hold
from warroom_server.hosting.room_host import RoomHost
from warroom_server.ports.clock import Clock
from warroom_server.ports.peers import Peers
from warroom_server.room import commands

MOST_RELAY_MS: Final = 100
"""At most so much of the way between two nodes is made up for."""

_FIRST: Final = -2
"""The number of the first visitor; -1 is taken."""


class _Visitor(Struct, frozen=True):
    """A guest of another node: its number there, and the room that it is in."""

    id: int
    peer: str
    guest: int
    room: int


class RemoteClients:
    """Gives each guest a number that rooms take for a connection, and sends what they send to it over the link.

    What one payload is for, however many there are, goes over a link as one message. A link that does not keep up
    carries no frames for a while, like the line of a viewer; then its guests get a snapshot.
    """

    def __init__(
        self,
        *,
        room_host: RoomHost,
        directory: RoomDirectory,
        peers: Peers[Message],
        clock: Clock,
        soon: Callable[[Callable[[], object]], object],
    ) -> None:
        self._room_host = room_host
        self._directory = directory
        self._peers = peers
        self._clock = clock
        self._soon = soon
        self._next = _FIRST
        self._remote_clients: dict[int, _Visitor] = {}
        self._of_peer: dict[str, dict[int, _Visitor]] = {}
        """By node and the guest's number there."""
        self._stale: dict[str, dict[int, None]] = {}
        """By node, the visitors that missed something because its link was congested."""
        self._out: dict[str, list[tuple[bytes | None, list[int]]]] = {}
        """By node, payloads (None: their room is away) and the guests that they are for."""

    def __contains__(self, visitor: object) -> bool:
        return visitor in self._remote_clients

    def __len__(self) -> int:
        return len(self._remote_clients)

    def peer_of(self, viewer: int) -> str | None:
        """Return the node that a viewer of a room is a guest of; None if it is connected here."""
        visitor = self._remote_clients.get(viewer)
        return None if visitor is None else visitor.peer

    # --- what guests ask for --------------------------------------------------------------------------------------

    def received(self, peer: str, message: Enter | Ask | Tell | Part) -> None:
        """Do what an edge asks for its guests."""
        if isinstance(message, Enter):
            self._enter(peer, message)
        elif isinstance(message, Part):
            for guest in message.guests:
                self._part(peer, guest)
        else:
            visitor = self._of_peer.get(peer, {}).get(message.guest)
            if visitor is not None:
                self._ask(visitor, message)

    def _enter(self, peer: str, message: Enter) -> None:
        visitor = _Visitor(self._next, peer, message.guest, message.room)
        self._next -= 1
        self._remote_clients[visitor.id] = visitor
        self._of_peer.setdefault(peer, {})[visitor.guest] = visitor
        hosted = self._room_host.get(message.room)
        if hosted is not None and hosted.epoch < message.epoch:
            self.forget(visitor.id)
            return
        command = self._addressed(visitor, message.command)
        assert isinstance(command, commands.Join | commands.Watch | commands.Claim)
        self._directory.enter(message.room, command)

    def _ask(self, visitor: _Visitor, message: Ask | Tell) -> None:
        command = self._addressed(visitor, message.command)
        if isinstance(message, Ask) and isinstance(command, commands.Act):
            command = replace(command, arrived=self._clock.now() - message.held_ms - self._way_ms(visitor.peer))
        self._room_host.tell(visitor.room, command)

    def _addressed(self, visitor: _Visitor, command: commands.Command) -> commands.Command:
        """Return a command as that of a visitor, whose node is a little away."""
        if isinstance(command, commands.Join | commands.Claim | commands.Lag):
            last_ms = self._peers.rtt(visitor.peer).last_ms
            return replace(command, connection=visitor.id, relay_ms=min(last_ms + 1, MOST_RELAY_MS))
        return replace(command, connection=visitor.id)

    def _way_ms(self, peer: str) -> int:
        """Return how long what comes from a node was under way at least."""
        smallest_ms = self._peers.rtt(peer).smallest_ms
        return min(smallest_ms // 2, MOST_RELAY_MS)

    def _part(self, peer: str, guest: int) -> None:
        visitor = self._of_peer.get(peer, {}).get(guest)
        if visitor is not None:
            self._remove(visitor)
            self._room_host.tell(visitor.room, commands.Detach(visitor.id))

    def lost(self, peer: str) -> None:
        """Let all guests of a node go that cannot be reached; those who play did not choose to, and are waited for."""
        remote_clients = list(self._of_peer.get(peer, {}).values())
        for visitor in remote_clients:
            hosted = self._room_host.get(visitor.room)
            if hosted is not None and hosted.room.match.phase == "playing" and Hold.EDGE not in hosted.holds:
                player = hosted.room.audience.player_of(visitor.id)
                if player is not None and hosted.room.match.seat_of(player) is not None:
                    self._directory.players.wait(hosted, Hold.EDGE, hosted.unexpected)
        for visitor in remote_clients:
            self._part(peer, visitor.guest)
        self._out.pop(peer, None)
        self._stale.pop(peer, None)

    # --- what rooms send ------------------------------------------------------------------------------------------

    def answer(self, guest: int, payload: bytes) -> None:
        """Send what was asked for."""
        visitor = self._remote_clients.get(guest)
        if visitor is not None:
            self._queue(visitor, payload)

    def show(self, guest: int, payload: bytes) -> None:
        """Send what a room shows, or a snapshot later."""
        visitor = self._remote_clients.get(guest)
        if visitor is None:
            return
        stale = self._stale.get(visitor.peer)
        if stale is not None or self._peers.is_congested(visitor.peer):
            self._stale.setdefault(visitor.peer, {})[guest] = None
        else:
            self._queue(visitor, payload)

    def forget(self, guest: int) -> None:
        """Send a guest away whose room is not here."""
        visitor = self._remote_clients.get(guest)
        if visitor is not None:
            self._queue(visitor, None)
            self._remove(visitor)

    def drained(self, peer: str) -> None:
        """Bring those up to date that missed something."""
        for guest in self._stale.pop(peer, {}):
            visitor = self._remote_clients.get(guest)
            if visitor is not None:
                self._room_host.tell(visitor.room, commands.Refresh(guest))

    def _queue(self, visitor: _Visitor, payload: bytes | None) -> None:
        out = self._out.get(visitor.peer)
        if out is None:
            out = self._out[visitor.peer] = []
            self._soon(lambda: self._flush(visitor.peer))
        if out and out[-1][0] is payload and len(out[-1][1]) < MAX_GUESTS:
            out[-1][1].append(visitor.guest)
        else:
            out.append((payload, [visitor.guest]))

    def _flush(self, peer: str) -> None:
        for payload, guests in self._out.pop(peer, []):
            self._peers.send(peer, Away(tuple(guests)) if payload is None else Frame(tuple(guests), payload))

    def _remove(self, visitor: _Visitor) -> None:
        self._remote_clients.pop(visitor.id, None)
        guests = self._of_peer.get(visitor.peer, {})
        guests.pop(visitor.guest, None)
        if not guests:
            self._of_peer.pop(visitor.peer, None)
