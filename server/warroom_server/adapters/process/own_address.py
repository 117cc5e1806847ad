"""The address of this node for other nodes, if no setting says it."""

import socket
from contextlib import suppress
from typing import Final
from urllib.parse import urlsplit

_ANYWHERE: Final = frozenset(("", "0.0.0.0", "::"))
_REDIS_PORT: Final = 6379


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
        family, _, _, _, address = socket.getaddrinfo(
            store.hostname, store.port or _REDIS_PORT, type=socket.SOCK_DGRAM
        )[0]
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.connect(address)  # sends nothing: it only chooses the route
            chosen: str = probe.getsockname()[0]
            return chosen
    return socket.gethostname()
