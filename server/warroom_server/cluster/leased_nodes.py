"""The other nodes, by the leases that were read last."""

from collections.abc import Iterable
from typing import Protocol

from warroom_games.registry import RulesVersion
from warroom_server.ports.store import NodeLease


class Links(Protocol):
    """Which nodes can be reached."""

    def nodes(self) -> list[str]:
        """Return the nodes that there is a link to."""
        ...


class LeasedNodes:
    """Knows what the other nodes say of themselves; unreachable nodes are left out."""

    def __init__(self, own: str, links: Links) -> None:
        self._own = own
        self._links = links
        self.leases: tuple[NodeLease, ...] = ()
        """All that were read last."""

    def update(self, leases: Iterable[NodeLease]) -> None:
        """Take note of all leases that there are."""
        self.leases = tuple(sorted(leases, key=lambda lease: lease.owner))

    @property
    def own(self) -> NodeLease | None:
        """The lease of this node, as others see it."""
        return next((lease for lease in self.leases if lease.owner == self._own), None)

    def owners(self) -> set[str]:
        """Return the nodes whose rooms are shown: those with a lease, and this one."""
        return {self._own, *(lease.owner for lease in self.leases)}

    def reachable(self) -> list[NodeLease]:
        """Return the other nodes that can be reached."""
        linked = set(self._links.nodes())
        return [lease for lease in self.leases if lease.owner in linked]

    def staying(self) -> list[NodeLease]:
        """Return those among them that are not about to stop."""
        return [lease for lease in self.reachable() if not lease.facts.is_draining]

    def takers(self, rules: RulesVersion) -> list[NodeLease]:
        """Return those that can go on with a room of these rules."""
        return [lease for lease in self.staying() if rules in lease.facts.rules]
