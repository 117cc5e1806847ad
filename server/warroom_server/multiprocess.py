"""Several nodes behind one port on one machine: starts them, keeps them running, drains them one by one."""

import asyncio
import logging
import os
import signal
from collections.abc import Callable, Mapping, Sequence
from contextlib import AsyncExitStack

import msgspec
from msgspec import Struct

from warroom_server.adapters.embedded.store import EmbeddedStore
from warroom_server.adapters.process.bot_worker import BotWorker
from warroom_server.adapters.process.child_node import NodeAddress, NodeProcess
from warroom_server.adapters.process.kept_child import LaunchError
from warroom_server.adapters.process.shared_port import SharedPort
from warroom_server.app import Address, configure_logging, in_url, listen_error
from warroom_server.config import PREFIX, Settings, as_variables
from warroom_server.from_settings import MEMORY_URL, StartError, open_store, stores_of
from warroom_server.loop.store_retry import Backoff
from warroom_server.loop.tasks import end
from warroom_server.os_signals import on_signal, unless_asked_to_stop
from warroom_server.ports.store import StoreError
from warroom_server.session.signer import Signer

logger = logging.getLogger(__name__)


class NodeAddresses(Struct, frozen=True):
    """The addresses of the nodes of one server."""

    shared: Address
    """The shared port, and the admin port of the first node."""
    nodes: tuple[NodeAddress, ...]


def serve_many(settings: Settings, announce: Callable[[NodeAddresses], None]) -> None:
    """Serve with several nodes until SIGTERM or SIGINT, which drains them one by one; a second one ends all at once.

    SIGHUP replaces each node by a new one, one by one, so that a new version takes over without a pause. *announce*
    is called once all nodes are ready.
    """
    configure_logging(settings)
    asyncio.run(_serve(settings, announce))


async def _serve(settings: Settings, announce: Callable[[NodeAddresses], None]) -> None:
    stopping = asyncio.Event()
    on_signal(stopping.set)
    async with AsyncExitStack() as stack:
        server = await unless_asked_to_stop(stopping, ManyNodes.start(settings, stack, stopping))
        if server is None:
            return
        server.obey_signals()
        announce(server.addresses)
        await server.run_until_stopped()


class ManyNodes:
    """The store, the port, the nodes and the bot worker of one server, which runs until *stopping*."""

    def __init__(self, settings: Settings, store_url: str, shared: SharedPort, stopping: asyncio.Event) -> None:
        self._settings = settings
        self._store_url = store_url
        self._shared = shared
        self._nodes = [
            NodeProcess(
                number,
                variables=lambda ports, number=number: self._variables(number, ports),  # type: ignore[misc]
                listen=shared.socket,
            )
            for number in range(settings.workers)
        ]
        self._stopping = stopping
        self._rolling: asyncio.Task[None] | None = None

    @classmethod
    async def start(cls, settings: Settings, stack: AsyncExitStack, stopping: asyncio.Event) -> "ManyNodes":
        """Start everything; *stack* stops what is left at the end. Raises `StartError` with one clear line."""
        store_url, secret = await _open_store(settings, stack)
        try:
            shared = SharedPort(settings.host, settings.port)
        except OSError as error:
            raise listen_error(error, settings, "host", "port") from error
        stack.callback(shared.close)
        server = cls(settings, store_url, shared, stopping)
        stack.callback(server.kill)
        try:
            await asyncio.gather(*(node.start() for node in server._nodes))
        except LaunchError as error:
            raise StartError(str(error)) from error
        if settings.bots:
            worker = BotWorker(
                urls=server._own_urls(),
                key=Signer(secret, bot_key=settings.bot_key).bot_key(),
                think=settings.bot_think,
                expect=lambda: None,
            )
            worker.start()
            stack.push_async_callback(worker.stop)
        return server

    @property
    def addresses(self) -> NodeAddresses:
        """The addresses of the nodes."""
        ports = tuple(node.ports for node in self._nodes if node.ports is not None)
        return NodeAddresses(Address(self._settings.host, self._shared.port, ports[0].admin_port), ports)

    def obey_signals(self) -> None:
        """Handle signals from now on."""
        on_signal(self._be_asked_to_stop)
        asyncio.get_running_loop().add_signal_handler(signal.SIGHUP, self._be_asked_to_replace)

    async def run_until_stopped(self) -> None:
        """Wait until the server is asked to stop, and drain it."""
        await self._stopping.wait()
        logger.info("server stopping")
        await end(self._rolling)
        for node in self._nodes:
            await node.drain()

    def kill(self) -> None:
        """End every node at once."""
        for node in self._nodes:
            node.kill()

    def _be_asked_to_stop(self) -> None:
        if self._stopping.is_set():
            self.kill()
        self._stopping.set()

    def _be_asked_to_replace(self) -> None:
        if (self._rolling is None or self._rolling.done()) and not self._stopping.is_set():
            self._rolling = asyncio.create_task(self._replace_all(), name="rolling restart")

    async def _replace_all(self) -> None:
        """Replace one node after the other; the others take over its rooms meanwhile."""
        for node in self._nodes:
            logger.info("replacing node=%d", node.number)
            await node.drain()
            try:
                await node.start()
            except LaunchError as error:
                # The other nodes stay as they are: they would not start again either.
                logger.error("rolling restart given up reason=%r", str(error))  # noqa: TRY400
                return
        logger.info("rolling restart done nodes=%d", len(self._nodes))

    def _own_urls(self) -> Sequence[str]:
        host = in_url(self._settings.host)
        return [f"ws://{host}:{node.ports.port}/ws" for node in self._nodes if node.ports is not None]

    def _variables(self, number: int, ports: NodeAddress | None) -> Mapping[str, str]:
        """Return the environment of a node: the common settings and its own."""
        settings = self._settings
        own = msgspec.structs.replace(
            settings,
            workers=1,
            port=ports.port if ports else 0,
            admin_port=ports.admin_port if ports else settings.admin_port and settings.admin_port + number,
            redis=self._store_url,
            bots=False,
            tied=True,
            log_name=str(number),
        )
        inherited = {name: value for name, value in os.environ.items() if not name.startswith(PREFIX)}
        return {**inherited, **as_variables(own)}


async def _open_store(settings: Settings, stack: AsyncExitStack) -> tuple[str, bytes]:
    """Open the store of all nodes; return its URL and the cluster's secret."""
    if settings.redis == MEMORY_URL:
        raise StartError("a store in memory belongs to one node: --workers needs another, with --data or --redis")
    store = stores_of(settings).store
    try:
        secret = await open_store(store, stack, Backoff())
    except StoreError as error:
        raise StartError(str(error)) from error
    return store.url if isinstance(store, EmbeddedStore) else settings.redis, secret
