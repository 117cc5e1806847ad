"""Dispatches what other nodes send to the parts of this node."""

from dataclasses import dataclass

from warroom_server.cluster.handover import Handover
from warroom_server.cluster.leased_nodes import LeasedNodes
from warroom_server.cluster.messages import Ask, Batch, Enter, Message, Offer, Owns, Vacant
from warroom_server.cluster.remote_clients import RemoteClients
from warroom_server.cluster.remote_rooms import RemoteRooms
from warroom_server.cluster.room_locator import RoomLocator
from warroom_server.lobby.bot_workers import BotWorkers
from warroom_server.ports.store import Whereabouts
from warroom_server.restoring.room_loader import RoomLoader


@dataclass(frozen=True, eq=False)
class PeerDispatcher:
    """Listens to all links."""

    _nodes: LeasedNodes
    _handover: Handover
    _loader: RoomLoader
    _locator: RoomLocator
    _remote_clients: RemoteClients
    _remote_rooms: RemoteRooms
    _bot_workers: BotWorkers

    def linked(self, peer: str) -> None:
        """A node can be reached."""
        self._nodes.changed()
        self._remote_rooms.linked()

    def lost(self, peer: str) -> None:
        """A node cannot be reached any more."""
        self._nodes.changed()
        self._remote_clients.lost(peer)
        self._remote_rooms.lost(peer)

    def drained(self, peer: str) -> None:
        """A congested link is free again."""
        self._remote_clients.drained(peer)

    def received(self, peer: str, message: Message) -> None:
        """A node sent a message."""
        match message:
            case Batch():
                self._remote_rooms.received(peer, message)
            case Enter() | Ask():
                self._remote_clients.received(peer, message)
            case Owns(room=room, epoch=epoch):
                self._handover.arrived(room, epoch)
                self._locator.announced(room, Whereabouts(peer, epoch))
            case Offer(room=room, epoch=epoch):
                self._loader.offered([(room, peer, epoch)])
            case Vacant(request=request):
                self._bot_workers.summon_here(request)
