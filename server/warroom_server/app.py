"""Builds the server from its settings, and runs it until it is asked to stop."""

import asyncio
import errno
import logging
import os
import signal
import socket
import sys
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from contextlib import AsyncExitStack, contextmanager
from pathlib import Path
from typing import TypeVar

import msgspec
import uvloop

from warroom_games.registry import Registry
from warroom_protocol import codes
from warroom_server import from_settings
from warroom_server.adapters.entropy import SystemEntropy
from warroom_server.adapters.http.admin_port import AdminServer
from warroom_server.adapters.http.page_files import page_files
from warroom_server.adapters.play_clock import PlayClock
from warroom_server.adapters.process.end_with_starter import end_with_starter
from warroom_server.adapters.process.open_files import allow_open_files
from warroom_server.adapters.process.own_address import Address, in_url, own_host
from warroom_server.adapters.websocket.connection import broadcast
from warroom_server.adapters.websocket.listener import LINK_PATH, SPARE_LINES, WebSocketListener
from warroom_server.adapters.websocket.listener_state import Limits as LineLimits
from warroom_server.adapters.websocket.peers import WebSocketPeers
from warroom_server.cluster.messages import CODEC
from warroom_server.config import Settings, flag_of
from warroom_server.counted_address import is_loopback
from warroom_server.from_settings import StartError, Stores
from warroom_server.loop.crashpoints import points
from warroom_server.loop.garbage import collect_in_short_pauses
from warroom_server.loop.tasks import Supervisor
from warroom_server.loop.timers import TimerHeap
from warroom_server.loop.wait_for_store import Backoff
from warroom_server.node.metrics import CONTENT_TYPE, NodeCollector, render
from warroom_server.node.options import NodePorts
from warroom_server.node.wiring import Node
from warroom_server.ports.connections import HttpResponse
from warroom_server.session.signer import Signer
from warroom_server.web.inspector import Inspector

logger = logging.getLogger(__name__)

T = TypeVar("T")

SIGNALS = (signal.SIGTERM, signal.SIGINT)
"""Signals that ask the server to stop, also during the start."""

HAND_OVER_S = 10.0
"""How long a stopping server may take to give its rooms to others."""
DRAIN_S = 3.0
"""How long it waits for the store's last answers."""
GOODBYE_S = 1.0
"""How long it waits for clients to disconnect, and then for replays to be stored."""
LAST_WORDS_S = 30.0
"""How long a node may take to stop when the process that started it is gone."""
_PORT_ERRORS = (errno.EADDRINUSE, errno.EACCES)
_OWN_FILES = 256


class FailedError(Exception):
    """The server stopped because of a bug; the log has the details."""


def serve(settings: Settings, announce: Callable[[Address], None]) -> None:
    """Serve until SIGTERM or SIGINT, a second one of which ends the process at once.

    *announce* is called once the server is ready. Raises `FailedError` if a bug stopped the server.
    """
    configure_logging(settings)
    allow_open_files(LineLimits().connections + SPARE_LINES + _OWN_FILES)
    if settings.tied:
        end_with_starter(os.getpid(), LAST_WORDS_S)
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(_serve(settings, announce))


def configure_logging(settings: Settings) -> None:
    """Log to standard error, with the name of the node if it has one."""
    node = f"node={settings.log_name} " if settings.log_name else ""
    logging.basicConfig(
        level=settings.log_level.upper(),
        stream=sys.stderr,
        format=f"time=%(asctime)s level=%(levelname)s {node}logger=%(name)s %(message)s",
        datefmt="%Y-%m-%dT%H:%M:%S%z",
    )


async def _serve(settings: Settings, announce: Callable[[Address], None]) -> None:
    stopping = asyncio.Event()
    supervisor = Supervisor(stopping)
    on_signal(lambda: _be_asked_to_stop(stopping))
    async with AsyncExitStack() as stack:
        server = await unless_asked_to_stop(stopping, Server.start(settings, stack, supervisor))
        if server is not None:
            collect_in_short_pauses(asyncio.get_running_loop())
            announce(server.address)
            await stopping.wait()
            logger.info("server stopping")
            await server.drain()
    if supervisor.has_failed:
        raise FailedError("stopped by a bug; the log says more")


def on_signal(act: Callable[[], None]) -> None:
    """Call *act* on each signal to stop."""
    loop = asyncio.get_running_loop()
    for number in SIGNALS:
        loop.add_signal_handler(number, act)


async def unless_asked_to_stop(stopping: asyncio.Event, start: Coroutine[None, None, T]) -> T | None:
    """Return the result of *start*; None if *stopping* is set first: a start may wait long for its store."""
    starting, asked = asyncio.create_task(start), asyncio.create_task(stopping.wait())
    await asyncio.wait((starting, asked), return_when=asyncio.FIRST_COMPLETED)
    asked.cancel()
    if starting.done():
        return starting.result()
    logger.info("server stopped before it was ready")
    starting.cancel()
    await asyncio.wait((starting,))
    if not starting.cancelled():
        starting.result()  # raises if it failed at that moment
    return None


def _be_asked_to_stop(stopping: asyncio.Event) -> None:
    stopping.set()
    loop = asyncio.get_running_loop()
    for number in SIGNALS:
        loop.remove_signal_handler(number)
        signal.signal(number, signal.SIG_DFL)


class Server:
    """One node with its ports and store."""

    def __init__(
        self, settings: Settings, stores: Stores, registry: Registry, secret: bytes, supervisor: Supervisor
    ) -> None:
        self.settings = settings
        self.supervisor = supervisor
        options = from_settings.options_of(settings)
        self.clock = PlayClock(offset_file=Path(settings.wall_offset_file) if settings.wall_offset_file else None)
        self.timers = TimerHeap(self.clock)
        self._signer = Signer(secret, bot_key=settings.bot_key)
        entropy = SystemEntropy()
        peers = WebSocketPeers(
            options.owner,
            key=self._signer.link_key(),
            codec=CODEC,
            clock=self.clock,
            timers=self.timers,
            entropy=entropy,
        )
        world = NodePorts(
            store=stores.store,
            records=stores.records,
            directory=stores.directory,
            clock=self.clock,
            timers=self.timers,
            entropy=entropy,
            broadcast=broadcast,
            peers=peers,
            files=page_files(registry.newest(), is_debug=settings.debug),
            feed=from_settings.feed_of(settings, options.owner),
        )
        self.node = node = Node(world, options, registry=registry, signer=self._signer)
        lines = LineLimits(per_address=settings.connections_per_address)
        inspector = Inspector(registry, self.timers) if settings.debug else None
        if settings.debug and not is_loopback(settings.host):
            logger.warning(
                "debugging is on, and other machines reach host=%s; do not serve other people like this", settings.host
            )
        self.listener = WebSocketListener(
            node.dispatcher,
            self.clock,
            self.timers,
            get=node.pages.answer,
            limits=lines,
            links=peers,
            inspector=inspector,
        )
        self.admin = self._admin()

    def _admin(self) -> AdminServer:
        node = self.node
        feed = None if node.feed is None else node.feed.publisher.queue
        collector = NodeCollector(
            node.counters, self.listener, self.clock, node.room_host, node.room_loader, node.bot_workers, feed
        )
        return AdminServer(
            self.timers,
            {"/metrics": lambda: HttpResponse(200, render(collector), CONTENT_TYPE), "/status": self._status},
        )

    async def _status(self) -> HttpResponse:
        status = await self.node.status_reporter.status(stalls=self.clock.stalls)
        return HttpResponse(200, msgspec.json.encode(status), "application/json")

    @classmethod
    async def start(cls, settings: Settings, stack: AsyncExitStack, supervisor: Supervisor) -> "Server":
        """Start everything in order; *stack* stops it in reverse order. Each error says why in one clear line."""
        registry = from_settings.registry_of(settings)
        _arm(settings.crash_at)
        stores = from_settings.stores_of(settings)
        backoff = Backoff()
        secret = await from_settings.open_store(stores.store, stack, backoff)
        stack.push_async_callback(stores.records.close)
        stack.push_async_callback(stores.directory.close)
        server = cls(settings, stores, registry, secret, supervisor)
        server.clock.start()
        stack.callback(server.clock.stop)
        stack.callback(server.timers.close)
        server.supervisor.watch(server.node.archiver.start())
        stack.push_async_callback(server.node.archiver.close, drain_s=GOODBYE_S)
        server.supervisor.watch(server.node.rater.start())
        stack.push_async_callback(server.node.rater.close)
        server.supervisor.watch(server.node.room_host.pipeline.committer.start())
        # The drain has waited for the store already.
        stack.push_async_callback(server.node.room_host.pipeline.committer.close, drain_s=0)
        server.node.peers.start(server.node.peer_dispatcher)
        stack.push_async_callback(server.node.peers.close)
        server.supervisor.watch(server.node.tokens.start())
        stack.push_async_callback(server.node.close_requests)
        stack.push_async_callback(server.node.lease.end)
        if (feed := server.node.feed) is not None:
            feed.publisher.start()  # unsupervised: the server can do without it
            stack.push_async_callback(feed.close, drain_s=GOODBYE_S)
        await server._listen(stack, backoff)
        key, urls = server._signer.bot_key(), [server.address.websocket]
        from_settings.start_bots(settings, key, urls, stack, server.node.bot_workers.expect)
        return server

    @property
    def address(self) -> Address:
        """The addresses of the server."""
        return Address(self.settings.host, self.listener.port, self.admin.port)

    async def drain(self) -> None:
        """Stop gracefully: accept nothing new, hand rooms over, wait for the store, close connections."""
        self.listener.stop_accepting()
        self.node.dispatcher.drain()
        if self.node.feed is not None:
            self.node.feed.drain()
        self.node.room_host.stop()
        has_failed = self.supervisor.has_failed
        if not has_failed:
            await self._within(self.node.hand_over(), HAND_OVER_S, "rooms were not handed over in time")
            await self._within(
                self.node.room_host.pipeline.committer.settled(), DRAIN_S, "store did not answer in time"
            )
        code = codes.CLOSE_INTERNAL if has_failed else codes.CLOSE_GOING_AWAY
        await self.listener.stop(code=code, reason=codes.CLOSES[code], timeout_s=GOODBYE_S)

    def _advertised(self) -> str:
        """Return the URL where other nodes open links to this one."""
        settings = self.settings
        if settings.advertise:
            return settings.advertise
        return f"ws://{in_url(own_host(settings.host, settings.redis))}:{self.listener.port}{LINK_PATH}"

    async def _within(self, work: Awaitable[None], within_s: float, complaint: str) -> None:
        try:
            async with asyncio.timeout(within_s):
                await work
        except TimeoutError:
            logger.warning("%s unanswered=%d", complaint, self.node.room_host.pipeline.committer.backlog)

    async def _listen(self, stack: AsyncExitStack, backoff: Backoff) -> None:
        settings = self.settings
        self.supervisor.watch(await backoff.ask(self.node.lease.begin))
        with listening(settings, "host", "port"):
            await self.listener.start(settings.host, settings.port)
        stack.push_async_callback(self.listener.stop)
        if settings.shared_fd:
            await self.listener.share(socket.socket(fileno=settings.shared_fd))
        await backoff.ask(lambda: self.node.lease.advertise(self._advertised()))
        with listening(settings, "admin_host", "admin_port"):
            await self.admin.start(settings.admin_host, settings.admin_port)
        stack.callback(self.admin.stop)


@contextmanager
def listening(settings: Settings, host: str, port: str) -> Iterator[None]:
    """Start to listen in this context; `StartError` names the setting to change, *host* or *port*."""
    try:
        yield
    except OSError as error:
        why = (error.strerror or str(error)).rpartition(": ")[2]
        change = flag_of(port if error.errno in _PORT_ERRORS else host)
        at = f"{getattr(settings, host)} port {getattr(settings, port)}"
        raise StartError(f"cannot listen on {at}: {why.lower()}; {change} sets another") from error


def _arm(crash_at: str) -> None:
    if crash_at:
        try:
            points.arm(crash_at)
        except ValueError as error:
            raise StartError(f"WARROOM_CRASH_AT: {error}") from error
