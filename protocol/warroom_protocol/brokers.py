"""The URL of an MQTT broker."""

from typing import Final
from urllib.parse import unquote, urlsplit

from msgspec import Struct

from warroom_protocol.errors import BrokerUrlError

PLAIN_PORT: Final = 1883
TLS_PORT: Final = 8883
EXPECTED: Final = "mqtt://[user:password@]host[:port], or mqtts:// for TLS"


class Broker(Struct, frozen=True):
    """A broker, and the login for it."""

    host: str
    port: int
    is_tls: bool
    user: str | None = None
    password: str | None = None

    def __str__(self) -> str:
        """Return the address, without the password."""
        return f"{'mqtts' if self.is_tls else 'mqtt'}://{self.host}:{self.port}"


def parse_broker(url: str) -> Broker:
    """Return the broker that *url* names; raise `BrokerUrlError`, which repeats no password."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise BrokerUrlError(f"expected {EXPECTED}") from error
    is_extended = bool(parts.path.strip("/") or parts.query or parts.fragment)
    if parts.scheme not in ("mqtt", "mqtts") or not parts.hostname or is_extended:
        raise BrokerUrlError(f"expected {EXPECTED}")
    is_tls = parts.scheme == "mqtts"
    return Broker(
        parts.hostname,
        port if port is not None else (TLS_PORT if is_tls else PLAIN_PORT),
        is_tls,
        None if parts.username is None else unquote(parts.username),
        None if parts.password is None else unquote(parts.password),
    )
