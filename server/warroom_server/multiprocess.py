"""Several nodes behind one port on one machine: starts them, keeps them running, drains them one by one."""

import asyncio
import logging
import signal
from collections.abc import Callable, Mapping
from contextlib import AsyncExitStack
from functools import partial
from typing import TypeAlias

import msgspec

from warroom_server.adapters.embedded.store import EmbeddedStore
from warroom_server.adapters.process.child_node import NodeProcess
from warroom_server.adapters.process.kept_child import LaunchError
from warroom_server.adapters.process.own_address import Address
from warroom_server.adapters.process.shared_port import SharedPort
from warroom_server.app import configure_logging, listening, on_signal, unless_asked_to_stop
from warroom_server.config import MEMORY_URL, Settings, as_variables
from warroom_server.from_settings import StartError, open_store, start_bots, stores_of
from warroom_server.loop.tasks import end
from warroom_server.loop.wait_for_store import Backoff
from warroom_server.session.signer import Signer

logger = logging.getLogger(__name__)

Announce: TypeAlias = Callable[[Address, list[int]], None]
"""Is given the shared address, and the admin port of each node."""


def serve_many(settings: Settings, announce: Announce) -> None:
    """Serve with several nodes until SIGTERM or SIGINT, which drains them one by one; a second one ends all at once.

    SIGHUP replaces each node by a new one, one by one, so that a new version takes over without a pause. *announce*
    is called once all nodes are ready.
    """
    configure_logging(settings)
    asyncio.run(_serve(settings, announce))


async def _serve(settings: Settings, announce: Announce) -> None:
    stopping = asyncio.Event()
    on_signal(stopping.set)
    async with AsyncExitStack() as stack:
        server = await unless_asked_to_stop(stopping, ManyNodes.start(settings, stack, stopping))
        if server is None:
            return
        server.obey_signals()
        announce(server.shared_address, [address.admin_port for address in server.own_addresses])
        await server.run_until_stopped()


class ManyNodes:
    """The store, the port, the nodes and the bot worker of one server, which runs until *stopping*."""

    def __init__(self, settings: Settings, store_url: str, shared: SharedPort, stopping: asyncio.Event) -> None:
        self._settings = settings
        self._store_url = store_url
        self._shared = shared
        self._nodes = [
            NodeProcess(number, partial(self._variables, number), shared.socket) for number in range(settings.workers)
        ]
        self._stopping = stopping
        self._rolling: asyncio.Task[None] | None = None

    @classmethod
    async def start(cls, settings: Settings, stack: AsyncExitStack, stopping: asyncio.Event) -> "ManyNodes":
        """Start everything; *stack* stops what is left at the end. Each error says why in one clear line."""
        if settings.redis == MEMORY_URL:
            raise StartError("a store in memory belongs to one node: --workers needs another, with --data or --redis")
        store = stores_of(settings).store
        secret = await open_store(store, stack, Backoff())
        store_url = store.url if isinstance(store, EmbeddedStore) else settings.redis
        with listening(settings, "host", "port"):
            shared = SharedPort(settings.host, settings.port)
        stack.callback(shared.close)
        server = cls(settings, store_url, shared, stopping)
        stack.callback(server.kill)
        await asyncio.gather(*(node.start() for node in server._nodes))
        urls = [address.websocket for address in server.own_addresses]
        start_bots(settings, Signer(secret, bot_key=settings.bot_key).bot_key(), urls, stack, expect=lambda: None)
        return server

    @property
    def own_addresses(self) -> list[Address]:
        """The own address of each node, besides the shared one."""
        return [node.address for node in self._nodes if node.address is not None]

    @property
    def shared_address(self) -> Address:
        """The shared port, and the admin port of the first node."""
        return Address(self._settings.host, self._shared.port, self.own_addresses[0].admin_port)

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

    def _variables(self, number: int, address: Address | None) -> Mapping[str, str]:
        """Return the settings of a node, as variables: the common ones and its own."""
        settings = self._settings
        own = msgspec.structs.replace(
            settings,
            workers=1,
            port=address.port if address else 0,
            admin_port=address.admin_port if address else settings.admin_port and settings.admin_port + number,
            redis=self._store_url,
            bots=False,
            tied=True,
            log_name=str(number),
        )
        return as_variables(own)
