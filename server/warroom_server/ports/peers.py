"""The links between this node and the other nodes of its cluster."""

from collections.abc import Callable, Mapping
from typing import Final, Generic, NamedTuple, Protocol, TypeVar

from msgspec import Struct

M = TypeVar("M")
M_in = TypeVar("M_in", contravariant=True)

CONGESTED_BYTES: Final = 1 << 20
"""A link with more unsent bytes is congested: send no updates over it that a later snapshot replaces."""
UNSENT_BYTES: Final = 32 << 20
"""A link with more unsent bytes is cut."""
NO_MESSAGE: Final = (ValueError, TypeError, RecursionError)
"""What decoding may raise: for bad data or text, for keys that cannot be hashed, for depth."""


class Codec(Struct, Generic[M], frozen=True):
    """Converts messages to bytes and back."""

    version: int
    """Nodes of different versions do not link up."""
    max_bytes: int
    """The longest message."""
    encode: Callable[[M], bytes]
    decode: Callable[[bytes], M]
    """Raises one of `NO_MESSAGE` for bytes that are no message, which cuts the link."""


class RoundTrip(NamedTuple):
    """The round trips of a link in milliseconds; 0 before the first one was measured."""

    smallest_ms: int
    last_ms: int


class PeerListener(Protocol[M_in]):
    """Listens to the links. It is called from the loop, never from inside a call to `Peers`."""

    def linked(self, node: str) -> None:
        """A node is reachable."""

    def lost(self, node: str) -> None:
        """A node is unreachable; called once for each `linked`. Messages under way may be lost."""

    def received(self, node: str, message: M_in) -> None:
        """A message arrived. The messages of one node arrive in order, until the first that is lost."""

    def drained(self, node: str) -> None:
        """A congested link is free again."""


class Peers(Protocol[M]):
    """One link to each other node. Broken links are made again."""

    def start(self, listener: PeerListener[M]) -> None:
        """Make and accept links from now on."""

    def connect(self, addresses: Mapping[str, str]) -> None:
        """Keep links to the nodes at these *addresses*, by node; other links stay as long as they last."""

    def send(self, node: str, message: M) -> bool:
        """Send a message; False if there is no link."""

    def broadcast(self, message: M) -> None:
        """Send a message to every reachable node."""
        for node in self.nodes():
            self.send(node, message)

    def nodes(self) -> list[str]:
        """Return the reachable nodes, sorted, without this one."""

    def is_congested(self, node: str) -> bool:
        """Whether much is unsent; `drained` follows."""

    def rtt(self, node: str) -> RoundTrip:
        """Return the round trips of a link; zeros for an unreachable node."""

    async def close(self) -> None:
        """End all links. The listener hears nothing more."""
