"""The address of a server, as people write it and as clients dial it."""

import re
from collections.abc import Mapping
from typing import Final
from urllib.parse import SplitResult, urlsplit, urlunsplit

from warroom_protocol.errors import AddressError

USUAL_PORT: Final = 8000
PORT_VARIABLE: Final = "WARROOM_PORT"
"""The environment variable that sets the port of a server, and so where commands look for one."""
SOCKET_PATH: Final = "/ws"

_SCHEMES: Final = {"ws": "ws", "wss": "wss", "http": "ws", "https": "wss"}
_BARE: Final = re.compile(r"(\[[0-9a-fA-F:.]+\]|[A-Za-z0-9.-]+):\d+/?")


def usual_url(environ: Mapping[str, str]) -> str:
    """Return where a server that was started in this environment listens."""
    port = environ.get(PORT_VARIABLE, "")
    usable = port.isdecimal() and 0 < int(port) < 65_536
    return f"ws://127.0.0.1:{int(port) if usable else USUAL_PORT}{SOCKET_PATH}"


def server_url(text: str) -> str:
    """Return the websocket URL of a server from that URL, the URL of its page, or `HOST:PORT`.

    Raise `AddressError` for anything else.
    """
    try:
        parts = urlsplit(f"ws://{text}" if _BARE.fullmatch(text) else text)
        is_valid = parts.scheme in _SCHEMES and bool(parts.hostname) and parts.port != 0
    except ValueError:
        is_valid = False
    if not is_valid:
        raise AddressError(
            f"{text!r} is not the address of a server; write HOST:PORT, http://HOST:PORT or ws://HOST:PORT{SOCKET_PATH}"
        )
    return urlunsplit((_SCHEMES[parts.scheme], parts.netloc, _path(parts), "", ""))


def http_origin(url: str) -> str:
    """Return the origin of the page and the API of a server from its websocket URL."""
    parts = urlsplit(url)
    return f"{'https' if parts.scheme == 'wss' else 'http'}://{parts.netloc}"


def _path(parts: SplitResult) -> str:
    """Return the path of the websocket: as it is in a websocket URL, else beside the page."""
    if parts.scheme.startswith("ws") and parts.path.strip("/"):
        return parts.path
    path = parts.path.rstrip("/")
    return path if path.endswith(SOCKET_PATH) else f"{path}{SOCKET_PATH}"
