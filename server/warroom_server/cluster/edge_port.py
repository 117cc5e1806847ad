"""What an edge needs from its node."""

from collections.abc import Iterable
from typing import Protocol

from warroom_server.cluster.messages import Message


class Ways(Protocol):
    """The ways of an edge to other nodes, to its clients and to the store."""

    def send(self, peer: str, message: Message) -> bool:
        """Send something to a node; False if there is no way to it."""
        ...

    def is_alive(self, peer: str) -> bool:
        """Whether a node is there, though perhaps out of reach."""
        ...

    def answer(self, connection: int, payload: bytes) -> None:
        """Send a client what it has to get."""
        ...

    def show(self, room: int, connections: Iterable[int], payload: bytes) -> None:
        """Send clients what they may miss, if they are too slow for it, until they get a snapshot."""
        ...

    def seek(self, room: int) -> None:
        """Find out who owns a room, and say so with `found` or `gone`."""
        ...

    def forget(self, room: int, connection: int) -> None:
        """Note that a connection is not in a room any more."""
        ...

    def lose(self, room: int, connection: int) -> None:
        """Note that a room went away from a connection that may still ask for it."""
        ...

    def is_stale(self, room: int, connection: int) -> bool:
        """Whether a client was too slow for something of a room."""
        ...

    def rtt_ms(self, connection: int) -> int:
        """Return how long the line of a client takes."""
        ...
