"""What ties a node to the others: leads its connections into rooms elsewhere, and guests of others into its own."""

import logging
from collections.abc import Callable, Iterable, Iterator
from typing import Final

from warroom_protocol import codes
from warroom_server.cluster.messages import (
    Ask,
    Away,
    Enter,
    Frame,
    Message,
    Owns,
    Part,
    Tell,
)
from warroom_server.cluster.remote_clients import RemoteClients
from warroom_server.cluster.remote_viewer import Guest
from warroom_server.cluster.room_directory import RoomDirectory
from warroom_server.cluster.room_locator import SEEK_MS
from warroom_server.cluster.spectator_groups import Stands
from warroom_server.hosting.connections import Client, Connections
from warroom_server.hosting.hosted_room import HostedRoom
from warroom_server.hosting.room_events import RoomEvents
from warroom_server.hosting.room_host import RoomHost
from warroom_server.ports.clock import Clock, Timers
from warroom_server.ports.peers import Peers
from warroom_server.ports.store import Whereabouts
from warroom_server.room import commands
from warroom_server.room.commands import Entering
from warroom_server.session.notices import notice

logger = logging.getLogger(__name__)

TICK_MS: Final = 5 * SEEK_MS


class Relay:
    """The neighbours of a node, as seen from its rooms and its connections."""

    def __init__(
        self,
        *,
        room_host: RoomHost,
        events: RoomEvents,
        directory: RoomDirectory,
        connections: Connections,
        peers: Peers[Message],
        clock: Clock,
        timers: Timers,
        soon: Callable[[Callable[[], object]], object],
    ) -> None:
        self._room_host = room_host
        self._directory = directory
        self._connections = connections
        self._peers = peers
        self._clock = clock
        self._timers = timers
        self._leased: frozenset[str] = frozenset()
        self._is_ticking = False
        self.edge = Stands(self)
        self.remote_clients = RemoteClients(
            room_host=room_host, directory=directory, peers=peers, clock=clock, soon=soon
        )
        connections.guests = self.remote_clients
        room_host.on_absent = self._tell_absent
        events.lost.append(self._lost)
        events.taken_over.append(self._took_over)
        entrance = directory.room_locator
        entrance.lead = lambda room, command: self.edge.enter(room, command, clock.now())
        entrance.homeless, entrance.is_homeless = self.edge.homeless, self.edge.is_homeless
        entrance.found = self._found
        entrance.gone = lambda room: self.edge.gone(room, clock.now())
        entrance.is_reachable = lambda node: node in peers.nodes()

    def viewers_at(self, hosted: HostedRoom) -> Iterator[str]:
        """Return for each viewer of a room on another node the name of that node."""
        peers = map(self.remote_clients.peer_of, hosted.room.audience.everyone())
        return (peer for peer in peers if peer is not None)

    # --- rooms come and go ------------------------------------------------------------------------------------------

    def _lost(self, hosted: HostedRoom) -> None:
        """Go on as an edge of a room that is another node's from now on."""
        number, room = hosted.room.number, hosted.room
        unanswered = [request for request in room.unanswered() if request.connection in self._connections]
        connections = [
            client for viewer in room.audience.everyone() if (client := self._connections.get(viewer)) is not None
        ]
        guests = [self._as_guest(hosted, client) for client in connections]
        self._room_host.remove(hosted)
        for guest, client in zip(guests, connections, strict=True):
            client.session.following.add(number)
            self.edge.take_in(guest)
        for request in unanswered:
            self._ask_again(number, request)
        self._directory.hurry()  # it may be the store that was wrong, and the room still this node's

    def _ask_again(self, number: int, request: commands.Request) -> None:
        """See to a request that a room took and had not answered when it left."""
        if isinstance(request, commands.Join | commands.Watch | commands.Claim):
            self._directory.enter(number, request)
        elif not (isinstance(request, commands.Act) and self._tell_absent(number, request)):
            self._connections.refuse(number, request, codes.ROOM_MOVING)

    def _as_guest(self, hosted: HostedRoom, client: Client) -> Guest:
        connection, room = client.connection.id, hosted.room
        position = room.position_of(connection)
        guest = Guest(
            room.number,
            client.session.way_back(room.number, room.audience.player_of(connection)),
            now=self._clock.now(),
        )
        guest.life, guest.p, guest.q = position.life, position.p, position.q
        guest.at, guest.is_playing = room.match.at, room.match.phase == "playing"
        guest.is_behind = connection not in room.audience.live()
        guest.has_missed = room.number in client.stale
        return guest

    def _took_over(self, hosted: HostedRoom) -> None:
        """Lead everybody on this node to a room that is here now."""
        number = hosted.room.number
        for guest, wish in self.edge.come_home(number):
            self._bring_home(hosted, guest, wish)

    def _bring_home(self, hosted: HostedRoom, guest: Guest, wish: Entering) -> None:
        number, connection = hosted.room.number, guest.connection
        self._directory.enter(number, wish)
        is_in_doubt = self._room_host.is_in_doubt(number)  # then it waits to be let in
        if guest.was_inside and not is_in_doubt and connection not in hosted.room.audience:
            self._connections.forget(number, [connection])
            self._connections.answer(connection, notice(number, codes.NOTICE_MOVED))
        for request in guest.unanswered.values():
            self._room_host.tell(number, request)

    def _tell_absent(self, number: int, command: commands.Command) -> bool:
        return self.edge.tell(number, command, self._clock.now()) or self._directory.room_locator.tell(number, command)

    def _found(self, number: int, whereabouts: Whereabouts) -> None:
        self.edge.found(number, whereabouts.owner, whereabouts.epoch, self._clock.now())

    # --- neighbours -------------------------------------------------------------------------------------------------

    def know(self, leased: frozenset[str]) -> None:
        """Take note of the nodes that hold a lease."""
        self._leased = leased

    def linked(self, peer: str) -> None:
        """Look again for rooms whose owner could not be reached."""
        for number in self._directory.room_locator.wanted():
            self._directory.room_locator.seek(number)

    def lost(self, peer: str) -> None:
        """Let the guests of a node go, and look for the rooms that were there."""
        self.remote_clients.lost(peer)
        self.edge.lost(peer, self._clock.now())

    def drained(self, peer: str) -> None:
        """Bring guests up to date whose link was too slow."""
        self.remote_clients.drained(peer)

    def received(self, peer: str, message: Message) -> None:
        """Do what another node asks for, or take note of what it says."""
        match message:
            case Frame() | Away():
                self.edge.received(message, self._clock.now())
            case Enter() | Ask() | Tell() | Part():
                self.remote_clients.received(peer, message)
            case Owns(rooms=rooms):
                for number, epoch in rooms:
                    self._owned(number, Whereabouts(peer, epoch))
            case _:
                raise AssertionError(f"{type(message).__name__} is for another part")

    def _owned(self, number: int, whereabouts: Whereabouts) -> None:
        """Lead everybody to the node that says to have a room, also those who are in it here while it is in doubt.

        The store that could tell may be out of reach for long. While everything is in doubt, whoever is led there could
        do nothing, so that has to wait.
        """
        hosted = self._room_host.get(number)
        if hosted is not None and hosted.epoch < whereabouts.epoch and self._room_host.is_in_doubt(number):
            if self._room_host.is_silent:
                self._timers.call_at(self._clock.now() + SEEK_MS, lambda: self._owned(number, whereabouts))
                return
            self._room_host.lose(hosted)
        self._found(number, whereabouts)
        self._directory.room_locator.reached(number, whereabouts)

    # --- the ways of the edge ---------------------------------------------------------------------------------------

    def send(self, peer: str, message: Message) -> bool:
        """Send something to a node; False if there is no way to it."""
        return self._peers.send(peer, message)

    def is_alive(self, peer: str) -> bool:
        """Whether a node is there, though perhaps out of reach."""
        return peer in self._leased

    def answer(self, connection: int, payload: bytes) -> None:
        """Send a client what it has to get."""
        self._connections.answer(connection, payload)

    def show(self, room: int, connections: Iterable[int], payload: bytes) -> None:
        """Send clients what they may miss, if they are too slow for it, until they get a snapshot."""
        self._connections.show(room, connections, payload)

    def seek(self, room: int) -> None:
        """Find out who owns a room."""
        self._directory.room_locator.seek(room)
        self._tick_later()

    def forget(self, room: int, connection: int) -> None:
        """Note that a connection is not in a room any more."""
        self._connections.forget(room, [connection])

    def lose(self, room: int, connection: int) -> None:
        """Note that a room went away from a connection that may still ask for it."""
        self._connections.lose(room, [connection])

    def is_stale(self, room: int, connection: int) -> bool:
        """Whether a client was too slow for something of a room."""
        client = self._connections.get(connection)
        return client is not None and room in client.stale

    def rtt_ms(self, connection: int) -> int:
        """Return how long the line of a client takes."""
        client = self._connections.get(connection)
        return 0 if client is None else client.rtt_ms

    def _tick_later(self) -> None:
        if not self._is_ticking:
            self._is_ticking = True
            self._timers.call_at(self._clock.now() + TICK_MS, self._tick)

    def _tick(self) -> None:
        self._is_ticking = False
        self.edge.tick(self._clock.now())
        if self.edge.homeless():
            self._tick_later()
