"""Sends what clients ask of rooms to the rooms, on this node or on another."""

from collections.abc import Sequence
from dataclasses import dataclass

from msgspec.structs import replace

from warroom_protocol import codes
from warroom_server.cluster.remote_rooms import RemoteRooms
from warroom_server.hosting.connections import Client, Connections
from warroom_server.hosting.delivery import Delivery
from warroom_server.hosting.room_host import RoomHost
from warroom_server.lobby.bot_workers import BotWorkers
from warroom_server.room import commands
from warroom_server.room.commands import Act, Claim, Command, Entering, Join
from warroom_server.room.viewer_addresses import Local
from warroom_server.session.effects import ToRoom
from warroom_server.session.replies import notice


@dataclass(eq=False)
class RoomRequests:
    """Passes commands of connections on; a node that drains judges actions and refuses everything else."""

    _connections: Connections
    _room_host: RoomHost
    _remote_rooms: RemoteRooms
    _delivery: Delivery
    _bot_workers: BotWorkers

    def __post_init__(self) -> None:
        self.is_draining = False
        self.act = self._room_host.pipeline.act
        """Let a room of this node judge an action: what `send` does, on a shorter way."""
        self._connections.acts_released.append(self._judge)

    def drain(self) -> None:
        """Refuse new requests from now on."""
        self.is_draining = True

    def send(self, client: Client, effect: ToRoom) -> None:
        """Send a request to its room, or refuse it."""
        number, command = effect.room, effect.command
        has_lost = number in client.session.lost
        if isinstance(command, Act):
            # It may be in the log already, so only its room can answer it. Who has to resume sends it again then.
            if not has_lost:
                self._tell(number, command)
        elif isinstance(command, Entering):
            self._enter(client, number, command)
        elif self.is_draining or has_lost:
            code = codes.SERVER_DRAINING if self.is_draining else codes.ROOM_MOVING
            self._delivery.refuse(number, command, code)
        else:
            self._tell(number, command)

    def _enter(self, client: Client, number: int, entering: Entering) -> None:
        session, connection = client.session, client.connection.id
        if isinstance(entering, Join | Claim):
            entering = replace(entering, rtt_ms=client.rtt_ms)
        if isinstance(entering, Claim):
            self._bot_workers.claimed(number, entering.ticket, entering.player, connection)
        elif isinstance(entering, Join) and session.is_worker:
            self._bot_workers.returned(entering.player, connection)
        if self.is_draining and number not in session.lost + session.inside:
            self._delivery.turn_away(number, entering, codes.SERVER_DRAINING)
        else:
            self._tell(number, entering)

    def refresh(self, connection: int) -> None:
        """Bring a connection up to date that is no longer congested."""
        for number in sorted(self._connections.caught_up(connection)):
            self._connections.answer(connection, notice(number, codes.NOTICE_SLOW))
            self._tell(number, commands.Refresh(Local(connection)))

    def measured(self, client: Client, rtt_ms: int) -> None:
        """Tell the rooms of a player that do not know it about a measured round trip."""
        client.rtt_ms = rtt_ms
        viewer = Local(client.connection.id)
        for number in sorted(client.session.following):
            hosted = self._room_host.get(number)
            if hosted is None or hosted.room.is_news(viewer, rtt_ms):
                self._tell(number, commands.Lag(viewer, rtt_ms))

    def detach(self, client: Client) -> None:
        """Tell the rooms of a closed connection."""
        for number in sorted(client.session.following):
            self._tell(number, commands.Detach(Local(client.connection.id)))

    def _judge(self, number: int, acts: Sequence[Act]) -> None:
        """Send early actions to the room that their connection has entered."""
        for act in acts:
            self._tell(number, act)

    def _tell(self, number: int, command: Command) -> None:
        if number in self._room_host:
            self._room_host.tell(number, command)
        else:
            self._remote_rooms.tell(number, command)
