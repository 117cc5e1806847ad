"""The address of a store, parsed from its URL.

    redis://[user[:password]@]host[:port][/database]                            one server; rediss:// with TLS
    unix://[user[:password]@]/path[?db=database]                                one server, through a socket
    redis+sentinel://[user[:password]@]host[:port][,host[:port]…]/service[/database]     the primary that Sentinels name
    redis+cluster://[user[:password]@]host[:port][,host[:port]…]                some nodes of a cluster

`rediss+sentinel://` and `rediss+cluster://` use TLS everywhere. Name and password are those of the servers; Sentinels
have their own, `?sentinel_username=` and `?sentinel_password=`.
"""

from collections.abc import Callable, Mapping
from typing import Literal, TypeAlias, cast
from urllib.parse import SplitResult, parse_qsl, urlencode, urlsplit

from msgspec import Struct
from redis.asyncio.connection import AbstractConnection, Connection, parse_url

Kind: TypeAlias = Literal["single", "sentinel", "cluster"]

SCHEMES = (
    "redis://", "rediss://", "unix://", "redis+sentinel://", "rediss+sentinel://", "redis+cluster://", "rediss+cluster://",
)  # fmt: skip

_SETTINGS = {
    "connection_class", "db", "host", "password", "path", "port", "ssl_ca_certs", "ssl_cert_reqs", "ssl_certfile",
    "ssl_check_hostname", "ssl_keyfile", "ssl_password", "username",
}  # fmt: skip
_SENTINEL_PORT = 26379
_PORT = 6379


class Place(Struct, frozen=True):
    """One server, and how to connect to it."""

    name: str
    """Its name for logs and errors, without a password."""
    settings: Mapping[str, object]

    def connection(self) -> AbstractConnection:
        """Return a connection that is not open yet."""
        settings = dict(self.settings)
        build = cast(Callable[..., AbstractConnection], settings.pop("connection_class", Connection))
        # No retries and time limits of redis-py: the caller has its own, and must know of every retry.
        return build(**settings, protocol=2, socket_timeout=None, socket_connect_timeout=None, driver_info=None)

    async def locate(self) -> "Place":
        """Return itself: it stays where it is."""
        return self

    def at(self, host: str, port: int) -> "Place":
        """Return another server that is connected to in the same way."""
        return Place(f"{host}:{port}", {**self.settings, "host": host, "port": port})


class Address(Struct, frozen=True):
    """A parsed URL."""

    kind: Kind
    places: tuple[Place, ...]
    """The server; or Sentinels, or nodes of a cluster, any of which may be asked."""
    service: str = ""
    server: Place | None = None
    """How to connect to the servers that Sentinels name."""

    @property
    def name(self) -> str:
        """The name of the store for logs and errors."""
        names = ", ".join(place.name for place in self.places)
        match self.kind:
            case "single":
                return f"the store at {names}"
            case "sentinel":
                return f"the store {self.service} of the Sentinels at {names}"
            case "cluster":
                return f"the cluster at {names}"


def parse_address(url: str) -> Address:
    """Parse *url*; raise a `ValueError` that names what is wrong and never a password."""
    parts = urlsplit(url)
    scheme, _, kind = parts.scheme.partition("+")
    if not kind:
        return Address("single", (_place(url),))
    if kind not in ("sentinel", "cluster") or scheme not in ("redis", "rediss"):
        raise ValueError(f"the URL begins with {scheme}+{kind}://, expected {', '.join(SCHEMES)}")
    return _sentinels(parts, scheme) if kind == "sentinel" else _cluster(parts, scheme)


def _sentinels(parts: SplitResult, scheme: str) -> Address:
    service, _, database = parts.path.strip("/").partition("/")
    if not service:
        raise ValueError("the URL names no service, expected redis+sentinel://host:port,host:port/service")
    query = dict(parse_qsl(parts.query))
    theirs = {name: query.pop(f"sentinel_{name}") for name in ("username", "password") if f"sentinel_{name}" in query}
    credentials, hosts = _split(parts.netloc)
    server = _place(f"{scheme}://{credentials}server/{database}?{urlencode(query)}")
    places = []
    for host in hosts:
        sentinel = _place(f"{scheme}://{host}?{urlencode(query)}", _SENTINEL_PORT)
        places.append(Place(sentinel.name, {**sentinel.settings, **theirs}))
    return Address("sentinel", tuple(places), service, server)


def _cluster(parts: SplitResult, scheme: str) -> Address:
    if parts.path.strip("/") not in ("", "0"):
        raise ValueError("the URL names a database, but a cluster has none but 0")
    credentials, hosts = _split(parts.netloc)
    return Address("cluster", tuple(_place(f"{scheme}://{credentials}{host}?{parts.query}") for host in hosts))


def _split(netloc: str) -> tuple[str, list[str]]:
    """Return the credentials, as they stand before a host, and the hosts."""
    credentials, at, hosts = netloc.rpartition("@")
    found = [host for host in hosts.split(",") if host]
    if not found:
        raise ValueError("the URL names no host")
    return credentials + at, found


def _place(url: str, default_port: int = _PORT) -> Place:
    settings = dict(parse_url(url))
    if unknown := sorted(settings.keys() - _SETTINGS):
        raise ValueError(f"{', '.join(unknown)} cannot be set in the URL of a store")
    if path := settings.get("path"):
        return Place(str(path), settings)
    database = urlsplit(url).path.strip("/")
    if database and not database.isdecimal():
        raise ValueError(f"the URL names the database {database}, expected a number")
    host, port = settings.setdefault("host", "localhost"), settings.setdefault("port", default_port)
    return Place(f"{host}:{port}", settings)
