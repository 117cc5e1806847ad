"""One HTTP request and its answer on a fresh connection, unless an upgrade takes the connection over."""

import asyncio
import logging
from collections.abc import Awaitable, Callable
from http import HTTPStatus
from typing import Protocol, TypeAlias, cast

from websockets.http11 import Request

from warroom_server.adapters.http.http_syntax import HttpError, parse_head, render, split_head
from warroom_server.ports.connections import HttpResponse
from warroom_server.ports.time import Timer, Timers

logger = logging.getLogger(__name__)

HEAD_TIMEOUT_MS = 5_000
"""How long a client may take to send the head of its request."""

ANSWER_TIMEOUT_MS = 10_000
"""How long the answer may take."""

LINGER_MS = 10_000
"""How long the client may take to read and close: if we closed first, the kernel might drop the answer."""


Answer: TypeAlias = HttpResponse | Awaitable[HttpResponse]


class HttpHost(Protocol):
    """Accepts connections and answers requests."""

    timers: Timers

    def arrive(self, exchange: "HttpExchange", transport: asyncio.Transport) -> HttpResponse | None:
        """Count a new connection; a response refuses it."""

    def depart(self, exchange: "HttpExchange") -> None:
        """The exchange no longer waits for a request's head; called once for each `arrive` that accepted it."""

    def gone(self, exchange: "HttpExchange") -> None:
        """The connection is closed, or another protocol has taken it over; called once for each `arrive`."""

    def answer(self, transport: asyncio.Transport, request: Request, rest: bytes) -> Answer | None:
        """Answer a request; None if the transport has another protocol now, which also got the *rest*."""


class HttpExchange(asyncio.Protocol):
    """Read one head, answer, half-close, and wait for the client to close."""

    __slots__ = ("_has_eof", "_head", "_host", "_is_head", "_task", "_timer", "_transport")

    def __init__(self, host: HttpHost) -> None:
        self._host = host
        self._head: bytearray | None = bytearray()
        """What has arrived of the request; None once nothing more is expected."""
        self._has_eof = self._is_head = False
        self._task: asyncio.Future[HttpResponse] | None = None
        self._timer: Timer | None = None
        self._transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Wait for the head, for a while."""
        self._transport = cast(asyncio.Transport, transport)
        refusal = self._host.arrive(self, self._transport)
        if refusal is not None:
            self._head = None
            self._respond(refusal)
            return
        self._set_timer(HEAD_TIMEOUT_MS, self.abort)

    def data_received(self, data: bytes) -> None:
        """Collect the head; data after an answered request is ignored."""
        if self._head is None:
            return
        self._head += data
        try:
            parts = split_head(self._head)
            if parts is not None:
                self._dispatch(*parts)
        except HttpError as error:
            self._stop_waiting()
            self._respond(error.response())

    def eof_received(self) -> bool:
        """Keep a half-closed connection only for an answer that is being computed."""
        self._has_eof = True
        return self._task is not None

    def connection_lost(self, exc: Exception | None) -> None:
        """Release everything."""
        self._stop_waiting()
        self._stop_timer()
        if self._task is not None:
            self._task.cancel()
        self._transport = None
        self._host.gone(self)

    def abort(self) -> None:
        """Close the connection at once."""
        if self._transport is not None:
            self._transport.abort()

    def _dispatch(self, head: bytes, rest: bytes) -> None:
        assert self._transport is not None
        self._stop_waiting()
        self._is_head = head.startswith(b"HEAD ")
        answer = self._host.answer(self._transport, parse_head(head), rest)
        if answer is None:
            self._stop_timer()
            self._transport = None
            self._host.gone(self)
        elif isinstance(answer, HttpResponse):
            self._respond(answer)
        else:
            self._set_timer(ANSWER_TIMEOUT_MS, self._give_up)
            self._task = asyncio.ensure_future(answer)
            self._task.add_done_callback(self._answered)

    def _answered(self, task: asyncio.Future[HttpResponse]) -> None:
        self._task = None
        if task.cancelled() or self._transport is None:
            return
        if (error := task.exception()) is not None:
            logger.error("answering a request failed", exc_info=error)
            self._respond(HttpError(HTTPStatus.INTERNAL_SERVER_ERROR, "internal error").response())
        else:
            self._respond(task.result())

    def _give_up(self) -> None:
        if self._task is not None:
            self._task.cancel()
            self._respond(HttpError(HTTPStatus.GATEWAY_TIMEOUT, "the answer took too long").response())

    def _respond(self, response: HttpResponse) -> None:
        if (transport := self._transport) is None or transport.is_closing():
            return
        self._set_timer(LINGER_MS, self.abort)
        transport.write(render(response, is_head=self._is_head))
        if self._has_eof:
            transport.close()
        elif not transport.is_closing():
            transport.write_eof()

    def _stop_waiting(self) -> None:
        if self._head is not None:
            self._head = None
            self._host.depart(self)

    def _set_timer(self, delay_ms: int, callback: Callable[[], None]) -> None:
        self._stop_timer()
        self._timer = self._host.timers.call_after(delay_ms, callback)

    def _stop_timer(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
