"""The nodes that can take rooms over."""

from warroom_server.cluster.peers import Peers


class Heirs:
    """Knows which of the nodes that can be reached are about to stop."""

    def __init__(self, peers: Peers) -> None:
        self._peers = peers
        self._draining: set[str] = set()

    def peers(self) -> list[str]:
        """Return the nodes that can take rooms over."""
        return [peer for peer in self._peers.peers() if peer not in self._draining]

    def drains(self, peer: str) -> None:
        """Note that a node is about to stop."""
        self._draining.add(peer)

    def forget(self, peer: str) -> None:
        """Note that a node came or went."""
        self._draining.discard(peer)
