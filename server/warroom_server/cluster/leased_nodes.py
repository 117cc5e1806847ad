"""The other nodes, according to the leases that were read last."""

from collections import Counter
from collections.abc import Iterable

from warroom_games.registry import RulesVersion
from warroom_server.cluster.messages import Links
from warroom_server.ports.listeners import Signal
from warroom_server.ports.store import NodeLease


class LeasedNodes:
    """Knows the rules, load and state of the other nodes, and keeps links to them. Unreachable nodes are left out."""

    def __init__(self, own: str, links: Links) -> None:
        self.changed: Signal[[]] = Signal()
        """Leases were read, or a link was made or lost."""
        self._own = own
        self._links = links
        self.leases: tuple[NodeLease, ...] = ()
        """All leases."""
        self._given: Counter[str] = Counter()
        """By node, the rooms it got since the leases were read."""

    def update(self, leases: Iterable[NodeLease]) -> None:
        """Replace all leases, and link up with their nodes."""
        self.leases = tuple(sorted(leases, key=lambda lease: lease.owner))
        self._given.clear()
        self._links.connect({lease.owner: lease.address for lease in self.leases})
        self.changed()

    @property
    def own(self) -> NodeLease | None:
        """The lease of this node, as others see it."""
        return next((lease for lease in self.leases if lease.owner == self._own), None)

    def owners(self) -> set[str]:
        """Return the nodes whose rooms are shown: those with a lease, and this one."""
        return {self._own, *(lease.owner for lease in self.leases)}

    def has_others(self) -> bool:
        """Whether another node stays, even if there is no link to it at the moment."""
        return any(lease.owner != self._own and not lease.facts.is_draining for lease in self.leases)

    def reachable(self) -> list[NodeLease]:
        """Return the other nodes that can be reached."""
        linked = set(self._links.nodes())
        return [lease for lease in self.leases if lease.owner in linked]

    def bots(self) -> dict[str, dict[str, tuple[str, ...]]]:
        """Return the bots that the workers of each reachable node have, by game."""
        return {lease.owner: lease.facts.bots for lease in self.reachable()}

    def staying(self) -> list[NodeLease]:
        """Return the reachable nodes that do not drain."""
        return [lease for lease in self.reachable() if not lease.facts.is_draining]

    def with_rules(self, rules: RulesVersion) -> list[NodeLease]:
        """Return the staying nodes that can continue a room with these rules."""
        return [lease for lease in self.staying() if rules in lease.facts.rules]

    def able(self, rules: RulesVersion) -> list[NodeLease]:
        """Return the nodes that a room may go to: if none has its rules, all that stay."""
        return self.with_rules(rules) or self.staying()

    def load(self, lease: NodeLease) -> int:
        """Return how many rooms a node has."""
        return lease.facts.load + self._given[lease.owner]

    def add_load(self, node: str) -> None:
        """Count a room that a node gets. Its next lease counts the room itself."""
        self._given[node] += 1
