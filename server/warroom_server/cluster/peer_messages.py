"""The other nodes: what they say goes to the part of this node that it is for."""

from collections.abc import Callable

from warroom_games.registry import Registry
from warroom_server.cluster.messages import Bots, Load, Message, Offer, Rules, Vacant
from warroom_server.cluster.missing_rules import MissingRules
from warroom_server.cluster.peers import Peers
from warroom_server.cluster.relay import Relay
from warroom_server.hosting.vacancy import BotRequest
from warroom_server.lobby.bot_workers import BotWorkers
from warroom_server.ports.store import NodeLease


class Neighbourhood:
    """Listens to all links."""

    def __init__(
        self,
        *,
        peers: Peers,
        relay: Relay,
        bot_workers: BotWorkers,
        missing_rules: MissingRules,
        registry: Registry,
    ) -> None:
        self._peers = peers
        self._relay = relay
        self._bot_workers = bot_workers
        self.on_load: Callable[[str, Load], None] = lambda _, __: None
        """Called with every node that says how many matches it has."""
        self.nodes: frozenset[str] = frozenset()
        """The nodes that hold a lease."""
        self._own_rules = Rules(tuple((game.info.id, game.info.rules_version) for game in registry))
        self._rules: dict[str, frozenset[tuple[str, int]]] = {}
        """By node, the rules that it has."""
        missing_rules.heir = self._node_with
        missing_rules.offer = lambda peer, offered: peers.send(peer, Offer((offered,)))
        peers.neighbours = self
        bot_workers.on_bots = lambda bots: peers.broadcast(Bots(bots))
        bot_workers.lend = lambda peer, vacancy: peers.send(
            peer, Vacant(vacancy.room, vacancy.game, vacancy.ticket, vacancy.bot, vacancy.creator)
        )

    def know(self, nodes: list[NodeLease]) -> None:
        """Take note of the nodes that hold a lease."""
        self.nodes = frozenset(node.owner for node in nodes)
        self._peers.know(nodes)

    def linked(self, peer: str) -> None:
        """A node can be reached: tell it what there is here."""
        self._peers.send(peer, self._own_rules)
        self._peers.send(peer, Bots(self._bot_workers.bots))
        self._relay.linked(peer)

    def unlinked(self, peer: str) -> None:
        """A node cannot be reached any more."""
        self._bot_workers.note_far(peer, {})
        self._rules.pop(peer, None)
        self._relay.unlinked(peer)

    def drained(self, peer: str) -> None:
        """A link that was congested carries everything again."""
        self._relay.drained(peer)

    def received(self, peer: str, message: Message) -> None:
        """A node says something."""
        match message:
            case Rules(games=games):
                self._rules[peer] = frozenset(games)
            case Load():
                self.on_load(peer, message)
            case Bots(plays=plays):
                self._bot_workers.note_far(peer, plays)
            case Vacant():
                vacancy = BotRequest(message.room, message.game, message.ticket, message.bot, message.creator)
                self._bot_workers.summon_here(vacancy)
            case _:
                self._relay.received(peer, message)

    def _node_with(self, rules: tuple[str, int]) -> str | None:
        """Return a node that has a version of a game's rules."""
        return next((peer for peer in self._relay.heirs() if self.has_rules(peer, rules)), None)

    def has_rules(self, peer: str, rules: tuple[str, int]) -> bool:
        """Whether another node has a version of a game's rules."""
        return rules in self._rules.get(peer, ())
