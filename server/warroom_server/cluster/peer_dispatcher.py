"""Dispatches what other nodes send to the parts of this node."""

from warroom_server.cluster.handover import Handover
from warroom_server.cluster.leased_nodes import LeasedNodes
from warroom_server.cluster.messages import Ask, Batch, Enter, Message, Offer, Owns, Vacant
from warroom_server.cluster.remote_clients import RemoteClients
from warroom_server.cluster.remote_rooms import RemoteRooms
from warroom_server.cluster.room_locator import RoomLocator
from warroom_server.cluster.takeover import Takeover
from warroom_server.lobby.bot_workers import BotWorkers
from warroom_server.ports.store import Whereabouts


class PeerDispatcher:
    """Listens to all links."""

    def __init__(
        self,
        *,
        nodes: LeasedNodes,
        handover: Handover,
        takeover: Takeover,
        locator: RoomLocator,
        remote_clients: RemoteClients,
        remote_rooms: RemoteRooms,
        bot_workers: BotWorkers,
    ) -> None:
        self._nodes = nodes
        self._handover = handover
        self._takeover = takeover
        self._locator = locator
        self._remote_clients = remote_clients
        self._remote_rooms = remote_rooms
        self._bot_workers = bot_workers
        nodes.changed.append(self._update_bots)

    def _update_bots(self) -> None:
        self._bot_workers.know_far({lease.owner: lease.facts.bots for lease in self._nodes.reachable()})

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
                self._takeover.offered([(room, peer, epoch)])
            case Vacant(request=request):
                self._bot_workers.summon_here(request)
