"""Builds the server from its settings, and runs it until it is asked to stop."""

import asyncio
import errno
import logging
import signal
import socket
import sys
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from pathlib import Path

import msgspec
from msgspec import Struct

from warroom_games.registry import Registry
from warroom_protocol import codes
from warroom_server.adapters.entropy import SystemEntropy
from warroom_server.adapters.http.admin_port import AdminServer
from warroom_server.adapters.http.page_files import page_files
from warroom_server.adapters.play_clock import PlayClock
from warroom_server.adapters.process.bot_worker import BotWorker
from warroom_server.adapters.process.end_with_parent import end_with_starter
from warroom_server.adapters.process.open_files import allow_open_files
from warroom_server.adapters.process.own_address import own_host
from warroom_server.adapters.websocket.listener import LINK_PATH, SPARE_LINES, WebSocketListener, build_frame
from warroom_server.adapters.websocket.listener import Limits as LineLimits
from warroom_server.adapters.websocket.peers import WebSocketPeers
from warroom_server.cluster.messages import CODEC
from warroom_server.config import Settings, flag_of
from warroom_server.from_settings import StartError, Stores, feed_of, open_stores, options_of, registry_of, stores_of
from warroom_server.loop.crashpoints import points
from warroom_server.loop.store_retry import Backoff
from warroom_server.loop.supervisor import Supervisor
from warroom_server.loop.timers import TimerHeap
from warroom_server.node.metrics import CONTENT_TYPE, NodeCollector, render
from warroom_server.node.options import NodePorts
from warroom_server.node.wiring import Node
from warroom_server.os_signals import SIGNALS, on_signal, unless_asked_to_stop
from warroom_server.ports.connections import HttpResponse
from warroom_server.ports.store import StoreError
from warroom_server.session.signer import Signer

logger = logging.getLogger(__name__)

HAND_OVER_S = 10.0
"""How long a stopping server may take to give its rooms to others."""
DRAIN_S = 3.0
"""How long it waits for the store's last answers."""
GOODBYE_S = 1.0
"""How long it waits for clients to disconnect, and then for replays to be stored."""
_PORT_ERRORS = (errno.EADDRINUSE, errno.EACCES)
_OWN_FILES = 256


class FailedError(Exception):
    """The server stopped because of a bug; the log has the details."""


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


def serve(settings: Settings, announce: Callable[[Address], None]) -> None:
    """Serve until SIGTERM or SIGINT, a second one of which ends the process at once.

    *announce* is called once the server is ready. Raises `FailedError` if a bug stopped the server.
    """
    configure_logging(settings)
    allow_open_files(LineLimits().connections + SPARE_LINES + _OWN_FILES)
    if settings.tied:
        end_with_starter()
    with asyncio.Runner(loop_factory=_loop_factory()) as runner:
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
    on_signal(lambda: _be_asked_to_stop(stopping))
    async with AsyncExitStack() as stack:
        server = await unless_asked_to_stop(stopping, Server.start(settings, stack))
        if server is None:
            return
        announce(server.address)
        await server.supervisor.run_until(stopping)
        logger.info("server stopping")
        await server.drain()
    if server.supervisor.has_failed:
        raise FailedError("stopped by a bug; the log says more")


def _be_asked_to_stop(stopping: asyncio.Event) -> None:
    stopping.set()
    loop = asyncio.get_running_loop()
    for number in SIGNALS:
        loop.remove_signal_handler(number)
        signal.signal(number, signal.SIG_DFL)


class Server:
    """One node with its ports and store."""

    def __init__(self, settings: Settings, stores: Stores, registry: Registry, secret: bytes) -> None:
        self.settings = settings
        options = options_of(settings)
        self.clock = PlayClock(offset_file=Path(settings.wall_offset_file) if settings.wall_offset_file else None)
        self.timers = TimerHeap(self.clock)
        self.supervisor = Supervisor()
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
            build_frame=build_frame,
            peers=peers,
            files=page_files(registry.newest()),
            feed=feed_of(settings, options.owner),
        )
        self.node = Node(world, options, registry=registry, signer=self._signer)
        lines = LineLimits(per_address=settings.connections_per_address)
        self.listener = WebSocketListener(
            self.node.dispatcher, self.clock, self.timers, get=self.node.pages.answer, limits=lines, links=peers
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
    async def start(cls, settings: Settings, stack: AsyncExitStack) -> "Server":
        """Start everything in order; *stack* stops it in reverse order. Raises `StartError` with one clear line."""
        registry = registry_of(settings)
        _arm(settings.crash_at)
        stores = stores_of(settings)
        backoff = Backoff()
        secret = await open_stores(stores, stack, backoff)
        server = cls(settings, stores, registry, secret)
        server.clock.start()
        stack.callback(server.clock.stop)
        stack.callback(server.timers.close)
        server.supervisor.watch(server.node.archiver.start())
        stack.push_async_callback(server.node.archiver.close, drain_s=GOODBYE_S)
        server.supervisor.watch(server.node.rater.start())
        stack.push_async_callback(server.node.rater.close)
        server.supervisor.watch(server.node.room_host.writer.committer.start())
        # The drain has waited for the store already.
        stack.push_async_callback(server.node.room_host.writer.committer.close, drain_s=0)
        server.node.peers.start(server.node.peer_dispatcher)
        stack.push_async_callback(server.node.peers.close)
        server.supervisor.watch(server.node.tokens.start())
        stack.push_async_callback(server.node.close_requests)
        stack.push_async_callback(server.node.lease.end)
        if (feed := server.node.feed) is not None:
            feed.publisher.start()  # unsupervised: the server can do without it
            stack.push_async_callback(feed.close, drain_s=GOODBYE_S)
        await server._listen(stack, backoff)
        if settings.bots:
            server._start_worker(stack)
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
            await self._within(self.node.room_host.writer.settled(), DRAIN_S, "store did not answer in time")
        code = codes.CLOSE_INTERNAL if has_failed else codes.CLOSE_GOING_AWAY
        await self.listener.stop(code=code, reason=codes.CLOSES[code], timeout_s=GOODBYE_S)

    def _advertised(self) -> str:
        """Return the URL where other nodes open links to this one."""
        settings = self.settings
        if settings.advertise:
            return settings.advertise
        return f"ws://{in_url(own_host(settings.host, settings.redis))}:{self.listener.port}{LINK_PATH}"

    def _start_worker(self, stack: AsyncExitStack) -> None:
        worker = BotWorker(
            urls=[self.address.websocket],
            key=self._signer.bot_key(),
            think=self.settings.bot_think,
            expect=self.node.bot_workers.expect,
        )
        worker.start()
        stack.push_async_callback(worker.stop)

    async def _within(self, work: Awaitable[None], within_s: float, complaint: str) -> None:
        try:
            async with asyncio.timeout(within_s):
                await work
        except TimeoutError:
            logger.warning("%s unanswered=%d", complaint, self.node.room_host.writer.committer.backlog)

    async def _listen(self, stack: AsyncExitStack, backoff: Backoff) -> None:
        settings = self.settings
        try:
            self.supervisor.watch(await backoff.ask(self.node.lease.begin))
            await _bound(self.listener.start(settings.host, settings.port), settings, "host", "port")
            stack.push_async_callback(self.listener.stop)
            if settings.shared_fd:
                await self.listener.share(socket.socket(fileno=settings.shared_fd))
            await backoff.ask(lambda: self.node.lease.advertise(self._advertised()))
        except StoreError as error:
            raise StartError(f"the store went away: {error}") from error
        await _bound(self.admin.start(settings.admin_host, settings.admin_port), settings, "admin_host", "admin_port")
        stack.callback(self.admin.stop)


async def _bound(start: Awaitable[None], settings: Settings, host: str, port: str) -> None:
    """Start to listen; `StartError` names the setting to change, *host* or *port*."""
    try:
        await start
    except OSError as error:
        raise listen_error(error, settings, host, port) from error


def listen_error(error: OSError, settings: Settings, host: str, port: str) -> StartError:
    """Return the error for an address that cannot be used; it names the setting to change, *host* or *port*."""
    why = (error.strerror or str(error)).rpartition(": ")[2]
    change = flag_of(port if error.errno in _PORT_ERRORS else host)
    at = f"{getattr(settings, host)} port {getattr(settings, port)}"
    return StartError(f"cannot listen on {at}: {why.lower()}; {change} sets another")


def _loop_factory() -> Callable[[], asyncio.AbstractEventLoop] | None:
    try:
        import uvloop
    except ImportError:
        return None
    return uvloop.new_event_loop


def _arm(crash_at: str) -> None:
    if crash_at:
        try:
            points.arm(crash_at)
        except ValueError as error:
            raise StartError(f"WARROOM_CRASH_AT: {error}") from error


def in_url(host: str) -> str:
    """Return a host as part of a URL for this machine."""
    if host in ("", "0.0.0.0"):
        return "127.0.0.1"
    return f"[{host}]" if ":" in host else host
