"""The other nodes: what they say goes to the part of this node that it is for."""

from collections.abc import Callable, Sequence
from typing import Protocol

from warroom_server.cluster.handover import Handover
from warroom_server.cluster.leased_nodes import LeasedNodes
from warroom_server.cluster.messages import Message, Offer, Owns, Vacant
from warroom_server.cluster.relay import Relay
from warroom_server.hosting.vacancy import BotRequest
from warroom_server.lobby.bot_workers import BotWorkers
from warroom_server.ports.peers import Peers
from warroom_server.ports.store import NodeLease, Orphan


class Taker(Protocol):
    """Takes rooms over."""

    def take_over(self, orphans: Sequence[Orphan]) -> None:
        """Take over rooms that their owner gave up."""
        ...


class Neighbourhood:
    """Listens to all links."""

    def __init__(
        self,
        *,
        peers: Peers[Message],
        relay: Relay,
        bot_workers: BotWorkers,
        nodes: LeasedNodes,
        handover: Handover,
        taker: Taker,
    ) -> None:
        self._peers = peers
        self._relay = relay
        self._bot_workers = bot_workers
        self._nodes = nodes
        self._handover = handover
        self._taker = taker

    def start(self) -> None:
        """Listen to the links from now on."""
        self._peers.start(self)

    def know(self, nodes: list[NodeLease]) -> None:
        """Take note of the nodes that hold a lease."""
        self._nodes.update(nodes)
        self._relay.know(frozenset(node.owner for node in nodes))
        self._peers.connect({node.owner: node.address for node in nodes})
        self._know_bots()

    def _know_bots(self) -> None:
        self._bot_workers.know_far({node.owner: node.facts.bots for node in self._nodes.reachable()})

    def linked(self, peer: str) -> None:
        """A node can be reached: tell it what there is here."""
        self._know_bots()
        self._relay.linked(peer)

    def lost(self, peer: str) -> None:
        """A node cannot be reached any more."""
        self._know_bots()
        self._relay.lost(peer)

    def drained(self, peer: str) -> None:
        """A link that was congested carries everything again."""
        self._relay.drained(peer)

    def received(self, peer: str, message: Message) -> None:
        """A node says something."""
        match message:
            case Owns(rooms=rooms):
                self._handover.arrived(rooms)
                self._relay.received(peer, message)
            case Offer(rooms=rooms):
                self._taker.take_over([(number, peer, epoch) for number, epoch in rooms])
            case Vacant():
                vacancy = BotRequest(message.room, message.game, message.ticket, message.bot, message.creator)
                self._bot_workers.summon_here(vacancy)
            case _:
                self._relay.received(peer, message)


def lend_over(peers: Peers[Message]) -> Callable[[str, BotRequest], object]:
    """Return what asks another node for a bot."""
    return lambda peer, vacancy: peers.send(
        peer, Vacant(vacancy.room, vacancy.game, vacancy.ticket, vacancy.bot, vacancy.creator)
    )
