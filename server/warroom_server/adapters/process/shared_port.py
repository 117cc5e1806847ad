"""One port for several processes."""

import socket as sockets
import sys
from typing import Final

BACKLOG: Final = 1024
HAS_GROUPS: Final = sys.platform == "linux"
"""Whether the system spreads connections over all sockets that listen on a port; elsewhere the last one gets all."""


class SharedPort:
    """Holds a port, and hands out sockets that listen on it; port 0 takes any free one.

    On Linux each is a socket of its own, between which the kernel spreads connections, and which leaves the group with
    the process that has it. Elsewhere all are the same one, from which whoever is free accepts.
    """

    def __init__(self, host: str, port: int) -> None:
        found = sockets.getaddrinfo(host or None, port, type=sockets.SOCK_STREAM, flags=sockets.AI_PASSIVE)
        self._family = found[0][0]
        self._at: tuple[object, ...] = found[0][4]
        self._bound(in_group=False).close()  # a group would let a stranger's port be joined without a word
        self._held = self._bound()
        self._at = self._held.getsockname()
        if not HAS_GROUPS:
            self._held.listen(BACKLOG)

    @property
    def port(self) -> int:
        """The port that is held."""
        port = self._at[1]
        assert isinstance(port, int)
        return port

    def socket(self) -> sockets.socket:
        """Return a socket that listens on the port; whoever got it closes it."""
        if not HAS_GROUPS:
            return self._held.dup()
        listening = self._bound()
        listening.listen(BACKLOG)
        return listening

    def close(self) -> None:
        """Hold the port no longer."""
        self._held.close()

    def _bound(self, *, in_group: bool = HAS_GROUPS) -> sockets.socket:
        made = sockets.socket(self._family, sockets.SOCK_STREAM)
        try:
            made.setsockopt(sockets.SOL_SOCKET, sockets.SO_REUSEADDR, 1)
            if in_group:
                made.setsockopt(sockets.SOL_SOCKET, sockets.SO_REUSEPORT, 1)
            made.bind(self._at)
        except OSError:
            made.close()
            raise
        return made
