"""Clients of other nodes in rooms of this one: what they ask for, as commands of the room."""

from typing import Final, Protocol

from msgspec.structs import replace

from warroom_protocol import codes
from warroom_server.cluster.messages import Ask, Enter, Part, Tell
from warroom_server.cluster.remote_viewers import RemoteViewers
from warroom_server.hosting.delivery import Delivery
from warroom_server.hosting.hosted_room import Hold, HostedRoom
from warroom_server.hosting.room_host import RoomHost
from warroom_server.ports.clock import Clock
from warroom_server.ports.peers import RoundTrip
from warroom_server.room import commands
from warroom_server.room.viewers import Remote, Viewer

MOST_RELAY_MS: Final = 100
"""At most so much of the way between two nodes is made up for."""


class RoundTrips(Protocol):
    """How long the links take."""

    def rtt(self, node: str) -> RoundTrip:
        """Return the smallest and the last round trip of a link."""
        ...


class Finder(Protocol):
    """Who finds rooms that are not on this node."""

    def enter(self, number: int, command: commands.Entering) -> None:
        """Let somebody wait for a room, for a while."""
        ...

    def withdraw(self, number: int, viewer: Viewer) -> None:
        """Forget who waits for a room and is gone."""
        ...


class Waiter(Protocol):
    """Who lets the clock of a room wait for players."""

    def wait(self, hosted: HostedRoom, why: Hold, missing: frozenset[int]) -> None:
        """Wait for players that lost their connections through no fault, except for those who were *missing* before."""
        ...


class RemoteClients:
    """Leads what clients of edges ask for to rooms of this node."""

    def __init__(
        self,
        viewers: RemoteViewers,
        *,
        room_host: RoomHost,
        delivery: Delivery,
        finder: Finder,
        waiter: Waiter,
        links: RoundTrips,
        clock: Clock,
    ) -> None:
        self._viewers = viewers
        self._room_host = room_host
        self._delivery = delivery
        self._finder = finder
        self._waiter = waiter
        self._links = links
        self._clock = clock

    def received(self, peer: str, message: Enter | Ask | Tell | Part) -> None:
        """Do what an edge asks for its clients."""
        match message:
            case Enter():
                self._enter(Remote(peer, message.entry), message)
            case Part():
                for entry in message.entries:
                    self._part(Remote(peer, entry))
            case Ask() | Tell():
                viewer = Remote(peer, message.entry)
                room = self._viewers.room_of(viewer)
                if room is not None:
                    self._room_host.tell(room, self._addressed(viewer, message))

    def _enter(self, viewer: Remote, enter: Enter) -> None:
        self._viewers.add(viewer, enter.room)
        command = self._addressed(viewer, enter)
        assert isinstance(command, commands.Entering)
        hosted = self._room_host.get(enter.room)
        if hosted is None:
            self._finder.enter(enter.room, command)
        elif hosted.epoch < enter.epoch:
            self._delivery.turn_away(enter.room, command, codes.ROOM_MOVING)
        else:
            self._room_host.tell(enter.room, command)

    def _addressed(self, viewer: Remote, message: Enter | Ask | Tell) -> commands.Command:
        """Return a command as that of a viewer whose node is a little away."""
        smallest_ms, last_ms = self._links.rtt(viewer.node)
        match message.command:
            case commands.Act() as act:
                held_ms = message.held_ms if isinstance(message, Ask) else 0
                way_ms = min(smallest_ms // 2, MOST_RELAY_MS)
                return replace(act, viewer=viewer, arrived=self._clock.now() - held_ms - way_ms)
            case commands.Join() | commands.Claim() | commands.Lag() as command:
                return replace(command, viewer=viewer, relay_ms=min(last_ms + 1, MOST_RELAY_MS))
            case command:
                return replace(command, viewer=viewer)

    def _part(self, viewer: Remote) -> None:
        room = self._viewers.remove(viewer)
        if room is not None:
            self._finder.withdraw(room, viewer)
            self._room_host.tell(room, commands.Detach(viewer))

    def lost(self, peer: str) -> None:
        """Let all clients of a node go that cannot be reached; those who play did not choose to, and are waited for."""
        entries = self._viewers.of_node(peer)
        waiting = {
            room: hosted.unexpected
            for viewer, room in entries
            if (hosted := self._room_host.get(room)) is not None and _plays(hosted, viewer)
        }
        for viewer, _ in entries:
            self._part(viewer)
        for room, missing in waiting.items():
            hosted = self._room_host.get(room)
            if hosted is not None and Hold.EDGE not in hosted.holds:
                self._waiter.wait(hosted, Hold.EDGE, missing)
        self._viewers.forget_node(peer)

    def drained(self, peer: str) -> None:
        """Bring those up to date that missed something while a link was congested."""
        for room, destination in self._viewers.take_stale(peer):
            self._room_host.tell(room, commands.Refresh(destination))


def _plays(hosted: HostedRoom, viewer: Remote) -> bool:
    player = hosted.room.audience.player_of(viewer)
    is_seated = player is not None and hosted.room.match.seat_of(player) is not None
    return is_seated and hosted.room.match.phase == "playing"
