"""Clients of other nodes in rooms of this node: turns their messages into commands of the rooms."""

from dataclasses import dataclass
from typing import Final

from msgspec.structs import replace

from warroom_protocol import codes
from warroom_server.cluster.messages import Ask, Enter, Links
from warroom_server.cluster.remote_delivery import RemoteViewers
from warroom_server.hosting.delivery import Delivery
from warroom_server.hosting.hosted_room import Hold, HostedRoom
from warroom_server.hosting.room_host import RoomHost
from warroom_server.hosting.wait_for_players import ReturningPlayers
from warroom_server.ports.time import Clock
from warroom_server.restoring.waiting_clients import WaitingClients
from warroom_server.room import commands
from warroom_server.room.viewer_addresses import Remote

MOST_RELAY_MS: Final = 100
"""The longest way between two nodes that a player is compensated for."""


@dataclass(frozen=True, eq=False)
class RemoteClients:
    """Passes commands of clients of edges to rooms of this node."""

    _viewers: RemoteViewers
    _room_host: RoomHost
    _delivery: Delivery
    _waiting: WaitingClients
    _players: ReturningPlayers
    _links: Links
    _clock: Clock

    def received(self, peer: str, message: Enter | Ask) -> None:
        """Do what an edge asks for one of its clients."""
        viewer = Remote(peer, message.entry)
        if isinstance(message, Enter):
            self._enter(viewer, message)
        elif isinstance(message.command, commands.Detach):
            self._part(viewer)
        elif (room := self._viewers.room_of(viewer)) is not None:
            self._room_host.tell(room, self._addressed(viewer, message.command, message.held_ms))

    def _enter(self, viewer: Remote, enter: Enter) -> None:
        self._viewers.add(viewer, enter.room)
        command = self._addressed(viewer, enter.command)
        assert isinstance(command, commands.Entering)
        hosted = self._room_host.get(enter.room)
        if hosted is None:
            self._waiting.enter(enter.room, command)
        elif hosted.epoch < enter.epoch:  # the room has a newer owner
            self._delivery.turn_away(enter.room, command, codes.ROOM_MOVING)
        else:
            self._room_host.tell(enter.room, command)

    def _addressed(
        self, viewer: Remote, command: commands.Request | commands.Refresh | commands.Lag, held_ms: int = 0
    ) -> commands.Command:
        """Return a command with its viewer, and with the time that it took between the nodes."""
        smallest_ms, last_ms = self._links.rtt(viewer.node)
        match command:
            case commands.Act():
                way_ms = min(smallest_ms // 2, MOST_RELAY_MS)
                return replace(command, viewer=viewer, arrived=self._clock.now() - held_ms - way_ms)
            case commands.Join() | commands.Claim() | commands.Lag():
                return replace(command, viewer=viewer, relay_ms=min(last_ms + 1, MOST_RELAY_MS))
            case _:
                return replace(command, viewer=viewer)

    def _part(self, viewer: Remote) -> None:
        room = self._viewers.remove(viewer)
        if room is not None:
            self._waiting.withdraw(room, viewer)
            self._room_host.tell(room, commands.Detach(viewer))

    def lost(self, peer: str) -> None:
        """Remove all clients of a node that is out of reach. Rooms wait for those who play: it is not their fault."""
        entries = self._viewers.of_node(peer)
        missing_before = {
            room: hosted.unexpected
            for viewer, room in entries
            if (hosted := self._room_host.get(room)) is not None and _plays(hosted, viewer)
        }
        for viewer, _ in entries:
            self._part(viewer)
        for room, missing in missing_before.items():
            hosted = self._room_host.get(room)
            if hosted is not None and Hold.EDGE not in hosted.holds:
                self._players.wait(hosted, Hold.EDGE, missing)
        self._viewers.forget_node(peer)

    def drained(self, peer: str) -> None:
        """Send snapshots to viewers that missed updates while a link was congested."""
        for room, destination in self._viewers.take_stale(peer):
            self._room_host.tell(room, commands.Refresh(destination))


def _plays(hosted: HostedRoom, viewer: Remote) -> bool:
    player = hosted.room.audience.player_of(viewer)
    is_seated = player is not None and hosted.room.match.seat_of(player) is not None
    return is_seated and hosted.room.match.phase == "playing"
