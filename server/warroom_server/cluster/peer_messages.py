"""The other nodes: what they say goes to the part of this node that it is for."""

from collections.abc import Callable

from warroom_server.cluster.handover import Handover
from warroom_server.cluster.leased_nodes import LeasedNodes
from warroom_server.cluster.messages import Ask, Batch, Enter, Message, Offer, Owns, Part, Tell, Vacant
from warroom_server.cluster.remote_clients import RemoteClients
from warroom_server.cluster.remote_rooms import RemoteRooms
from warroom_server.cluster.room_directory import RoomDirectory
from warroom_server.hosting.vacancy import BotRequest
from warroom_server.lobby.bot_workers import BotWorkers
from warroom_server.ports.peers import Peers
from warroom_server.ports.store import NodeLease, Whereabouts


class Neighbourhood:
    """Listens to all links."""

    def __init__(
        self,
        *,
        peers: Peers[Message],
        directory: RoomDirectory,
        remote_clients: RemoteClients,
        remote_rooms: RemoteRooms,
        bot_workers: BotWorkers,
        nodes: LeasedNodes,
        handover: Handover,
    ) -> None:
        self._peers = peers
        self._directory = directory
        self._remote_clients = remote_clients
        self._remote_rooms = remote_rooms
        self._bot_workers = bot_workers
        self._nodes = nodes
        self._handover = handover

    def start(self) -> None:
        """Listen to the links from now on."""
        self._peers.start(self)

    def know(self, nodes: list[NodeLease]) -> None:
        """Take note of the nodes that hold a lease."""
        self._nodes.update(nodes)
        self._peers.connect({node.owner: node.address for node in nodes})
        self._know_bots()

    def _know_bots(self) -> None:
        self._bot_workers.know_far({node.owner: node.facts.bots for node in self._nodes.reachable()})

    def linked(self, peer: str) -> None:
        """A node can be reached: tell it what there is here."""
        self._know_bots()
        self._directory.room_locator.seek_all()

    def lost(self, peer: str) -> None:
        """A node cannot be reached any more."""
        self._know_bots()
        self._remote_clients.lost(peer)
        self._remote_rooms.lost(peer)

    def drained(self, peer: str) -> None:
        """A link that was congested carries everything again."""
        self._remote_clients.drained(peer)

    def received(self, peer: str, message: Message) -> None:
        """A node says something."""
        match message:
            case Batch():
                self._remote_rooms.received(peer, message)
            case Enter() | Ask() | Tell() | Part():
                self._remote_clients.received(peer, message)
            case Owns(rooms=rooms):
                self._handover.arrived(rooms)
                for number, epoch in rooms:
                    self._directory.owned_elsewhere(number, Whereabouts(peer, epoch))
            case Offer(rooms=rooms):
                self._directory.take_over([(number, peer, epoch) for number, epoch in rooms])
            case Vacant():
                vacancy = BotRequest(message.room, message.game, message.ticket, message.bot, message.creator)
                self._bot_workers.summon_here(vacancy)


def lend_over(peers: Peers[Message]) -> Callable[[str, BotRequest], object]:
    """Return what asks another node for a bot."""
    return lambda peer, vacancy: peers.send(
        peer, Vacant(vacancy.room, vacancy.game, vacancy.ticket, vacancy.bot, vacancy.creator)
    )
