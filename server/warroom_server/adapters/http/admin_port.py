"""The admin port, for operators and their tools; on the loopback by default."""

import asyncio
from collections.abc import Callable, Mapping
from http import HTTPStatus

from websockets.http11 import Request

from warroom_server.adapters.http.exchange import Answer, HttpExchange
from warroom_server.adapters.http.http_syntax import HttpError, split_target
from warroom_server.ports.connections import HttpResponse
from warroom_server.ports.time import Timers

MAX_LINES = 64


class AdminServer:
    """Answer GETs on a few fixed paths; `/healthz` answers as long as the loop turns."""

    def __init__(self, timers: Timers, pages: Mapping[str, Callable[[], Answer]]) -> None:
        self.timers = timers
        self._pages = {"/healthz": lambda: HttpResponse(HTTPStatus.OK, b"ok\n"), **pages}
        self._connections: set[HttpExchange] = set()
        self._server: asyncio.Server | None = None
        self.port = 0
        """The port listened on, once it listens."""

    async def start(self, host: str = "127.0.0.1", port: int = 0) -> None:
        """Listen; port 0 takes any free one."""
        self._server = await asyncio.get_running_loop().create_server(lambda: HttpExchange(self), host, port)
        self.port = self._server.sockets[0].getsockname()[1]

    def stop(self) -> None:
        """Stop listening, and close all connections."""
        if self._server is not None:
            self._server.close()
        for exchange in tuple(self._connections):
            exchange.abort()

    # --- for the exchanges ----------------------------------------------------------------------------------------

    def arrive(self, exchange: HttpExchange, transport: asyncio.Transport) -> HttpResponse | None:
        """Count a new connection; refuse it when there are too many."""
        self._connections.add(exchange)
        if len(self._connections) > MAX_LINES:
            return HttpError(HTTPStatus.SERVICE_UNAVAILABLE, "too many connections").response()
        return None

    def depart(self, exchange: HttpExchange) -> None:
        """Do nothing: here it does not matter how far a request is."""

    def gone(self, exchange: HttpExchange) -> None:
        """Stop counting a connection."""
        self._connections.discard(exchange)

    def answer(self, transport: asyncio.Transport, request: Request, rest: bytes) -> Answer | None:
        """Return the page for the request's path."""
        path, _ = split_target(request.path)
        page = self._pages.get(path)
        if page is None:
            raise HttpError(HTTPStatus.NOT_FOUND, f"there is no {path} here, only {', '.join(sorted(self._pages))}")
        return page()
