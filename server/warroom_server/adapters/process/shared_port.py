"""One port for several processes."""

import socket as sockets
import sys
from typing import Final

BACKLOG: Final = 1024
HAS_GROUPS: Final = sys.platform == "linux"
"""Whether the system spreads connections over all sockets that listen on a port."""


class SharedPort:
    """Holds a port, and returns sockets that listen on it; port 0 takes any free one.

    On Linux each process has its own socket, and the kernel spreads connections between them. Elsewhere all processes
    accept from the same socket.
    """

    def __init__(self, host: str, port: int) -> None:
        found = sockets.getaddrinfo(host or None, port, type=sockets.SOCK_STREAM, flags=sockets.AI_PASSIVE)
        self._family = found[0][0]
        self._at: tuple[object, ...] = found[0][4]
        self._bound(in_group=False).close()  # fails if another program has the port, which a group would join silently
        self._held = self._bound()
        self._at = self._held.getsockname()
        self.port: int = self._held.getsockname()[1]
        if not HAS_GROUPS:
            self._held.listen(BACKLOG)

    def socket(self) -> sockets.socket:
        """Return a socket that listens on the port; the caller closes it."""
        if not HAS_GROUPS:
            return self._held.dup()
        listening = self._bound()
        listening.listen(BACKLOG)
        return listening

    def close(self) -> None:
        """Release the port."""
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
