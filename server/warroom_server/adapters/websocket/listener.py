"""The public port: websockets on `/ws`, plain GETs on every other path."""

import asyncio
import socket
import sys
from collections import Counter
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from http import HTTPStatus
from itertools import count
from typing import Any
from urllib.parse import parse_qs

from websockets.http11 import Request, Response
from websockets.server import ServerProtocol
from websockets.typing import Origin

from warroom_protocol.codes import CLOSE_GOING_AWAY
from warroom_protocol.json_twin import message_of
from warroom_protocol.readable import twin_of
from warroom_server.adapters.http.exchange import HttpExchange
from warroom_server.adapters.http.http_syntax import HttpError, negotiate, split_target
from warroom_server.adapters.http.rate_limit import PeerBudget
from warroom_server.adapters.websocket.connection import WebSocketConnection, flush
from warroom_server.adapters.websocket.listener_state import Limits, Shell, Traffic, core_logger
from warroom_server.adapters.websocket.peers import WebSocketPeers
from warroom_server.adapters.websocket.text_connection import TextConnection
from warroom_server.counted_address import is_loopback, network_of
from warroom_server.ports.connections import ConnectionHandler, Get, HttpResponse
from warroom_server.ports.time import Clock, Timers

PATH = "/ws"
LINK_PATH = "/link"
"""The path for links of other nodes."""
JSON = "/ws?format=json"
"""The target of clients that speak the JSON twin of the protocol."""
INSPECTOR_PATH = "/debug/inspector"
PROBES = frozenset(("/healthz", "/readyz"))
"""Probes are not rate-limited: a busy proxy must not make a node look unhealthy."""
BACKLOG = 4096
"""Connections that the kernel holds until they are accepted: thousands may come back at once."""
SPARE_LINES = 256
"""Connections beyond the limit that get a 503; any more are dropped at once."""

_NO_FORMAT = "a format is for debugging: use format=json, on a server with --debug or WARROOM_DEBUG=true"
_INSPECTOR_LIMITS = Limits(message_bytes=1 << 20, slice_bytes=1 << 16)
_PROXIED = ("forwarded", "via", "x-real-ip", "x-forwarded-")
"""How the names of the headers begin that proxies add."""
_OWN_FIELDS = frozenset(("date", "connection", "content-type", "content-length"))


class WebSocketListener:
    """Accept connections on one address and hand their messages to a handler.

    *get* answers plain GETs. *origins* is the list of `Origin` values that browsers may come from; None lets every
    page connect, which is safe because nothing here trusts a cookie. Without *links* other nodes are answered like
    any GET. With an *inspector*, for debugging, clients may speak JSON, and those of this machine reach the inspector.
    """

    def __init__(
        self,
        handler: ConnectionHandler,
        clock: Clock,
        timers: Timers,
        *,
        get: Get,
        limits: Limits | None = None,
        origins: Sequence[str] | None = None,
        links: WebSocketPeers[Any] | None = None,
        inspector: ConnectionHandler | None = None,
    ) -> None:
        self.timers = timers
        self._get = get
        self._links = links
        self._limits = limits or Limits()
        # Clients other than browsers send no origin.
        allowed = None if origins is None else [None, *(Origin(origin) for origin in origins)]
        self._handshake = ServerProtocol(origins=allowed, logger=core_logger)
        """Answers the upgrade requests of all clients: it keeps nothing of a request that it accepts."""
        shell = partial(Shell, clock=clock, timers=timers, forget=self._forget, flush=flush)
        self._shell = shell(handler, limits=self._limits)
        self._kinds: dict[str, Callable[..., WebSocketConnection]] = {PATH: partial(WebSocketConnection, self._shell)}
        """What makes the connections of each target."""
        if inspector is not None:
            inspecting = shell(inspector, limits=_INSPECTOR_LIMITS)
            self._kinds[INSPECTOR_PATH] = partial(TextConnection, inspecting, read=bytes, show=bytes)
            self._kinds[JSON] = partial(TextConnection, self._shell, read=message_of, show=twin_of)
        self._gets = PeerBudget(clock, self._limits.gets_per_s)
        self._ids = count(1)
        self._exchanges: set[HttpExchange] = set()
        self._handshakes: dict[HttpExchange, str] = {}
        """By connection without a whole request, the address that it counts for."""
        self._half_open: dict[str, dict[HttpExchange, None]] = {}
        """The same by address, oldest first."""
        self._asked: dict[HttpExchange, None] = {}
        """Connections whose request was read, until their answer is."""
        self._connections: dict[WebSocketConnection, str] = {}
        """By connection, the address that it counts for."""
        self._addresses: Counter[str] = Counter()
        self._servers: list[asyncio.Server] = []
        self.port = 0
        """The port listened on, once it listens."""
        self._is_idle = asyncio.Event()
        self._is_idle.set()

    @property
    def traffic(self) -> Traffic:
        """The counters."""
        return self._shell.traffic

    @property
    def connections(self) -> int:
        """How many websockets are open."""
        return len(self._connections)

    @property
    def handshakes(self) -> int:
        """How many connections have not sent a whole request yet."""
        return len(self._handshakes)

    async def start(self, host: str, port: int) -> None:
        """Listen; port 0 takes any free one."""
        server = await asyncio.get_running_loop().create_server(lambda: HttpExchange(self), host, port, backlog=BACKLOG)
        self.port = server.sockets[0].getsockname()[1]
        self._servers.append(server)

    async def share(self, listening: socket.socket) -> None:
        """Accept connections also from a listening socket."""
        loop = asyncio.get_running_loop()
        self._servers.append(await loop.create_server(lambda: HttpExchange(self), sock=listening, backlog=BACKLOG))

    def stop_accepting(self) -> None:
        """Accept no new connections; open ones stay."""
        for server in self._servers:
            server.close()
        for exchange in tuple(self._handshakes):
            exchange.abort()
        if self._links is not None:
            self._links.stop_accepting()

    async def stop(self, *, code: int = CLOSE_GOING_AWAY, reason: str = "", timeout_s: float = 5.0) -> None:
        """Close everything, and drop connections that are still open after *timeout_s*."""
        self.stop_accepting()
        for connection in tuple(self._connections):
            connection.close(code, reason)
        try:
            await asyncio.wait_for(self._is_idle.wait(), timeout_s)
        except TimeoutError:
            lines: list[HttpExchange | WebSocketConnection] = [*self._connections, *self._exchanges]
            for line in lines:
                line.abort()

    # --- for the exchanges ----------------------------------------------------------------------------------------

    def arrive(self, exchange: HttpExchange, transport: asyncio.Transport) -> HttpResponse | None:
        """Count a new connection; if there are too many, drop the oldest that reads an answer or is half-open.

        Of the half-open ones, the address with the most loses one. So an address cannot push out others.
        """
        self._exchanges.add(exchange)
        self._is_idle.clear()
        lines = len(self._exchanges) + len(self._connections)
        if lines > self._limits.connections and self._asked:
            self._evict(next(iter(self._asked)))
            lines -= 1
        if lines > self._limits.connections:
            self.traffic.refused += 1
            if lines > self._limits.connections + SPARE_LINES:
                exchange.abort()
            return HttpError(HTTPStatus.SERVICE_UNAVAILABLE, "too many connections; try again later").response()
        if len(self._handshakes) >= self._limits.handshakes:
            greediest = max(self._half_open, key=lambda address: len(self._half_open[address]))
            self._evict(next(iter(self._half_open[greediest])))
        address = self._handshakes[exchange] = network_of(_host_of(transport))
        self._half_open.setdefault(address, {})[exchange] = None
        return None

    def depart(self, exchange: HttpExchange) -> None:
        """Count a connection as waiting for its answer, no longer as half-open."""
        self._end_handshake(exchange)
        self._asked[exchange] = None

    def gone(self, exchange: HttpExchange) -> None:
        """Stop counting a connection that is closed, or is a websocket now."""
        self._exchanges.discard(exchange)
        self._asked.pop(exchange, None)
        self._note_idle()

    def answer(
        self, transport: asyncio.Transport, request: Request, rest: bytes
    ) -> HttpResponse | Awaitable[HttpResponse] | None:
        """Open a websocket, or answer a plain GET."""
        path, query = split_target(request.path)
        if path == LINK_PATH and self._links is not None:
            refusal = self._links.accept(transport, request, rest)
            return None if refusal is None else _translate(refusal)
        formats = parse_qs(query, keep_blank_values=True).get("format") if path == PATH else None
        make = self._kinds.get(path if formats is None else f"{path}?format={','.join(formats)}")
        if path != PATH and (make is None or not _is_own(transport, request)):
            return self._answer_get(transport, request, path, query)
        if make is None:
            return HttpError(HTTPStatus.FORBIDDEN, _NO_FORMAT).response()
        address = network_of(_host_of(transport))
        if self._addresses[address] >= self._limits.per_address:
            self.traffic.refused += 1
            limit = f"at most {self._limits.per_address} connections from one address; try again later"
            return HttpError(HTTPStatus.TOO_MANY_REQUESTS, limit).response()
        response = self._handshake.accept(request)
        if response.status_code != HTTPStatus.SWITCHING_PROTOCOLS:
            self.traffic.refused += 1
            return _translate(response)
        connection = make(transport, id=next(self._ids))
        transport.set_protocol(connection)
        self._connections[connection] = address
        self._addresses[address] += 1
        self.traffic.opened += 1
        connection.start(response.serialize(), rest)
        return None

    def _evict(self, exchange: HttpExchange) -> None:
        """Drop a connection, and stop counting it."""
        self.traffic.evicted_handshakes += 1
        self._end_handshake(exchange)
        self._asked.pop(exchange, None)
        self._exchanges.discard(exchange)
        exchange.abort()

    def _end_handshake(self, exchange: HttpExchange) -> None:
        if (address := self._handshakes.pop(exchange, None)) is not None:
            del self._half_open[address][exchange]
            if not self._half_open[address]:
                del self._half_open[address]

    def _answer_get(
        self, transport: asyncio.Transport, request: Request, path: str, query: str
    ) -> HttpResponse | Awaitable[HttpResponse]:
        if path not in PROBES and not self._gets.spend(network_of(_host_of(transport))):
            self.traffic.refused += 1
            limit = f"at most {self._limits.gets_per_s} requests a second; try again later"
            return HttpError(HTTPStatus.TOO_MANY_REQUESTS, limit).response()
        answer = self._get(path, query)
        return negotiate(answer, request) if isinstance(answer, HttpResponse) else answer

    def _forget(self, connection: WebSocketConnection) -> None:
        address = self._connections.pop(connection)
        self._addresses[address] -= 1
        if not self._addresses[address]:
            del self._addresses[address]
        self._note_idle()

    def _note_idle(self) -> None:
        if not self._connections and not self._exchanges:
            self._is_idle.set()


def _host_of(transport: asyncio.Transport) -> str:
    peername = transport.get_extra_info("peername")
    return sys.intern(str(peername[0])) if peername else ""  # many connections share it


def _is_own(transport: asyncio.Transport, request: Request) -> bool:
    """Whether a program of this machine asks, without a proxy, or a browser of this machine for a page from here."""
    headers = request.headers
    host = next(iter(headers.get_all("Host")), "")
    near = _host_of(transport), (host.rpartition(":")[0] or host).strip("[]")
    is_direct = all(map(is_loopback, near)) and not any(name.lower().startswith(_PROXIED) for name in headers)
    return is_direct and all(origin.partition("://")[2] == host for origin in headers.get_all("Origin"))


def _translate(response: Response) -> HttpResponse:
    extra = {name: value for name, value in response.headers.raw_items() if name.lower() not in _OWN_FIELDS}
    return HttpResponse(response.status_code, bytes(response.body), headers=extra)
