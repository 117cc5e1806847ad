"""Where other nodes reach this one, when nobody says so."""

import socket
from contextlib import suppress
from typing import Final
from urllib.parse import urlsplit

_ANYWHERE: Final = frozenset(("", "0.0.0.0", "::"))
_REDIS_PORT: Final = 6379


def own_host(host: str, store_url: str) -> str:
    """Return the host that a node which listens on *host* tells to others.

    One that listens everywhere has the address from which it reaches the store: other nodes reach that as well.
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
            probe.connect(address)  # sends nothing: it only chooses the way
            chosen: str = probe.getsockname()[0]
            return chosen
    return socket.gethostname()
