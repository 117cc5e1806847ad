"""The addresses of a node: for clients, and for other nodes if no setting says it."""

import socket
from contextlib import suppress
from typing import Final
from urllib.parse import urlsplit

from msgspec import Struct

_ANYWHERE: Final = frozenset(("", "0.0.0.0", "::"))
_REDIS_PORT: Final = 6379


class Address(Struct, frozen=True):
    """The addresses of a server that is ready."""

    host: str
    port: int
    admin_port: int

    @property
    def websocket(self) -> str:
        """The address that clients connect to."""
        return f"ws://{in_url(self.host)}:{self.port}/ws"

    @property
    def page(self) -> str:
        """The address to open in a browser."""
        return f"http://{in_url(self.host)}:{self.port}/"

    @property
    def metrics(self) -> str:
        """The address of the metrics."""
        return f"http://127.0.0.1:{self.admin_port}/metrics"


def own_host(host: str, store_url: str) -> str:
    """Return the host under which other nodes reach a node that listens on *host*.

    A node that listens everywhere uses the address from which it reaches the store: other nodes reach that as well.
    """
    if host not in _ANYWHERE:
        return host
    store = urlsplit(store_url)
    if store.hostname is None:
        return socket.gethostname()
    with suppress(OSError):
        found = socket.getaddrinfo(store.hostname, store.port or _REDIS_PORT, type=socket.SOCK_DGRAM)
        family, _, _, _, address = found[0]
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect(address)  # sends nothing: it only chooses the route
            return str(probe.getsockname()[0])
    return socket.gethostname()


def in_url(host: str) -> str:
    """Return a host as part of a URL for this machine."""
    if host in ("", "0.0.0.0"):
        return "127.0.0.1"
    return f"[{host}]" if ":" in host else host
